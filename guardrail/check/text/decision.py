"""The label of a claim that no sentence settles alone: by all signals together, or by the model's thresholds."""

from __future__ import annotations

from dataclasses import dataclass

from guardrail.check.text.compare.propositions import mixed, usurped
from guardrail.check.text.reading import JudgedWindow, Reading
from guardrail.check.text.relevance import of_another
from guardrail.check.text.sides import LIKE, LIKELY, Sides
from guardrail.check.text.verdicts import Verdicts
from guardrail.check.weighing import Shares, Signals, Weighing
from guardrail.language import Parse
from guardrail.types import Label, Verdict

__all__ = ["Decision"]

_LEANING = 0.6  # the share from which on all signals lean to the side for which the model's thresholds decide


@dataclass(frozen=True, slots=True)
class Decision:
    """`lacking`: a value or name of the claim that no passage holds, "" where there is none. `parse`: reads sentences that may
    withdraw the model's support; None where its word alone counts.
    """

    reading: Reading
    sides: Sides
    verdicts: Verdicts
    lacking: str
    parse: Parse | None

    def by_weight(self, weighing: Weighing, signals: Signals) -> Verdict:
        """What all signals together speak for; where they only lean to one side, what the thresholds say for that side."""
        shares = weighing.shares(signals)
        label, reading = weighing.label(signals, shares), self.reading
        if label is Label.ATTRIBUTABLE and (
            absent := self.lacking or reading.sentences[0].lacks(reading.claim)
        ):
            return self.verdicts.unheld(reading.first, absent)
        if label is Label.EXTRAPOLATORY and max(shares[0], shares[2]) >= _LEANING:
            return self._by_leaning(shares)
        if label is Label.EXTRAPOLATORY or self._doubtful(label):
            return self.verdicts.undecided(reading)
        return self.verdicts.decided(label, reading.first, reading.first.nearest, max(shares))

    def by_thresholds(self) -> Verdict:
        """What the model says of the windows, each by itself, and the words do not withdraw."""
        like = self.reading.covered >= LIKE and not self.lacking
        support = self.sides.support(like=like)
        if support and self.parse is not None and (withdrawn := self._withdrawn(support, self.parse)):
            return withdrawn
        return self._between(support, self.sides.refutal())

    def _between(self, support: JudgedWindow | None, refutal: JudgedWindow | None) -> Verdict:
        """Two readings of one passage are settled by the surer one; two passages disagree."""
        if support and refutal and support.window.passage is not refutal.window.passage:
            return self.verdicts.disagreement(support, refutal)
        sides = ((Label.ATTRIBUTABLE, support), (Label.CONTRADICTORY, refutal))
        taken = [(label, one) for label, one in sides if one]
        if not taken:
            return self.verdicts.undecided(self.reading)
        return self.verdicts.by_model(*max(taken, key=lambda side: side[1].share(side[0])))

    def _by_leaning(self, shares: Shares) -> Verdict:
        """By the thresholds, if they decide for the side to which the signals lean."""
        side = Label.ATTRIBUTABLE if shares[0] > shares[2] else Label.CONTRADICTORY
        found = self.by_thresholds()
        return found if found.label is side else self.verdicts.undecided(self.reading)

    def _doubtful(self, label: Label) -> bool:
        """Whether the model finds the support unlikely, or the nearest sentence speaks of something else."""
        if label is Label.ATTRIBUTABLE:
            return self.reading.support < LIKELY
        return of_another(self.reading.claim, self.reading.sentences[0].window)

    def _withdrawn(self, support: JudgedWindow, parse: Parse) -> Verdict | None:
        """What is said of a claim that the model supports and the words do not."""
        if absent := self.lacking or support.lacks:
            return self.verdicts.unheld(support, absent)
        foreign = _foreign(support, parse)
        return self.verdicts.set_apart(support, foreign) if foreign else None


def _foreign(support: JudgedWindow, parse: Parse) -> str:
    """A word of the claim that the nearest sentence has in another statement than the rest; "" where there is none."""
    (place,) = support.nearest
    said, known = parse(support.claim.resolved), parse(support.window.said[place])
    return mixed(said, known) or usurped(said, known)
