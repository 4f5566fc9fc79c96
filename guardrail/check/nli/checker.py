"""Judges by statements what exact comparison left open: a cross-encoder reads them and the claim.

Each premise gets three probabilities. The surest support and the surest contradiction decide, if they reach the
threshold; if both do, the statements disagree, neither wins and both are shown. What lies in the abstain band between stays
Extrapolatory, and so does support found while related statements went unread. Passages are for `text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from guardrail.check.kg.compare.containment import names_wider_place
from guardrail.check.kg.compare.identifiers import fabricated
from guardrail.check.kg.relations import locates, related
from guardrail.check.kg.relevance import relevant
from guardrail.check.nli.premises import Premise, bearing, joining, naming, on_other_terms, premises
from guardrail.check.text.verdicts import quoted
from guardrail.check.text.windows import LEAST, room_beside
from guardrail.models.nli import Classifier
from guardrail.types import (
    Claim,
    Evidence,
    Kind,
    Label,
    Reason,
    Source,
    SourceVerdict,
    Triplet,
    Value,
    Verdict,
)

__all__ = ["NliChecker"]

_ROOM = 160  # tokens of a premise: longer evidence is read in parts
_PLACING = (" in", " at", " on", " of", " within")


class NliChecker:
    """Implements `Checker`. None for claims without evidence, and for those that no reading of evidence can decide."""

    def __init__(self, model: Classifier) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """With the model's, which a server may tell late."""
        return f"nli:{self._model.name}"

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        told = relevant(claim, replace(evidence, passages=()))
        if claim.kind is not Kind.FACT or claim.reason is not None or not evidence.triplets:
            return None
        room = room_beside(claim.resolved, self._model)
        if room < LEAST:
            return self._open(claim, replace(evidence, passages=()), 0.5, unread=len(evidence.triplets))
        found = premises(claim.resolved, told, room=min(_ROOM, room), measure=self._model.lengths)
        if not found.read:
            return None
        rows = self._model.probabilities([(premise.text, claim.resolved) for premise in found.read]).tolist()
        judged = [_Judged(premise, *row) for premise, row in zip(found.read, rows, strict=True)]
        if fabricated(claim.resolved, " ".join(t.object.label for t in evidence.triplets)):
            judged = [
                replace(one, attributable=0.0) for one in judged
            ]  # whatever is like it, it is not there
        return self._verdict(claim, judged, found.unread + len(evidence.unread))

    def _verdict(self, claim: Claim, judged: Sequence[_Judged], unread: int) -> Verdict:
        able = [one for one in judged if _can_support(one.premise, claim)]
        support = next(iter(self._sure(Label.ATTRIBUTABLE, able)), None)
        against = [one for one in judged if _can_refute(one.premise, claim)]
        refutal = next(iter(self._sure(Label.CONTRADICTORY, against)), None)
        if support and refutal:
            return self._disagreement(claim, support, refutal)
        if support and not unread:
            return self._decided(claim, Label.ATTRIBUTABLE, support)
        if refutal:
            return self._decided(claim, Label.CONTRADICTORY, refutal)
        nearest = max(judged, key=lambda one: (one.premise.overlap, one.attributable + one.contradictory))
        return self._open(claim, nearest.premise.evidence, nearest.extrapolatory, unread=unread)

    def _sure(self, label: Label, judged: Sequence[_Judged]) -> list[_Judged]:
        """The premises that reach the threshold of their source, the one furthest above it first."""

        def margin(one: _Judged) -> float:
            limits = self._model.thresholds("triplets")
            wanted = limits.attributable if label is Label.ATTRIBUTABLE else limits.contradictory
            return one.share(label) - wanted

        return sorted((one for one in judged if margin(one) >= 0), key=margin, reverse=True)

    def _open(self, claim: Claim, evidence: Evidence, sure: float, *, unread: int) -> Verdict:
        why = (
            f"Related evidence did not fit and was not read ({unread} pieces), so the claim is not taken as confirmed."
            if unread
            else "The evidence that was found neither confirms nor refutes the claim with enough certainty."
        )
        reason = Reason.NOT_READ if unread else Reason.INSUFFICIENT
        return Verdict(claim, Label.EXTRAPOLATORY, sure, evidence, why, checker=self.name, reason=reason)

    def _decided(self, claim: Claim, label: Label, found: _Judged) -> Verdict:
        sure = found.share(label)
        does = "supports" if label is Label.ATTRIBUTABLE else "contradicts"
        bearing = joining(found.premise, claim.resolved) if label is Label.ATTRIBUTABLE else ()
        evidence = Evidence(triplets=bearing) if bearing else found.premise.evidence
        why = f"The {_source(found.premise)} “{quoted(found.premise.text)}” {does} the claim."
        return Verdict(claim, label, sure, evidence, why, checker=self.name)

    def _disagreement(self, claim: Claim, support: _Judged, refutal: _Judged) -> Verdict:
        pro, con = support.premise, refutal.premise
        both = Evidence(triplets=tuple(dict.fromkeys((*pro.evidence.triplets, *con.evidence.triplets))))
        why = f"The sources disagree: “{quoted(pro.text)}” supports the claim, and “{quoted(con.text)}” contradicts it."
        sides = tuple(
            SourceVerdict(_origin(v.evidence), v.label, v.confidence, v.evidence, v.rationale, v.checker)
            for v in (
                self._decided(claim, Label.ATTRIBUTABLE, support),
                self._decided(claim, Label.CONTRADICTORY, refutal),
            )
        )
        return Verdict(
            claim,
            Label.EXTRAPOLATORY,
            1 - support.attributable,
            both,
            why,
            checker=self.name,
            reason=Reason.INSUFFICIENT,
            by_source=sides,
        )


@dataclass(frozen=True, slots=True)
class _Judged:
    premise: Premise
    attributable: float
    extrapolatory: float
    contradictory: float

    def share(self, label: Label) -> float:
        return self.attributable if label is Label.ATTRIBUTABLE else self.contradictory


def _origin(evidence: Evidence) -> Source:
    return Source.REQUEST if all(t.source == Source.REQUEST for t in evidence.triplets) else Source.KG


def _can_support(premise: Premise, claim: Claim) -> bool:
    joined = joining(premise, claim.resolved)
    return bool(joined) if not claim.facts else any(_says(triplet, claim) for triplet in joined)


def _says(triplet: Triplet, claim: Claim) -> bool:
    """Whether a statement may stand for a fact: by its relation, by its place, or as the date of what has no other object.

    A small model takes the town where somebody died for one that he wrote.
    """
    dates_alone = not any(fact.object.mentions for fact in claim.facts) and isinstance(triplet.object, Value)
    return dates_alone or any(
        related(fact, triplet.predicate)
        or (
            locates(triplet.predicate)
            and fact.object.value is None
            and fact.predicate.casefold().endswith(_PLACING)
        )
        for fact in claim.facts
    )


def _can_refute(premise: Premise, claim: Claim) -> bool:
    """Statements about somebody else contradict nothing, nor what shares little with the claim or has a place within its place."""
    return (
        naming(premise, [mention.text for mention in claim.mentions])
        and bearing(premise.text, claim.resolved)
        and not names_wider_place(claim, premise.text)
        and not on_other_terms(claim.resolved, premise.evidence.triplets)
    )


def _source(premise: Premise) -> str:
    return "statement" if len(premise.evidence.triplets) == 1 else "evidence"
