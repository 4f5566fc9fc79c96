"""Frames and the names in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.evidence.corpus.frames import Granularity, frames, named, title_key

TEXT = "The Beatles sang. They came from Liverpool.\n\nLiverpool lies in England."


@pytest.mark.parametrize(
    ("granularity", "expected"),
    [
        (
            Granularity.SENTENCE,
            ["The Beatles sang.", "They came from Liverpool.", "Liverpool lies in England."],
        ),
        (
            Granularity.PARAGRAPH,
            ["The Beatles sang. They came from Liverpool.", "Liverpool lies in England."],
        ),
        (Granularity.DOCUMENT, [TEXT]),
    ],
)
def test_a_frame_is_a_sentence_a_paragraph_or_the_document(granularity, expected):
    """The same text in frames of three sizes."""
    assert [span.of(TEXT) for span in frames(TEXT, granularity)] == expected


@given(st.text(max_size=300), st.sampled_from(Granularity))
def test_frames_are_disjoint_and_in_order(text, granularity):
    """Whatever the text, its frames lie one after another, none empty."""
    end = 0
    for span in frames(text, granularity):
        assert end <= span.start < span.end <= len(text)
        end = span.end


def test_names_are_capitalised_phrases_and_known_names():
    """A known name inside a longer phrase counts, and so does the phrase."""
    text = "In 1961 President Barack Obama was born in Honolulu, said The Times."
    assert {"president barack obama", "honolulu"} <= set(named(text))
    assert "barack obama" in named(text, {"barack obama"})


def test_a_common_word_at_the_start_is_no_name():
    """Sentences begin with capitals."""
    assert named("It was late. However, nobody came.") == []


def test_a_title_is_the_name_without_its_bracket():
    """What tells pages apart is no part of the name."""
    assert title_key("Titanic (1997 film)") == "titanic"
    assert title_key("(What's the Story) Morning Glory?") == "what the story morning glory"
    assert title_key("(untitled)") == "untitled"
