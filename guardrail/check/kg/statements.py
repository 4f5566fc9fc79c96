"""A claim beside statements: by the words that the lexicon knows, and where these leave it open by the graph's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from guardrail import ontology
from guardrail.check.cascade import FINAL
from guardrail.check.kg.aligned.words import former
from guardrail.check.kg.compare.names import ids_of
from guardrail.rules import rule
from guardrail.types import Checker, Claim, Evidence, Fact, Label, Node, Verdict

__all__ = ["StatementsChecker"]

_Triple = tuple[str, str, str]


class StatementsChecker:
    """Implements `Checker`. `exact` reads relations that the lexicon knows, `aligned` any property of the graph at hand.

    What `exact` refutes by words that no lexicon knows ("closes at half past ten"), or of what is over, stands only where
    `aligned` does not find the claim supported: "a former director" of a graph that has former directors is one.
    """

    name = "statements"

    def __init__(self, exact: Checker, aligned: Checker) -> None:
        self._exact, self._aligned = exact, aligned

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        """The verdict of the one that decides, else that of `exact`, which says why it is open."""
        first = self._exact.check(claim, evidence)
        if first is None or first.reason in FINAL or first.label is Label.ATTRIBUTABLE or first.conflict:
            return first
        if first.label is Label.CONTRADICTORY and _worded(first) and not former(claim.text):
            return first
        second = self._aligned.check(claim, evidence)
        return first if second is None or _exchanged(claim, second) else _of_both(first, second)


def _of_both(first: Verdict, second: Verdict) -> Verdict:
    """The second one, unless it does not support what the first refutes."""
    if first.label is Label.CONTRADICTORY:
        return second if second.label is Label.ATTRIBUTABLE else first
    return replace(second, claim=first.claim)


@rule("exchanged-ends", silent=False)
def _exchanged(claim: Claim, verdict: Verdict) -> bool:
    """Whether it supports a fact by a statement that has its ends the other way round: the Earth goes around the Sun, not the Sun
    around the Earth. What a relation of the lexicon says between two things has a direction.
    """
    told = [triple for fact in claim.facts for triple in _told(fact)]
    return verdict.label is Label.ATTRIBUTABLE and any(
        _says(told, known.object.id, known.predicate.id, known.subject.id)
        and not _says(told, known.subject.id, known.predicate.id, known.object.id)
        for known in verdict.evidence.triplets
        if isinstance(known.object, Node)
    )


def _says(told: Sequence[_Triple], subject: str, property_id: str, object_: str) -> bool:
    """Whether one of the triples may be this one; an end that no graph knows is any."""
    return any(
        id_ == property_id and one in ("", subject) and other in ("", object_) and (one or other)
        for one, id_, other in told
    )


def _told(fact: Fact) -> Iterator[_Triple]:
    """What a fact says by each of its relations and by their inverses: subject, property, object."""
    for relation in fact.relations:
        ends = (fact.object, fact.subject) if relation.startswith("^") else (fact.subject, fact.object)
        id_ = relation.removeprefix("^")
        for one, other in product(ids_of(ends[0]) or ("",), ids_of(ends[1]) or ("",)):
            yield one, id_, other
            if (inverse := ontology.record(id_).inverse) is not None:
                yield other, inverse, one


def _worded(verdict: Verdict) -> bool:
    """Whether the fact that decided was read by a relation of the lexicon."""
    slot, facts = verdict.slot, verdict.claim.facts
    return slot is not None and slot.fact < len(facts) and bool(facts[slot.fact].relations)
