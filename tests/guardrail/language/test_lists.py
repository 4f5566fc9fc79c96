"""Lists of words are found by their names, and fit where they stand in a regex."""

from __future__ import annotations

import re

import pytest

from guardrail.language.lists import any_of, pairs, word_list


def test_a_list_is_words_or_pairs() -> None:
    """In small letters, each once."""
    assert {"the", "moment", "customers"} <= word_list("empty")
    assert ("open", "close") in pairs("opposite")


def test_a_phrase_of_a_list_is_found_in_a_text() -> None:
    """Of several words, be its apostrophe written or not, and nothing that stands for something else in a regex."""
    offering = re.compile(rf"(?:{any_of('offering')})\b", re.IGNORECASE)
    assert [offering.match(text) is not None for text in ("I'd be happy to", "Id be glad to", "I be")] == [
        True,
        True,
        False,
    ]
    assert re.fullmatch(any_of("lacking"), "out of print")
    assert not re.search(rf"\b(?:{any_of('denying')})\b", "knot, nothing and nought")


def test_a_list_that_there_is_not_is_refused() -> None:
    """A misspelt name is noticed when the module is imported."""
    with pytest.raises(KeyError, match="denial"):
        word_list("denial")
