"""Judges a claim by the statements of somebody's own graph that are nearest to it in meaning, where comparing found nothing.

A cross-encoder reads them together and says what they make of the claim. So a sentence counts that names nothing of the graph, uses
none of its properties' names, or joins several statements. The fewest statements that decide are shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.check.nli.premises import wire_text
from guardrail.check.text.verdicts import quoted
from guardrail.check.text.windows import room_beside
from guardrail.models.nli import Classifier
from guardrail.models.settings import NEVER, Thresholds
from guardrail.types import Claim, Evidence, Kind, Label, Triplet, Verdict

__all__ = ["RecordsChecker"]

_ROOM = 280  # tokens of all statements together
_COLUMNS = ((Label.ATTRIBUTABLE, 0), (Label.CONTRADICTORY, 2))


class RecordsChecker:
    """Implements `Checker`. None where nothing is near, the claim is doubted, or the model is not sure."""

    def __init__(self, model: Classifier) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """With the model's, which a server may tell late."""
        return f"records:{self._model.name}"

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        if claim.kind is not Kind.FACT or claim.reason is not None:
            return None
        limits = self._model.thresholds("tables")
        near = self._fitting(claim, evidence.nearest) if limits != NEVER else ()
        if not near:
            return None
        (row,) = self._read(claim, [near])
        # Nothing is confirmed while evidence went unread.
        for label, column in _COLUMNS[1:] if evidence.unread else _COLUMNS:
            if row[column] >= _least(limits, label):
                return self._decided(claim, label, row[column], self._deciding(claim, near, label, column))
        return None

    def _fitting(self, claim: Claim, nearest: Sequence[Triplet]) -> Sequence[Triplet]:
        """As many of the nearest as the model can read beside the claim."""
        room = min(_ROOM, room_beside(claim.resolved, self._model))
        while nearest and self._model.lengths([wire_text(nearest)])[0] > room:
            nearest = nearest[:-1]
        return nearest

    def _deciding(
        self, claim: Claim, near: Sequence[Triplet], label: Label, column: int
    ) -> Sequence[Triplet]:
        """The statement that decides most surely by itself, else the fewest of the nearest that decide together."""
        least = _least(self._model.thresholds("tables"), label)
        groups = [[one] for one in near] + [near[:size] for size in range(2, len(near))]
        shares = [row[column] for row in self._read(claim, groups)]
        best = max(range(len(near)), key=shares.__getitem__)
        if shares[best] >= least:
            return [near[best]]
        together = zip(groups[len(near) :], shares[len(near) :], strict=True)
        return next((group for group, share in together if share >= least), near)

    def _read(self, claim: Claim, groups: Sequence[Sequence[Triplet]]) -> list[list[float]]:
        found: list[list[float]] = self._model.probabilities(
            [(wire_text(group), claim.resolved) for group in groups]
        ).tolist()
        return found

    def _decided(self, claim: Claim, label: Label, sure: float, found: Sequence[Triplet]) -> Verdict:
        one = len(found) == 1
        does = "support" if label is Label.ATTRIBUTABLE else "contradict"
        why = f"The {'statement' if one else 'statements'} “{quoted(wire_text(found))}” {does}{'s' if one else ''} the claim."
        return Verdict(
            claim, label, sure, Evidence(triplets=tuple(found), nearest=tuple(found)), why, checker=self.name
        )


def _least(limits: Thresholds, label: Label) -> float:
    return limits.attributable if label is Label.ATTRIBUTABLE else limits.contradictory
