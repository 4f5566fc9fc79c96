"""Localization (RefChecker): which words of the evidence carry a verdict, as spans of the evidence's text.

A word of the evidence is marked when it is a word of the claim, by stem, or a number or date that stands where the
claim has another: runs of marked words are joined, so that a reader sees phrases and not confetti.
"""

from __future__ import annotations

import re

from guardrail.evidence.corpus.terms import terms
from guardrail.types import Span

__all__ = ["marks"]

_WORD = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*")
_JOIN = 1  # unmarked words between two marked ones that are marked along


def marks(claim: str, evidence: str) -> tuple[Span, ...]:
    """Spans of `evidence`, disjoint and in order, that hold the words it shares with `claim`.

    Numbers of the evidence are marked too when something else is shared: they are what claims get wrong.
    """
    wanted = frozenset(terms(claim))
    if not wanted:
        return ()
    words = list(_WORD.finditer(evidence))
    shared = [bool(wanted.intersection(terms(word.group()))) for word in words]
    if not any(shared):
        return ()
    figures = any(term[0].isdigit() for term in wanted)
    carried = [
        is_shared or (figures and word.group()[0].isdigit())
        for word, is_shared in zip(words, shared, strict=True)
    ]
    spans: list[Span] = []
    last = -_JOIN - 2
    for place, word in enumerate(words):
        if not carried[place]:
            continue
        near = place - last - 1 <= _JOIN and "\n" not in evidence[words[last].end() : word.start()]
        if spans and near:
            spans[-1] = Span(spans[-1].start, word.end())
        else:
            spans.append(Span(word.start(), word.end()))
        last = place
    return tuple(spans)
