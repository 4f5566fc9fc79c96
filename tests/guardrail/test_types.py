"""The nouns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.types import Evidence, Kind, NotChecked, Outcome, Report, Span, Unchecked, tile


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2)])
def test_an_impossible_span_cannot_be_made(start: int, end: int) -> None:
    """A span that exists is valid."""
    with pytest.raises(ValueError, match="no span"):
        Span(start, end)


@given(st.text(max_size=40), st.data())
def test_spans_and_gaps_tile_the_text(text: str, data: st.DataObject) -> None:
    """Putting spans and gaps together in order gives the text again, nothing twice."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    spans = [Span(start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=False) if start < end]
    spans = [span for i, span in enumerate(spans) if i == 0 or span.start >= spans[i - 1].end]
    pieces = sorted([*spans, *tile(text, spans)])
    assert "".join(piece.of(text) for piece in pieces) == text


def test_overlapping_spans_do_not_tile() -> None:
    """Claims that overlap are a defect, not something to smooth over."""
    with pytest.raises(ValueError, match="overlap"):
        tile("abcdef", [Span(0, 3), Span(2, 5)])


def test_what_was_not_checked_never_counts_as_clean() -> None:
    """Unchecked text decides the outcome unless something was flagged."""
    late = Unchecked(Span(0, 1), "x", NotChecked.DEADLINE)
    assert Report("x", unchecked=(late,)).outcome is Outcome.NOT_CHECKED
    assert Report("x").outcome is Outcome.NOT_CHECKABLE


def test_kinds_say_what_is_checkable() -> None:
    """Questions, opinions, instructions, greetings and code get no verdict."""
    assert {kind for kind in Kind if kind.checkable} == {Kind.FACT, Kind.HEDGED, Kind.ATTRIBUTION}


def test_evidence_without_content_is_false() -> None:
    """`if evidence:` asks whether anything was found."""
    assert not Evidence(unread=("p1",))
