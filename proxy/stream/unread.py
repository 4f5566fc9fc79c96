"""Lists what of an answer was not read, so that such an answer is never reported as fully checked."""

from __future__ import annotations

from typing import Protocol

from proxy.wire.shapes import REASONING

MOST = 20  # names of what was not read; a server may make up as many as it likes


class Named(Protocol):
    """An `EventReading`, or a whole answer's surface."""

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
        self._told: set[str] = set()  # what a report has named
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
        self._told.update(self.found, named)
        return (*self.found, *named)

    @property
    def anything(self) -> bool:
        """Something of the answer was not read, so that it has a report even where it has no text: one that only calls a tool."""
        return bool(self.found or self._beside)

    def lacks_report(self, *, coming: bool) -> bool:
        """At the end of a stream: something is named by no report, and none is `coming` that will."""
        return not coming and bool(self.found.keys() - self._told or self._late)

    @property
    def _late(self) -> tuple[str, ...]:
        """What no report has named. Behind a text, reasoning is no part of the answer, and nobody asked for calls if they are not checked."""
        untold = tuple(one for one in self._beside if one not in self._told)
        if not self._text:
            return untold
        return tuple(one for one in untold if one != REASONING) if self._calls else ()
