"""The names and values of a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.check.kg.aligned.fillers import Sentence, weekdays


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Elm Clinic has 312 beds.", ["312"]),
        ("Elm Clinic opens at half past eight.", ["half past eight"]),
        ("Elm Clinic uses version 4.7 since May 2022.", ["4.7", "May 2022"]),
        ("Elm Clinic is closed on Mondays and Tuesdays.", ["Mondays and Tuesdays"]),
        ("Elm Clinic keeps them for a year and a half.", ["a year and a half"]),
    ],
)
def test_values_are_found_as_a_whole(
    text: str, values: list[str], read_sentence: Callable[[str], Sentence]
) -> None:
    """Numbers, times of day, versions, days of the week and fractions, each once."""
    assert [one.argument.text for one in read_sentence(text).values] == values


def test_names_are_in_the_order_of_the_sentence(read_sentence: Callable[[str], Sentence]) -> None:
    """What is named stands with its place and what the graph has of it."""
    found = read_sentence("Ann Lee runs Elm Clinic.")
    assert [one.text for one in found.named] == ["Ann Lee", "Elm Clinic"]
    assert found.replaced([one.span for one in found.named], {}) == "runs ."


def test_days_are_told_apart_from_their_number() -> None:
    """Mondays are Monday."""
    assert weekdays("Mondays and Sunday") == {"monday", "sunday"}
