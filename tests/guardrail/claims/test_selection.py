from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.claims.selection import hedged, kind_of
from guardrail.types import BlockKind, Kind, Sentence, Span


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
        ("Make sure to visit it.", Kind.INSTRUCTION),
        ("Paris is in France.", Kind.FACT),
        ("See You Yesterday is a film.", Kind.FACT),
        ("Yes, Paris is the capital of France and has two million people.", Kind.FACT),
    ],
)
def test_kinds(text: str, kind: Kind, sentence_of: Callable[[str], Sentence]) -> None:
    """Only what can be looked up is a fact; titles that look like orders are no orders."""
    assert kind_of(sentence_of(text)) is kind


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
