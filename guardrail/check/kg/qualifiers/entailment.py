"""Words of a claim that say more than the location that supports it.

That a place lies in a country supports "is a city in" it; it says nothing of a capital, a hub or a state. Support goes from a statement to
what follows from it, never the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guardrail import ontology
from guardrail.check.kg.compare.names import fold
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.relations import locates
from guardrail.rules import rule
from guardrail.types import Argument, Claim, Evidence, Node, Triplet

__all__ = ["not_entailed"]

_LOCATING, _CLASSES = ontology.roles("lies in"), ontology.roles("class")
# What a place is to another one, besides lying in it: its rank, its office, its power over it.
_RANKS = frozenset(
    "seat capital hub centre center heart core headquarters headquarter base stronghold cradle birthplace gateway powerhouse"
    " metropolis residence court parliament government administration power symbol jewel pearl backbone engine"
    " occupies occupy occupied rules rule ruled governs govern governed controls control controlled owns own owned hosts host"
    " houses dominates dominate leads lead leading runs heads represents borders bordering neighbours neighbors".split()
)
# Kinds of places of which a thing is one or is not, and of which the graph says so.
_KINDS = frozenset(
    "state province region district department county territory prefecture canton republic country nation continent kingdom"
    " borough suburb village hamlet island peninsula river lake mountain volcano desert sea ocean colony dependency".split()
)


@rule("predicates-not-entailed")
def not_entailed(claim: Claim, findings: Sequence[FactFinding], evidence: Evidence) -> Iterator[str]:
    """The words of a predicate that do not follow from where its subject lies, where that is all that supports it."""
    for finding in findings:
        if finding.fact >= len(claim.facts) or not _supported_by_place(finding, evidence):
            continue
        fact = claim.facts[finding.fact]
        words = fold(fact.predicate).split()
        classes = _classes(fact.subject, evidence)
        yield from (word for word in words if word in _RANKS and word not in classes)
        yield from (word for word in words if classes and word in _KINDS and word not in classes)


def _supported_by_place(finding: FactFinding, evidence: Evidence) -> bool:
    placed = bool(finding.triplets) and all(_placing(triplet, evidence) for triplet in finding.triplets)
    return finding.state == "agree" and placed


def _placing(triplet: Triplet, evidence: Evidence) -> bool:
    relation = triplet.predicate
    return _plays(triplet, evidence, _LOCATING) if relation.id else locates(relation)


def _plays(triplet: Triplet, evidence: Evidence, parts: frozenset[str]) -> bool:
    return ontology.plays(ontology.record(triplet.predicate.id, evidence.properties), parts)


def _classes(subject: Argument, evidence: Evidence) -> frozenset[str]:
    """The words of what the graph says that the subject is; empty where it says nothing."""
    mention = subject.mention
    ids = {candidate.entity.id for candidate in mention.candidates} if mention else set()
    stated = [*evidence.triplets, *(t for answer in evidence.answers for t in answer.statements)]
    stated += [triplet for path in evidence.paths for triplet in path.triplets]
    labels = [
        triplet.object.label
        for triplet in stated
        if _plays(triplet, evidence, _CLASSES)
        and _is(triplet.subject, ids)
        and isinstance(triplet.object, Node)
    ]
    labels += [one.entity.description.partition(" of ")[0] for one in mention.candidates] if mention else []
    return frozenset(word for label in labels for word in fold(label).split())


def _is(node: object, ids: set[str]) -> bool:
    return isinstance(node, Node) and node.id in ids
