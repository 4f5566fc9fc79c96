"""One training or test pair, and how examples are kept apart."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from guardrail.types import Label

__all__ = ["ATTRIBUTABLE", "BITS", "CONTRADICTORY", "EXTRAPOLATORY", "UNSUPPORTED", "Example", "held_out"]

ATTRIBUTABLE = 0b001
EXTRAPOLATORY = 0b010
CONTRADICTORY = 0b100
BITS = {
    Label.ATTRIBUTABLE: ATTRIBUTABLE,
    Label.EXTRAPOLATORY: EXTRAPOLATORY,
    Label.CONTRADICTORY: CONTRADICTORY,
}
UNSUPPORTED = EXTRAPOLATORY | CONTRADICTORY  # what a two-way set says: not supported, but not which way


@dataclass(frozen=True, slots=True)
class Example:
    """`labels` is the set of labels that may be right, as bits: two-way sets leave two open.

    `group`: examples that share it (one premise, one subject) never fall on both sides of a split.
    """

    premise: str
    hypothesis: str
    labels: int
    source: str
    group: str


def held_out(examples: Iterable[Example], *, share: float = 0.04) -> tuple[list[Example], list[Example]]:
    """(training part, part kept aside): by a hash of the group, so that every run cuts alike."""
    kept: tuple[list[Example], list[Example]] = ([], [])
    for example in examples:
        aside = zlib.crc32(example.group.encode()) % 10_000 < share * 10_000
        kept[aside].append(example)
    return kept
