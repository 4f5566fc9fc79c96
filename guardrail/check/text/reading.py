"""Reads passages for a claim: chooses the windows and sentences nearest to it, and asks the model about them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from guardrail.check.text.compare.exact import coverage
from guardrail.check.text.compare.items import items
from guardrail.check.text.compare.phrases import PERSONAL_PRONOUNS
from guardrail.check.text.windows import ABOUT, LEAST, Window, room_beside, windows
from guardrail.check.until import happened
from guardrail.language.lists import word_list
from guardrail.models.nli import Classifier
from guardrail.rules import rule
from guardrail.types import Claim, Embedder, Label, Passage

__all__ = [
    "NEAR",
    "JudgedWindow",
    "NearSentence",
    "Nearest",
    "PassageReader",
    "PassageReading",
    "antecedent",
    "nearness",
    "places_near",
]

_ROOM = 300  # tokens of a window: what the model was trained on, with the claim beside them
_READ = 3  # windows per claim, the nearest ones
_CLOSE = 80  # tokens of a sentence with its neighbours …
_CLOSER = 2  # … and how many of these are read beside the windows
_SHORT = 250  # characters of the nearest sentences together
_SPEAKS = 0.6  # the probability from which on the model finds that a window speaks of the claim
_COMPARED = 256  # sentences per claim, those with most of its words, whose meaning is compared with it
NEAR = 0.5  # of the claim's words: a sentence with so many is near it
_FRONTED = word_list("prepositions") | {"when", "if", "once", "unless", "because"}
_PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(PERSONAL_PRONOUNS))}|this|these)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NearSentence:
    """The sentence at `place` in the window of this number. `text`: behind the one that a pronoun in it may stand for; `share`: of
    the claim's words that it has.
    """

    number: int
    window: Window
    place: int
    text: str
    share: float

    @property
    def own(self) -> str:
        """The sentence by itself."""
        return self.window.said[self.place]


@dataclass(frozen=True, slots=True)
class JudgedWindow:
    """A window with the probabilities that the model gives it for the claim."""

    claim: Claim
    window: Window
    attributable: float
    extrapolatory: float
    contradictory: float

    @property
    def row(self) -> tuple[float, float, float]:
        return self.attributable, self.extrapolatory, self.contradictory

    @property
    def silent(self) -> bool:
        """Whether the model does not find for certain that the window speaks of the claim."""
        return max(self.attributable, self.contradictory) < _SPEAKS

    @property
    def nearest(self) -> tuple[int, ...]:
        """The place of the sentence that has most of the claim's words; none where no sentence stands out."""
        return places_near(self.claim, self.window)

    def share(self, label: Label) -> float:
        """How likely the model finds that the window supports the claim, or that it contradicts it."""
        return self.attributable if label is Label.ATTRIBUTABLE else self.contradictory


@dataclass(frozen=True, slots=True)
class Nearest:
    """What is to be read for a claim: the windows nearest to it, and their sentences, the nearest one first. No model has seen it."""

    claim: Claim
    windows: Sequence[Window]
    sentences: Sequence[NearSentence]

    @property
    def covered(self) -> float:
        """The most of the claim's words that a sentence has."""
        return max(one.share for one in self.sentences)

    @property
    def verbatim(self) -> tuple[Window, int] | None:
        """The first window that has the claim word for word, and the place of that sentence."""
        for window in self.windows:
            if (place := _repeating(window, self.claim.resolved)) is not None:
                return window, place
        return None


@dataclass(frozen=True, slots=True)
class PassageReading:
    """What was read for a claim: windows as the model judged them, and their sentences, the nearest one first.

    `alone`: the model's probabilities for the nearest sentence, and for the few nearest sentences together, wherever they stand; empty
    where only windows were read.
    """

    claim: Claim
    windows: Sequence[JudgedWindow]
    sentences: Sequence[NearSentence]
    alone: Sequence[Sequence[float]]

    @property
    def covered(self) -> float:
        """The most of the claim's words that a sentence has."""
        return max(one.share for one in self.sentences)

    @property
    def first(self) -> JudgedWindow:
        """The nearest sentence among its neighbours."""
        return self.windows[0]


