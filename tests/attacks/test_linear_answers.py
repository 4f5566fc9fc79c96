"""Answers that are written to be slow to read: what they cost grows with their length, sentence by sentence."""

from __future__ import annotations

import time

import pytest

from guardrail.segment import segment
from guardrail.types import NotChecked, Sentence, Span, Unchecked
from guardrail.verifier import LONGEST_SENTENCE, Verifier

KINDS = {
    "open brackets": "(",
    "closed brackets": ")",
    "bracket pairs": "()",
    "nested": "((a) ",
    "commas": "a, ",
    "digits": "1",
    "numbers": "1 ",
    "comma numbers": "1,000,",
    "dots": ". ",
    "initials": "J. ",
    "jr": "Sydney Jr. ",
    "one word": "a",
    "one Word": "Sydney",
    "combining": "e\u0301",
    "marks only": "\u0301",
    "quotes": '"',
    "opened quotes": "“a ",
    "nested quotes": "\"'a'\" ",
    "pipes": "|",
    "rows": "| a | b ",
    "stars": "*",
    "bold": "**a** ",
    "bolds": "**a ",
    "underscores": "_a",
    "rtl": "\u05d0 ",
    "rtl mark": "\u202ea",
    "newlines": "\n",
    "blank lines": "a\n\n",
    "spaces": " ",
    "tabs": "\ta",
    "and": "Sydney and ",
    "ands": "and ",
    "capitals": "Sydney Melbourne ",
    "CAPS": "SYDNEY ",
    "of the": "of the ",
    "capital of": "the capital of ",
    "in": "in Australia ",
    "units": "5 km ",
    "years": "in 1990 ",
    "dates": "13 December 1989, ",
    "iso": "1989-12-13 ",
    "urls": "http://a.b/",
    "mails": "a@b.c ",
    "html": "<a>",
    "html open": "<a ",
    "latex": "\\frac{1}{",
    "dollars": "$a",
    "links": "[a](b) ",
    "open links": "[a](",
    "backticks": "`",
    "ticks": "`a` ",
    "hyphens": "-",
    "hyphen words": "a-b-",
    "dashes": "— a ",
    "semicolons": "Sydney is a city; ",
    "colons": "a: ",
    "which": "which is a city ",
    "that": "that Sydney says ",
    "not": "not ",
    "is": "is ",
    "was": "Sydney was ",
    "clauses": "Sydney is the capital of Australia and ",
    "clauses,": "Sydney is the capital of Australia, ",
    "born": "born in ",
    "apostrophes": "Sydney's ",
    "apos": "'",
    "slash": "a/b/",
    "plus": "a + b = ",
    "percent": "5% ",
    "roman": "XIV ",
    "first": "first ",
    "he": "he ",
    "its": "its ",
    "or": "Sydney or ",
    "as well as": "as well as Sydney ",
    "between": "between 1990 and 1995 ",
    "emoji": "🙂",
    "chinese": "北京",
    "zwj": "a\u200d",
    "soft": "a\u00ad",
    "nul": "a\x00",
    "ellipsis": "…",
    "dots3": "... ",
    "question": "? ",
    "bang": "! ",
    "json": '{"a": ',
    "brackets sq": "[",
    "braces": "{",
    "colon time": "12:30 ",
    "fractions": "1/2 ",
    "minus": "−1 ",
    "degrees": "5° ",
    "the": "The ",
    "titles": "Dr. ",
    "abbr": "U.S. ",
    "de": "de la ",
    "von": "von Sydney ",
    "who": "Sydney, who ",
    "appos": "Sydney, a city, ",
    "paren appos": "Sydney (a city) ",
    "paren year": "Sydney (1990) ",
    "long number": "1234567890",
    "decimal": "1.",
    "because": "because it is ",
    "if": "if it rains ",
    "more than": "more than 5 ",
    "most": "the most populous city ",
    "equals": "= ",
    "hash": "# ",
    "gt": "> ",
    "numbered": "1. a\n",
    "items": "- a\n",
}

SHORT, LONG = 1_000, 4_000
GROWTH = 16.0  # four times as long; what is quadratic without a bound would cost that much on an idle machine
NOISE_S = 0.05


def hostile(kind: str, length: int) -> str:
    """A text of this length that begins like a statement."""
    unit = KINDS[kind]
    return ("Sydney is the capital of " + unit * (length // len(unit) + 1))[: length - 1] + "."


def cost(verifier: Verifier, text: str) -> float:
    """Seconds of CPU for checking a text as an answer of sentences."""
    session, began = verifier.session(), time.process_time()
    for sentence in segment(text)[:20]:
        session.check(sentence)
    return time.process_time() - began


@pytest.mark.parametrize("kind", KINDS)
def test_a_hostile_answer_costs_what_its_length_costs(verifier: Verifier, kind: str) -> None:
    """Brackets, lists, digits, marks, quotes, tables, markup and chains of clauses."""
    few, many = (cost(verifier, hostile(kind, length)) for length in (SHORT, LONG))
    assert many < GROWTH * (few + NOISE_S)


@pytest.mark.parametrize("length", [LONGEST_SENTENCE + 1, 16_000, 1_000_000])
def test_a_sentence_that_is_too_long_is_not_read(verifier: Verifier, length: int) -> None:
    """It is told as not checked at once, whatever it says."""
    text = hostile("clauses", length)
    began = time.process_time()
    (found,) = verifier.session().check(Sentence(Span(0, length), text))
    assert isinstance(found, Unchecked)
    assert found.reason is NotChecked.OVERLOAD
    assert time.process_time() - began < 1
