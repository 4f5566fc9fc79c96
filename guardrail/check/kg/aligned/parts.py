"""A part of what is counted: "fifty students at the university study astronomy" says nothing of how many it has."""

from __future__ import annotations

import re

from guardrail.check.kg.aligned.words import akin, content
from guardrail.language.lists import word_list
from guardrail.rules import rule
from guardrail.types import Span

__all__ = ["of_a_part"]

# Before a number that opens a sentence: "the fifty students" are all of them.
_OPENING = re.compile(
    r"\W*(?:(?:there (?:are|were)|about|around|some|only|exactly|nearly|almost|in \d{4},?|today,?|currently,?)\s+)*",
    re.IGNORECASE,
)


@rule("part-of-a-figure", silent=False)
def of_a_part(text: str, number: Span, whose: Span, label: str) -> bool:
    """Whether a number that opens a sentence counts those alone of whom more is said. `whose`: the name behind it; `label`: of the figure."""
    if whose.start < number.end or not _OPENING.fullmatch(text[: number.start]):
        return False
    between = text[number.end : whose.start]
    counted = content(label) | content(" ".join(between.split()[:1]))
    more = (content(between) | content(text[whose.end :])) - word_list("belonging")
    return any(word.isalpha() and not any(akin(word, one) for one in counted) for word in more)
