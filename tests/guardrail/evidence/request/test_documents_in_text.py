"""Documents pasted into a message: whatever the text, places are exact and the work is linear."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.evidence.request.documents_in_text import documents
from tests.growth import grows_linearly
from tests.hostile import texts

PIECES = [
    "<document>",
    "</document>",
    '<doc title="T">',
    "</doc>",
    "[1] ",
    "[2] ",
    "\n",
    "```\n",
    "text ",
    "é🗼",
    '["a b"]',
    "{",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_places_are_disjoint_and_exact(text):
    """Whatever is found stands where it says, unless it was written as JSON."""
    end = 0
    for found in documents(text):
        assert found.text in (found.span.of(text), "a b")
        assert found.span.start >= end or found.text == "a b"
        end = found.span.end


@pytest.mark.parametrize(
    "text",
    [
        "<doc>" * 50_000,
        '<doc a="' * 20_000,
        "[" * 100_000,
        "\n[1," * 50_000,
        '{"a":[\n' * 20_000,
        "[1] x\n" * 50_000,
        "Source 1: " * 30_000,
        "~~~\n```\n" * 20_000,
        "x" * 2_000_000,
    ],
    ids=["tags", "attributes", "brackets", "lists", "objects", "numbers", "sources", "fences", "nothing"],
)
def test_hostile_text_costs_no_time(text):
    """Text made to be slow to read is read in the time of any other."""
    began = time.perf_counter()
    documents(text)
    assert time.perf_counter() - began < 2


HOSTILE = texts()


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_as_the_text_does(name):
    """A text made to be slow to read costs about four times as much when it is four times as long."""
    assert grows_linearly(documents, HOSTILE[name], 4_000)


def test_reading_ends_when_its_time_is_over():
    """Between two pieces of a long text the clock is looked at, whatever notation it is in."""
    for piece in ("<doc>", "\n[1,", "[1] x\n", "~~~\n```\n", "word "):
        with pytest.raises(TimeoutError):
            documents(piece * 100_000, until=time.monotonic() - 1)


def test_the_first_element_that_is_closed_is_the_title():
    """A name that is opened and not closed hides no other, and its case does not matter."""
    (found,) = documents("<doc><title>a <name>B</NAME><title>c</title><text> d </text></doc>")
    assert (found.title, found.text) == ("a <name>B</NAME><title>c", "d")
    (found,) = documents("<doc><title>a <name>B</NAME> d</doc>")
    assert (found.title, found.text) == ("B", "d")


def test_a_fence_is_closed_by_one_of_its_length():
    """A longer fence holds shorter ones; where it is not closed, its beginning may be."""
    assert [d.text for d in documents("````\n```\na b\n```\n````\n")] == ["```\na b\n```"]
    assert [d.text for d in documents("````\na b\n```\n")] == ["a b"]
    assert documents("```\na b") == documents("```python\na b\n```") == []


def test_a_passage_in_json_has_the_place_of_its_own_string():
    """Words that also stand within another string are not taken for the passage."""
    text = '[{"title": "On Paris", "text": "Paris"}, {"title": "b", "text": "\\u0050aris"}]'
    assert [(d.text, d.span.of(text)) for d in documents(text)] == [
        ("Paris", "Paris"),
        ("Paris", "\\u0050aris"),
    ]


def test_numbered_sources_must_follow_each_other():
    """A list that begins in the middle, or a single citation, is no list of sources."""
    assert documents("As said in [3] and [4].\n[7] Something else.") == []
    assert [d.text for d in documents("[0] Alpha beta.\n[1] Gamma delta.")] == ["Alpha beta.", "Gamma delta."]


def test_a_title_on_its_own_line_is_the_title():
    """`[1] Title`, a line break and the text; a `Title:` and a `URL:` line."""
    found = documents(
        "[1] Tower\nIt is 330 m tall.\n[2]\nTitle: Paris\nURL: https://p.example\nA city in France."
    )
    assert [(d.title, d.url, d.text) for d in found] == [
        ("Tower", "", "It is 330 m tall."),
        ("Paris", "https://p.example", "A city in France."),
    ]
