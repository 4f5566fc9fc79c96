"""Reading quantities: number, scale, unit, bounds, and the words that soften them."""

from __future__ import annotations

from guardrail.types import Value
from guardrail.values import find_values
from guardrail.values.find_numbers import read_quantity


def only(text: str) -> Value:
    [argument] = find_values(text)
    assert argument.value is not None
    return argument.value


def test_a_range_has_bounds() -> None:
    """ "Between 5 and 10 km" and "10–12 kg" are one quantity each, with a lower and an upper end."""
    for text, low, high in (
        ("between 5 and 10 km", "5", "10"),
        ("10–12 kg", "10", "12"),
        ("10 to 12 kg", "10", "12"),
    ):
        found = only(text)
        assert (found.lower, found.upper) == (low, high)
        assert found.unit is not None


def test_in_is_an_inch_only_where_no_phrase_follows() -> None:
    """ "1.4 billion in 2020" has no inches, "6 ft 2 in" has."""
    assert only("6 ft 2 in").unit is not None
    assert [a.text for a in find_values("1.4 billion in 2020")] == ["1.4 billion", "2020"]


def test_read_quantity_takes_the_whole_text() -> None:
    """A text with more in it is not one quantity."""
    assert read_quantity("381 m") is not None
    assert read_quantity("381 m tall") is None
