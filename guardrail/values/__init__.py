"""Dates and quantities in text: finding them, comparing them, and writing a known one in the manner of a claimed one.

    find_values("It is 381 m tall.") → [Argument("381 m", value=Value(381, metre))]
    compare(claimed, known, modifier="about") → "agree" | "conflict" | "unknown"
    render(known, "December 13, 1990") → "December 13, 1989"

Pure functions over `guardrail.types.Value`. Comparing is honest: "conflict" is said only where no reading of the claimed
words, at the precision they are given with, can hold of what is known.
"""

from __future__ import annotations

from guardrail.values.compare import State, compare, near
from guardrail.values.find import find_values
from guardrail.values.render import render

__all__ = ["State", "compare", "find_values", "near", "render"]
