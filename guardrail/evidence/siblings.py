"""Whether two places exclude each other: Munich and Ulm do, Lincolnshire and Woolsthorpe do not for all the graph says.

Places exclude each other at one level only: a city another city, a country another country. What a place lies in is seldom
known in full, so that one which is merely another name may be the region or the state around it. It takes two of a
kind, on the ways up from either place, of which neither lies in the other's way.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from guardrail.evidence.closure import above
from guardrail.evidence.knowledge import Knowledge
from guardrail.types import Entity
from guardrail.values.continents import reaches

__all__ = ["apart"]

_STATE, _TOWN = "state", "town"
# Classes that are told apart by size or form alone.
_LEVELS = dict.fromkeys("Q6256 Q3624078 Q112099 Q123480 Q7275 Q3336843".split(), _STATE) | dict.fromkeys(
    "Q515 Q1549591 Q3957 Q532 Q5119 Q1637706 Q174844 Q200250 Q208511 Q1093829 Q7930989 Q747074 Q484170 Q13218690".split(),
    _TOWN,
)
_SETTLEMENT, _LOCATED_IN, _DISSOLVED = "Q486972", "P131", "P576"
# Empires and former states: what they held has another name today.
_GONE = frozenset("Q3024240 Q48349 Q1790360 Q19953632 Q28171280".split())
_CONTINENT = "Q5107"


def apart(graph: Knowledge, known: Sequence[str], claimed: Entity) -> bool:
    """Whether `claimed` is certain to be none of the places `known` (ids), nor around them, nor in them."""
    here, there = (above(graph, ids) for ids in (known, [claimed.id]))
    ours, theirs = (_by_level(graph, numbers) for numbers in (here - there, there - here))
    if _CONTINENT in claimed.types and any(
        reaches(state.id, [claimed.id]) for places in ours.values() for state in places
    ):
        return False
    return not _gone(graph, claimed) and any(
        _standing(graph, ours[level]) and _standing(graph, theirs[level])
        for level in ours.keys() & theirs.keys()
    )


def _by_level(graph: Knowledge, numbers: Set[int]) -> dict[str, list[Entity]]:
    found: dict[str, list[Entity]] = {}
    for place in graph.entities(sorted(numbers)).values():
        for level in _levels(graph, place):
            found.setdefault(level, []).append(place)
    return found


def _levels(graph: Knowledge, place: Entity) -> set[str]:
    """The levels of a place. A settlement of no special kind may be a quarter of a town, unless it is known what it lies in."""
    levels = {_LEVELS.get(kind, kind) for kind in place.types}
    if _SETTLEMENT in levels and _TOWN not in levels:
        levels.remove(_SETTLEMENT)
        if graph.statements(place.id, _LOCATED_IN):
            levels.add(_TOWN)
    return levels


def _standing(graph: Knowledge, places: Sequence[Entity]) -> bool:
    return any(not _gone(graph, place) for place in places)


def _gone(graph: Knowledge, place: Entity) -> bool:
    return not _GONE.isdisjoint(place.types) or bool(graph.statements(place.id, _DISSOLVED))
