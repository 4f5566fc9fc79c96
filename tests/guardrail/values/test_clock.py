"""Times of day."""

from __future__ import annotations

import pytest

from guardrail.values.clock import find_clocks, opening


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("open until 8 pm", [(1200,)]),
        ("half past ten in the evening", [(1350,)]),
        ("at a quarter to midnight", [(1425,)]),
        ("from 14:00 to 6 p.m.", [(840,), (1080,)]),
        ("opens at nine", [(540, 1260)]),
        ("has 8 cabins", []),
        ("built in 2015", []),
    ],
)
def test_times_are_read_as_people_write_them(text: str, minutes: list[tuple[int, ...]]) -> None:
    """A time without a half of the day may be either."""
    assert [one.minutes for one in find_clocks(text)] == minutes


def test_stored_hours_may_stand_beside_words() -> None:
    """Two ranges are no single one."""
    assert opening("Mo-Fr 09:00-17:30") == (540, 1050)
    assert opening("22:30:00") == (1350, None)
    assert opening("09:00-12:00, 13:00-17:00") is None
    assert opening("diesel") is None
