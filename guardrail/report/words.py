"""What people read in place of the labels: confirmed, not known, wrong."""

from __future__ import annotations

from collections.abc import Mapping

from guardrail.types import Counts, Label

__all__ = ["NOT_CHECKED", "WORDS", "headline"]

WORDS: Mapping[Label, str] = {
    Label.ATTRIBUTABLE: "confirmed",
    Label.EXTRAPOLATORY: "not known",
    Label.CONTRADICTORY: "wrong",
}
NOT_CHECKED = "not checked"


def headline(counts: Counts) -> str:
    """A report in one line, such as "1 wrong · 3 confirmed · 1 not known", or "3 of 5 confirmed · 2 not known"."""
    open_only = counts.extrapolatory and not counts.contradictory
    confirmed = f"{counts.attributable} of {counts.claims}" if open_only else counts.attributable
    parts = (
        (counts.contradictory, counts.contradictory, WORDS[Label.CONTRADICTORY]),
        (counts.attributable or open_only, confirmed, WORDS[Label.ATTRIBUTABLE]),
        (counts.extrapolatory, counts.extrapolatory, WORDS[Label.EXTRAPOLATORY]),
        (counts.unchecked, counts.unchecked, NOT_CHECKED),
    )
    return " · ".join(f"{number} {word}" for told, number, word in parts if told) or "no claims"
