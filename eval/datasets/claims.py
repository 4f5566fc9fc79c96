"""The checkable claims of a text, as the verifier finds them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from guardrail.segment import segment
from guardrail.types import Claim, Context
from guardrail.verifier import Verifier

__all__ = ["claims_of"]


def claims_of(verifier: Verifier, text: str, question: str = "") -> Iterator[Claim]:
    """In order; those of later sentences may speak of what earlier ones named."""
    linker, extractor = verifier.linker, verifier.extractor
    asked = tuple(linker.link(question)) if question else ()
    context = Context(question=question, question_mentions=asked)
    for sentence in segment(text):
        mentions = linker.link(sentence.text, offset=sentence.span.start, context=context)
        claims = extractor.extract(sentence, mentions, context, first_id=len(context.earlier))
        context = replace(context, earlier=(*context.earlier, *claims))
        yield from (claim for claim in claims if claim.kind.checkable)
