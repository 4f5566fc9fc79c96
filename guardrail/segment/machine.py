"""Streamed text to sentences with exact offsets: append-only, linear, no I/O.

A line is classified by its first characters (heading, list item, quote, table row, fence, display math, indented code,
prose); prose, items and quotes are then cut into sentences. A boundary is decided from what lies behind it and a bounded
look-ahead; while that look-ahead touches the end of what has arrived, the decision waits. So the result depends on the
text alone, never on how it was cut into chunks. A committed sentence never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto

from guardrail.segment.boundary import BOLD_LINE, CANDIDATE, LOOK, SPACE, WORD, newline, opaque, punctuation
from guardrail.segment.tables import HTML_TABLE, ROW_END, bare, cells, delimiter, html_row
from guardrail.types import BlockKind, Sentence, Span

__all__ = ["HOLD_LIMIT", "Segmenter", "segment"]

STEP = 4096  # characters that `sentences` looks at together
HOLD_LIMIT = 400
_MARK = 12  # a line's class shows in so many characters after its indentation

_MARKER = re.compile(r"(?:[-*+•◦▪‣·–]|\d{1,3}[.)]|\([a-z0-9]{1,3}\))[ \t](?:[ \t]{0,3}\[[ xX]\])?")
_STATED = re.compile(r"(?:\S+\s+){3}\S*[.!?][*_]+\Z")  # a line in bold type that is a whole sentence
_HEADING = re.compile(r"#{1,6}[ \t]")
_FENCE = re.compile(r"`{3,8}|~{3,8}|\$\$|\\\[")
_SAYS = re.compile(r"[\w\u24b6-\u24e9\U0001f130-\U0001f189]")  # letters in circles and squares, too
_RULE = re.compile(r"([-*_=])(?:[ \t]*\1)*[ \t\r]*")
_FRAME = re.compile(r"\+[-=+][-=+ \t\r]*")  # the lines of a table that is drawn in ASCII
_DELIMITER = re.compile(r"[-=+: \t|\r]*")


class _State(Enum):
    LINE = auto()  # at the beginning of a line
    BLOCK = auto()  # inside a line or paragraph
    CODE = auto()  # inside a fence or display math
    TABLE = auto()  # inside an HTML table


class Segmenter:
    """One text, in pieces of any size; offsets are code points of the whole.

    `hold_limit`: no sentence is longer; a longer one is cut at a clause border and marked `forced`.
    """

    def __init__(self, hold_limit: int = HOLD_LIMIT) -> None:
        if hold_limit < 20:
            raise ValueError("hold_limit must be at least 20 characters")
        self._limit = hold_limit
        self._text = ""  # what is not yet committed
        self._base = 0  # the offset of its first character
        self._scan = 0  # where in it the search for the end goes on
        self._state = _State.LINE
        self._kind = BlockKind.PROSE
        self._indent = 0
        self._blank = True  # the line above is blank, or there is none
        self._fence = ""
        self._section = ""  # the nearest heading above
        self._lead = ""  # "… are:" above a list
        self._items: list[tuple[int, str]] = []  # the open list items: indentation and words
        self._header: tuple[str, ...] | None = None  # of the open table
        self._bare = False  # the open table has no bars at its sides
        self._flushed = False

    @property
    def committed(self) -> int:
        """Before this offset no further sentence can start or change."""
        return self._base

    def feed(self, text: str) -> list[Sentence]:
        """Takes the next piece; returns the sentences that it completes."""
        if self._flushed:
            raise ValueError("the text was already flushed")
        self._text += text
        return self._drain(final=False)

    def flush(self) -> list[Sentence]:
        """Ends the text; returns what was still held."""
        self._flushed = True
        return self._drain(final=True)

    def _drain(self, *, final: bool) -> list[Sentence]:
        out: list[Sentence] = []
        while self._text and self._step(out, final=final):
            pass
        if final:
            self._drop(len(self._text))
        return out

    def _step(self, out: list[Sentence], *, final: bool) -> bool:
        # For each token of each stream: a table of states would cost more than the state it finds.
        if self._state is _State.BLOCK:
            return self._state_block(out, final=final)
        if self._state is _State.LINE:
            return self._state_line(out, final=final)
        if self._state is _State.TABLE:
            return self._state_table(out, final=final)
        return self._state_code(out, final=final)

    def _drop(self, count: int) -> None:
        """Commits `count` characters: they belong to a finished sentence or to none."""
        self._text = self._text[count:]
        self._base += count
        self._scan = 0

    def _emit(
        self, out: list[Sentence], end: int, *, kind: BlockKind | None = None, forced: bool = False
    ) -> None:
        """Commits the text up to `end`, as a sentence where it has a word in it."""
        kind = kind or self._kind
        words = self._text[:end].rstrip()
        if kind is BlockKind.HEADING:
            words = words.rstrip("#").rstrip()
        start = len(words) - len(words.lstrip())
        words = words[start:]
        if _SAYS.search(words):
            alone = self._text[end : end + 1] in ("", "\n", "\r")
            if kind is BlockKind.PROSE and alone and BOLD_LINE.fullmatch(words) and not _STATED.search(words):
                kind = BlockKind.HEADING
            at = self._base + start
            out.append(
                Sentence(
                    Span(at, at + len(words)), words, kind, self._above(kind), self._header or (), forced
                )
            )
            self._remember(kind, words)
        self._drop(end)

    def _above(self, kind: BlockKind) -> str:
        if kind is BlockKind.ITEM:
            parents = [words for indent, words in self._items[:-1] if words]
            return (parents[-1] if parents else self._lead) or self._section
        return self._section

    def _remember(self, kind: BlockKind, words: str) -> None:
        plain = words.replace("**", "").replace("__", "").strip("*_ ").rstrip(": ")
        if kind is BlockKind.HEADING and (words.startswith("|") or self._header is not None):
            return  # the head of a table heads its columns, not what follows it
        if kind is BlockKind.HEADING:
            self._section, self._lead = plain, ""
        elif kind is BlockKind.PROSE:
            self._lead = plain if words.rstrip("*_ ").endswith(":") else ""
        elif kind is BlockKind.ITEM and self._items and not self._items[-1][1]:
            self._items[-1] = (self._items[-1][0], plain)

    # ── LINE ──────────────────────────────────────────────────────────────────────────────────────────

    def _state_line(self, out: list[Sentence], *, final: bool) -> bool:
        """Classifies the line. False: more text is needed."""
        text = self._text
        if (space := SPACE.match(text)) and space.end():
            self._indent += len(space.group().expandtabs(4))
            self._drop(space.end())
            return True
        if text[0] == "\n":
            self._blank, self._header, self._indent, self._bare = True, None, 0, False
            self._drop(1)
            return True
        head = text[:LOOK].partition("\n")[0]
        rule = bool(_RULE.fullmatch(head) or _FRAME.fullmatch(head))
        if not final and self._unclear(rule=rule):
            return False
        if self._bare and self._header is not None:
            return self._bare_row(out, final=final)
        if head[0] == "|":
            return self._row(out, final=final)
        self._begin(head, rule=rule)
        return True

    def _unclear(self, *, rule: bool) -> bool:
        """Whether the line may become something else by what arrives."""
        text = self._text
        return len(text) < LOOK and "\n" not in text and (rule or len(text) < _MARK)

    def _begin(self, head: str, *, rule: bool) -> None:
        """The block that a line begins which is no row."""
        if rule and len(head.replace(" ", "").strip()) >= 3:
            header = self._header if head[0] == "+" else None
            self._close_block()
            self._header = header
            self._drop(len(head))
        elif HTML_TABLE.match(head):
            self._close_block()
            self._state, self._header = _State.TABLE, ()
        elif fence := _FENCE.match(head):
            self._kind = BlockKind.CODE if head[0] in "`~" else BlockKind.MATH
            self._fence = "\\]" if head[0] == "\\" else fence.group()
            self._state, self._scan = _State.CODE, fence.end()
        else:
            self._open_block(head)

    def _close_block(self) -> None:
        self._state, self._kind, self._items, self._header = _State.BLOCK, BlockKind.PROSE, [], None

    def _open_block(self, head: str) -> None:
        """A line of prose, heading, item or quote: its marker belongs to no sentence."""
        marker = 0
        if match := _HEADING.match(head):
            self._close_block()
            self._kind, marker = BlockKind.HEADING, match.end()
        elif match := _MARKER.match(head):
            self._kind, marker = BlockKind.ITEM, match.end()
            self._items = [item for item in self._items if item[0] < self._indent] + [(self._indent, "")]
        elif match := re.match(r"(?:>[ \t]?){1,4}", head):
            self._kind, marker, self._items = BlockKind.QUOTE, match.end(), []
        elif not (self._items and self._indent):  # else it belongs to the item above
            self._open_paragraph()
        self._state, self._blank, self._indent, self._header = _State.BLOCK, False, 0, None
        self._drop(marker)

    def _open_paragraph(self) -> None:
        """Below a blank line an indented one is code; a list that has ended takes its lead along."""
        if self._blank or self._items:
            self._lead = ""
        self._close_block()
        self._kind = BlockKind.CODE if self._blank and self._indent >= 4 else BlockKind.PROSE

    def _row(self, out: list[Sentence], *, final: bool) -> bool:
        """A table row; the first one is held until the next line tells whether it is the header."""
        text = self._text
        line, newline, after = text.partition("\n")
        if not newline and not final and len(text) <= self._limit:
            return False
        if len(line) > self._limit:
            self._state, self._kind = _State.BLOCK, BlockKind.ROW
            return True
        heads = False if self._header is not None else self._ruled(after, final=final)
        if heads is None:
            return False
        self._state, self._kind, self._indent = _State.BLOCK, BlockKind.ROW, 0
        if heads:
            self._emit(out, len(line), kind=BlockKind.HEADING)
            self._header = cells(line)
            return True
        self._header = self._header or ()
        if _DELIMITER.fullmatch(line):
            self._drop(len(line))
        else:
            self._emit(out, len(line))
        return True

    def _ruled(self, after: str, *, final: bool) -> bool | None:
        """Whether the next line rules off the one above it; None while that cannot be told."""
        under, end, _ = after[: self._limit].partition("\n")
        if not _DELIMITER.fullmatch(under):
            return False
        if not end and not final and len(under) < self._limit:
            return None
        return "-" in under or "=" in under

    def _bare_row(self, out: list[Sentence], *, final: bool) -> bool:
        """A row of a table without outer bars; a line without a bar ends the table."""
        line, newline, _ = self._text.partition("\n")
        if not newline and not final and len(line) <= self._limit:
            return False
        if "|" in line:
            return self._row(out, final=final)
        self._bare, self._header = False, None
        return True

    # ── TABLE ─────────────────────────────────────────────────────────────────────────────────────────

    def _state_table(self, out: list[Sentence], *, final: bool) -> bool:
        """One row of an HTML table, from its first cell to its last; one that is too long is read as prose."""
        text = self._text
        match = ROW_END.search(text, max(0, self._scan - 12), 2 * self._limit)
        if match is None:
            if final or len(text) >= 2 * self._limit:
                self._close_block()
                return True
            self._scan = len(text)
            return False
        row = html_row(text[: match.start()])
        if row is not None and row.end - row.start > self._limit:
            self._close_block()
            return True
        end = self._base + match.end()
        if row is not None:
            self._pass_over(out, row.start)
            kind = BlockKind.ROW
            if row.head and not self._header:
                kind, self._header = BlockKind.HEADING, row.cells
            self._emit(out, row.end - row.start, kind=kind)
        self._pass_over(out, end - self._base)
        if "table" in match.group().lower():
            self._close_block()
        return True

    def _pass_over(self, out: list[Sentence], count: int) -> None:
        """Drops tags; what stands between them outside of cells is read as prose."""
        if WORD.search(bare(self._text[:count])):
            self._emit(out, count, kind=BlockKind.PROSE)
        else:
            self._drop(count)

    # ── CODE ──────────────────────────────────────────────────────────────────────────────────────────

    def _state_code(self, out: list[Sentence], *, final: bool) -> bool:
        """A fence ends on a line of its own; code that grows too long is cut at a line."""
        text = self._text
        if self._kind is BlockKind.MATH:
            return self._math(out, final=final)
        while (newline := text.find("\n", self._scan)) >= 0 or final:
            end = newline if newline >= 0 else len(text)
            start = text.rfind("\n", 0, end) + 1
            line = text[start:end].strip()
            closed = start > 0 and line.startswith(self._fence) and not line.strip(self._fence[0])
            if closed or newline < 0:
                self._emit(out, end)
                self._state, self._kind, self._indent = _State.BLOCK, BlockKind.PROSE, 0
                return True
            self._scan = end + 1
            if end > self._limit:
                self._emit(out, end, forced=True)
                return True
        return False

    def _math(self, out: list[Sentence], *, final: bool) -> bool:
        """Display math ends at its closing mark, or where it grows too long."""
        text = self._text
        closing = text.find(self._fence, self._scan)
        if 0 <= closing <= self._limit:
            self._emit(out, closing + len(self._fence))
        elif len(text) > self._limit + 2 or final:
            self._emit(out, min(len(text), self._limit), forced=not final)
        else:
            return False
        self._state, self._kind = _State.BLOCK, BlockKind.PROSE
        return True

    # ── BLOCK ─────────────────────────────────────────────────────────────────────────────────────────

    def _state_block(self, out: list[Sentence], *, final: bool) -> bool:
        """Cuts off one sentence. False: more text is needed."""
        text = self._text
        if (space := SPACE.match(text)) and space.end():
            self._drop(space.end())
            return True
        if text[0] == "\n":
            self._state, self._indent = _State.LINE, 0
            self._drop(1)
            return True
        while match := CANDIDATE.search(text, self._scan, self._limit):
            end, on = self._decide(match, final=final)
            if end is None:
                self._scan = match.start()
                return False
            if end > self._limit:
                break
            if end:
                self._emit(out, end)
                return True
            self._scan = on
        if len(text) > self._limit:
            self._emit(out, self._clause_border(), forced=True)
        elif final:
            self._emit(out, len(text))
        else:
            self._scan = max(self._scan, len(text) - 1)
            return False
        return True

    def _clause_border(self) -> int:
        """Where a sentence that is too long is cut: `;`, `,`, "and", else a space, else anywhere but inside a character."""
        window = self._text[: self._limit]
        for mark, keep in ((";", 1), (",", 1), (" and ", 0), (" ", 0)):
            if (at := window.rfind(mark + (" " if keep else ""), self._limit // 2)) > 0:
                return at + keep
        at = self._limit
        while at > self._limit // 2 and re.match(r"[\u0300-\u036f\ufe00-\ufe0f\u200d]", self._text[at]):
            at -= 1
        return at

    def _decide(self, match: re.Match[str], *, final: bool) -> tuple[int | None, int]:
        """(end of the sentence or 0 or None for "not yet", where to go on)."""
        text, mark = self._text, match.group()
        if mark == "\n":
            if self._kind is BlockKind.PROSE and "|" in text[: match.start()]:
                under = delimiter(text[match.end() : match.end() + self._limit], final=final)
                if under is None:
                    return None, match.start()
                if under:
                    self._bare, self._header = True, cells(text[: match.start()].rpartition("\n")[2])
                    self._kind = BlockKind.HEADING
                    return match.start(), match.end()
            if self._kind not in (BlockKind.PROSE, BlockKind.ITEM, BlockKind.QUOTE):
                return match.start(), match.end()
            quote = self._kind is BlockKind.QUOTE
            return newline(text, match.start(), quote=quote, final=final), match.end()
        if self._kind in (BlockKind.HEADING, BlockKind.ROW, BlockKind.CODE):
            return 0, match.end()
        if mark[0] in "`$\\]":
            return opaque(text, match, final=final)
        return punctuation(text, match, final=final), match.end()


def segment(text: str) -> list[Sentence]:
    """All sentences of a whole text."""
    segmenter = Segmenter()
    return segmenter.feed(text) + segmenter.flush()


def sentences(text: str) -> Iterator[Sentence]:
    """The same one after the other, with no more work ahead than for a few."""
    segmenter = Segmenter()
    for start in range(0, len(text), STEP):
        yield from segmenter.feed(text[start : start + STEP])
    yield from segmenter.flush()
