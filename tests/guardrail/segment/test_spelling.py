"""Ways to write the same words."""

from __future__ import annotations

import pytest

from guardrail.segment.spelling import rejoined, written_out
from guardrail.segment.view import View


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The Nile is a ri=\nver=2E", "The Nile is a river."),
        ("He was born in MCMXLIV.", "He was born in 1944."),
        ("It stood from MDCCCLXXXIX to MMXXIV, they say", "It stood from 1889 to 2024, they say"),
    ],
)
def test_words_are_written_out(text: str, read: str) -> None:
    """Soft line breaks go with the codes that come with them, and a year in Roman numerals is read in digits."""
    assert written_out(View.of(text)).text == read


@pytest.mark.parametrize(
    "text", ["a =\nb", "x=2E", "He lives in MD.", "The MMXX edition", "in MCMI's time", "Go in MIXD"]
)
def test_other_words_stay(text: str) -> None:
    """Formulas, abbreviations and numerals that are no years are left as they are."""
    assert written_out(View.of(text)).text == text


def test_cut_words_are_joined() -> None:
    """A hyphen at the end of a line goes when small letters follow on the next; each character keeps its place."""
    view = rejoined(View.of("Austra-\nlia, New-\nYork"))
    assert view.text == "Australia, New-\nYork"
    assert view.starts[6] == 8
