"""The label of a claim that no sentence repeats: by all signals together, or by the model's thresholds."""

from __future__ import annotations

from dataclasses import dataclass

from guardrail.check.text.proof import Comparison
from guardrail.check.text.reading import JudgedWindow, PassageReading
from guardrail.check.text.relevance import of_another
from guardrail.check.text.sides import LIKE, Sides
from guardrail.check.text.verdicts import Verdicts
from guardrail.check.weighing import Signals, Weighing
from guardrail.types import Label, Verdict

__all__ = ["Decision"]

# The least share of contradictory at which a difference that words prove refutes a claim: words alone err in one case of four,
# with so much behind them in one of fourteen.
_PROVEN = 0.4


@dataclass(frozen=True, slots=True)
class Decision:
    """`comparison`: what the words tell beside the model; nothing where its word alone counts."""

    reading: PassageReading
    sides: Sides
    verdicts: Verdicts
    comparison: Comparison

    def by_weight(self, weighing: Weighing, signals: Signals) -> Verdict:
        """What all signals together speak for; passages that disagree are both shown, and none wins."""
        if (opposed := self.sides.opposed()) is not None:
            return self.verdicts.disagreement(*opposed)
        shares = weighing.shares(signals)
        label, reading = weighing.label(signals, shares), self.reading
        if self.comparison.proof and label is Label.EXTRAPOLATORY and shares[2] >= _PROVEN:
            label = Label.CONTRADICTORY
        if label is Label.EXTRAPOLATORY:
            return self.verdicts.undecided(reading)
        first = reading.first
        return self._held(self.verdicts.decided(label, first.window, first.nearest, max(shares)))

    def by_thresholds(self) -> Verdict:
        """A proven difference, else what the model says of the windows, each by itself."""
        if self.comparison.proof is not None:
            return self.verdicts.refuted(self.comparison.proof)
        like = self.reading.covered >= LIKE and not self.comparison.lacking
        return self._held(self._between(self.sides.support(like=like), self.sides.refutal()))

    def _held(self, verdict: Verdict) -> Verdict:
        """The verdict, unless the words tell that the evidence is of something else; a contradiction with the words at fault."""
        first, comparison = self.reading.first, self.comparison
        if verdict.label is Label.ATTRIBUTABLE and comparison.lacking:
            return self.verdicts.unheld(first, comparison.lacking)
        if verdict.label is not Label.CONTRADICTORY:
            return verdict
        if comparison.proof:
            return self.verdicts.refuted(comparison.proof)
        if comparison.another:
            return self.verdicts.unheld(first, comparison.another)
        return (
            self.verdicts.undecided(self.reading) if of_another(self.reading.claim, first.window) else verdict
        )

    def _between(self, support: JudgedWindow | None, refutal: JudgedWindow | None) -> Verdict:
        """Two readings of one passage are settled by the surer one; two passages disagree."""
        if support and refutal and support.window.passage is not refutal.window.passage:
            return self.verdicts.disagreement(support, refutal)
        sides = ((Label.ATTRIBUTABLE, support), (Label.CONTRADICTORY, refutal))
        taken = [(label, one) for label, one in sides if one]
        if not taken:
            return self.verdicts.undecided(self.reading)
        return self.verdicts.by_model(*max(taken, key=lambda side: side[1].share(side[0])))
