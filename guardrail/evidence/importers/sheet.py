"""Excel workbooks (.xlsx) as lines of CSV: the first sheet with rows, each cell as its spreadsheet shows it.

A spreadsheet keeps "€31,500", "12 %" and "3 May 2024" as bare numbers and says beside them how they are shown. A table of
what is kept would have lost the currency, the percent and the date.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

from guardrail.errors import ImportFailed

__all__ = ["MOST_UNPACKED", "csv_lines", "sheets", "unpacked"]

MOST_UNPACKED = 2 << 30
"""Bytes that a workbook may come to; a few kB of zeros pack any number of them."""
_CURRENCY = re.compile(r"\[\$([^\]-]+)|([€£¥₹$])|\"(EUR|USD|GBP|CHF|JPY|[€£¥₹$])\"")
_UNIT = re.compile(r"[0#?](?:\\? )?\"\s*([^\"\d]+?)\s*\"")
_SPACES = re.compile(r"\s+")


def csv_lines(path: Path) -> Iterator[str]:
    """The rows of the first sheet that has any, as lines of CSV. Raises ImportFailed where it is no workbook that can be read."""
    with _opened(path) as book:
        for sheet in book.worksheets:
            rows = (row for row in _rows(sheet) if any(row))
            first = next(rows, None)
            if first is not None:
                yield _line(first)
                yield from map(_line, rows)
                return


def sheets(path: Path) -> list[str]:
    """The names of the sheets that have rows; the first is the one that is read. Raises as `csv_lines` does."""
    with _opened(path) as book:
        return [sheet.title for sheet in book.worksheets if any(any(row) for row in _rows(sheet))]


def unpacked(path: Path) -> int:
    """How many bytes the parts of a workbook come to. Raises ImportFailed where it is none."""
    try:
        with zipfile.ZipFile(path) as packed:
            return sum(part.file_size for part in packed.infolist())
    except (zipfile.BadZipFile, OSError) as error:
        raise ImportFailed(path, f"not an Excel workbook: {error}") from error


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        openpyxl = import_module("openpyxl")
    except ImportError as error:
        raise ImportFailed(
            path, "needs openpyxl: pip install 'claim-guardrail[xlsx]', or save it as CSV"
        ) from error
    if unpacked(path) > MOST_UNPACKED:
        raise ImportFailed(path, f"comes to more than {MOST_UNPACKED >> 30} GB when it is unpacked")
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        try:
            yield book
        finally:
            book.close()
    except (
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        SyntaxError,
        OSError,
        zipfile.BadZipFile,
    ) as error:
        raise ImportFailed(path, f"is a damaged Excel workbook: {error}") from error


def _rows(sheet: Any) -> Iterator[list[str]]:
    sheet.reset_dimensions()  # what a file says of its size may be wrong
    for row in sheet.iter_rows():
        cells = [_shown(cell) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        yield cells


def _line(cells: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _shown(cell: Any) -> str:
    """What a cell says, in one line; "" where it is empty or a formula failed."""
    value = cell.value
    if value is None or cell.data_type == "e":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, date | time):
        return _moment(value)
    if isinstance(value, timedelta):
        return f"{value.total_seconds() / 60:g} minutes"
    if isinstance(value, int | float):
        return _number(value, str(cell.number_format))
    return _SPACES.sub(" ", str(value)).strip()


def _moment(value: date | time) -> str:
    """A day, with a time of day only where it has one; or a time of day."""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    return value.isoformat("minutes") if isinstance(value, time) else value.isoformat()


def _number(value: float, shown: str) -> str:
    """A number with the sign that its format puts beside it."""
    if "%" in shown:
        return f"{_digits(value * 100)} %"
    currency, unit = _CURRENCY.search(shown), _UNIT.search(shown)
    if currency:
        sign = next(part for part in currency.groups() if part).strip()
        return f"{sign}{_digits(value)}" if len(sign) == 1 else f"{_digits(value)} {sign}"
    return f"{_digits(value)} {unit[1]}" if unit else _digits(value)


def _digits(value: float) -> str:
    """Without the noise of binary fractions: 12.5 and not 12.500000000000002."""
    return f"{value:.15g}" if abs(value) < 1e15 else f"{value:.0f}"
