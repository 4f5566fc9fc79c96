"""Sentences that begin in one part of an answer and continue in the next, in APIs whose answers come in parts.

Each part has a text and a report of its own, so such a sentence would be judged in halves, each of which says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from guardrail.types import Sentence
from proxy.stream.events import Verify
from proxy.wire.shapes import unfinished

__all__ = ["Continued"]

_LONGEST = 400  # code points: no sentence that is checked is longer


class Continued:
    """One answer's. `ordered`: its choices are parts that are read one after the other; others are never a sentence."""

    def __init__(self, *, ordered: bool) -> None:
        self._ordered = ordered
        self._part = -1  # that spoke last …
        self._said = ""  # … and the end of what was said so far
        self._before: dict[int, str] = {}

    def verify(self, part: int, sentences: Iterable[Sentence], *, heard: str = "") -> Iterator[Verify]:
        """Asks for the verdicts on sentences of a part, the first with what was said before it that goes on in it.

        `heard`: the next words of the answer, which the part has just said.
        """
        self._hear(part, heard)
        for sentence in sentences:
            yield Verify(part, sentence, self._before.pop(part, ""))

    def _hear(self, part: int, text: str) -> None:
        if not self._ordered or not text.strip():
            return
        if part != self._part:
            if self._said and unfinished(self._said):
                self._before[part] = self._said
                self._said += "\n"
            else:
                self._said = ""
            self._part = part
        self._said = (self._said + text[-_LONGEST:])[-_LONGEST:]
