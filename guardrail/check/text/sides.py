"""Which windows support a claim and which refute it, by the model's thresholds."""

from __future__ import annotations

from dataclasses import dataclass

from guardrail.check.text.compare.exact import coverage
from guardrail.check.text.reading import JudgedWindow, PassageReading
from guardrail.models.nli import Classifier
from guardrail.models.settings import Thresholds

__all__ = ["LIKE", "LIKELY", "Sides"]

LIKE = 0.8  # of its words, and all its values: a sentence with so many supports a claim …
LIKELY = 0.6  # … from this probability on
_UNLIKE = 0.8  # the probability from which on one with fewer does
_SHORT = 128  # tokens of evidence and claim up to which the thresholds of short texts hold


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides that the windows of a reading take, as `model` judged them."""

    reading: PassageReading
    model: Classifier

    def support(self, *, like: bool) -> JudgedWindow | None:
        """The window that supports the claim most surely, of those with a sentence that has half of its words.

        `like`: a sentence has nearly all its words and all its values. Then less is asked where nothing supports it otherwise.
        """
        near = [one for one in self.reading.windows if one.nearest]
        found = [one for one in near if one.attributable >= self._needed(one)]
        found = found or [one for one in near if like and one.attributable >= LIKELY]
        return max(found, key=lambda one: one.attributable, default=None)

    def refutal(self) -> JudgedWindow | None:
        """The window that contradicts the claim most surely."""
        found = [one for one in self.reading.windows if one.contradictory >= self._limits(one).contradictory]
        return max(found, key=lambda one: one.contradictory, default=None)

    def opposed(self) -> tuple[JudgedWindow, JudgedWindow] | None:
        """A passage that supports the claim and another one that refutes it."""
        support, refutal = self.support(like=False), self.refutal()
        if not support or not refutal or support.window.passage is refutal.window.passage:
            return None
        return support, refutal

    def _needed(self, one: JudgedWindow) -> float:
        """What the model's support must reach: more where no sentence of the window has nearly all of the claim's words."""
        limit = self._limits(one).attributable
        claim = self.reading.claim.resolved
        share = max(coverage(claim, said, one.window.head) for said in one.window.said)
        return limit if share >= LIKE else max(limit, _UNLIKE)

    def _limits(self, one: JudgedWindow) -> Thresholds:
        """What a short text must reach, or a longer one."""
        lengths = self.model.lengths([one.window.text, self.reading.claim.resolved])
        short = sum(lengths) + self.model.specials <= _SHORT
        return self.model.thresholds("passages" if short else "windows")
