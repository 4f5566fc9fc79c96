"""Pairs as token ids, one after another in one array, and batches of pairs of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ATTRIBUTABLE",
    "BERT",
    "CONTRADICTORY",
    "EXTRAPOLATORY",
    "MPNET",
    "UNKNOWN",
    "Batch",
    "Marks",
    "Pairs",
    "batches",
    "collated",
    "joined",
]

# The bits of `eval.train.example`, which is not where this runs.
ATTRIBUTABLE, EXTRAPOLATORY, CONTRADICTORY = 0b001, 0b010, 0b100
UNKNOWN = 0b111  # nobody labelled it
_WINDOW = 24_576  # pairs that are sorted by length together
_MOST, _LEAST = 512, 8  # pairs of a batch
_ROUND = 16  # widths are multiples of it: fewer shapes for the GPU

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Marks:
    """How an encoder marks a pair: `begin`, premise, `end` so many times as `between` says, claim, `end`, then `pad`.

    `shift`: what its ids of words are above BERT's.
    """

    begin: int
    end: int
    pad: int
    between: int
    shift: int

    @property
    def many(self) -> int:
        return self.between + 2


BERT = Marks(begin=101, end=102, pad=0, between=1, shift=0)
MPNET = Marks(begin=0, end=2, pad=1, between=2, shift=4)  # its words are BERT's in BERT's order


@dataclass(frozen=True, slots=True)
class Pairs:
    """`tokens`: uint16, BERT's ids without marks, premise and claim of each pair behind one another; `begins` `[n + 1]`: where a
    pair begins; `premises` `[n]`: tokens of each premise; `labels` `[n]`: those that may be right, as bits; `said` `[n, 3]`: the
    probabilities that another model gives, zeros where none was asked.
    """

    tokens: NDArray[np.uint16]
    begins: Numbers
    premises: Numbers
    labels: NDArray[np.uint8]
    said: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.premises)

    @property
    def lengths(self) -> Numbers:
        """Tokens of each pair, without marks."""
        return np.diff(self.begins)

    @classmethod
    def of(cls, parts: Sequence[tuple[NDArray[np.uint16], NDArray[np.uint16], int]]) -> Pairs:
        """`parts`: tokens of premise and claim, and the labels, of each pair."""
        tokens = [side for premise, claim, _ in parts for side in (premise, claim)]
        lengths = [len(premise) + len(claim) for premise, claim, _ in parts]
        return cls(
            np.concatenate([np.zeros(0, np.uint16), *tokens]),
            np.cumsum([0, *lengths], dtype=np.int64),
            np.array([len(premise) for premise, _, _ in parts], np.int64),
            np.array([labels for _, _, labels in parts], np.uint8),
            np.zeros((len(parts), 3), np.float32),
        )


def joined(parts: Sequence[Pairs]) -> Pairs:
    """All of them, in order."""
    lengths = np.concatenate([part.lengths for part in parts])
    return Pairs(
        np.concatenate([part.tokens for part in parts]),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.concatenate([part.premises for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.said for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class Batch:
    """`ids` and `kinds` `[n, width]`, of which the first `lengths` `[n]` count; labels and what another model says, as `Pairs` has them."""

    ids: Numbers
    kinds: Numbers
    lengths: Numbers
    labels: NDArray[np.uint8]
    said: NDArray[np.float32]


def batches(pairs: Pairs, tokens: int, rng: np.random.Generator | None = None) -> Iterator[Numbers]:
    """The numbers of pairs of like length, with padding about `tokens` tokens together; in random order where `rng` is given."""
    order = rng.permutation(len(pairs)) if rng else np.arange(len(pairs))
    lengths = pairs.lengths
    for at in range(0, len(order), _WINDOW):
        cut = list(_cut(order[at : at + _WINDOW], lengths, tokens))
        for one in rng.permutation(len(cut)) if rng else range(len(cut)):
            yield cut[one]


def _cut(window: Numbers, lengths: Numbers, tokens: int) -> Iterator[Numbers]:
    """The longest pairs first, so that the first one of a batch tells its width."""
    falling = window[np.argsort(-lengths[window], kind="stable")]
    at = 0
    while at < len(falling):
        width = _width(int(lengths[falling[at]]) + MPNET.many)
        many = min(_MOST, max(_LEAST, tokens // width))
        yield falling[at : at + many]
        at += many


def _width(length: int) -> int:
    return -(-length // _ROUND) * _ROUND


def collated(pairs: Pairs, chosen: Numbers, marks: Marks) -> Batch:
    """The pairs of these numbers, marked for an encoder."""
    lengths = pairs.lengths[chosen] + marks.many
    shape = (len(chosen), _width(int(lengths.max())))
    ids, kinds = np.full(shape, marks.pad, np.int64), np.zeros(shape, np.int64)
    for row, at in enumerate(chosen):
        begin, premise = pairs.begins[at], pairs.premises[at]
        claim, end = premise + 1 + marks.between, lengths[row] - 1
        words = pairs.tokens[begin : pairs.begins[at + 1]].astype(np.int64) + marks.shift
        ids[row, 0] = marks.begin
        ids[row, 1 : premise + 1] = words[:premise]
        ids[row, premise + 1 : claim] = marks.end
        ids[row, claim:end] = words[premise:]
        ids[row, end] = marks.end
        kinds[row, claim : end + 1] = 1
    return Batch(ids, kinds, lengths, pairs.labels[chosen], pairs.said[chosen])
