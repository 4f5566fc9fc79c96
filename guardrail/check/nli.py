"""Judges what exact comparison left open: a cross-encoder reads the evidence and the claim.

Each premise gets three probabilities. The surest support and the surest contradiction decide, if they reach the
threshold of their source; if both do, the sources disagree and neither wins. What lies in the abstain band between
stays Extrapolatory, and so does support found while related evidence went unread.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from guardrail.check.premises import Premise, Premises, joins, premises, sentences
from guardrail.nli import Classifier
from guardrail.types import Claim, Evidence, Kind, Label, Reason, Verdict

__all__ = ["NliChecker"]

_ROOM = 160  # tokens of a premise: what the shipped model was trained on; longer evidence is read in parts
_SLACK = 8  # joined parts may have a few tokens more than their sum
_ALONE = 0.8  # of the whole premise's probability: what one sentence must reach to be shown alone
_QUOTED = 160  # characters of evidence that a rationale repeats


class NliChecker:
    """Implements `Checker`. None for claims without evidence, and for those that no reading of evidence can decide."""

    def __init__(self, model: Classifier) -> None:
        self.name = f"nli:{model.name}"
        self._model = model

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        if claim.kind is not Kind.FACT or claim.reason is not None or not evidence:
            return None
        found = self._premises(claim.resolved, evidence)
        if not found.read:
            return None
        rows = self._model.probabilities([(premise.text, claim.resolved) for premise in found.read])
        unread = found.unread + len(evidence.unread)
        return self._verdict(claim, found.read, rows, unread=unread)

    def _premises(self, hypothesis: str, evidence: Evidence) -> Premises:
        spare = self._model.window - self._model.specials - self._model.lengths([hypothesis])[0] - _SLACK
        if spare < 32:  # a claim that leaves no room to read anything beside it
            return Premises(())
        return premises(hypothesis, evidence, room=min(_ROOM, spare), measure=self._model.lengths)

    def _verdict(
        self,
        claim: Claim,
        read: Sequence[Premise],
        rows: np.ndarray[tuple[int, int], np.dtype[np.float32]],
        *,
        unread: int,
    ) -> Verdict:
        joined = np.array([joins(premise, claim.resolved) for premise in read])
        supporting, refuting = int((rows[:, 0] * joined).argmax()), int(rows[:, 2].argmax())
        supported = (
            joined[supporting]
            and rows[supporting, 0] >= self._model.thresholds(read[supporting].kind).attributable
        )
        refuted = rows[refuting, 2] >= self._model.thresholds(read[refuting].kind).contradictory
        if supported and refuted:
            return self._disagreement(claim, read[supporting], read[refuting], float(rows[supporting, 0]))
        if supported and not unread:
            return self._decided(claim, Label.ATTRIBUTABLE, read[supporting], float(rows[supporting, 0]))
        if refuted:
            return self._decided(claim, Label.CONTRADICTORY, read[refuting], float(rows[refuting, 2]))
        nearest = max(range(len(read)), key=lambda at: (read[at].overlap, float(rows[at, 0] + rows[at, 2])))
        reason = Reason.NOT_READ if unread else Reason.INSUFFICIENT
        why = (
            f"{unread} pieces of related evidence did not fit and were not read, so the claim is not taken as confirmed."
            if unread
            else "The evidence that was found neither confirms nor refutes the claim with enough certainty."
        )
        sure = float(rows[nearest, 1])
        return Verdict(
            claim, Label.EXTRAPOLATORY, sure, read[nearest].evidence, why, checker=self.name, reason=reason
        )

    def _decided(self, claim: Claim, label: Label, premise: Premise, sure: float) -> Verdict:
        shown = self._located(claim, label, premise, sure)
        does = "supports" if label is Label.ATTRIBUTABLE else "contradicts"
        why = f"The {_source(shown)} “{_quote(shown.text)}” {does} the claim."
        return Verdict(claim, label, sure, shown.evidence, why, checker=self.name)

    def _located(self, claim: Claim, label: Label, premise: Premise, sure: float) -> Premise:
        """The one sentence that decides, where one alone comes near the certainty of all (RefChecker's localization)."""
        parts = sentences(premise)
        if len(parts) < 2:
            return premise
        rows = self._model.probabilities([(part.text, claim.resolved) for part in parts])
        column = rows[:, 0 if label is Label.ATTRIBUTABLE else 2]
        best = int(column.argmax())
        return parts[best] if column[best] >= _ALONE * sure else premise

    def _disagreement(self, claim: Claim, pro: Premise, con: Premise, sure: float) -> Verdict:
        both = Evidence(
            triplets=tuple(dict.fromkeys((*pro.evidence.triplets, *con.evidence.triplets))),
            passages=tuple(dict.fromkeys((*pro.evidence.passages, *con.evidence.passages))),
        )
        why = f"The sources disagree: “{_quote(pro.text)}” supports the claim, and “{_quote(con.text)}” contradicts it."
        return Verdict(
            claim,
            Label.EXTRAPOLATORY,
            1 - sure,
            both,
            why,
            checker=self.name,
            reason=Reason.INSUFFICIENT,
        )


def _source(premise: Premise) -> str:
    if premise.kind == "passages":
        return "passage"
    return "statement" if len(premise.evidence.triplets) == 1 else "evidence"


def _quote(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _QUOTED else f"{flat[:_QUOTED].rsplit(' ', 1)[0]} …"