@dataclass(frozen=True, slots=True)
class PassageReader:
    """Reads with this model; `embedder` tells which sentences are near in meaning."""

    model: Classifier
    embedder: Embedder

    def has_room(self, claim: Claim) -> bool:
        """Whether any evidence fits beside the claim."""
        return self._room(claim) >= LEAST

    def nearest(self, claim: Claim, passages: Sequence[Passage]) -> Nearest | None:
        """None where the passages say nothing."""
        found = windows(passages, room=self._room(claim), measure=self.model.lengths)
        if not found:
            return None
        sentences = self._nearest(claim.resolved, found)
        return Nearest(claim, self._chosen(sentences), sentences)

    def read(self, near: Nearest, *, alone: bool) -> PassageReading:
        """If `alone`, the nearest sentences are read by themselves, too, which only signals need."""
        claim, chosen = near.claim, near.windows
        texts = [one.text for one in chosen]
        if alone:
            texts += [near.sentences[0].text, _together(near.sentences)]
        rows = self._rows(texts, claim.resolved)
        judged = [JudgedWindow(claim, window, *row) for window, row in zip(chosen, rows, strict=False)]
        return PassageReading(claim, judged, near.sentences, rows[len(chosen) :])

    def _rows(self, texts: Sequence[str], claim: str) -> list[list[float]]:
        """Of each text beside the claim. What stands twice among them is read once: the nearest sentence may be all that a passage says."""
        each = list(dict.fromkeys(texts))
        rows = self.model.probabilities([(text, claim) for text in each]).tolist()
        found = dict(zip(each, rows, strict=True))
        return [found[text] for text in texts]

    def _room(self, claim: Claim) -> int:
        """Tokens of a window."""
        return min(_ROOM, room_beside(claim.resolved, self.model))

    def _nearest(self, claim: str, found: Sequence[Window]) -> list[NearSentence]:
        """The sentences of the nearest windows, the nearest sentence first."""
        shared = [
            NearSentence(
                number, window, place, text := _behind(window.said, place), coverage(claim, text, window.head)
            )
            for number, window in enumerate(found)
            for place in range(len(window.said))
        ]
        shared.sort(key=lambda one: -one.share)
        likeness = self.embedder.similarities([claim], [one.text for one in shared[:_COMPARED]])[0].tolist()
        ranked = sorted(
            zip(shared, likeness, strict=False), key=lambda pair: -nearness(pair[0].share, pair[1])
        )
        near = [one for one, _ in ranked]
        kept = list(dict.fromkeys(one.number for one in near))[:_READ]
        return [one for one in near if one.number in kept]

    def _chosen(self, near: Sequence[NearSentence]) -> list[Window]:
        """The nearest windows, and before them the sentences that are nearest, each among its neighbours alone."""
        closer = [
            one.window.around(one.place, self.model.lengths(one.window.said), _CLOSE)
            for one in near[:_CLOSER]
        ]
        whole = sorted({one.number: one.window for one in near}.items())
        return list({window.text: window for window in (*closer, *(window for _, window in whole))}.values())


def places_near(claim: Claim, window: Window) -> tuple[int, ...]:
    """The place of the sentence that has most of the claim's words; none where no sentence stands out."""
    shares = [coverage(claim.resolved, said) for said in window.said]
    best = max(range(len(shares)), key=shares.__getitem__)
    return (best,) if shares[best] >= NEAR else ()


def nearness(share: float, likeness: float) -> float:
    """How near a sentence is to a claim: by the `share` of the claim's words that it has, and by the cosine of both."""
    # Either alone misses much: a paraphrase shares few words, and sentences about one thing are much alike.
    return share + likeness


def _together(near: Sequence[NearSentence]) -> str:
    """As many of the nearest sentences as are short together, in their order, the nearest one at least."""
    kept, spent = [near[0]], len(near[0].own)
    for one in near[1:]:
        if spent + len(one.own) <= _SHORT:
            kept.append(one)
            spent += len(one.own)
    return " ".join(one.own for one in sorted(kept, key=lambda one: (one.number, one.place)))


def _behind(said: Sequence[str], place: int) -> str:
    """The sentence behind the one that a pronoun in it may speak of."""
    return f"{antecedent(said, place)} {said[place]}".strip()


def antecedent(said: Sequence[str], place: int) -> str:
    """The sentence that a pronoun in the one at `place` may speak of: the nearest one before it that has none; "" without a pronoun."""
    if _PRONOUN.search(said[place]) is None:
        return ""
    before = said[max(0, place - ABOUT) : place]
    return next((one for one in reversed(before) if _PRONOUN.search(one) is None), "")


@rule("verbatim")
def _repeating(window: Window, claim: str) -> int | None:
    """The sentence that is the claim or has it between its semicolons, but for case, spaces, the full stop, how a date or a number is
    written, and whether a phrase stands in front of it or at its end; also where it tells when something happened by a denial, as no
    claim here does.
    """
    wanted = _plain(claim)
    told = ((place, part) for place, one in enumerate(window.said) for part in (one, *one.split("; ")))
    return next((place for place, part in told if _same(_plain(happened(part)), wanted)), None)


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two sentences have the same words in the same order, or one begins with the phrase that the other one ends with."""
    if sorted(one) != sorted(other):
        return False
    return one == other or _fronted(one, other) or _fronted(other, one)


def _fronted(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether `one` begins with a phrase that `other` ends with: "on Mondays it is closed", "it is closed on Mondays"."""
    return one[0] in _FRONTED and any([*one[at:], *one[:at]] == other for at in range(2, len(one)))


def _plain(text: str) -> Sequence[str]:
    for item in reversed(items(text)):
        if item.value is not None or item.times:
            text = f"{text[: item.span.start]}{item.key}{text[item.span.end :]}"
    return text.casefold().replace(",", " ").rstrip(".! ").split()
