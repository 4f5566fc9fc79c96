"""Words and names: how the graph folds a name into a key, and how a text is cut into the words that keys are made of.

A key is the folded words of a name with one space between: "J. K. Rowling" and "J.K. Rowling" are both "j k rowling",
"Beyoncé's" is "beyonce". Scripts without spaces give one word per character, so that names in them match inside text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

LONGEST_NAME = 1000
"""Code points. A "name" above this is a text that got into the wrong column."""

# Han, kana, Thai, Lao, Khmer, Burmese: one character is one word. Everything else: runs of letters, marks and digits.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_LETTERS, _MARKS = rf"[^\W_{_UNSPACED}]", "[\u0300-\u036f]"
_WORD = re.compile(rf"({_LETTERS}+(?:{_MARKS}+{_LETTERS}*)*|[{_UNSPACED}]|(?:{_MARKS}+{_LETTERS}*)+)")
_ASCII_WORD = re.compile(r"([A-Za-z0-9]+)")
"""What `_WORD` finds in ASCII."""
_FOLD_EXTRA = str.maketrans(
    {"ß": "ss", "ø": "o", "đ": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)


Place = tuple[int, int]
"""Start and end in a text."""


class Word(NamedTuple):
    """A word of a text: `text[start:end]`, and its folded form."""

    start: int
    end: int
    folded: str


class Cut(NamedTuple):
    """A text cut into words: as written, where each stands, and what is between each and the next (one less)."""

    words: list[str]
    places: list[Place]
    gaps: list[str]


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """`word` without case and diacritics."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_FOLD_EXTRA)


def cut(text: str) -> Cut:
    """The words of `text` in order; offsets are code points. A possessive 's is no word of its own. O(n)."""
    pieces = (_ASCII_WORD if text.isascii() else _WORD).split(text)  # a gap, a word, a gap, …, a gap
    if "'s" in text or "’s" in text:
        pieces = _without_possessives(pieces)
    ends = list(accumulate(map(len, pieces)))
    return Cut(pieces[1::2], list(zip(ends[::2], ends[1::2], strict=False)), pieces[2:-1:2])


def words(text: str) -> list[Word]:
    """The words of `text` in order."""
    written, places, _ = cut(text)
    return [Word(start, end, fold(word)) for word, (start, end) in zip(written, places, strict=True)]


def _without_possessives(pieces: list[str]) -> list[str]:
    """The pieces with each possessive 's made part of the gap behind its word."""
    kept, before = pieces[:1], ""
    for word, gap in zip(pieces[1::2], pieces[2::2], strict=True):
        if word == "s" and before in ("'", "’"):
            kept[-1] += word + gap
        else:
            kept += (word, gap)
        before = gap
    return kept


def key(name: str) -> str:
    """The key under which `name` stands in the alias index; empty where it holds no letter or digit."""
    if name.isascii() and "'" not in name:
        return " ".join(_ASCII_WORD.findall(name.lower()))
    return " ".join(map(fold, cut(name).words))
