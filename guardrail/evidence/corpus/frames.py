"""Cuts a document into frames and finds the names in them.

A frame (GraphRetrieve §2) is the stretch of text within which entities count as mentioned together: a sentence, a
paragraph or the document. Names are the capitalised phrases, folded; a document's title is the name of what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum

from guardrail.evidence.linking.spans import Case, Scanned, capitalised_runs, function_words, scan
from guardrail.evidence.names import key
from guardrail.segment import segment
from guardrail.types import Span

__all__ = ["Granularity", "frames", "named", "title_key"]

_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_BRACKET = re.compile(r"\s*\([^()]*\)\s*$")
_LONGEST_NAME = 8  # words


class Granularity(StrEnum):
    """How large a frame is."""

    SENTENCE = "sentence"
    PARAGRAPH = "paragraph"
    DOCUMENT = "document"


def frames(text: str, granularity: Granularity = Granularity.SENTENCE) -> list[Span]:
    """The frames of `text`, disjoint and in order; white space between them belongs to none."""
    if granularity is Granularity.SENTENCE:
        return [sentence.span for sentence in segment(text)]
    if granularity is Granularity.DOCUMENT:
        spans = [Span(0, len(text))]
    else:
        ends = [match.span() for match in _PARAGRAPH.finditer(text)]
        starts = [0, *(end for _, end in ends)]
        spans = [
            Span(start, end) for start, end in zip(starts, [*(s for s, _ in ends), len(text)], strict=True)
        ]
    return [inner for span in spans if (inner := _stripped(text, span))]


def _stripped(text: str, span: Span) -> Span | None:
    words = span.of(text)
    start = span.start + len(words) - len(words.lstrip())
    end = span.end - (len(words) - len(words.rstrip()))
    return Span(start, end) if start < end else None


def title_key(title: str) -> str:
    """The name a title stands for: without the bracket that tells it from others of the same name."""
    return key(_BRACKET.sub("", title)) or key(title)


def named(text: str, known: Collection[str] = ()) -> list[str]:
    """The keys of the names in `text`, each once, in order of appearance.

    Capitalised phrases, and whatever is among the `known` keys, the longest first; a phrase that is no known name, but
    ends or begins with one, counts as that too ("President Barack Obama").
    """
    scanned = scan(text)
    found: dict[str, None] = {}
    taken = [False] * len(scanned.words)
    if known:
        for first, last, name in _known(scanned, known):
            found.setdefault(name)
            taken[first : last + 1] = [True] * (last + 1 - first)
    for first, last in capitalised_runs(scanned):
        if not all(taken[first : last + 1]) and not (first == last and scanned.blocked(first)):
            name = " ".join(scanned.words[first : last + 1])
            if name not in function_words():
                found.setdefault(name)
    return list(found)


def _known(scanned: Scanned, known: Collection[str]) -> list[tuple[int, int, str]]:
    """Stretches whose key is known, longest first, not overlapping; none begins in lower case."""
    words = scanned.words
    found: list[tuple[int, int, str]] = []
    first = 0
    while first < len(words):
        step = 1
        if scanned.cases[first] is Case.LOWER:
            first += 1
            continue
        for last in range(min(first + _LONGEST_NAME, len(words)) - 1, first - 1, -1):
            name = " ".join(words[first : last + 1])
            if name in known and not (first == last and scanned.blocked(first)):
                found.append((first, last, name))
                step = last - first + 1
                break
        first += step
    return found
