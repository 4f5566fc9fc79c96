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
    if set(_OFFICE).isdisjoint(fact.relations) or fact.object.mentions or fact.object.span is None:
        return fact
    for other in facts:
        country, span = other.object.mention, other.object.span
        if country is None or span is None or other.subject.span != fact.subject.span:
            continue
        leads = not _LEADS.isdisjoint(other.relations) and other.predicate.endswith(f"{fact.object.text} of")
        before = not set(_NATIONALITY).isdisjoint(other.relations) and span.end + 1 == fact.object.span.start
        if not leads and not (before and fact.object.text.casefold() in _HEADS):
            continue
        both = Span(min(span.start, fact.object.span.start), max(span.end, fact.object.span.end))
        return replace(
            fact, object=replace(fact.object, text=f"{fact.object.text} of {country.text}", span=both)
        )
    return fact
