"""What a decision does to a text: edits, footnotes, the section below; and the way from offsets to offsets.

The original is never altered: `Pieces` says where each stretch of it went, so that spans of the report can be given in
the text as the client sees it, and the other way round.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from guardrail.types import Report, Span
from policies.decide import Decision, Edit, Note
from policies.template import fill
from policies.terms import Action, Policy

__all__ = ["Piece", "Pieces", "apply", "edits", "marks", "pieces", "render", "section"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the original and what stands for it. `kept`: word for word, so that offsets inside map one to one."""

    original: Span
    revised: Span
    kept: bool


@dataclass(frozen=True, slots=True)
class Pieces:
    """The original, stretch by stretch in order, without holes; and where each went. Offsets are code points."""

    pieces: tuple[Piece, ...]

    def to_revised(self, span: Span) -> Span:
        """Where a span of the original stands in the revised text; what was replaced maps to its whole replacement."""
        return self._map(span, forward=True)

    def to_original(self, span: Span) -> Span:
        """What a span of the revised text stands for."""
        return self._map(span, forward=False)

    def _map(self, span: Span, *, forward: bool) -> Span:
        def here(piece: Piece) -> Span:
            return piece.original if forward else piece.revised

        def there(piece: Piece) -> Span:
            return piece.revised if forward else piece.original

        # An empty span lies in the piece that begins at it, or ends the text.
        after = bisect_right(self.pieces, span.start, key=lambda piece: here(piece).end)
        until = bisect_left(self.pieces, max(span.end, span.start + 1), key=lambda piece: here(piece).start)
        if after >= until:
            total = there(self.pieces[-1]).end if self.pieces else 0
            return Span(total, total)
        first, last = self.pieces[after], self.pieces[until - 1]
        start = there(first).start + (max(span.start - here(first).start, 0) if first.kept else 0)
        end = there(last).end - (max(here(last).end - span.end, 0) if last.kept else 0)
        return Span(min(start, end), end)


def pieces(length: int, edits: Iterable[Edit]) -> Pieces:
    """The piece table of `edits` on a text of `length` code points. Raises ValueError when edits overlap."""
    found: list[Piece] = []
    at = out = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < at or edit.span.end > length:
            raise ValueError(f"edits overlap or leave the text at {edit.span.start}")
        if edit.span.start > at:
            kept = Span(at, edit.span.start)
            found.append(Piece(kept, Span(out, out + len(kept)), kept=True))
            out += len(kept)
        found.append(Piece(edit.span, Span(out, out + len(edit.replacement)), kept=False))
        out += len(edit.replacement)
        at = edit.span.end
    if at < length:
        found.append(Piece(Span(at, length), Span(out, out + length - at), kept=True))
    return Pieces(tuple(found))


def apply(text: str, edits: Iterable[Edit]) -> str:
    """`text` with the edits made. Their spans point into `text`, are disjoint, and may come in any order."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < at or edit.span.end > len(text):
            raise ValueError(f"edits overlap or leave the text at {edit.span.start}")
        parts += [text[at : edit.span.start], edit.replacement]
        at = edit.span.end
    return "".join([*parts, text[at:]])


def marks(notes: Sequence[Note], *, first: int = 1, run: bool = False) -> tuple[Edit, ...]:
    """Footnote numbers as insertions: " [1]" behind what each note speaks of. Passages in a row that were not checked share one.

    `first`: the next number. `run`: the one before it is that of such passages, which goes on.
    """
    made, last = [], first - 1
    for note in notes:
        last += not (run and note.claim is None)
        run = note.claim is None
        made.append(Edit(Span(note.at, note.at), f" [{last}]"))
    return tuple(made)


def section(policy: Policy, notes: Sequence[Note], *, language: str = "en", kas: float | None = None) -> str:
    """The section that goes under the text, from a blank line on; empty when there are no notes.

    Passages in a row that were not checked have one line: the first one's note, and how many they are.
    """
    if not notes:
        return ""
    words = policy.words(language)
    values = {"policy": policy.name, "flagged": str(len(notes)), "kas": "" if kas is None else f"{kas:.2f}"}
    runs = itertools.groupby(enumerate(notes), lambda pair: None if pair[1].claim is None else pair[0])
    together = [[note for _, note in run] for _, run in runs]
    lines = [
        f"[{number}] {run[0].text}" + (f" (×{len(run)})" if len(run) > 1 else "")
        for number, run in enumerate(together, 1)
    ]
    footer = fill(words.footer, values)
    return "\n\n---\n" + "\n\n".join(
        [f"**{fill(words.heading, values)}**", *lines, *([footer] if footer else [])]
    )


def render(report: Report, decision: Decision, policy: Policy, *, language: str = "en") -> tuple[str, Pieces]:
    """What the client gets instead of `report.text`, and the way between the two.

    Blocked: the message alone (no stretch of it stands for any of the original). In shadow: the original itself.
    """
    text = report.text
    if decision.visible is Action.PASS or decision.shadow:
        return text, pieces(len(text), ())
    if decision.action is Action.BLOCK:
        whole = Edit(Span(0, len(text)), decision.message)
        return decision.message, pieces(len(text), [whole])
    changes = edits(decision)
    below = section(policy, decision.notes, language=language, kas=report.kas)
    return apply(text, changes) + below, pieces(len(text), changes)


def edits(decision: Decision, *, first: int = 1, run: bool = False) -> tuple[Edit, ...]:
    """All that a decision changes inside the text, in order: its edits and its footnote numbers, as `marks` gives them."""
    numbers = _outside(marks(decision.notes, first=first, run=run), decision.edits)
    return tuple(sorted([*decision.edits, *numbers], key=lambda edit: edit.span))


def _outside(numbers: Iterable[Edit], edits: Sequence[Edit]) -> list[Edit]:
    """Footnote numbers, moved behind the edit where one would stand inside replaced words."""
    moved = []
    for number in numbers:
        at = number.span.start
        before = bisect_left(edits, at, key=lambda edit: edit.span.start) - 1
        inside = max(at, edits[before].span.end) if before >= 0 else at
        moved.append(Edit(Span(inside, inside), number.replacement))
    return moved
