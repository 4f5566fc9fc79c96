"""A part of what is told: "fifty students at the university study astronomy" says nothing of how many it has, nor "published in
Norway in 2008" of when it was published first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from guardrail.check.kg.aligned.words import akin, content
from guardrail.language.lists import word_list
from guardrail.rules import rule
from guardrail.types import Span, Triplet
from guardrail.values import find_values

__all__ = ["of_a_part", "released_elsewhere"]

# Before a number that opens a sentence: "the fifty students" are all of them.
_OPENING = re.compile(
    r"\W*(?:(?:there (?:are|were)|about|around|some|only|exactly|nearly|almost|in \d{4},?|today,?|currently,?)\s+)*",
    re.IGNORECASE,
)

_RELEASED = re.compile(r"\b(?:publish|publication|releas|launch|issue)", re.IGNORECASE)
_SOMEWHERE = re.compile(r"\b(?:in|as an?)\s+(?:the\s+)?(?P<where>[^\W\d_]{3,})")


@rule("part-of-a-figure", silent=False)
def of_a_part(text: str, number: Span, whose: Span, label: str) -> bool:
    """Whether a number that opens a sentence counts those alone of whom more is said. `whose`: the name behind it; `label`: of the figure."""
    if whose.start < number.end or not _OPENING.fullmatch(text[: number.start]):
        return False
    between = text[number.end : whose.start]
    counted = content(label) | content(" ".join(between.split()[:1]))
    more = (content(between) | content(text[whose.end :])) - word_list("belonging")
    return any(word.isalpha() and not any(akin(word, one) for one in counted) for word in more)


@rule("release-somewhere", silent=False)
def released_elsewhere(text: str, label: str, names: Sequence[Span], known: Sequence[Triplet]) -> bool:
    """Whether what came out is said to have done so in a place, a language or a form that is not known: there, it may have come out
    at another time. `label`: of the property; `names`: the places of the thing's name.
    """
    if not _RELEASED.search(label):
        return False
    told = content(" ".join(f"{one.subject.label} {one.object.label}" for one in known))
    dates = [one.span for one in find_values(text) if one.span is not None]
    places = (Span(*match.span("where")) for match in _SOMEWHERE.finditer(text))
    apart = (one for one in places if not any(one.overlaps(other) for other in (*names, *dates)))
    return any(not content(one.of(text)) <= told for one in apart)
