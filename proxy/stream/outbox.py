"""Collects what goes out in one step of a stream, and knows whether an error can still replace the whole answer."""

from __future__ import annotations


class Outbox:
    """`patient`: nothing goes out before the first text does, so that a block can still become an HTTP status."""

    def __init__(self, *, patient: bool) -> None:
        self._patient = patient
        self._early: list[bytes] = []
        self._out: list[bytes] = []
        self._sent = False

    @property
    def untouched(self) -> bool:
        """The client has nothing yet."""
        return not self._sent and not self._out

    def send(self, data: bytes, *, text: bool = False) -> None:
        """`text`: words of the answer, or whatever else ends the waiting for them."""
        if not data:
            return
        if self._patient and not text:
            self._early.append(data)
            return
        self.open()
        self._out.append(data)

    def comment(self, data: bytes) -> None:
        """What is no part of the answer goes out by itself; an error is an event from then on."""
        self._out.append(data)

    def open(self) -> None:
        """No error can take the answer's place any more: what waited for the first text goes out."""
        self._patient = False
        self._out += self._early
        self._early.clear()

    def take(self) -> bytes:
        """What has gathered since the last time."""
        data = b"".join(self._out)
        self._out.clear()
        self._sent = self._sent or bool(data)
        return data
