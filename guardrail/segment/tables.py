"""Tables that are written without outer bars or in HTML: where a row's cells begin and end."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["HTML_TABLE", "ROW_END", "Row", "bare", "cells", "delimiter", "html_row", "parts"]

HTML_TABLE = re.compile(r"<table\b[^<>]{0,400}>?", re.IGNORECASE)
ROW_END = re.compile(r"</(?:tr|table)\s*>", re.IGNORECASE)
_CELL = re.compile(r"<t([dh])\b[^<>]{0,400}>", re.IGNORECASE)
_CELL_END = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:</t[dh]\s*>)?\s*<t[dh]\b[^<>]{0,400}>|\|", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,400}>")
_DELIMITER = re.compile(r"[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t\r]*")
_SO_FAR = re.compile(r"[ \t|:\r-]*")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of an HTML row stand from `start` to `end` of its text, what is between two cells included."""

    start: int
    end: int
    head: bool  # every cell is one of a header
    cells: tuple[str, ...]


def html_row(text: str) -> Row | None:
    """The row in a text that ends before `</tr>`; None where it has no cells."""
    opened = list(_CELL.finditer(text))
    if not opened:
        return None
    start, end = opened[0].end(), len(text.rstrip())
    closed = [match for match in _CELL_END.finditer(text) if match.start() >= opened[-1].end()]
    end = closed[-1].start() if closed else end
    head = all(match[1].lower() == "h" for match in opened)
    return Row(start, end, head, tuple(_TAG.sub("", cell).strip() for cell in parts(text[start:end])))


def bare(text: str) -> str:
    """The text without its tags."""
    return _TAG.sub(" ", text)


def parts(row: str) -> list[str]:
    """What stands between the bars or the cell tags of a row, with its blanks."""
    return _BETWEEN.split(row)


def cells(row: str) -> tuple[str, ...]:
    """The cells of a Markdown row, without emphasis marks."""
    return tuple(cell.strip().strip("*_`").strip() for cell in row.strip().strip("|").split("|"))


def delimiter(after: str, *, final: bool) -> bool | None:
    """Whether the line that `after` begins with is "--- | ---"; None while that cannot be told."""
    line, newline, _ = after.partition("\n")
    if not newline and not final and _SO_FAR.fullmatch(line) and len(line) < 200:
        return None
    return _DELIMITER.fullmatch(line) is not None
