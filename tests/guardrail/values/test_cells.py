"""The cell of a table is read as a whole."""

import pytest

from guardrail.values.cells import read_cell, year_of


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1,250", "1250", None),
        ("1.250,50 €", "1250.5", "euro"),
        ("1.9 million", "1900000", None),
        ("£2.80 per hour", "2.8", "pound sterling"),
        ("£1.4 million", "1400000", "pound sterling"),
        ("500 EUR", "500", "euro"),
        ("€5m", "5000000", "euro"),
        ("400m", "400", "metre"),
        ("3 h 30 min", "210", "minute"),
        ("6 ft 2 in", "74", "inch"),
        ("45 minutes before departure", "45", "minute"),
        ("50 %", "50", "percent"),
        ("-4 °C", "-4", "degree Celsius"),
        ("900 bags", "900", "bags"),
        ("40 per day", "40", None),
    ],
)
def test_numbers_money_and_measures(text: str, value: str, unit: str | None) -> None:
    """A number has the unit that stands with it; the label is what the cell says."""
    cell = read_cell(text)
    assert cell is not None
    assert (cell.family, cell.value.value, cell.value.label) == ("quantity", value, text)
    assert (cell.value.unit.label if cell.value.unit else None) == unit


@pytest.mark.parametrize(
    ("text", "lower", "upper"),
    [("2–8 °C", "2", "8"), ("10-12 weeks", "10", "12"), ("2-3 million", "2000000", "3000000")],
)
def test_ranges(text: str, lower: str, upper: str) -> None:
    """A range has two bounds in one unit."""
    cell = read_cell(text)
    assert cell is not None
    assert (cell.value.lower, cell.value.upper) == (lower, upper)


@pytest.mark.parametrize(
    ("text", "value", "precision"),
    [
        ("2021-03", "2021-03", 10),
        ("2021-03-04", "2021-03-04", 11),
        ("12 March 1999", "1999-03-12", 11),
        ("March 12, 1999", "1999-03-12", 11),
        ("31.12.1999", "1999-12-31", 11),
        ("31/12/1999", "1999-12-31", 11),
        ("1990s", "1990", 8),
    ],
)
def test_dates_have_the_precision_they_are_written_with(text: str, value: str, precision: int) -> None:
    """A day, a month, a decade."""
    cell = read_cell(text)
    assert cell is not None
    assert (cell.family, cell.value.value, cell.value.precision) == ("date", value, precision)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("21:00", "21:00"),
        ("9 am - 5 pm", "09:00-17:00"),
        ("14:00-20:00", "14:00-20:00"),
        ("yes", "yes"),
        ("FALSE", "no"),
    ],
)
def test_times_of_day_and_truth_are_texts_in_one_form(text: str, value: str) -> None:
    """However they are written."""
    cell = read_cell(text)
    assert cell is not None
    assert (cell.family in ("time", "yes or no"), cell.value.value) == (True, value)


@pytest.mark.parametrize(
    "text",
    "Ann Lee|2023-02-30|31/02/2001|30 February 2001|February 29, 1900|04/05/1990|01632 960200|+44 1632 960 417|007|CareLedger 4.7|4.7.1|14 Tannery Row|3rd|24/7|1998-2003|"
    "first 30 minutes|April to October|2 of 3||We-Mo 10:00-18:00".split("|"),
)
def test_everything_else_is_text(text: str) -> None:
    """Names, codes, days that no calendar has, and dates that two countries read otherwise."""
    assert read_cell(text) is None


def test_a_bare_number_may_be_a_year() -> None:
    """Of this millennium and the last."""
    found = [read_cell(text) for text in ("1998", "998", "1998 m")]
    years = [year_of(cell.value) for cell in found if cell is not None]
    assert [year.value if year else None for year in years] == ["1998", None, None]
