from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.claims.checkable.selection import (
    as_rule,
    believed,
    disowned,
    hedged,
    introduced,
    kind_of,
    supposed,
    told_to,
)
from guardrail.types import BlockKind, Claim, Kind, Sentence, Span


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Is Paris big?", Kind.QUESTION),
        ("東京は大きいですか？", Kind.QUESTION),
        ("Sure, I'd be happy to help!", Kind.GREETING),
        ("Here are some facts about France:", Kind.GREETING),
        ("Let me know if you need more.", Kind.GREETING),
        ("In my opinion it is fine.", Kind.OPINION),
        ("The film is absolutely wonderful!", Kind.OPINION),
        ("Paris is in France.", Kind.FACT),
        ("See You Yesterday is a film.", Kind.FACT),
        ("Yes, Paris is the capital of France and has two million people.", Kind.FACT),
    ],
)
def test_kinds(text: str, kind: Kind, sentence_of: Callable[[str], Sentence]) -> None:
    """Only what can be looked up is a fact; titles that look like orders are no orders."""
    assert kind_of(sentence_of(text)) is kind


def test_words_that_begin_an_order() -> None:
    """A sentence may begin as orders do; titles that look like orders are no orders."""
    assert told_to("Make sure to visit it.")
    assert not told_to("See You Yesterday is a film.")
    assert not told_to("The lid opens by itself.")


def test_blocks() -> None:
    """Code, math and headings are what their block is."""
    for block, kind in (
        (BlockKind.CODE, Kind.CODE),
        (BlockKind.MATH, Kind.CODE),
        (BlockKind.HEADING, Kind.HEADING),
    ):
        assert kind_of(Sentence(Span(0, 1), "x", block)) is kind


def test_hedges() -> None:
    """Words of uncertainty hedge; the month of May does not."""
    assert hedged("It may be so")
    assert hedged("It is probably so")
    assert not hedged("It was so in May 1990")
    assert not hedged("It is so")


@pytest.mark.parametrize(
    "before",
    [
        "Some people claim that ",
        "Many historians believe ",
        "Critics have wrongly said that ",
        "According to some, ",
        "According to popular legend, ",
        "It is a myth that ",
        "A common misconception is that ",
    ],
)
def test_what_nobody_in_particular_says_is_not_the_texts_own(before: str) -> None:
    """A source without a name, or a word for what is untrue, leaves a claim open whatever the evidence."""
    assert disowned(before)


@pytest.mark.parametrize(
    "before", ["NASA says that ", "According to the 2020 census, ", "It is known that ", ""]
)
def test_what_a_named_source_says_is_still_checked(before: str) -> None:
    """Naming somebody makes a claim no less the answer's."""
    assert not disowned(before)


def test_a_claim_told_only_to_be_called_untrue_is_hedged() -> None:
    """The whole sentence is one claim then."""
    assert hedged("It is false that Ulm lies in France")
    assert hedged("The idea that Ulm lies in France is wrong")
    assert not hedged("It is true that Ulm lies in Germany")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("You can return it within 30 days.", Kind.FACT),
        ("Your warranty covers the battery.", Kind.FACT),
        ("You are entitled to a refund.", Kind.FACT),
        ("Bake it for 45 minutes.", Kind.FACT),
    ],
)
def test_what_the_reader_is_told_is_a_fact_where_documents_tell(text: str, kind: Kind) -> None:
    """A rule for customers or a step of a recipe is what references are given for."""
    claim = Claim(0, Span(0, len(text)), text, text, kind=Kind.INSTRUCTION)
    assert as_rule(claim).kind is kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Imagine Paris is the capital of Germany.", True),
        ("Now suppose that Rome lies in Spain, and …", True),
        ("What if Einstein had been born in 1900,", True),
        ("In a parallel universe Rome lies in Spain.", True),
        ("Imagine is a song by John Lennon.", False),
        ("The Assumption is a feast.", False),
        ("Picture books are popular.", False),
    ],
)
def test_what_is_only_supposed(text: str, expected: bool) -> None:
    """Whoever asks what if says nothing."""
    assert supposed(text) is expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Note that tea is hot.", "tea is hot."),
        ("Please remember: tea is hot.", "tea is hot."),
        ("It's worth noting that tea is hot.", "tea is hot."),
        ("Did you know that tea is hot?", "tea is hot?"),
        ("Note the time.", "Note the time."),
        ("Tea is hot.", "Tea is hot."),
    ],
)
def test_what_is_told_begins_behind_the_words_that_hold_it_up(text: str, told: str) -> None:
    """Such a sentence is a statement, not an instruction, an opinion or a question."""
    assert text[introduced(text) :] == told


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("I believe that Paris is in France.", "Paris is in France."),
        ("I'm fairly sure Paris is in France.", "Paris is in France."),
        ("As far as I know, Paris is in France.", "Paris is in France."),
        ("I believe in fairies.", "in fairies."),
        ("I have been to Paris.", "I have been to Paris."),
    ],
)
def test_what_is_believed_stands_behind_the_words_for_it(text: str, rest: str) -> None:
    """Whoever says that he believes something says it."""
    assert text[believed(text) :] == rest


def test_a_name_is_no_doubt() -> None:
    """May, with a capital, is a month or somebody's name."""
    assert not hedged("May was followed by Boris Johnson.")
    assert not hedged("Brian May is a guitarist.")
    assert hedged("Brian May may be a guitarist.")
