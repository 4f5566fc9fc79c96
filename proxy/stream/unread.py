"""Lists what of an answer was not read, so that such an answer is never reported as fully checked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from proxy.wire.shapes import REASONING

MOST = 20  # names of what was not read; a server may make up as many as it likes


class Named(Protocol):
    """A `Reading`, or a whole answer's surface."""

    @property
    def unread(self) -> tuple[str, ...]: ...

    @property
    def beside(self) -> tuple[str, ...]: ...


class Unread:
    """One answer's. `found`: what may be answer text and could not be read.

    `calls`: calls of tools are checked, so what is not must be told of even behind the last text. Else nobody asked for it.
    `ordered`: the choices are parts of one answer, so the reports on its text speak for those without.
    """

    def __init__(self, *, calls: bool = False, ordered: bool = True) -> None:
        self._calls, self._ordered = calls, ordered
        self.found: dict[str, None] = {}
        self._beside: dict[str, None] = {}
        self._told: set[str] = set()  # of what stands beside, what a report has named
        self._text = False  # a report on a text was asked for

    def note(self, told: Named) -> None:
        """Takes what an event or answer holds besides what was read of it."""
        for names, place in ((told.unread, self.found), (told.beside, self._beside)):
            for name in names:
                if len(place) < MOST:
                    place[name] = None

    def beside(self, text: str) -> tuple[str, ...]:
        """What the report on `text` has to name."""
        all_of_it = text or not (self._text and self._ordered)
        named = tuple(self._beside) if all_of_it else self._late
        self._text = self._text or bool(text)
        self._told.update(named)
        return (*self.found, *named)

    def teller(self, choices: Collection[int]) -> int | None:
        """At the end of a stream: a choice, one more if need be, whose report has to name what no other does; None: nothing."""
        if self.found:
            return min(choices, default=0)
        return max(choices, default=0) + 1 if self._late else None

    @property
    def _late(self) -> tuple[str, ...]:
        """What came behind a text whose report was made by then; reasoning is no part of the answer."""
        if not (self._calls and self._text):
            return ()
        return tuple(one for one in self._beside if one not in self._told | {REASONING})
