"""Which end of a fact is the subject of a statement: "Bhutan is the capital of Thimphu" is not what "Bhutan: capital: Thimphu" says."""

from __future__ import annotations

from collections.abc import Iterable

from guardrail import ontology
from guardrail.check.kg.compare.names import like_node
from guardrail.direction import forward
from guardrail.rules import rule
from guardrail.types import Argument, Claim, Evidence, Fact, Node, Object, Property, Triplet

__all__ = ["exchanged", "forwards", "joined_subjects"]


def forwards(fact: Fact, known: Property) -> bool | None:
    """Whether the fact's subject has the property: by the relations that the fact was read with, else by the words they share; None
    where that is not told, or where the property holds both ways.
    """
    if known.symmetric:
        return None
    same, turned = (known.id, *known.same_as), (known.inverse,) if known.inverse else ()
    ways = {
        told
        for told, straight, back in ((True, same, turned), (False, turned, same))
        if not {*straight, *(f"^{id_}" for id_ in back)}.isdisjoint(fact.relations)
    }
    return ways.pop() if len(ways) == 1 else forward(fact.predicate, known)


@rule("exchanged-ends", silent=False)
def exchanged(claim: Claim, statements: Iterable[Triplet], evidence: Evidence) -> bool:
    """Whether a fact of the claim has the two ends of one of these statements the other way round."""
    return any(
        _is_exchanged(fact, one, ontology.record(one.predicate.id, evidence.properties))
        for one in statements
        for fact in claim.facts
    )


def _is_exchanged(fact: Fact, one: Triplet, known: Property) -> bool:
    straight = _is(fact.subject, one.subject) and _is(fact.object, one.object)
    turned = _is(fact.subject, one.object) and _is(fact.object, one.subject)
    return straight != turned and forwards(fact, known) is turned


def _is(argument: Argument, end: Object) -> bool:
    return isinstance(end, Node) and like_node(argument, end) == "same"


def joined_subjects(claim: Claim) -> frozenset[str]:
    """The ids of several things of which a claim says the same: "Anna and Bo were born in Ulm"; of one thing, none."""
    said: dict[tuple[str, str], set[str]] = {}
    for fact in claim.facts:
        mention = fact.subject.mention
        if mention is not None and mention.entity is not None:
            said.setdefault((fact.predicate, fact.object.text), set()).add(mention.entity.id)
    most = max(said.values(), key=len, default=set())
    return frozenset(most if len(most) > 1 else ())
