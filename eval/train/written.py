"""Passages that were written in two versions, with claims labelled against both, and the training pairs they give.

A claim stands beside both versions, next to each other in the order, so that what it says alone tells nothing of its label. Some
passages get others around them, as retrieval gives them, and some claims stand beside a passage that is silent on them.
"""

from __future__ import annotations

import json
import random
import re
import zlib
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from eval.datasets.files import find
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, Example
from guardrail.check.text.compare.exact import coverage
from guardrail.check.text.reading import nearness
from guardrail.models.embed import Embedder
from guardrail.segment import sentences

__all__ = [
    "LONGEST",
    "SHORT",
    "SURROUNDED",
    "Claim",
    "Unit",
    "every_unit",
    "kept_aside",
    "near_to",
    "nearest",
    "pairs",
    "short_pairs",
    "tuned_on",
    "units",
]

HERE = Path(__file__).parent / "written_units"
_LABELS = {"A": ATTRIBUTABLE, "E": EXTRAPOLATORY, "C": CONTRADICTORY}
_ASIDE, _TUNED = 5, 2  # of a hundred
SURROUNDED = 0.45  # share of the pairs whose passage gets others before or after it
_FOREIGN = 0.12  # foreign claims for each claim
SHORT = (120, 380)  # characters of evidence for the body that reads short pairs
_SMALL = frozenset(
    "the and that for are was were has have had not you with from its this but may must can who which".split()
)
LONGEST = 1400  # characters of evidence with its neighbours: 320 tokens


@dataclass(frozen=True, slots=True)
class Claim:
    """`labels`: by the passage and by its variant."""

    text: str
    kind: str
    labels: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Unit:
    id: str
    passage: str
    variant: str
    claims: tuple[Claim, ...]

    @property
    def versions(self) -> tuple[str, str]:
        return self.passage, self.variant


def every_unit() -> list[Unit]:
    """Those of the data beside this project and those in this folder. Raises DataMissing."""
    return [unit for folder in (find("written"), HERE) for unit in units(folder)]


def units(folder: Path) -> Iterator[Unit]:
    """Those of every file of `folder`; a line that is no unit is passed over."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                yield _unit(json.loads(line))
            except (ValueError, KeyError):
                continue


def _unit(row: dict[str, object]) -> Unit:
    claims = row["claims"]
    if not isinstance(claims, list):
        raise ValueError("claims")
    return Unit(
        str(row["id"]),
        str(row["passage"]),
        str(row["variant"]),
        tuple(
            Claim(str(c["text"]), str(c.get("kind", "")), (_LABELS[c["passage"]], _LABELS[c["variant"]]))
            for c in claims
        ),
    )


def kept_aside(unit: Unit) -> bool:
    """Whether no training may take it."""
    return _place(unit) < _ASIDE


def tuned_on(unit: Unit) -> bool:
    """Whether it is one of those kept aside that thresholds are found on, so that figures come from the others."""
    return _place(unit) < _TUNED


def _place(unit: Unit) -> int:
    return zlib.crc32(unit.id.encode()) % 100


def pairs(found: Sequence[Unit], rng: random.Random) -> Iterator[Example]:
    """Each claim of `found` beside both versions of its passage, and some beside a passage of another unit."""
    for unit in found:
        for claim in unit.claims:
            before, after = _neighbours(found, rng)
            for passage, label in zip(unit.versions, claim.labels, strict=True):
                text = "\n".join(part for part in (before, passage, after) if part)
                premise = text if len(text) <= LONGEST else passage
                yield Example(premise, claim.text, label, "written", unit.id)
            other = rng.choice(found)
            if rng.random() < _FOREIGN and other.id != unit.id:
                yield Example(rng.choice(other.versions), claim.text, EXTRAPOLATORY, "foreign", unit.id)


def short_pairs(found: Sequence[Unit], rng: random.Random) -> Iterator[Example]:
    """Each claim beside the sentences of either version that are nearest to it, for the body that reads short pairs.

    Where the two versions decide otherwise, what differs between them decides: such a sentence is among them.
    """
    for unit in found:
        versions = [[one.text for one in sentences(version)] for version in unit.versions]
        for claim in unit.claims:
            room = rng.randint(*SHORT)
            for own, other, label in zip(versions, reversed(versions), claim.labels, strict=True):
                decisive = (
                    frozenset(own) - frozenset(other)
                    if claim.labels[0] != claim.labels[1]
                    else frozenset[str]()
                )
                premise = nearest(own, claim.text, room, decisive)
                if label == EXTRAPOLATORY or _covered(claim.text, premise):
                    yield Example(premise, claim.text, label, "written", unit.id)


def nearest(found: Sequence[str], claim: str, room: int, first: Container[str] = ()) -> str:
    """The sentences that are nearest to a claim as the product finds them, in their order, at most `room` characters or one; those of
    `first` before all others.
    """
    near = near_to([claim], found)[0]
    kept: list[int] = []
    for at in sorted(range(len(found)), key=lambda at: (found[at] not in first, -near[at])):
        if not kept or sum(len(found[i]) for i in kept) + len(found[at]) <= room:
            kept.append(at)
    return " ".join(found[at] for at in sorted(kept))


def near_to(claims: Sequence[str], found: Sequence[str]) -> list[list[float]]:
    """Of each claim, how near each of the sentences `found` is to it as the product finds it, by words and by meaning."""
    likeness = _embedder().similarities(claims, found).tolist()
    return [
        [nearness(coverage(claim, one), like) for one, like in zip(found, row, strict=True)]
        for claim, row in zip(claims, likeness, strict=True)
    ]


@cache
def _embedder() -> Embedder:
    return Embedder()


def _words(text: str) -> frozenset[str]:
    """The beginnings of the words that tell something."""
    return frozenset(word[:5] for word in re.findall(r"\w{3,}", text.lower()) if word not in _SMALL)


def _covered(claim: str, premise: str) -> bool:
    """Whether two words in five of the claim are there: what decides it may have been cut off otherwise."""
    return 5 * len(_words(claim) & _words(premise)) >= 2 * len(_words(claim))


def _neighbours(found: Sequence[Unit], rng: random.Random) -> tuple[str, str]:
    """What stands before and after a passage; mostly nothing."""
    if rng.random() >= SURROUNDED:
        return "", ""
    other, another = (rng.choice(rng.choice(found).versions) for _ in range(2))
    return rng.choice([(other, ""), ("", another), (other, another)])
