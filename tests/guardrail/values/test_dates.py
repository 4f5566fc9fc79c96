"""Intervals of dates across eras and calendars."""

from __future__ import annotations

import pytest

from guardrail.types import Value
from guardrail.values.dates import (
    Moment,
    century_moment,
    day_number,
    moment_of,
    month_number,
    ordinal_number,
    value_of,
)


@pytest.mark.parametrize(
    ("moment", "years"),
    [
        (Moment(1990, precision=8), (1990, 1999)),
        (Moment(1801, precision=7), (1801, 1900)),
        (Moment(2000, precision=7), (1901, 2000)),
        (Moment(1001, precision=6), (1001, 2000)),
        (Moment(-500, precision=7), (-500, -401)),
        (Moment(-44), (-44, -44)),
    ],
)
def test_interval_covers_the_whole_period(moment: Moment, years: tuple[int, int]) -> None:
    """A period runs from the first day of its first year to the last day of its last."""
    assert moment.interval() == (day_number(years[0], 1, 1), day_number(years[1], 12, 31))


def test_there_is_no_year_zero() -> None:
    """The day after 31 December 1 BC is 1 January AD 1."""
    assert day_number(1, 1, 1) - day_number(-1, 12, 31) == 1


def test_days_run_on_across_years_beyond_the_calendar_module() -> None:
    """Days are counted one by one in the far past and the far future as well."""
    assert day_number(10000, 1, 1) - day_number(9999, 12, 31) == 1
    assert day_number(-9999, 1, 1) - day_number(-10000, 12, 31) == 1
    assert day_number(1700, 2, 29) == day_number(1700, 3, 1)


@pytest.mark.parametrize("text", ["", "x", "1989-13-01", "1989-12-41", "13 December"])
def test_what_is_no_date_gives_no_moment(text: str) -> None:
    """A damaged value is no date."""
    assert moment_of(Value(text, text, "date", 11)) is None


def test_precision_is_never_finer_than_the_digits() -> None:
    """Day precision on a bare year is a year."""
    moment = moment_of(Value("1989", "1989", "date", 11))
    assert moment is not None
    assert moment.precision == 9


def test_round_trip() -> None:
    """A moment written and read again is the same."""
    for moment in (
        Moment(1989, 12, 13, 11),
        Moment(-44, 3, 0, 10),
        Moment(1990, precision=8),
        century_moment(5, bc=True),
    ):
        assert moment_of(value_of(moment, "x")) == moment


def test_words() -> None:
    """Months by name and abbreviation, ordinals by digits and words."""
    assert [month_number(w) for w in ("May", "sept", "Dec.", "march", "foo")] == [5, 9, 12, 3, 0]
    assert [ordinal_number(w) for w in ("21st", "third", "foo")] == [21, 3, 0]
