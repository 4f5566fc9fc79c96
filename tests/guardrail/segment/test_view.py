from __future__ import annotations

import pytest

from guardrail.segment.view import Edit, Mark, View
from guardrail.types import Span


def test_places_are_those_of_the_delivered_text() -> None:
    """After edits upon edits every character still knows what it was read from."""
    view = View.of("a&amp;bc").edited([Edit(1, 6, "&")]).edited([Edit(1, 2, "and")])
    assert view.text == "aandbc"
    assert view.place(Span(1, 4)).of(view.raw) == "&amp;"
    assert view.place(Span(4, 6)).of(view.raw) == "bc"


def test_a_stretch_takes_its_own_markup_and_no_more() -> None:
    """Marks at the border of a stretch belong to it where their partners lie inside."""
    view = View.of("**Ulm** is big").edited([Edit(0, 2, ""), Edit(5, 7, "")], (Mark(0, 2, 5), Mark(5, 7, 0)))
    assert view.place(Span(0, 3)).of(view.raw) == "Ulm"
    assert view.stretch(Span(0, 10)).of(view.raw) == "**Ulm** is big"
    assert view.left_over(Span(2, 7)) == "**"


def test_characters_can_be_turned_round() -> None:
    """What stands in the opposite order is read in the order it is shown, and its place is still the whole of it."""
    view = View.of("is yendyS").turned(3, 9)
    assert view.text == "is Sydney"
    assert view.place(Span(3, 9)) == Span(3, 9)
    assert view.backwards(Span(3, 9))
    assert not view.backwards(Span(0, 3))


def test_another_spelling_is_as_long() -> None:
    """Only as many characters can stand in the same places."""
    with pytest.raises(ValueError, match="as long"):
        View.of("ab").spelled("a")
