"""The claims of a text without a verdict: its sentences read in order, each with what it needs of those before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from guardrail.claims.discourse.focus import with_focus
from guardrail.segment import AsRead, View, sentences
from guardrail.types import Claim, Context, Extractor, Linker, Sentence, named_in, statement_of

__all__ = ["MAX_EARLIER_CLAIMS", "as_meant", "as_one", "claims_by_sentence", "claims_of"]

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
        statement = statement_of(extractor, sentence, context)
        part = as_meant(_as_it_stands(sentence), extractor, context)
        if statement:
            part = _as_it_stands(sentence).answering(statement)
        read = part.plain
        mentions = linker.link(read.text, offset=read.span.start, context=context)
        claims = with_focus(extractor.extract(read, mentions, context, first_id=count), mentions, context)
        claims = [part.claim(one) for one in (as_one(claims, read) if statement else claims)]
        count += len(claims)
        earlier = [*earlier, *claims][-MAX_EARLIER_CLAIMS:]
        yield claims


def as_meant(part: AsRead, extractor: Extractor, context: Context) -> AsRead:
    """The sentence with names for "both" and "they", where it is safe to say whom they mean; else as it is."""
    named = named_in(extractor, part.plain, context)
    return part.naming(named) if named else part


def _as_it_stands(sentence: Sentence) -> AsRead:
    return AsRead.of(sentence, View.of(sentence.text), sentence.kind, sentence.heading, sentence.header)


def as_one(claims: Sequence[Claim], sentence: Sentence) -> list[Claim]:
    """The claims of a statement that an answer makes of its question as one: in the answer they stand in the same place."""
    told = [claim for claim in claims if claim.kind.checkable]
    if not told:
        return list(claims[:1])
    facts = tuple(fact for claim in told for fact in claim.facts)
    mentions = tuple(dict.fromkeys(one for claim in told for one in claim.mentions))
    wording = " ".join(claim.resolved for claim in told)
    whole = replace(told[0], id=claims[0].id, span=sentence.span, text=sentence.text)
    return [replace(whole, resolved=wording, facts=facts, mentions=mentions)]
