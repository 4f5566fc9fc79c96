"""What of an answer was not read: named in the report, so that an answer of which this is said is never clean."""

from __future__ import annotations

from typing import Protocol

MOST = 20  # names of what was not read; a server may make up as many as it likes


class Named(Protocol):
    """A `Reading`, or a whole answer's surface."""

    @property
    def unread(self) -> tuple[str, ...]: ...

    @property
    def beside(self) -> tuple[str, ...]: ...


class Unread:
    """One answer's. `found`: what may be answer text and could not be read."""

    def __init__(self) -> None:
        self.found: dict[str, None] = {}
        self._beside: dict[str, None] = {}

    def note(self, told: Named) -> None:
        """Takes what an event or answer holds besides what was read of it."""
        for names, place in ((told.unread, self.found), (told.beside, self._beside)):
            for name in names:
                if len(place) < MOST:
                    place[name] = None

    def beside(self, text: str) -> tuple[str, ...]:
        """What the report on `text` has to name. Where there is no text, nothing is said of what stands beside it."""
        return (*self.found, *(self._beside if text else ()))
