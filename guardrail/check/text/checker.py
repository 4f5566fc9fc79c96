"""Judges a claim by passages: a model reads windows of them whole, and exact comparison stands beside it.

The model says whether a window supports the claim, contradicts it, or is silent. It misses values and names that differ in
one word; those are compared exactly (`compare`). Trees weigh both. Where a sentence says all the claim says with another value in its
place, less is enough to refute the claim; a value that no passage holds withdraws support. Windows that disagree are both shown, and
none wins.
"""

from __future__ import annotations

from dataclasses import replace

from guardrail.check.text.compare.voice import restated
from guardrail.check.text.decision import Decision
from guardrail.check.text.proof import Comparison, compared
from guardrail.check.text.reading import Nearest, PassageReader, PassageReading, places_near
from guardrail.check.text.relevance import doubted
from guardrail.check.text.sides import LIKE, Sides
from guardrail.check.text.signals import of_model, of_words
from guardrail.check.text.verdicts import Verdicts, marked
from guardrail.check.text.windows import Window
from guardrail.check.until import happened
from guardrail.check.weighing import Weighing, weighing_for
from guardrail.language import Parse, parser
from guardrail.models.embed import Embedder as SentenceEmbedder
from guardrail.models.nli import Classifier
from guardrail.types import Claim, Embedder, Evidence, Label, Verdict

__all__ = ["TextChecker"]


class TextChecker:
    """Implements `Checker`. None for claims without passages and for what the speaker doubts."""

    def __init__(
        self,
        model: Classifier,
        *,
        exact: bool = True,
        embedder: Embedder | None = None,
        parse: Parse | None = None,
    ) -> None:
        """Without `exact` the model's word alone counts. `embedder` finds sentences by meaning and `parse` reads them (those that ship
        unless given).
        """
        self._model, self._exact = model, exact
        self._parse = parse or parser().read
        self._reader = PassageReader(model, embedder or SentenceEmbedder())

    @property
    def name(self) -> str:
        """With the model's, which a server may tell late."""
        return f"text:{self._model.name}"

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        """The verdict on what was read; support is not confirmed while evidence went unread."""
        if not evidence.passages or doubted(claim):
            return None
        verdict = self._judged(_as_read(claim), evidence)
        return None if verdict is None else replace(verdict, claim=claim)

    def _judged(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        if not self._reader.has_room(claim):
            return Verdicts(claim, self.name).unread(evidence, "the passages beside so long a claim")
        near = self._reader.nearest(claim, evidence.passages)
        if near is None:
            return None
        verdict = self._verdict(near, evidence)
        if verdict.label is Label.ATTRIBUTABLE and evidence.unread:
            verdict = Verdicts(claim, self.name).unread(verdict.evidence, evidence.unread[0])
        return marked(verdict, evidence.passages)

    def signals(self, claim: Claim, evidence: Evidence) -> dict[str, float]:
        """What speaks for and against the claim, as `Weighing` takes it; empty where nothing can be read."""
        claim = _as_read(claim)
        if not self._reader.has_room(claim):
            return {}
        near = self._reader.nearest(claim, evidence.passages)
        if near is None:
            return {}
        reading = self._reader.read(near, alone=True)
        return self._signals(reading, compared(reading, evidence, self._parse))

    @property
    def _weighing(self) -> Weighing | None:
        """The weights that were found for this model; with any other its own thresholds decide."""
        return weighing_for(self._model) if self._exact else None

    def _verdict(self, near: Nearest, evidence: Evidence) -> Verdict:
        """By the claim's own words where a sentence has them, which no model need read, else by signals or thresholds."""
        verdicts = Verdicts(near.claim, self.name)
        if (repeated := near.verbatim or self._restated(near)) is not None:
            return verdicts.verbatim(*repeated)
        weighing = self._weighing
        reading = self._reader.read(near, alone=weighing is not None)
        comparison = compared(reading, evidence, self._parse) if self._exact else Comparison()
        decision = Decision(reading, Sides(reading, self._model), verdicts, comparison)
        if weighing is None:
            return decision.by_thresholds()
        return decision.by_weight(weighing, self._signals(reading, comparison))

    def _restated(self, near: Nearest) -> tuple[Window, int] | None:
        """The window and the place of the sentence that is the claim in the other voice."""
        if not self._exact or near.covered < LIKE:
            return None
        claim = self._parse(near.claim.resolved)
        for window in near.windows:
            for place in places_near(near.claim, window):
                if restated(claim, self._parse(window.said[place])):
                    return window, place
        return None

    def _signals(self, reading: PassageReading, comparison: Comparison) -> dict[str, float]:
        sentences = tuple(dict.fromkeys(one.text for one in reading.sentences))
        rows = [one.row for one in reading.windows]
        words = of_words(reading.claim.resolved, sentences, reading.sentences[0].window.head)
        pair = {"pair": float(bool(reading.claim.pair))}
        return {**of_model(reading.alone, rows), **words, **comparison.signals(), **pair}


def _as_read(claim: Claim) -> Claim:
    """The claim in the words that a model reads best: a key and its value as they stand; what is denied until a time as having happened
    then, for it would be taken for a denial.
    """
    told = claim.pair or happened(claim.resolved)
    return claim if told == claim.resolved else replace(claim, resolved=told)
