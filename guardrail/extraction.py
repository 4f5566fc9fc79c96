"""The claims of a text without a verdict: its sentences read in order, each with what it needs of those before it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from guardrail.segment import sentences
from guardrail.types import Claim, Context, Extractor, Linker

__all__ = ["MAX_EARLIER_CLAIMS", "claims_by_sentence", "claims_of"]

MAX_EARLIER_CLAIMS = 40  # that a later sentence may refer back to: keeps the work per sentence constant


def claims_of(text: str, extractor: Extractor, *, linker: Linker, question: str = "") -> list[Claim]:
    """All claims in order, those that nobody can check (questions, greetings …) among them by their `kind`."""
    return list(chain.from_iterable(claims_by_sentence(text, extractor, linker=linker, question=question)))


def claims_by_sentence(
    text: str, extractor: Extractor, *, linker: Linker, question: str = ""
) -> Iterator[list[Claim]]:
    """The claims of one sentence after the other, read as they are asked for."""
    asked_of = tuple(linker.link(question)) if question else ()
    earlier: list[Claim] = []
    count = 0
    for sentence in sentences(text):
        context = Context(question, asked_of, tuple(earlier))
        mentions = linker.link(sentence.text, offset=sentence.span.start, context=context)
        claims = list(extractor.extract(sentence, mentions, context, first_id=count))
        count += len(claims)
        earlier = [*earlier, *claims][-MAX_EARLIER_CLAIMS:]
        yield claims
