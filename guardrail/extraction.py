"""The claims of a text without a verdict: its sentences read in order, each with what it needs of those before it."""

from __future__ import annotations

from guardrail.segment import segment
from guardrail.types import Claim, Context, Extractor, Linker

__all__ = ["claims_of"]

EARLIER = 40  # claims that a later sentence may refer back to


def claims_of(text: str, extractor: Extractor, *, linker: Linker, question: str = "") -> list[Claim]:
    """All claims in order, those that nobody can check (questions, greetings …) among them by their `kind`."""
    asked_of = tuple(linker.link(question)) if question else ()
    claims: list[Claim] = []
    for sentence in segment(text):
        context = Context(question, asked_of, tuple(claims[-EARLIER:]))
        mentions = linker.link(sentence.text, offset=sentence.span.start, context=context)
        claims += extractor.extract(sentence, mentions, context, first_id=len(claims))
    return claims
