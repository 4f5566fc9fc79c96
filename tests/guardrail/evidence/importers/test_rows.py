"""Rows of CSV with the lines on which they begin."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.rows import LONGEST_CELL, csv_rows, must_differ


def rows(text: str, delimiter: str = ",") -> list[tuple[int, list[str] | str]]:
    return list(csv_rows(text.splitlines(keepends=True), delimiter))


def test_a_row_is_known_by_the_line_on_which_it_begins() -> None:
    """Blank lines are counted and passed over; a cell may have several lines; in TSV a quote is a sign like any other."""
    assert rows('a,b\n\n"c\nd",e\nf,g') == [(1, ["a", "b"]), (3, ["c\nd", "e"]), (5, ["f", "g"])]
    assert rows('a\t"b\nc\td\n', "\t") == [(1, ["a", '"b']), (2, ["c", "d"])]


@pytest.mark.parametrize("length", [LONGEST_CELL + 1, 10_000_001])
def test_a_cell_that_is_too_long_spoils_its_row_alone(length: int) -> None:
    """Those before and after it are read."""
    (_, first), (line, told), (_, last) = rows(f"a,b\nc,{'x' * length}\nd,e\n")
    assert (first, line, last) == (["a", "b"], 2, ["d", "e"])
    assert told == "a cell of more than 131,072 characters; is its quote closed?"
    [(_, longest)] = rows("x" * LONGEST_CELL)
    assert len(longest[0]) == LONGEST_CELL


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('a,b\nc,"d\ne,f\ng,h\n', 2, "the 2 lines after it are not read"),
        ('a,b\n"c\nd","e\nf,g', 3, "the line after it is not read"),
        ('a,b\nc,"d', 2, "never closed"),
    ],
)
def test_a_quote_that_is_not_closed_is_named_by_its_line(text: str, line: int, told: str) -> None:
    """Also where another cell of the row has several lines; what it swallowed is counted."""
    (number, found) = rows(text)[-1]
    assert number == line
    assert isinstance(found, str)
    assert found.startswith("a quote that opens a cell on this line is never closed")
    assert told in found


def test_two_columns_of_one_name_are_an_error() -> None:
    """Nobody can say which of them is meant."""
    must_differ(["a", "b"], Path("t.csv"))
    with pytest.raises(ImportFailed, match=r"t\.csv:1: has more than one column 'a'"):
        must_differ(["a", "b", "a"], Path("t.csv"))
