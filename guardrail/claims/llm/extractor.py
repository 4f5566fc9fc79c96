"""Claims and facts from a language model, for one sentence in one call: FLEEK's fact extraction (§2.1.1) and its two kinds of
question generation (§2.1.2, the object's type first, the other attributes as context), on ClaimVer's exact text spans.

Every span is looked up in the sentence; what does not stand there is dropped. When the model fails, the rules take over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from guardrail.errors import ModelError
from guardrail.llm import Llm, Message, Question, Schema
from guardrail.llm.match import find_span, find_spans
from guardrail.llm.prompts import fill
from guardrail.llm.reply import closed, read_json
from guardrail.types import (
    Argument,
    Attribute,
    BlockKind,
    Claim,
    Context,
    Extractor,
    Fact,
    Mention,
    Sentence,
    Span,
    Statement,
    named_in,
    statement_of,
)
from guardrail.values import find_values

__all__ = ["LlmExtractor", "question", "worth_asking"]

_CONTEXT = 8  # earlier claims shown
_TEXT = {"type": "string"}
_FACT = closed(
    subject=_TEXT,
    predicate=_TEXT,
    object=_TEXT,
    attributes={"type": "array", "items": closed(name=_TEXT, value=_TEXT)},
    object_type=_TEXT,
    question=_TEXT,
    negated={"type": "boolean"},
)
_SCHEMA = Schema(
    "claims",
    closed(
        claims={
            "type": "array",
            "items": closed(text_span=_TEXT, resolved=_TEXT, facts={"type": "array", "items": _FACT}),
        }
    ),
)


class LlmExtractor:
    """Implements `Extractor`. Thread-safe. `fallback` answers for sentences that need no model, or when it fails."""

    def __init__(self, llm: Llm, fallback: Extractor) -> None:
        self._llm = llm
        self._fallback = fallback

    def extract(
        self, sentence: Sentence, mentions: Sequence[Mention], context: Context, *, first_id: int = 0
    ) -> list[Claim]:
        if worth_asking(sentence, mentions):
            try:
                claims = self._llm.ask(question(sentence, mentions, context)).value
            except ModelError:
                claims = []
            if claims:
                return [replace(claim, id=first_id + number) for number, claim in enumerate(claims)]
        return self._fallback.extract(sentence, mentions, context, first_id=first_id)

    def statement(self, sentence: Sentence, context: Context) -> Statement | None:
        return statement_of(self._fallback, sentence, context)

    def named(self, sentence: Sentence, context: Context) -> Statement | None:
        return named_in(self._fallback, sentence, context)


def worth_asking(sentence: Sentence, mentions: Sequence[Mention]) -> bool:
    """A cheap gate before the call: code, questions, and sentences that name nothing and count nothing have no facts."""
    if sentence.kind in (
        BlockKind.CODE,
        BlockKind.MATH,
        BlockKind.HEADING,
    ) or sentence.text.rstrip().endswith("?"):
        return False
    words = sentence.text.split()
    named = any(word[:1].isupper() for word in words[1:])
    return len(words) >= 2 and bool(
        mentions or named or any(c.isdigit() for c in sentence.text) or sentence.heading
    )


def question(sentence: Sentence, mentions: Sequence[Mention], context: Context) -> Question[list[Claim]]:
    """The extraction of one sentence. Claim ids are to be set by the caller."""
    before = [claim.resolved for claim in context.earlier[-_CONTEXT:]]
    if sentence.heading:
        before.append(sentence.heading)
    prompt = fill(
        "extract",
        question=json.dumps(context.question, ensure_ascii=False),
        context=json.dumps(" ".join(before), ensure_ascii=False),
        sentence=json.dumps(sentence.text, ensure_ascii=False),
    )
    return Question(
        (Message("user", prompt),),
        lambda reply: _claims(read_json(reply, _SCHEMA.body)["claims"], sentence, mentions),
        _SCHEMA,
        max_tokens=512 + 4 * len(sentence.text),
    )


def _claims(
    entries: Sequence[Mapping[str, Any]], sentence: Sentence, mentions: Sequence[Mention]
) -> list[Claim]:
    """Claims with exact spans, disjoint and in order. Raises ValueError when none of the spans is in the sentence."""
    spans = find_spans(sentence.text, [entry["text_span"] for entry in entries])
    claims = []
    for entry, span in zip(entries, spans, strict=True):
        if span is None:
            continue
        words = span.of(sentence.text)
        at = span.shift(sentence.span.start)
        claims.append(
            Claim(
                0,
                at,
                words,
                entry["resolved"].strip() or words,
                facts=tuple(_fact(fact, sentence, mentions) for fact in entry["facts"]),
                mentions=tuple(mention for mention in mentions if at.contains(mention.span)),
            )
        )
    if entries and not claims:
        raise ValueError("no text_span is a substring of the sentence; copy the words exactly")
    return sorted(claims, key=lambda claim: claim.span)


def _fact(entry: Mapping[str, Any], sentence: Sentence, mentions: Sequence[Mention]) -> Fact:
    place = find_span(sentence.text, entry["predicate"])
    return Fact(
        subject=_argument(entry["subject"], sentence, mentions),
        predicate=entry["predicate"],
        object=_argument(entry["object"], sentence, mentions),
        attributes=tuple(
            Attribute(item["name"], _argument(item["value"], sentence, mentions))
            for item in entry["attributes"]
        ),
        object_type=entry["object_type"],
        question=entry["question"],
        negated=entry["negated"],
        predicate_span=place.shift(sentence.span.start) if place else None,
    )


def _argument(words: str, sentence: Sentence, mentions: Sequence[Mention]) -> Argument:
    """The words as an argument: with its place, the entity it names, and its date or number, where they are known."""
    place = find_span(sentence.text, words)
    span = place.shift(sentence.span.start) if place else None
    named = [mention for mention in mentions if span and span.overlaps(mention.span)]
    if span is None:  # "Taylor Swift" for "She": the name stands elsewhere, and some mention may carry it
        named = [
            mention
            for mention in mentions
            if mention.entity and mention.entity.label.casefold() == words.casefold()
        ]
    found = _value(words, span)
    if found is None:
        return Argument(words, span, tuple(named))
    return replace(found, text=words, span=span, mentions=tuple(named))


def _value(words: str, span: Span | None) -> Argument | None:
    """The one date or quantity that the words are, if they are one."""
    values = find_values(words, offset=span.start if span else 0)
    return (
        values[0] if len(values) == 1 and values[0].span and len(values[0].span) * 2 >= len(words) else None
    )
