"""An office whose adjective says of which country: "the French president" is the president of France."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guardrail import ontology
from guardrail.rules import rule
from guardrail.types import Fact, Span

__all__ = ["whole_office"]

_OFFICE, _NATIONALITY = ontology.ids("position held"), ontology.ids("country of citizenship")
_LEADS = frozenset(f"^{id_}" for id_ in ontology.ids("head of state", "head of government"))
_HEADS = frozenset(
    "president|vice president|prime minister|premier|chancellor|king|queen|emperor|empress|monarch".split("|")
)


@rule("whole-office", passes=0)
def whole_office(fact: Fact, facts: Sequence[Fact]) -> Fact:
    """`fact` with its office named in full, where another fact of the same subject says which country that leads."""
    office = fact.object
    if set(_OFFICE).isdisjoint(fact.relations) or office.mentions or office.span is None:
        return fact
    for other in facts:
        country, span = other.object.mention, other.object.span
        if country is None or span is None or other.subject.span != fact.subject.span:
            continue
        if _says_of_which(other, office.text, adjective=span.end + 1 == office.span.start):
            both = Span(min(span.start, office.span.start), max(span.end, office.span.end))
            return replace(fact, object=replace(office, text=f"{office.text} of {country.text}", span=both))
    return fact


def _says_of_which(other: Fact, office: str, *, adjective: bool) -> bool:
    """Whether a fact says of which country an office is: its holder leads it, or the adjective before the office is its."""
    leads = not _LEADS.isdisjoint(other.relations) and other.predicate.endswith(f"{office} of")
    nation = adjective and not set(_NATIONALITY).isdisjoint(other.relations)
    return leads or (nation and office.casefold() in _HEADS)
