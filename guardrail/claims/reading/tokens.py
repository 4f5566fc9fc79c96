"""Words of a sentence with their places and tags: the tokens that the chunker reads.

Markdown marks, citations and footnote marks are no tokens: what is read is the sentence without them, while every token
still points at its exact place in the original.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from guardrail.language import Doc

__all__ = ["Token", "tagged", "tokenize"]

_TOKEN = re.compile(
    r"""
    (?P<skip>\*{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|`+|~~|[\u2600-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\ufe0f\u200d\u20e3]+|\[\^?\d[\d,\s–-]*\]|【[^】\n]{1,30}】|<[/a-zA-Z][^<>\n]{0,80}>)
  | (?P<url>(?:https?://|www\.)[^\s<>"')\]]*[\w/])
  | (?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
  | (?P<number>[#$€£¥₹]?\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s|%|°[CF]?|[a-z]{1,3}[²³]?)?(?![\w]))
  | (?P<dotted>(?:[^\W\d_]\.){2,})
  | (?P<abbreviation>(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Co|Corp|No|vs|etc|Gen|Sen|Rep|Gov|Lt|Col|Capt|Sgt|Rev|Hon|Mt|Ft|ca|approx)\.)
  | (?P<circa>\b(?:c|b|d|r|fl)\.(?=\s*(?:\d|in\b|January|February|March|April|May|June|July|August|September|October|November|December)))
  | (?P<initial>(?<![\w'])[A-Z]\.(?=[\s-]))
  | (?P<not>n['’]t\b)
  | (?P<clitic>['’](?:s|re|ve|ll|d|m)\b)
  | (?P<word>\w+?(?=n['’]t\b)|(?:[^\W_]|[\u0300-\u036f\u200d])+(?:(?:[-–.&/]|['’](?!(?:s|re|ve|ll|d|m|t)\b))(?:[^\W_]|[\u0300-\u036f])+)*)
  | (?P<dots>\.{2,}|-{2,}|[^\w\s])
  | (?P<rest>_)
    """,
    re.VERBOSE,
)


@dataclass(slots=True)
class Token:
    """One word or mark. `start` and `end` count from the beginning of the sentence; `tag` is a Penn Treebank tag, `dep` a relation of
    Universal Dependencies.

    `mention`: index of the mention it belongs to, -1 for none.
    """

    text: str
    low: str
    start: int
    end: int
    tag: str = ""
    mention: int = -1
    dep: str = ""


def tokenize(text: str) -> list[Token]:
    """Tokens of `text` in order; blanks, Markdown marks and citations are left out."""
    return [
        Token(match.group(), match.group().lower().replace("’", "'"), match.start(), match.end())
        for match in _TOKEN.finditer(text)
        if match.lastgroup not in ("skip", "rest")
    ]


def tagged(doc: Doc) -> list[Token]:
    """The tokens of what the Doc was read of. One that is several words there has the tag and the relation of the last that is no
    mark; a mark that is part of a word there is its own tag.
    """
    tokens = tokenize(doc.text)
    starts = [word.start for word in doc.tokens]
    for token in tokens:
        first, last = max(0, bisect_right(starts, token.start) - 1), bisect_left(starts, token.end)
        inside = doc.tokens[first:last]
        words = [word for word in inside if any(map(str.isalnum, word.text))]
        spoken = [word.tag for word in words]
        marks = [word.tag for word in inside if word.text == token.text]
        written = any(map(str.isalnum, token.text))
        token.tag = (spoken or [""] if written else marks or [token.text])[-1]
        token.dep = words[-1].dep if words else ""
    return tokens
