"""Rows of CSV and TSV: each with the line on which it begins, or what is wrong with it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from guardrail.errors import ImportFailed

__all__ = ["LONGEST_CELL", "NO_ROWS", "csv_rows", "is_text", "must_differ"]

LONGEST_CELL = 131_072
"""Characters. More of them in a cell are a quote that nobody closed, or a text that belongs into a corpus."""
NO_ROWS = "has a line of headers and no rows"
_HELD = 10_000_000
"""Characters of a cell that the parser holds, as for a corpus: the limit is one for the whole process."""
_END = re.compile(r"\r\n|\r|\n")


def csv_rows(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """The rows that are not blank. Where one cannot be read, what is wrong stands in its place, and the next line is read on.

    'A,"4' and no further quote in the file is such a row: all behind it is in one cell.
    """
    csv.field_size_limit(_HELD)
    ended = False

    def told() -> Iterator[str]:
        nonlocal ended
        yield from lines
        ended = True

    quoting: Literal[0, 3] = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    reader = csv.reader(told(), delimiter=delimiter, quoting=quoting)
    while True:
        first = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield first, _cause(error)
            continue
        if cells is None:
            return
        if cells:
            yield (first, _too_long(cells) or cells) if not ended else _unclosed(first, cells)


def is_text(cells: Sequence[str]) -> bool:
    """Whether nothing in it was read from bytes that are no UTF-8."""
    whole = "".join(cells)
    if whole.isascii():
        return True
    try:
        whole.encode()
    except UnicodeEncodeError:
        return False
    return True


def must_differ(columns: Iterable[str], path: Path) -> None:
    """Raises ImportFailed where two columns have one name: of the cells of a row below it only one would be read."""
    twice = [name for name, count in Counter(columns).items() if count > 1]
    if twice:
        raise ImportFailed(
            path, f"has more than one column {', '.join(map(repr, twice))}; give each its own name", line=1
        )


def _unclosed(first: int, cells: Sequence[str]) -> tuple[int, str]:
    """The line on which the last cell begins, which the file ended in."""
    lines = len(_END.findall(cells[-1].rstrip("\r\n")))
    more = f": the {lines:,} lines after it are not read" if lines > 1 else ""
    more = ": the line after it is not read" if lines == 1 else more
    begins = first + sum(len(_END.findall(cell)) for cell in cells[:-1])
    return begins, f"a quote that opens a cell on this line is never closed{more}"


def _too_long(cells: Sequence[str]) -> str:
    return _MUCH if sum(map(len, cells)) > LONGEST_CELL < max(map(len, cells)) else ""


def _cause(error: csv.Error) -> str:
    return _MUCH if "field limit" in str(error) else str(error)


_MUCH = f"a cell of more than {LONGEST_CELL:,} characters; is its quote closed?"
