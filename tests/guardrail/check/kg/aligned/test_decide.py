"""What the values of a sentence are beside what a graph knows, whatever its properties are called."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.check.kg.aligned.found import Found

Told = Callable[[str], list[tuple[str, str, str]]]


@pytest.mark.parametrize(
    "text",
    [
        "The parking fee of Elm Clinic is £3.",
        "Parking at Elm Clinic costs £3.",
        "Elm Clinic has 312 beds.",
        "Elm Clinic has about 300 beds.",
        "Elm Clinic has a notice period of eight weeks.",
        "Staff of Elm Clinic must give 56 days' notice.",
        "Elm Clinic is open until 6 pm.",
        "Ann Lee is the director of Elm Clinic.",
        "Bo Kay was the director of Elm Clinic until 2019.",
        "Elm Clinic does not have a helipad.",
        "Elm Clinic has more beds than Oak Clinic.",
    ],
)
def test_a_true_statement_in_other_words_is_found_whole(text: str, found: Callable[[str], Found]) -> None:
    """Labels, synonyms, units, times of day, terms of office, yes and no, comparisons."""
    one = found(text)
    assert one.whole
    assert {value.state for value in one.values} == {"agree"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Parking at Elm Clinic costs £5.", "parking fee"),
        ("Elm Clinic has 19 operating theatres.", "operating theatres"),
        ("The notice period of Elm Clinic is eight days.", "notice period"),
        ("Elm Clinic is open until 8 pm.", "opening hours"),
        ("Cy Moe is the director of Elm Clinic.", "director"),
        ("The director of Elm Clinic is Bo Kay.", "director"),
        ("Elm Clinic has a helipad.", "has a helipad"),
        ("Oak Clinic has more beds than Elm Clinic.", "beds"),
        ("The storage temperature at Elm Clinic is 9 °C.", "storage temperature"),
    ],
)
def test_another_value_of_the_property_that_is_meant_is_wrong(text: str, label: str, told: Told) -> None:
    """A property with one value refutes another one."""
    assert [(state, meant) for state, meant, _ in told(text)] == [("conflict", label)]


@pytest.mark.parametrize(
    "text",
    [
        "Elm Clinic has 20 ambulances.",
        "Elm Clinic (the former director's idea, £5) has parking.",
        "Elm Clinic was repainted in 2022.",
        "Student parking at Elm Clinic costs £1 in winter.",
        "In winter the parking fee of Elm Clinic is £1.",
        "Ann Lee wrote a history of Elm Clinic.",
        "Bo Kay, rather than Cy Moe, praised Elm Clinic.",
    ],
)
def test_what_the_graph_does_not_tell_is_neither_supported_nor_wrong(
    text: str, found: Callable[[str], Found]
) -> None:
    """Other things, other cases and other relations are left open."""
    one = found(text)
    assert not one.whole or not one.values
    assert "conflict" not in {value.state for value in one.values}


def test_a_name_that_is_left_over_keeps_a_sentence_from_support(found: Callable[[str], Found]) -> None:
    """Who else is named may not be what the sentence says."""
    assert not found("Elm Clinic has 312 beds, and Bo Kay praised it.").whole
