"""Pairs made from other pairs: silent evidence, evidence that holds the claim itself, and evidence with more around it.

silent       a claim that is true, beside the evidence of another group that shares the most rare words with it: what
             retrieval finds when it finds nothing. True evidence cannot refute a true claim, and what holds most of
             the claim's words is passed over, so the label is Extrapolatory.
contained    the claim word for word, alone or among other sentences: Attributable
surrounded   a pair whose evidence gets such a neighbour before or after it: its label stays
"""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest

from eval.train.example import ATTRIBUTABLE, EXTRAPOLATORY, Example

__all__ = ["Neighbours", "contained", "silent", "surrounded"]

_COMMON = 400  # premises that hold a word; commoner words tell nothing and cost time
_COVERED = 0.6  # share of a claim's words in evidence that might say it after all
_ALIKE = 0.5  # Jaccard similarity of two premises that may say the same
_TRIED = 12  # nearest premises
_ROOM = 420  # characters of evidence with a neighbour
_WORD = re.compile(r"\w{3,}")


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


@dataclass(slots=True)
class Neighbours:
    """Premises by their rare words."""

    examples: Sequence[Example]
    texts: list[tuple[str, str, frozenset[str]]] = field(default_factory=list)  # premise, group, words
    holders: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    weight: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        short = {(e.premise, e.group) for e in self.examples if len(e.premise) <= _ROOM}
        for premise, group in sorted(short):
            words = _words(premise)
            for word in words:
                self.holders[word].append(len(self.texts))
            self.texts.append((premise, group, words))
        self.weight = {word: math.log(len(self.texts) / len(held)) for word, held in self.holders.items()}

    def of(self, example: Example) -> tuple[str, str] | None:
        """The premise and group nearest to the claim that do not hold it; None where no rare word is shared."""
        claim, own = _words(example.hypothesis), _words(example.premise)
        scores: dict[int, float] = defaultdict(float)
        for word in claim:
            if len(self.holders.get(word, ())) <= _COMMON:
                for at in self.holders.get(word, ()):
                    scores[at] += self.weight[word]
        for at in nlargest(_TRIED, scores, key=scores.__getitem__):
            premise, group, words = self.texts[at]
            alike = len(words & own) / max(1, len(words | own))
            if group != example.group and alike < _ALIKE and len(words & claim) < _COVERED * len(claim):
                return premise, group
        return None


def silent(
    near: Neighbours, examples: Sequence[Example], count: int, rng: random.Random
) -> Iterator[Example]:
    """At most `count` true claims beside their nearest foreign evidence."""
    true = [e for e in examples if e.labels == ATTRIBUTABLE and len(_words(e.hypothesis)) >= 4]
    for example in rng.sample(true, min(count, len(true))):
        if found := near.of(example):
            yield Example(found[0], example.hypothesis, EXTRAPOLATORY, "silent", found[1])


def contained(
    near: Neighbours, examples: Sequence[Example], count: int, rng: random.Random
) -> Iterator[Example]:
    """Claims of any label as their own evidence, half of them with a neighbour before or after."""
    for example in rng.sample(examples, min(count, len(examples))):
        premise = example.hypothesis
        found = near.of(example)
        if found and rng.random() < 0.5 and len(found[0]) + len(premise) <= _ROOM:
            premise = _beside(premise, found[0], rng)
        yield Example(premise, example.hypothesis, ATTRIBUTABLE, "contained", example.group)


def surrounded(near: Neighbours, examples: Sequence[Example], rng: random.Random) -> Iterator[Example]:
    """The same pairs, each with its claim's neighbour beside its evidence where both are short enough."""
    for example in examples:
        found = near.of(example)
        if found and len(found[0]) + len(example.premise) <= _ROOM:
            yield replace(example, premise=_beside(example.premise, found[0], rng))
        else:
            yield example


def _beside(premise: str, other: str, rng: random.Random) -> str:
    first, second = (premise, other) if rng.random() < 0.5 else (other, premise)
    return f"{first.strip()} {second.strip()}"
