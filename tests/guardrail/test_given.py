"""What a user hands in beside the text."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.given import given_references, given_sources, given_triplets
from guardrail.types import Node, Source, Value


def test_triplets_come_as_lists_or_objects() -> None:
    """Both forms give the same triplet; a number becomes a quantity."""
    listed, named = given_triplets(
        [
            ["Mars", "moons", 2],
            {"subject": "Mars", "predicate": "moons", "object": 2, "qualifiers": {"as of": "1877"}},
        ]
    )
    assert (
        (listed.subject, listed.predicate)
        == (named.subject, named.predicate)
        == (Node("", "Mars"), Node("", "moons"))
    )
    assert isinstance(listed.object, Value)
    assert listed.object.value == "2"
    assert named.qualifiers[0].object == Node("", "1877")


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (["a", "b"], r"triplets\[0\] is neither"),
        ("a b c", r"triplets\[0\] is neither"),
        ({"subject": "a", "object": "b"}, r"triplets\[0\] has no 'predicate'"),
        (["a", "", "b"], r"triplets\[0\]: '' names nothing"),
        ([None, "b", "c"], r"triplets\[0\]: None names nothing"),
        ({"subject": "a", "predicate": "b", "object": "c", "qualifiers": [["x"]]}, "qualifier"),
    ],
)
def test_a_malformed_triplet_is_refused_by_its_number(item: Any, message: str) -> None:
    """The error says which item is wrong and how."""
    with pytest.raises(ValueError, match=message):
        given_triplets([item])


def test_references_come_as_strings_or_objects() -> None:
    """A bare string gets an id; an object keeps its own, its title and its address."""
    plain, full = given_references(
        ["Water boils.", {"id": "d7", "text": "Ice melts.", "title": "Ice", "url": "https://x.test"}]
    )
    assert (plain.id, plain.source) == ("ref-0", Source.REQUEST)
    assert (full.id, full.title, full.url) == ("d7", "Ice", "https://x.test")


def test_half_a_surrogate_pair_in_a_reference_is_replaced() -> None:
    """In its place: no model takes it."""
    told = "a \ud83d b"
    assert [one.text for one in given_references([told, {"text": told}])] == ["a \ufffd b"] * 2


def test_a_reference_without_text_is_refused() -> None:
    """The error says which item is wrong."""
    with pytest.raises(ValueError, match=r"references\[1\]"):
        given_references(["fine", {"title": "no text"}])


@pytest.mark.parametrize("one", ["The boat seats 40.", {"text": "The boat seats 40."}, 40])
def test_one_thing_is_no_list_of_things(one: Any) -> None:
    """The letters of a text and the keys of an object are no references."""
    for given, name in (
        (given_references, "references"),
        (given_triplets, "triplets"),
        (given_sources, "sources"),
    ):
        with pytest.raises(ValueError, match=f"{name} must be a list, not {type(one).__name__}"):
            given(one)


def test_sources_are_known_names() -> None:
    """An unknown source is refused with the allowed ones; None means all."""
    assert given_sources(["kg", "request", "kg"]) == (Source.KG, Source.REQUEST)
    assert given_sources(None) is None
    with pytest.raises(ValueError, match="allowed: request, kg, corpus, web"):
        given_sources(["wikipedia"])
