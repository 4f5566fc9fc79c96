"""Looks for a pattern in a long text piece by piece, with a limit in time.

One call of the pattern engine keeps every other thread from running until it returns, so none is given more than a piece.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["REACH", "Windows"]

WINDOW = 64 * 1024  # characters in which one call looks for the beginning of a match
REACH = 1024  # characters that a match may have beyond it: patterns are written so that none has more


@dataclass(frozen=True, slots=True)
class Windows:
    """A text that is looked through. `until`: the end of the time for it (`time.monotonic()`, seconds)."""

    text: str
    until: float = math.inf

    def matches(
        self, pattern: re.Pattern[str], start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        """As `pattern.finditer` for matches of up to `REACH` characters. Raises TimeoutError."""
        end = len(self.text) if end is None else end
        while start < end:
            self.in_time()
            limit = min(start + WINDOW, end)
            for match in pattern.finditer(self.text, start, min(limit + REACH, end)):
                if match.start() >= limit:
                    break
                yield match
                start = match.end()
            start = max(start, limit)

    def first(self, pattern: re.Pattern[str], start: int, end: int) -> re.Match[str] | None:
        """The first match. Raises TimeoutError."""
        return next(self.matches(pattern, start, end), None)

    def in_time(self) -> None:
        """Raises TimeoutError when the time is over."""
        if time.monotonic() > self.until:
            raise TimeoutError("the text could not be read in time")
