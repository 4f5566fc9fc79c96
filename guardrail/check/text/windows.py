"""Passages as a model reads them: runs of whole neighbouring sentences that fit, with what they stand under before them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from guardrail.models.nli import Classifier
from guardrail.segment import segment
from guardrail.types import Evidence, Passage, Span

__all__ = ["ABOUT", "LEAST", "Measure", "Window", "divided", "room_beside", "windows"]

Measure = Callable[[Sequence[str]], list[int]]  # texts → their lengths in tokens
LEAST = 32  # tokens of evidence that must fit beside a claim
_SLACK = 8  # joined parts may have a few tokens more than their sum
ABOUT = 2  # sentences before and behind that may name what a sentence speaks of


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a passage. `text`: what the model reads; `sentences`: their places in the passage's text."""

    text: str
    passage: Passage
    sentences: tuple[Span, ...]

    @property
    def said(self) -> tuple[str, ...]:
        """The sentences as they are."""
        return tuple(span.of(self.passage.text) for span in self.sentences)

    @property
    def whole(self) -> str:
        """The sentences with a stop between each two."""
        return _joined(self.said)

    @property
    def head(self) -> str:
        """What the passage stands under, and whom it speaks of where it only says "he"."""
        return " ".join(dict.fromkeys(name for name in (self.passage.title, self.passage.about) if name))

    def evidence(self, *places: int) -> Evidence:
        """The passage with the sentences at these places marked; all of them where none is named."""
        marked = [self.sentences[at] for at in places] or [
            Span(self.sentences[0].start, self.sentences[-1].end)
        ]
        return Evidence(passages=(replace(self.passage, marks=tuple(marked)),))

    def about(self, place: int) -> str:
        """The sentence at `place` with those that may name what it speaks of."""
        return _joined(self.said[max(0, place - ABOUT) : place + ABOUT + 1])

    def around(self, place: int, lengths: Sequence[int], room: int) -> Window:
        """The sentence at `place` with its neighbours before and behind, as far as `lengths` says that they have room."""
        kept = [place]
        for near in (place - 1, place + 1):
            if 0 <= near < len(self.sentences) and sum(lengths[at] for at in [*kept, near]) <= room:
                kept.append(near)
        return _window(
            self.passage, self.text.removesuffix(self._own), [self.sentences[at] for at in sorted(kept)]
        )

    @property
    def _own(self) -> str:
        return self.passage.text[self.sentences[0].start : self.sentences[-1].end]


def _joined(sentences: Sequence[str]) -> str:
    return " . ".join(sentences)


def room_beside(claim: str, model: Classifier) -> int:
    """How many tokens of evidence the model can read beside the claim."""
    return model.window - model.specials - model.lengths([claim])[0] - _SLACK


def windows(passages: Sequence[Passage], *, room: int, measure: Measure) -> list[Window]:
    """Every passage in windows of at most `room` tokens, in order; a sentence longer than that is divided between words."""
    return [window for passage in passages for window in _of(passage, room=room, measure=measure)]


def _of(passage: Passage, *, room: int, measure: Measure) -> Iterator[Window]:
    name = passage.title or passage.about
    head = f"{name}: " if name and name not in passage.text else ""
    left = room - (measure([head])[0] if head else 0)
    if left < room // 2:  # a title that long is no title
        head, left = "", room
    parts = [part for one in segment(passage.text) for part in _parts(passage.text, one.span, left, measure)]
    starts = [part.start for part in parts]
    # What stands between two sentences is read, too.
    lengths = measure([passage.text[at:end] for at, end in zip(starts, [*starts[1:], None], strict=False)])
    run: list[Span] = []
    spent = 0
    for part, length in zip(parts, lengths, strict=True):
        if run and spent + length > left:
            yield _window(passage, head, run)
            run, spent = [], 0
        run.append(part)
        spent += length
    if run:
        yield _window(passage, head, run)


def _window(passage: Passage, head: str, run: Sequence[Span]) -> Window:
    text = passage.text[run[0].start : run[-1].end]
    return Window(f"{head}{text}", passage, tuple(run))


def _parts(text: str, span: Span, room: int, measure: Measure) -> Iterator[Span]:
    at = span.start
    for part in divided(span.of(text), room=room, measure=measure):
        begin = text.index(part, at)
        at = begin + len(part)
        yield Span(begin, at)


def divided(text: str, *, room: int, measure: Measure) -> list[str]:
    """`text` in parts that fit, cut between words where there are any."""
    if measure([text])[0] <= room:
        return [text]
    middle = len(text) // 2
    gaps = [match.start() for match in re.finditer(r"\s", text)]
    cut = min(gaps, key=lambda gap: abs(gap - middle)) if gaps else middle
    halves = [half for half in (text[:cut].strip(), text[cut:].strip()) if half]
    return [part for half in halves for part in divided(half, room=room, measure=measure)]
