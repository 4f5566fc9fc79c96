"""Who is said of whom: "Ann reports to Bob" and "Bob reports to Ann" hold the same words."""

from __future__ import annotations

import re

from guardrail.check.kg.aligned.fillers import Sentence
from guardrail.types import Span

__all__ = ["backwards"]

_OWNED = re.compile(r"\s*(?:of|for|to|at|in|on|from)\s+(?:the\s+|a\s+|an\s+)?$", re.IGNORECASE)
_VERBAL = re.compile(r"\b(?:by|of|in|at|to|from|for|on|with)$", re.IGNORECASE)
# "was born in Ulm", "is based at": of what stands before; "is captain of", "is head at" are of what stands behind.
_PASSIVE = re.compile(
    r"(?:\s+(?:is|are|was|were|be|been|being|has|have|had))+\s+"
    r"(?:\w+ly\s+)?(?:\w+ed|born|built|made|held|hung|kept|set|sold|found|known|drawn|grown|led|put)"
    r"\s+(?:in|at|on|from|to|near|inside)\s+(?:the\s+|a\s+|an\s+)?",
    re.IGNORECASE,
)
_HAS = re.compile(r"\b(?:has|have|had|with)\b", re.IGNORECASE)
_ITS = re.compile(r"['’]s?\s+(?:\w+\s+)?$")


def backwards(sentence: Sentence, owner: Span, other: Span, name: str, place: Span | None) -> bool | None:
    """Whether the words make `other` the one that has the property and `owner` its value; None where they do not tell.

    `name`: of the property; `place`: where the sentence says it.
    """
    if place is None:
        return None
    text = sentence.text
    if _VERBAL.search(name):
        swapped = name.endswith(" by") and not re.search(
            r"\b(?:by|from)\b", text[min(owner.end, other.end) : max(owner.start, other.start)]
        )
        return (owner.start < other.start) == swapped
    first, second = sorted((owner, other))
    if (
        first.end <= place.start
        and place.end <= second.start
        and _PASSIVE.fullmatch(text, first.end, second.start)
    ):
        return first is not owner
    if any(one.end <= place.start and not text[one.end : place.start].strip() for one in (owner, other)):
        return None  # "heads Cardiology", "stops at Gull Pier": a verb, of either
    for span, answer in ((owner, False), (other, True)):
        behind, before = text[place.end : span.start], text[span.end : place.start]
        if place.end <= span.start and _OWNED.fullmatch(behind):
            return answer
        if place.end <= span.start and not behind.strip():
            return not answer  # "the architect Hanno Feld"
        if span.end <= place.start and (_ITS.match(before) or text[span.end - 2 : span.end] in ("'s", "’s")):
            return answer
        if span.end <= place.start and _HAS.search(before):
            return answer
    return None
