"""What a person reads of a text, with the place that each of its characters has in the text as delivered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from guardrail.types import Span

__all__ = ["Edit", "Mark", "View"]


class Edit(NamedTuple):
    """`words` are read in the place of `start` to `end`."""

    start: int
    end: int
    words: str


class Mark(NamedTuple):
    """Markup from `start` to `end` of the text as delivered, and where its partner begins; -1: it has none."""

    start: int
    end: int
    partner: int


@dataclass(frozen=True, slots=True)
class View:
    """`text[i]` is what is read of `raw[starts[i]:ends[i]]`, which is empty for words that are understood; `marks` are in order."""

    raw: str
    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    marks: tuple[Mark, ...] = ()

    @classmethod
    def of(cls, raw: str) -> View:
        """A text that is read as it stands."""
        return cls(raw, raw, range(len(raw)), range(1, len(raw) + 1))

    def edited(self, edits: Iterable[Edit], marks: tuple[Mark, ...] = ()) -> View:
        """The view after `edits` of its text, which are in order and disjoint; O(n)."""
        words: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for start, end, put in edits:
            words += (self.text[at:start], put)
            starts += self.starts[at:start]
            ends += self.ends[at:start]
            starts += [self.starts[start]] * len(put)
            ends += [self.ends[end - 1]] * len(put)
            at = end
        if not at:
            return self
        words.append(self.text[at:])
        starts += self.starts[at:]
        ends += self.ends[at:]
        return View(self.raw, "".join(words), starts, ends, self.marks + marks)

    def composed(self, parts: Iterable[Span | str]) -> View:
        """The view of some stretches of its text, in order, with words between them that stand nowhere."""
        words: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for part in parts:
            if isinstance(part, str):
                at = ends[-1] if ends else 0
                words.append(part)
                starts += [at] * len(part)
                ends += [at] * len(part)
            else:
                words.append(part.of(self.text))
                starts += self.starts[part.start : part.end]
                ends += self.ends[part.start : part.end]
        return View(self.raw, "".join(words), starts, ends, self.marks)

    def spelled(self, text: str) -> View:
        """The same places with other characters, as many as before."""
        if len(text) != len(self.text):
            raise ValueError("another spelling must be as long")
        return View(self.raw, text, self.starts, self.ends, self.marks)

    def turned(self, start: int, end: int) -> View:
        """The view with the characters from `start` to `end` in the opposite order."""
        order = [*range(start), *reversed(range(start, end)), *range(end, len(self.text))]
        return View(
            self.raw,
            "".join(self.text[at] for at in order),
            [self.starts[at] for at in order],
            [self.ends[at] for at in order],
            self.marks,
        )

    def cut(self) -> View:
        """The view without blanks at its ends."""
        words = self.text.strip()
        if len(words) == len(self.text):
            return self
        start = self.text.find(words) if words else 0
        end = start + len(words)
        return View(self.raw, words, self.starts[start:end], self.ends[start:end], self.marks)

    # ── places ────────────────────────────────────────────────────────────────────────────────────────

    def place(self, span: Span) -> Span:
        """Where the words of `span` stand as delivered, without the markup around them."""
        if not len(span):
            at = self.starts[span.start] if span.start < len(self.starts) else len(self.raw)
            return Span(at, at)
        return Span(min(self.starts[span.start : span.end]), max(self.ends[span.start : span.end]))

    def backwards(self, span: Span) -> bool:
        """Whether letters of `span` are delivered in another order than they are read."""
        starts = self.starts[span.start : span.end]
        return any(later < former for former, later in pairwise(starts))

    def stretch(self, span: Span) -> Span:
        """The place of a stretch of text: at either end with the markup that opens or closes inside of it."""
        place = self.place(span)
        start = 0 if span.start == 0 else place.start
        end = len(self.raw) if span.end == len(self.text) else place.end
        for mark in reversed(self.marks):
            if mark.end == start and start < mark.partner < end:
                start = mark.start
        for mark in self.marks:
            if mark.start == end and start <= mark.partner < end:
                end = mark.end
        return Span(start, end)

    def left_over(self, place: Span) -> str:
        """The markup inside a place of the delivered text whose partner stands outside: what replaces the place keeps it."""
        return "".join(
            self.raw[mark.start : mark.end]
            for mark in self.marks
            if place.start <= mark.start
            and mark.end <= place.end
            and mark.partner >= 0
            and not place.start <= mark.partner < place.end
        )
