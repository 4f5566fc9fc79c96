"""Words that compare."""

from __future__ import annotations

import pytest

from guardrail.values.comparisons import Comparison, Superlative, comparison, orders, sequence, superlative

AREA = ("P2046", "P2386")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (" is larger than ", Comparison(AREA, more=True)),
        (" is slightly smaller than the ", Comparison(AREA, more=False)),
        (" is larger by population than ", Comparison(("P1082",), more=True)),
        (" is less populous than ", Comparison(("P1082",), more=False)),
        (" has more people than ", Comparison(("P1082",), more=True)),
        (" has a smaller area than ", Comparison(AREA, more=False)),
        (" is heavier than ", Comparison(("P2067",), more=True)),
        (" is taller than the ", Comparison(("P2048", "P2044"), more=True)),
        (" was older than ", Comparison(("P569", "P571"), more=False)),
        (" was born before ", Comparison(("P569",), more=False)),
        (" was founded two years after ", Comparison(("P571",), more=True)),
        (" came out later than ", Comparison(("P577",), more=True)),
    ],
)
def test_what_is_compared_and_which_way(words: str, wanted: Comparison) -> None:
    """The words between two names say the measure and the direction."""
    assert comparison(words) == wanted


@pytest.mark.parametrize(
    "words",
    [" is ", " is as large as ", " is larger than life, unlike ", " is better than ", " was born in ", " is the capital of ", ""],
)  # fmt: skip
def test_other_words_compare_nothing_that_is_known(words: str) -> None:
    """Equality, opinion and anything besides the comparison are left alone."""
    assert comparison(words) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Jupiter is the largest planet.", Superlative(AREA, True, "planet", "", 1)),
        ("Russia is the largest country in the world by area.", Superlative(AREA, True, "country", "", 1)),
        ("India is the second most populous country in Asia.", Superlative(("P1082",), True, "country", "Asia", 2)),
        ("Canada is the 2nd-largest country in the world.", Superlative(AREA, True, "country", "", 2)),
        ("Lima is the largest city of Peru.", Superlative(("P1082",), True, "city", "Peru", 1)),
        ("Algeria is Africa's largest country.", Superlative(AREA, True, "country", "Africa", 1)),
        ("Vatican City is the smallest country.", Superlative(AREA, False, "country", "", 1)),
    ],
)  # fmt: skip
def test_of_what_kind_and_where(text: str, wanted: Superlative) -> None:
    """A superlative names its set; cities are measured by their people."""
    assert superlative(text) == wanted


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
    ("text", "expected"),
    [
        ("It was built before the war.", True),
        ("The largest of them.", True),
        ("He has more than two.", True),
        ("A forest in the west.", False),
        ("An honest guest.", False),
    ],
)
def test_words_that_put_in_an_order(text: str, expected: bool) -> None:
    """Comparatives, superlatives, before and after; not every word in "est"."""
    assert orders(text) is expected
