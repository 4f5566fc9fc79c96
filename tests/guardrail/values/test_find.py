"""Finding values: exact places in the text."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.values import find_values


def test_spans_are_exact_and_shifted() -> None:
    """Every span points at its own words, wherever the sentence stands in its text."""
    text = "Born on 13 December 1989, she was 30 years old and earned $2.5 million."
    for offset in (0, 100):
        found = find_values(text, offset=offset)
        assert [a.text for a in found] == ["13 December 1989", "30 years old", "$2.5 million"]
        for argument in found:
            assert argument.span is not None
            assert argument.span.shift(0).of(" " * offset + text) == argument.text


def test_dates_win_over_the_numbers_in_them() -> None:
    """The 13 of 13 December is no count."""
    assert len(find_values("13 December 1989")) == 1
    assert find_values("on 4 July") == []


@given(st.text(alphabet="0123456789 ,.-–$%kmabcdehiBC'’*:/\n", max_size=60))
def test_any_text_gives_disjoint_spans_in_order(text: str) -> None:
    """Whatever the text, values are disjoint, in order, and where they say they are."""
    end = 0
    for argument in find_values(text, today=date(2024, 2, 29)):
        assert argument.span is not None
        assert argument.span.start >= end
        assert argument.span.of(text) == argument.text
        assert argument.value is not None
        end = argument.span.end


@pytest.mark.parametrize(
    "text", ["", "   ", "no value here", "GPT-4", "version 3.5.1", "https://a.b/2019/12", "🚀🚀"]
)
def test_what_is_no_value_gives_none(text: str) -> None:
    """Identifiers, versions and addresses hold digits but no values."""
    assert find_values(text) == []


def test_relative_years_need_a_clock() -> None:
    """ "Last year" is a year only when today is known."""
    assert find_values("It closed last year.") == []
    [found] = find_values("It closed last year.", today=date(2024, 5, 1))
    assert found.value is not None
    assert found.value.value == "2023"
    [ago] = find_values("It closed two years ago.", today=date(2024, 5, 1))
    assert ago.value is not None
    assert ago.value.value == "2022"
