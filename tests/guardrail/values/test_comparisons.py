"""Words that compare."""

from __future__ import annotations

import pytest

from guardrail.values.comparisons import bound_of, sequence, superlative


def test_a_superlative_with_more_to_it_is_not_read() -> None:
    """A relative clause names a smaller set, which could not be looked up by its words."""
    assert superlative("Jupiter is a planet.") is None
    found = superlative("Bolivia is the largest country that has no coast.")
    assert found is not None
    assert found.kind == "country that has no coast"


@pytest.mark.parametrize(
    ("between", "after", "expected"),
    [
        (" was written before ", " was founded.", ("written", "founded", False)),
        (" died long before ", " was born", ("died", "born", False)),
        (" ended after the ", " had begun.", None),
        (" was born after ", " ended.", ("born", "ended", True)),
        (" was founded ten years before ", " was founded.", None),
        (" was founded before ", " was founded in Rome.", None),
        (" visited ", " was founded.", None),
    ],
)
def test_the_order_of_two_events(between: str, after: str, expected: tuple[str, str, bool] | None) -> None:
    """Both events are dated, and nothing more is said of them."""
    read = sequence(between, after)
    assert (read and (read.first, read.second, read.later)) == expected


@pytest.mark.parametrize(
    ("name", "bound"),
    [
        ("max. people", "at most"),
        ("max_people", "at most"),
        ("weight limit", "at most"),
        ("minimum age", "at least"),
        ("min stay", "at least"),
        ("minutes", ""),
        ("minibar", ""),
        ("Maxwell's office", ""),
    ],
)
def test_a_property_may_give_a_bound_by_its_name(name: str, bound: str) -> None:
    """And words that begin like "minimum" give none."""
    assert bound_of(name) == bound
