"""Spans and citations of a model, matched against what is really there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.llm.match import find_span, find_spans, members, show
from guardrail.types import Node, Qualifier, Span
from tests.llm_cases import triplet

TEXT = "He said  “it’s fine” – twice. He said it again."


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("He said", "He said"),
        ('he said "it\'s fine" - twice', "He said  “it’s fine” – twice"),
        ("  again.  ", "again."),
        ("TWICE.", "twice."),
    ],
)
def test_a_quote_is_found_with_exact_offsets(quote: str, words: str) -> None:
    """Case, white space, quotes and dashes may differ; the span is of the original."""
    span = find_span(TEXT, quote)
    assert span is not None
    assert span.of(TEXT) == words


@pytest.mark.parametrize("quote", ["", "   ", "she said", "He said it was fine"])
def test_a_quote_that_is_not_there_is_none(quote: str) -> None:
    """Nothing is fuzzily matched to something else."""
    assert find_span(TEXT, quote) is None


def test_repeated_words_are_taken_in_order_and_never_twice() -> None:
    """Two equal quotes get the two places; a third finds none left."""
    first, second, third = find_spans(TEXT, ["He said", "He said", "He said"])
    assert (first, second, third) == (
        Span(0, 7),
        Span(TEXT.rindex("He said"), TEXT.rindex("He said") + 7),
        None,
    )


def test_quotes_out_of_order_are_still_found() -> None:
    """A model may list its claims in any order."""
    late, early = find_spans(TEXT, ["again", "twice"])
    assert late is not None
    assert early is not None
    assert early.start < late.start


@settings(deadline=None)
@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_every_substring_is_found_somewhere(text: str, start: int, length: int) -> None:
    """Whatever the script: a substring with words in it has a span that reads the same."""
    quote = text[start : start + length].strip()
    if quote:
        span = find_span(text, quote)
        assert span is not None
        assert span.of(text) == quote


GREYS = [
    triplet("Grey's Anatomy", "original broadcaster", "American Broadcasting Company"),
    triplet("American Broadcasting Company", "country", "United States of America"),
    triplet("Grey's Anatomy", "characters", "George O'Malley"),
]
# Table 2's own quoting, slips included.
CITED = "[(\"Grey's Anatomy\", 'original broadcaster,' American Broadcasting Company'), ('American Broadcasting Company', 'country', 'United States of America')]"


def test_loosely_quoted_triplets_are_recognised() -> None:
    """The published models' punctuation does not matter, the words and their order do."""
    cited = members(CITED, GREYS)
    assert cited.triplets == (GREYS[0], GREYS[1])
    assert not cited.invented


@pytest.mark.parametrize("nothing", ["NA", "", "None", "[]", "N/A"])
def test_no_citation_is_no_citation(nothing: str) -> None:
    """ "NA" is neither a member nor an invention."""
    assert members(nothing, GREYS).triplets == ()
    assert not members(nothing, GREYS).invented


def test_an_invented_triplet_is_noticed() -> None:
    """What was not retrieved does not pass the membership check, next to a real one or alone."""
    cited = members(
        "[('Grey's Anatomy', 'characters', 'George O'Malley'), ('Grey's Anatomy', 'creator', 'Me')]", GREYS
    )
    assert cited.triplets == (GREYS[2],)
    assert cited.invented
    assert members("('Paris', 'capital of', 'Italy')", GREYS).invented


def test_a_reversed_triplet_is_another_one() -> None:
    """Subject and object swapped is not what was retrieved."""
    assert members("('George O'Malley', 'characters', 'Grey's Anatomy')", GREYS).triplets == ()


def test_a_longer_triplet_is_not_taken_for_a_shorter_one() -> None:
    """("A", "part of", "B C") does not also cite ("A", "part of", "B")."""
    short, long = triplet("A", "part of", "B"), triplet("A", "part of", "B C")
    assert members("('A', 'part of', 'B C')", [short, long]).triplets == (long,)


def test_a_shown_triplet_is_recognised_with_its_qualifiers() -> None:
    """What we show is what we read back."""
    plain = triplet("Swift", "residence", "Nashville")
    full = type(plain)(
        plain.subject,
        plain.predicate,
        plain.object,
        qualifiers=(Qualifier(Node("P585", "point in time"), Node("x", "the year 2004")),),
    )
    cited = members(show(full), [full])
    assert cited.triplets == (full,)
    assert not cited.invented
