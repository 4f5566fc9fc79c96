"""Whether two places exclude each other: Munich and Ulm do, Lincolnshire and Woolsthorpe do not for all the graph says.

Places exclude each other at one level only: a city another city, a country another country. What a place lies in is seldom
known in full, so that one which is merely another name may be the region or the state around it. It takes two of a
kind, on the ways up from either place, of which neither lies in the other's way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from guardrail import ontology
from guardrail.evidence.knowledge import Knowledge
from guardrail.types import Entity
from guardrail.values.continents import reaches

__all__ = ["apart"]

_STATE, _TOWN = "state", "town"
_CONTINENT = ontology.classes("continent")
# Classes that are told apart by size or form alone.
_LEVELS = dict.fromkeys(ontology.classes("level of states"), _STATE) | dict.fromkeys(
    ontology.classes("level of towns"), _TOWN
)
# Their members cover a country without overlapping; "region", "area" and "tourist destination" do not.
_DIVISION = re.compile(
    r"(?:\w+ )?(?:state|province|county|department|prefecture|canton|voivodeship|oblast|governorate|municipality|emirate)"
    r"(?: (?:of|in) .+)?",
    re.IGNORECASE,
)
_OWN_CLASS = re.compile(r"(?!Q\d+$)")  # of a graph that is not Wikidata's
_SETTLEMENT = ontology.classes("settlement")
# Empires and former states: what they held has another name today.
_GONE = ontology.classes("former state")
_MOST_HOPS = 3
_WIDEST = 100


def apart(graph: Knowledge, known: Sequence[str], claimed: Entity) -> bool:
    """Whether `claimed` is certain to be none of the places `known` (ids), nor around them, nor in them."""
    if _gone(graph, claimed) or not _territory(graph, claimed):
        return False
    here, there = _around(graph, known), _around(graph, [claimed.id])
    ours = _by_level(graph, [place for number, place in here.items() if number not in there])
    theirs = _by_level(graph, [place for number, place in there.items() if number not in here])
    if not _CONTINENT.isdisjoint(claimed.types) and any(
        reaches(place.id, [claimed.id]) for place in here.values()
    ):
        return False
    return not ours.keys().isdisjoint(theirs)


def _around(graph: Knowledge, ids: Sequence[str]) -> dict[int, Entity]:
    """The places and what they lie in, by number; the way does not lead on through a state that is gone."""
    upward = [n for p in graph.playing(("lies in",)) if (n := graph.property_number(p)) is not None]
    found: dict[int, Entity] = {}
    level = list(graph.numbers(ids).values())
    for _ in range(_MOST_HOPS + 1):
        standing = {n: e for n, e in graph.entities(level).items() if not _gone(graph, e)}
        found |= standing
        edges = graph.climb(list(standing), upward) if standing else []
        level = list(dict.fromkeys(edge.b for edge in edges if edge.b not in found))[:_WIDEST]
        if not level:
            break
    return found


def _by_level(graph: Knowledge, places: Iterable[Entity]) -> Mapping[str, list[Entity]]:
    found: dict[str, list[Entity]] = {}
    for place in places:
        for level in _levels(graph, place):
            found.setdefault(level, []).append(place)
    return found


def _levels(graph: Knowledge, place: Entity) -> set[str]:
    """The levels of a place. A settlement of no special kind may be a quarter of a town, unless it is known what it lies in."""
    levels = {level for kind in place.types if (level := _level(graph, graph.version, kind))}
    if not _SETTLEMENT.isdisjoint(place.types) and _has(graph, place, "located in"):
        levels.add(_TOWN)
    return levels


@lru_cache(maxsize=1024)
def _level(graph: Knowledge, version: str, kind: str) -> str:
    """The level that a class stands for; "" where its members may overlap."""
    if kind in _LEVELS or kind in _CONTINENT:
        return _LEVELS.get(kind, kind)
    if _OWN_CLASS.match(kind):
        return kind
    known = graph.entity(kind)
    return kind if known is not None and _DIVISION.fullmatch(known.label) else ""


def _territory(graph: Knowledge, place: Entity) -> bool:
    """Whether it is a place at all: a record label has a country, too."""
    if not _SETTLEMENT.isdisjoint(place.types) or _levels(graph, place):
        return True
    return _has(graph, place, "of a territory")


def _has(graph: Knowledge, place: Entity, part: str) -> bool:
    return any(graph.statements(place.id, relation) for relation in graph.playing((part,)))


def _gone(graph: Knowledge, place: Entity) -> bool:
    state = any(_LEVELS.get(kind) == _STATE for kind in place.types)
    return not _GONE.isdisjoint(place.types) or (state and _has(graph, place, "dissolved"))
