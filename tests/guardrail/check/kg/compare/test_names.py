"""Sameness of names."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.compare.names import fold, ids_of, indefinite, like_node, like_words
from guardrail.types import Argument, Node


@pytest.mark.parametrize(
    ("left", "right", "likeness"),
    [
        ("The Beatles", "Beatles", "same"),
        ("Beyoncé", "Beyonce", "same"),
        ("Grey's Anatomy", "Grey’s anatomy", "same"),
        ("US", "United States", "same"),
        ("U.S.", "United States", "same"),
        ("ABC", "American Broadcasting Company", "same"),
        ("Boeing 737", "Boeing 737 MAX", "near"),
        ("Obama", "Barack Obama", "near"),
        ("George Bush", "George W. Bush", "near"),
        ("Irish", "Ireland", "near"),
        ("Morvanian", "Morvania", "near"),
        ("Iran", "Iraq", "other"),
        ("York", "Yorkshire", "other"),
        ("the", "The Band", "other"),
        ("Paris", "London", "other"),
        ("", "London", "other"),
        ("東京", "東京", "same"),
    ],
)
def test_like_words(left: str, right: str, likeness: str) -> None:
    """Case, accents, articles, possessives and acronyms do not matter; a part of a name is near; either way round."""
    assert like_words(left, right) == like_words(right, left) == likeness


def test_an_id_settles_it(make: Any) -> None:
    """Words that the linker read as a node are that node, whatever its label."""
    words = make.argument("the Big Apple", "the Big Apple", "New York City")
    assert like_node(words, make.node("New York City")) == "same"
    assert like_node(words, make.node("Boston")) == "other"
    assert ids_of(words) == ("Q:New York City",)


def test_a_node_in_words_is_compared_with_every_label(make: Any) -> None:
    """A given triplet has no id: the labels of the readings count."""
    words = make.argument("ABC", "ABC", "American Broadcasting Company")
    assert like_node(words, Node("", "American Broadcasting Company")) == "same"


def test_indefinite_words_name_nobody(make: Any) -> None:
    """ "anyone significant" is anybody, "Bob" is not."""
    assert indefinite(Argument("anyone significant"))
    assert not indefinite(make.argument("Bob", "Bob"))
    assert not indefinite(Argument(""))


def test_fold_keeps_other_scripts() -> None:
    """Nothing but case, accents and marks is lost."""
    assert fold("Ångström’s Москва 東京") == "angstrom москва 東京"


def test_the_place_in_a_series_is_no_part_of_an_office() -> None:
    """The 44th president of the United States holds the office of president."""
    office = Node("Q11696", "President of the United States")
    assert like_node(Argument("44th president of the United States"), office) == "same"
    assert like_node(Argument("First Lady"), Node("Q1", "Lady")) == "near"


def test_what_stands_behind_a_preposition_is_no_head(make: Any) -> None:
    """ "president of the United States" is not the United States, "beautiful city" is the city."""
    text = "president of the United States"
    country = make.argument("United States", text).mentions
    assert ids_of(Argument(text, mentions=country)) == ()
    assert ids_of(Argument("free United States", mentions=country)) == ("Q:United States",)
