"""Who is said of whom: "Ann reports to Bob" and "Bob reports to Ann" hold the same words."""

from __future__ import annotations

import re

from guardrail.check.kg.aligned.fillers import ClaimSentence, Filler
from guardrail.check.kg.aligned.options import Option
from guardrail.rules import rule
from guardrail.types import Profile, Span

__all__ = ["backwards", "exchanged"]

_TURNED = 0.06  # so much likelier a property is of the other one of two
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
_AGENT = re.compile(r"\b(?:by|from)\b")
_ITS = re.compile(r"['’]s?\s+(?:\w+\s+)?$")


@rule("direction")
def backwards(
    sentence: ClaimSentence, owner: Span, other: Span, name: str, place: Span | None
) -> bool | None:
    """Whether the words make `other` the one that has the property and `owner` its value; None where they do not tell.

    `name`: of the property; `place`: where the sentence says it.
    """
    if place is None:
        return None
    text = sentence.text
    between = text[min(owner.end, other.end) : max(owner.start, other.start)]
    if _VERBAL.search(name):
        swapped = name.endswith(" by") and not _AGENT.search(between)
        return (owner.start < other.start) == swapped
    first, second = sorted((owner, other))
    inside = first.end <= place.start and place.end <= second.start
    if inside and _PASSIVE.fullmatch(text, first.end, second.start):
        return first is not owner
    if any(one.end <= place.start and not text[one.end : place.start].strip() for one in (owner, other)):
        return None  # "heads Cardiology", "stops at Gull Pier": a verb, of either
    owns = _has(text, owner, place)
    return _has(text, other, place) if owns is None else not owns


def _has(text: str, span: Span, place: Span) -> bool | None:
    """Whether what stands at `span` has the property that is said at `place`, or is its value; None where that is not said."""
    if place.end <= span.start:
        behind = text[place.end : span.start]
        if _OWNED.fullmatch(behind):
            return True
        return None if behind.strip() else False  # "the architect Hanno Feld"
    if span.end > place.start:
        return None
    before = text[span.end : place.start]
    possessive = _ITS.match(before) or text[span.end - 2 : span.end] in ("'s", "’s")
    return True if possessive or _HAS.search(before) else None


@rule("reversed", silent=False)
def exchanged(filler: Filler, option: Option, sentence: ClaimSentence) -> bool:
    """Whether the filler may be the one that has the property, and the words say so, or do not tell."""
    if filler.named is None or option.record.symmetric:
        return False
    words = backwards(sentence, option.subject.span, filler.span, option.record.label, option.place)
    if words is not None:
        return words
    if abs(option.turned) >= _TURNED:
        return option.turned > 0
    theirs, ours = filler.named.profile, option.subject.profile
    if not theirs.properties:
        return False  # nothing is known that it has
    either = option.record.id in theirs.properties or option.record.id in ours.object_of
    return either or _of_one_kind(theirs, ours)


def _of_one_kind(one: Profile, other: Profile) -> bool:
    """Whether two things have mostly the same properties, as the rows of one table have."""
    shared = one.properties.keys() & other.properties.keys()
    return 2 * len(shared) > min(len(one.properties), len(other.properties))
