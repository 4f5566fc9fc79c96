"""Text and the places in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range `[start, end)` of Unicode code points of the original text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The words this span points at."""
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def shift(self, offset: int) -> Span:
        return Span(self.start + offset, self.end + offset)


class BlockKind(StrEnum):
    """What a stretch of Markdown is; of code only what is said in it holds claims, math holds none."""

    PROSE = "prose"
    HEADING = "heading"
    ITEM = "item"
    QUOTE = "quote"
    ROW = "row"
    CODE = "code"
    MATH = "math"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A committed sentence: `text == original[span]`; it never changes once it has been given out.

    `heading` is the nearest heading above (or the lead-in that ends with a colon above a list): the subject of items and rows that name none.
    `header` holds the column heads of the table that a row belongs to; of a value in JSON its key and the first value beside it.
    `forced`: the hold limit cut it before its end was seen.
    """

    span: Span
    text: str
    kind: BlockKind = BlockKind.PROSE
    heading: str = ""
    header: tuple[str, ...] = ()
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """What a short answer says, in the words of its question: "The hotel has 42 rooms." of "42". `parts` are as long as `text`: places of
    the answer, and words that it leaves out.
    """

    text: str
    parts: tuple[Span | str, ...]

    @classmethod
    def replacing(cls, text: str, words: Iterable[tuple[Span, str]]) -> Statement:
        """A text with other words in these places, which are in order."""
        parts: list[Span | str] = []
        at = 0
        for place, instead in words:
            parts += [Span(at, place.start), instead]
            at = place.end
        parts.append(Span(at, len(text)))
        said = (one if isinstance(one, str) else one.of(text) for one in parts)
        return cls("".join(said), tuple(parts))


def tile(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The gaps that `spans` (disjoint) leave in `text`, so that spans and gaps tile it."""
    gaps: list[Span] = []
    at = 0
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if span.start < at:
            raise ValueError(f"spans overlap at {span.start}")
        if span.start > at:
            gaps.append(Span(at, span.start))
        at = span.end
    if at < len(text):
        gaps.append(Span(at, len(text)))
    return tuple(gaps)
