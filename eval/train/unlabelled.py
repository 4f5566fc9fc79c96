"""Pairs that nobody labelled, made of passages and claims that people wrote: what a larger model labels for a smaller one.

They lie where labels are hardest to tell: a claim beside evidence that differs from what decides it in one thing. The claim is
changed, or the evidence; a sentence about the passage stands in the place of the passage's own, or is the evidence itself.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY
from eval.train.labelled import kept_aside, labelled
from eval.train.rough import Rough
from eval.train.senses import Senses, read_senses
from eval.train.written import every_unit
from eval.train.written import kept_aside as unit_aside
from guardrail.check.text.compare.exact import coverage
from guardrail.segment import sentences

__all__ = ["Source", "pairs_of", "sources", "unlabelled"]

_ROOM = (90, 300)  # characters of evidence
_LENGTH = range(21, 220)  # characters of a passage's sentence that is a claim
_ALIKE = 3  # claims that may stand in the place of a sentence
_TWICE = 0.3  # share of a passage's changed sentences that are changed in a second place
_KEPT = 0.6  # share of a passage's sentences beside claims that stay as they are

Pair = tuple[str, str]
"""Evidence and claim."""


@dataclass(frozen=True, slots=True)
class Source:
    """A passage with claims about it and their labels as bits."""

    id: str
    passage: str
    claims: tuple[tuple[str, int], ...]


def sources() -> list[Source]:
    """The passages with twins and the written units that training may take, of every other unit its second version, too. Raises DataMissing."""
    found = [
        Source(one.id, one.passages[0].text, one.sentences)
        for one in labelled("twin_sentences")
        if not kept_aside(one)
    ]
    for unit in every_unit():
        if not unit_aside(unit):
            versions = 1 + zlib.crc32(unit.id.encode()) % 2
            found += (
                Source(f"{unit.id}/{at}", text, tuple((one.text, one.labels[at]) for one in unit.claims))
                for at, text in enumerate(unit.versions[:versions])
            )
    return found


def unlabelled(seed: int) -> Iterator[Pair]:
    """About ten pairs of each source, others with another `seed`; a process for each core. Raises DataMissing where WordNet is not there."""
    with ProcessPoolExecutor(initializer=_open, initargs=(read_senses(),)) as processes:
        for found in processes.map(partial(_of_source, seed=seed), sources(), chunksize=50):
            yield from found


_opened: Senses  # of this process


def _open(senses: Senses) -> None:
    global _opened
    _opened = senses


def _of_source(source: Source, seed: int) -> list[Pair]:
    return list(pairs_of(source, Rough(_opened, random.Random(f"{seed} {source.id}"))))


def pairs_of(source: Source, rough: Rough) -> Iterator[Pair]:
    """The pairs of one source, of each kind a few."""
    said = tuple(one.text for one in sentences(source.passage))
    if said and source.claims:
        found = _Pairs(source, said, tuple(text for text, _ in source.claims), rough)
        for pairs in (found.twins, found.replaced, found.turned, found.altered, found.own, found.evidence):
            yield from pairs()


@dataclass(frozen=True, slots=True)
class _Pairs:
    """`said`: the sentences of the passage; `claims`: those about it."""

    source: Source
    said: tuple[str, ...]
    claims: tuple[str, ...]
    rough: Rough

    @property
    def _rng(self) -> random.Random:
        return self.rough.rng

    def twins(self) -> Iterator[Pair]:
        """A supported claim beside a contradicted one that shares its words."""
        supported, contradicted = (
            [text for text, labels in self.source.claims if labels == label]
            for label in (ATTRIBUTABLE, CONTRADICTORY)
        )
        if supported and contradicted:
            claim = self._rng.choice(contradicted)
            other = _nearest(supported, claim)[0]
            yield self._rng.choice([(other, claim), (claim, other)])

    def replaced(self) -> Iterator[Pair]:
        """A claim beside evidence in which another claim stands in the place of the sentence nearest to it."""
        for claim in self._some(self.claims, 2):
            evidence, best = self._evidence(claim)
            others = [one for one in self.claims if one != claim]
            if others:
                other = self._rng.choice(_nearest(others, best)[:_ALIKE])
                yield " ".join(other if one == best else one for one in evidence), claim

    def turned(self) -> Iterator[Pair]:
        """A sentence of the passage as the claim, sentences about it as the evidence."""
        for sentence in self._some(self.said, 3):
            evidence = [self._rng.choice(_nearest(self.claims, sentence)[:2])]
            if self._rng.random() < 0.5:
                evidence.append(self._rng.choice(self.said))
            kept = [one for one in evidence if one != sentence]
            if kept and len(sentence) in _LENGTH:
                stays = self._rng.random() < _KEPT
                yield (
                    " ".join(self._rng.sample(kept, len(kept))),
                    sentence if stays else self._changed(sentence),
                )

    def altered(self) -> Iterator[Pair]:
        """A changed claim."""
        for claim in self._some(self.claims, 4):
            new = self._changed(claim)
            if new != claim:
                yield " ".join(self._evidence(new)[0]), new

    def own(self) -> Iterator[Pair]:
        """A changed sentence of the passage as the claim."""
        for sentence in self._some(self.said, 2):
            new = self._changed(sentence) if len(sentence) in _LENGTH else sentence
            if new != sentence:
                new = self._changed(new) if self._rng.random() < _TWICE else new
                yield " ".join(self._evidence(new)[0]), new

    def evidence(self) -> Iterator[Pair]:
        """A claim beside evidence whose nearest sentence is changed."""
        for claim in self._some(self.claims, 3):
            evidence, best = self._evidence(claim)
            new = self._changed(best)
            if new != best:
                yield " ".join(new if one == best else one for one in evidence), claim

    def _some(self, found: Sequence[str], most: int) -> list[str]:
        return self._rng.sample(found, min(most, len(found)))

    def _changed(self, text: str) -> str:
        """With one thing changed, or as it was where nothing could be."""
        return self.rough.changed(text, self.source.passage) or text

    def _evidence(self, claim: str) -> tuple[list[str], str]:
        """The sentences with most of the claim's words that have room, in their order, and the first of them."""
        room = self._rng.randint(*_ROOM)
        falling = _nearest(self.said, claim)
        kept: list[str] = []
        for sentence in falling:
            if kept and sum(map(len, kept)) + len(sentence) > room:
                break
            kept.append(sentence)
        return [sentence for sentence in self.said if sentence in kept], falling[0]


def _nearest(found: Sequence[str], text: str) -> list[str]:
    """Those with most of the text's words first."""
    return sorted(found, key=lambda one: -coverage(text, one))
