"""Whether somebody's known citizenship rules another out.

A list of citizenships may go on, so another country is wrong only where the person was born in one of those that are known,
and nothing in the graph ties the person to the other: neither death nor home lies there. States that are gone rule nothing out (a Soviet citizen may be called Russian), nor,
for those born before there were passports for everybody, do neighbours (Mozart is called Austrian and German).
"""

from __future__ import annotations

from collections.abc import Sequence

from guardrail import ontology
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.query.closure import chain
from guardrail.types import Entity, Node, Triplet, Value

__all__ = ["foreign"]

_COUNTRY, _GONE = ontology.classes("country"), ontology.classes("historical country")
_PASSPORTS = 1900  # year of birth


def foreign(graph: Knowledge, person_id: str, known: Sequence[str], claimed: Entity) -> bool:
    """Whether `claimed` is a country that the person, a citizen of `known`, has nothing to do with."""
    countries = [graph.entity(country_id) for country_id in known]
    if not _stands(claimed) or not all(country is not None and _stands(country) for country in countries):
        return False
    ties = [
        statement.object.id
        for relation in graph.playing(("tie",))
        for statement in graph.statements(person_id, relation)
        if isinstance(statement.object, Node)
    ]
    if claimed.id in ties or chain(graph, ties, [claimed.id]):
        return False
    births = [s.object.id for s in _told(graph, person_id, "place of birth") if isinstance(s.object, Node)]
    if not chain(graph, births, known):
        return False  # where nothing bears the known citizenship out, it may be a second one
    return _born_since(graph, person_id, _PASSPORTS) or not _neighbours(graph, claimed.id, known)


def _stands(country: Entity) -> bool:
    return not _COUNTRY.isdisjoint(country.types) and _GONE.isdisjoint(country.types)


def _born_since(graph: Knowledge, person_id: str, year: int) -> bool:
    births = [s.object.value for s in _told(graph, person_id, "date of birth") if isinstance(s.object, Value)]
    return any(birth[:4].isdigit() and int(birth[:4]) >= year for birth in births)


def _neighbours(graph: Knowledge, country_id: str, others: Sequence[str]) -> bool:
    borders = _told(graph, country_id, "shares border with")
    return any(isinstance(s.object, Node) and s.object.id in others for s in borders)


def _told(graph: Knowledge, entity_id: str, part: str) -> list[Triplet]:
    return [s for relation in graph.playing((part,)) for s in graph.statements(entity_id, relation)]
