"""Words of a sentence with their places: the tokens that the tagger and the chunker read.

Markdown marks, citations and footnote marks are no tokens: what is read is the sentence without them, while every token
still points at its exact place in the original.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Token", "tokenize"]

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
    """One word or mark. `start` and `end` count from the beginning of the sentence; `tag` is a Penn Treebank tag.

    `mention`: index of the mention it belongs to, -1 for none.
    """

    text: str
    low: str
    start: int
    end: int
    tag: str = ""
    mention: int = -1


def tokenize(text: str) -> list[Token]:
    """Tokens of `text` in order; blanks, Markdown marks and citations are left out."""
    return [
        Token(match.group(), match.group().lower().replace("’", "'"), match.start(), match.end())
        for match in _TOKEN.finditer(text)
        if match.lastgroup not in ("skip", "rest")
    ]
