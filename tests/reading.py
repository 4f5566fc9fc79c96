"""Sentences as the readers of facts have them, read with the parser that ships."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.claims.reading import sentence as rooms
from guardrail.claims.reading import tokens
from guardrail.language import parser
from guardrail.types import Mention, Sentence

__all__ = ["read", "tagged"]


def read(sentence: Sentence, mentions: Sequence[Mention]) -> rooms.ParsedSentence:
    return rooms.read(sentence, mentions, parser().read(sentence.text))


def tagged(text: str) -> list[tokens.Token]:
    return tokens.tagged(parser().read(text))
