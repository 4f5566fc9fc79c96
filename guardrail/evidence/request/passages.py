"""The best windows of the reference passages for each claim, however long the references are.

A window is a run of neighbouring sentences, for a sentence means what it does beside its neighbours ("It seats forty"). A
reference that is no longer than one is a window itself, and few windows are all handed on. Of more, those around the best
sentences are: one pass over the references, at the first claim, cuts them into sentences and indexes these (100,000 tokens:
under a second and a half); a claim then costs one look-up. A sentence is ranked with its title and half the score of its
neighbour before. What matched as well as what is handed on, and still was left out, is named in `Evidence.unread`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.corpus.bm25 import Bm25, Floats
from guardrail.evidence.corpus.localize import marks
from guardrail.evidence.linking.spans import capitalised_runs, scan
from guardrail.segment import segment
from guardrail.types import Claim, Embedder, Evidence, Passage, Span

__all__ = ["PassageRetriever", "opens_with_pronoun"]

_WINDOW = 1_100  # characters of a window: some 220 tokens
_FEW = 100  # sentences of references of which some are handed on though they share no word with the claim
_LONGEST = 4_000_000  # characters that are indexed for one request; more is said to be unread
_NEIGHBOUR = 0.5
_FUSED = 12  # candidates that are compared by embedding: more find little more, at 2 to 4 ms each
_ALIKE = 0.95  # of the last sentence's score: what comes this close was left out by the limit alone
_TELLING = 0.5  # of the best score: what scores less than that was no loss
_K_RRF = 10  # reciprocal rank fusion
_BACK = 40  # sentences that are looked back over for whom a "he" stands
_PRONOUN = re.compile(r"[\W_]*(?:he|she|it|they|his|her|its|their)\b", re.IGNORECASE)


class PassageRetriever:
    """Implements `Retriever` over given passages. Thread-safe. `keep`: windows per claim."""

    def __init__(
        self, references: Sequence[Passage], *, keep: int = 3, embedder: Embedder | None = None
    ) -> None:
        self._references, self._keep, self._embedder = tuple(references), keep, embedder
        self._sentences: list[Passage] = []
        self._spans: list[Span] = []
        self._origin: list[Passage] = []
        self._follows: list[bool] = []
        self._left_out: tuple[str, ...] = ()
        self._index: Bm25 | None = None
        self._vectors: dict[int, NDArray[np.float32]] = {}  # of sentences
        self._lock = Lock()

    def retrieve(self, claim: Claim) -> Evidence:
        """Windows that bear on the claim, best first, each with the words it shares with the claim as marks."""
        wording = claim.resolved or claim.text
        if len(self._references) <= self._keep and all(len(r.text) <= _WINDOW for r in self._references):
            return Evidence(
                passages=tuple(replace(p, marks=marks(wording, p.text)) for p in self._references)
            )
        index = self._indexed()
        scores = self._scores(index, wording)
        order = np.argsort(-scores, kind="stable")[: max(self._keep * 4, _FUSED)]
        ranked = self._fused(claim, [int(place) for place in order if scores[place] > 0], scores)
        if len(self._sentences) <= _FEW:
            ranked += [place for place in range(len(self._sentences)) if place not in ranked]
        taken = self._taken(ranked)
        passages = tuple(self._window(window, wording, scores) for window in taken)
        covered = {place for window in taken for place in window}
        kept = [place for place in ranked if place in covered]
        return Evidence(
            passages=passages, unread=(*self._left_out, *self._as_good(kept, covered, ranked, scores))
        )

    def _taken(self, ranked: Sequence[int]) -> list[range]:
        """The first windows, each around the best sentence that is in none before it."""
        taken: list[range] = []
        for place in ranked:
            if len(taken) == self._keep:
                break
            if not any(place in window for window in taken):
                taken.append(self._around(place, taken))
        return taken

    def _around(self, place: int, taken: Sequence[range]) -> range:
        """The sentence with its neighbours, as many as a window holds, those of other windows left to them."""
        first = last = place
        spent = len(self._sentences[place].text)
        grown = True
        while grown:
            grown = False
            for near in (first - 1, last + 1):
                size = len(self._sentences[near].text) + 1 if self._joins(near, first, last) else 0
                if size and spent + size <= _WINDOW and not any(near in window for window in taken):
                    first, last, spent, grown = min(first, near), max(last, near), spent + size, True
        return range(first, last + 1)

    def _joins(self, near: int, first: int, last: int) -> bool:
        """Whether the sentence is of the same reference, right before or behind those from `first` to `last`."""
        if near < first:
            return self._follows[first]
        return last < near < len(self._sentences) and self._follows[near]

    def _window(self, places: range, wording: str, scores: Floats) -> Passage:
        span = Span(self._spans[places[0]].start, self._spans[places[-1]].end)
        window = _part(self._origin[places[0]], span)
        return replace(
            window,
            relevance=float(max(scores[place] for place in places)),
            about=self._antecedent(places[0]),
            marks=marks(wording, window.text),
        )

    def _antecedent(self, place: int) -> str:
        """The name that the nearest sentence before it without a pronoun opens with; empty where it opens otherwise."""
        if not opens_with_pronoun(self._sentences[place].text):
            return ""
        for before in range(place - 1, max(place - _BACK, 0) - 1, -1):
            if not self._follows[before + 1]:
                break
            if not opens_with_pronoun(text := self._sentences[before].text):
                return _opening_name(text)
        return ""

    def _scores(self, index: Bm25, query: str) -> Floats:
        own = index.scores(query)
        before = np.concatenate(([0.0], own[:-1])) * np.array(self._follows, dtype=np.float64)
        return np.where(own > 0, own + _NEIGHBOUR * before, 0.0)

    def _fused(self, claim: Claim, ranked: Sequence[int], scores: Floats) -> list[int]:
        """Reciprocal rank fusion of BM25 and embedding similarity, where there is an embedder.

        What it gains: eval/suites/references.py.
        """
        if self._embedder is None or len(ranked) <= self._keep:
            return list(ranked)
        candidates = list(ranked[:_FUSED])
        alike = self._alike(self._embedder, claim.resolved or claim.text, candidates)
        by_meaning = np.argsort(np.argsort(-alike, kind="stable"), kind="stable")
        fused = [
            1 / (_K_RRF + rank) + 1 / (_K_RRF + int(by_meaning[rank])) for rank in range(len(candidates))
        ]
        return [candidates[i] for i in np.argsort(-np.array(fused), kind="stable")] + list(
            ranked[len(candidates) :]
        )

    def _alike(self, embedder: Embedder, wording: str, places: Sequence[int]) -> Floats:
        """The cosine of the claim with each sentence; a sentence is embedded once for all claims."""
        fresh = [place for place in places if place not in self._vectors]
        vectors = embedder.embed([wording, *(self._sentences[place].text for place in fresh)])
        self._vectors.update(zip(fresh, vectors[1:], strict=True))
        cosines: Floats = np.stack([self._vectors[place] for place in places]) @ vectors[0]
        return cosines

    def _as_good(
        self, kept: Sequence[int], covered: Collection[int], ranked: Sequence[int], scores: Floats
    ) -> tuple[str, ...]:
        if not kept:
            return ()
        worst = min(float(scores[place]) for place in kept[: self._keep])
        if worst < _TELLING * float(scores[ranked[0]]):
            return ()
        close = sum(scores[place] >= _ALIKE * worst for place in ranked if place not in covered)
        return (f"{close} sentences of the references that match the claim as well",) if close else ()

    def _indexed(self) -> Bm25:
        with self._lock:
            if self._index is None:
                self._read()
                self._index = Bm25([f"{s.title} {s.text}" for s in self._sentences])
            return self._index

    def _read(self) -> None:
        room, unread = _LONGEST, 0
        for reference in self._references:
            text = reference.text[: max(room, 0)]
            room -= len(reference.text)
            unread += len(reference.text) - len(text)
            for number, sentence in enumerate(segment(text)):
                self._sentences.append(_part(reference, sentence.span))
                self._spans.append(sentence.span)
                self._origin.append(reference)
                self._follows.append(number > 0)
        if unread:
            self._left_out = (f"{unread} characters of the references beyond the first {_LONGEST}",)


def opens_with_pronoun(text: str) -> bool:
    """Whether a sentence leaves to the one before it of whom it speaks."""
    return _PRONOUN.match(text) is not None


def _opening_name(text: str) -> str:
    scanned = scan(text)
    runs = capitalised_runs(scanned)
    if not runs or any(word != "the" for word in scanned.words[: runs[0][0]]):
        return ""
    first, last = runs[0]
    return "" if first == last and scanned.blocked(first) else scanned.surface(first, last)


def _part(reference: Passage, span: Span) -> Passage:
    """A sentence of a reference; it points into the request as exactly as the reference does."""
    place = reference.span
    if place is not None and len(place) == len(reference.text):
        place = span.shift(place.start)
    return replace(
        reference, id=f"{reference.id}#{span.start}-{span.end}", text=span.of(reference.text), span=place
    )
