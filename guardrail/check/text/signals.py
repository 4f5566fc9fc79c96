"""What speaks for a claim and against it in the sentences that are nearest to it: named numbers, which `weighing` weighs.

What the model makes of the nearest sentence alone, of the nearest ones together, and of the windows; and how many of the claim's words
the sentences have.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from guardrail.check.text.compare.amounts import is_value, stands
from guardrail.check.text.compare.exact import coverage
from guardrail.check.text.compare.phrases import EMPTY, read
from guardrail.check.text.compare.stems import in_some_form, like_stems
from guardrail.language.stems import light_stem

__all__ = ["of_model", "of_words"]

Row = Sequence[float]  # probabilities: attributable, extrapolatory, contradictory
Stems = tuple[str, ...]


def of_model(alone: Sequence[Row], windows: Sequence[Row]) -> dict[str, float]:
    """The model's probabilities as signals. `alone`: of the nearest sentence, and of the few nearest sentences together."""
    nearest, together = alone
    named = ("supports", "is_silent", "contradicts")
    return {
        **{f"sentence_{name}": share for name, share in zip(named, nearest, strict=True)},
        **{f"together_{name}": share for name, share in zip(named, together, strict=True)},
        "window_supports": max(row[0] for row in windows),
        "window_is_silent": min(row[1] for row in windows),
        "window_contradicts": max(row[2] for row in windows),
    }


def of_words(claim: str, sentences: Sequence[str], head: str) -> dict[str, float]:
    """What the words tell, as signals: which of the claim's stand in the nearest sentence, the first one, and in what order; which in
    none. `head`: what the nearest one stands under.
    """
    nearest = sentences[0]
    ours, theirs = read(claim), read(nearest)
    words, near = _said(claim), _said(nearest)
    among = frozenset(word for one in sentences for word in _said(one))
    absent = [at for at, item in enumerate(ours) if is_value(item) and not stands(ours, at, theirs)]
    many = max(len(words), 1)
    return {
        "covered": coverage(claim, nearest, head),
        "covered_back": coverage(nearest, claim),
        "nowhere": sum(not in_some_form(word, among) for word in words) / many,
        "in_order": _common(words, near) / many,
        "values_absent": float(len(absent)),
        "words": float(len(claim.split())),
    }


def _common(ours: Stems, theirs: Stems) -> int:
    """The length of the longest sequence of words that both have in this order."""
    best = [0] * (len(theirs) + 1)
    for word in ours:
        before = 0
        for at, other in enumerate(theirs, 1):
            here = best[at]
            best[at] = before + 1 if like_stems(word, other) else max(best[at], best[at - 1])
            before = here
    return best[-1]


@lru_cache(maxsize=4096)
def _said(text: str) -> Stems:
    """The stems of the words that say something, values by what they are."""
    return tuple(light_stem(item.key) for item in read(text) if item.key not in EMPTY)
