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
_SOURCES = "source sources src ref refs reference references doc docs document documents chunk chunks passage passages snippet snippets context"
_SOURCES += " contexts citation citations footnote footnotes link links page pages"
_PARTS = "section sections sec clause clauses article articles chapter chapters paragraph paragraphs para table tables figure figures fig"
_PARTS += " appendix annex note notes item items step line lines above below p pp no number id v vol"
_DOCUMENTS = "policy policies manual guide handbook lease contract agreement report minutes leaflet terms faq website file email notice rules"
_JOINING = "see also cf the our your this of in on and to from under at"
_KNOWN = frozenset(f"{_SOURCES} {_PARTS} {_DOCUMENTS} {_JOINING}".split())
"""Words of a pointer, beside names and numbers: a bracket with any other word may tell something, and is read."""
_POINTER = re.compile(
    rf"""
    \[ \^? \d{{1,2}} (?: (?:,[ ]?|[ ]?[–-][ ]?) \d{{1,2}} ){{0,9}} \]
  | 【 \d [\d:†‡,\sL-]{{0,20}} (?:source)? 】
  | [\[(] (?P<words> (?: (?:{"|".join(_SOURCES.split())}) (?: [ _#:.-]* \d | [ ]?: | (?=[\])]) ) | (?:see|cf\.?) [ ] ) [^\[\]()\n]{{0,80}} ) [\])]
  | (?: (?<=[.!?,;:)"”’]) | (?<=[a-z]{{4}}) ) [⁰¹²³⁴-⁹]{{1,3}} (?![\w⁰¹²³⁴-⁹/])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
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
        if _TELLS.search(text, max(0, start - _NEAR), start) or not _points(match["words"] or ""):
            continue
        blank = text[start - 1 : start] == " " and _CLOSING.match(text, end) is not None
        yield Edit(start - blank, end, "")


def _points(words: str) -> bool:
    """Whether the words of a bracket are names, numbers and words of documents."""
    return all(word[0].isupper() or word.lower() in _KNOWN for word in _WORD.findall(words))
