"""Spans and how they tile a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.types import Span, tile


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2)])
def test_an_impossible_span_cannot_be_made(start: int, end: int) -> None:
    """A span that exists is valid."""
    with pytest.raises(ValueError, match="not a span"):
        Span(start, end)


def test_a_span_counts_code_points() -> None:
    """An emoji is one place, whatever its bytes are."""
    assert Span(2, 7).of("🎵 Paris") == "Paris"
    assert Span(2, 7).shift(3) == Span(5, 10)
    assert Span(0, 7).contains(Span(2, 7))
    assert not Span(0, 2).overlaps(Span(2, 7))


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
