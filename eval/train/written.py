"""Passages that were written in two versions, with claims labelled against both, and the training pairs they give.

A claim stands beside both versions, next to each other in the order, so that what it says alone tells nothing of its label. Some
passages get others around them, as retrieval gives them, and some claims stand beside a passage that is silent on them.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.datasets.files import find
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, Example

__all__ = ["Claim", "Unit", "every_unit", "kept_aside", "pairs", "tuned_on", "units"]

HERE = Path(__file__).parent / "written_units"
_LABELS = {"A": ATTRIBUTABLE, "E": EXTRAPOLATORY, "C": CONTRADICTORY}
_ASIDE, _TUNED = 5, 2  # of a hundred
_SURROUNDED = 0.45  # share of the pairs whose passage gets others before or after it
_FOREIGN = 0.12  # foreign claims for each claim
_LONGEST = 1400  # characters of evidence with its neighbours: 320 tokens


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
                premise = text if len(text) <= _LONGEST else passage
                yield Example(premise, claim.text, label, "written", unit.id)
            other = rng.choice(found)
            if rng.random() < _FOREIGN and other.id != unit.id:
                yield Example(rng.choice(other.versions), claim.text, EXTRAPOLATORY, "foreign", unit.id)


def _neighbours(found: Sequence[Unit], rng: random.Random) -> tuple[str, str]:
    """What stands before and after a passage; mostly nothing."""
    if rng.random() >= _SURROUNDED:
        return "", ""
    other, another = (rng.choice(rng.choice(found).versions) for _ in range(2))
    return rng.choice([(other, ""), ("", another), (other, another)])
