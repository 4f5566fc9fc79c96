"""Excel workbooks are tables like any other."""

from __future__ import annotations

import sys
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.importers import sheet
from guardrail.evidence.importers.guess import first_rows, guess_of
from guardrail.evidence.importers.sheet import csv_lines, sheets, unpacked
from guardrail.evidence.importers.source import Source
from guardrail.evidence.importers.table import TableReader

openpyxl = pytest.importorskip("openpyxl", reason="the extra `xlsx` is not installed")


def workbook(path: Path, **rows: list[list[Any]]) -> Path:
    """One sheet for each name; a cell that is a pair is a value and how it is shown."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, content in rows.items():
        page = book.create_sheet(title)
        for at, row in enumerate(content, start=1):
            for column, given in enumerate(row, start=1):
                value, shown = given if isinstance(given, tuple) else (given, "")
                cell = page.cell(at, column, value)
                cell.number_format = shown or cell.number_format
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (31500, "31500"),
        ((31500, "[$€-407] #,##0.00"), "€31500"),
        ((31500, '#,##0\\ "€"'), "€31500"),
        ((12.5, "#,##0.0 [$CHF]"), "12.5 CHF"),
        ((0.125, "0.0%"), "12.5 %"),
        ((1.1, '0.0 "kg"'), "1.1 kg"),
        (0.1 + 0.2, "0.3"),
        (date(2024, 5, 3), "2024-05-03"),
        (datetime(2024, 5, 3, 21, 15), "2024-05-03 21:15"),
        (time(9, 30), "09:30"),
        (timedelta(minutes=75), "75 minutes"),
        (True, "yes"),
        ("two\nlines, one comma", '"two lines, one comma"'),
        ("#N/A", ""),
    ],
)
def test_a_cell_says_what_its_spreadsheet_shows(cell: Any, text: str, tmp_path: Path) -> None:
    """Currency, percent, unit and date are kept beside the number; a formula that failed is empty."""
    path = workbook(tmp_path / "a.xlsx", One=[["name", "value"], ["Lamp", cell]])
    assert list(csv_lines(path))[1] == (f"Lamp,{text}\n" if text else "Lamp\n")


def test_the_columns_of_a_workbook_are_guessed_like_those_of_a_table(tmp_path: Path) -> None:
    """Empty rows above the headers do not count."""
    path = workbook(
        tmp_path / "a.xlsx", One=[[None], ["Device", "Price"], ["Lamp", (7, "€0")], ["Desk", (9, "€0")]]
    )
    with Source.open(path) as source:
        found = guess_of(source)
    assert (found.mapping.columns["label"], found.question) == ("Device", "")
    with Source.open(path) as source:
        assert first_rows(source) == [["Device", "Price"], ["Lamp", "€7"], ["Desk", "€9"]]


def test_a_sheet_that_is_left_out_is_told(tmp_path: Path) -> None:
    """The first one with rows is read; that others are not needs a yes."""
    rows: list[list[Any]] = [["name", "size"], ["Lamp", 7]]
    path = workbook(tmp_path / "a.xlsx", Empty=[], Devices=rows, Notes=[["by Ann"]])
    assert sheets(path) == ["Devices", "Notes"]
    with Source.open(path) as source:
        assert guess_of(source).question.startswith("Only the sheet 'Devices' is read, and not 'Notes'.")


def test_what_is_no_workbook_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other bytes, a damaged one, one that unpacks to too much, and any where the extra is missing."""
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"name,size\n")
    with pytest.raises(ImportFailed, match="not an Excel workbook"):
        unpacked(path)
    workbook(path, One=[["name"]])
    assert unpacked(path) > 1000
    monkeypatch.setattr(sheet, "MOST_UNPACKED", 1000)
    with pytest.raises(ImportFailed, match="when it is unpacked"):
        list(csv_lines(path))
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ImportFailed, match=r"claim-guardrail\[xlsx\]"):
        list(csv_lines(path))


def test_a_zip_that_holds_no_workbook_is_refused(tmp_path: Path) -> None:
    """With the cause that its reader gives."""
    import zipfile

    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.txt", "x")
    with pytest.raises(ImportFailed, match="damaged Excel workbook"):
        list(csv_lines(path))


def test_a_row_may_end_before_the_last_column(tmp_path: Path) -> None:
    """A workbook leaves out what is empty there; no cell is missing."""
    rows: list[list[Any]] = [["Device", "Price", "Notes"], ["Lamp", "€7", "new"], ["Desk", "€9"]]
    path = workbook(tmp_path / "a.xlsx", One=rows)
    with Source.open(path) as source:
        mapping = guess_of(source).mapping
    with Source.open(path) as source:
        (chunk,) = TableReader(mapping).chunks(source, skip=0)
    assert (chunk.bad, len(chunk.entities), len(chunk.statements)) == ([], 2, 3)
