"""Pointers to a source, which an answer has beside what it tells: "[2]", "[doc1]", "(see section 3)", "【4:0†source】", a footnote's "¹".

They are no part of what is claimed, and a number in them is no value. What stands in brackets and is told stays: "the interval is
[1, 10]", "gold (3)".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrail.segment.view import Edit, View

__all__ = ["without_pointers"]

_ANY = re.compile(r"[\[(【¹²³⁴⁵⁶⁷⁸⁹⁰]")
_SOURCE = r"(?:sources?|src|refs?|references?|docs?|documents?|chunks?|passages?|snippets?|contexts?|citations?|footnotes?|links?|pages?|pp?\.)"
_PART = r"(?:sections?|clauses?|articles?|chapters?|paragraphs?|pages?|tables?|figures?|fig\.|appendix|annex|notes?|items?|step|above|below)"
_POINTER = re.compile(
    rf"""
    \[ \^? \d{{1,3}} (?: (?:,[ ]?|[ ]?[–-][ ]?) \d{{1,3}} ){{0,9}} \]
  | 【[^【】\n]{{1,60}}】
  | [\[(] {_SOURCE} (?: [ _#:.-]* \d [^\[\]()\n]{{0,40}} | [ ]?: [^\[\]()\n]{{1,80}} )? [\])]
  | [\[(] (?:see|cf\.?) [ ] (?:also[ ])? (?: (?:the|our|your)[ ] )? (?: (?:{_SOURCE}|{_PART}|policy|manual|guide) \b | \d ) [^\[\]()\n]{{0,60}} [\])]
  | (?: (?<=[.!?,;:)"”’]) | (?<=[a-z]{{4}}) ) [⁰¹²³⁴-⁹]{{1,3}} (?![\w⁰¹²³⁴-⁹/])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TELLS = re.compile(
    r"(?:^(?:\[[^\[\]]*\])*|[:=(,/+*-]|\b(?:is|are|was|were|be|equals?|of|to|from|in|at|by|or|and|than|with|for|version|about))\s*$",
    re.IGNORECASE,
)
"""Behind what a bracket is no pointer but what is told; at the beginning, too."""
_CLOSING = re.compile(r"[\s.,;:!?)\[]|$")
_NEAR = 12  # characters before a bracket in which the word stands that tells what it is


def without_pointers(view: View) -> View:
    """The view without its pointers; each goes with the blank before it. Linear."""
    return view.edited(_edits(view.text)) if _ANY.search(view.text) else view


def _edits(text: str) -> Iterator[Edit]:
    for match in _POINTER.finditer(text):
        start, end = match.span()
        if _TELLS.search(text, max(0, start - _NEAR), start):
            continue
        blank = text[start - 1 : start] == " " and _CLOSING.match(text, end) is not None
        yield Edit(start - blank, end, "")
