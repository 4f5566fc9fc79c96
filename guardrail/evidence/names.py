"""Words and names: how the graph folds a name into a key, and how a text is cut into the words that keys are made of.

A key is the folded words of a name with one space between: "J. K. Rowling" and "J.K. Rowling" are both "j k rowling",
"Beyoncé's" is "beyonce". Scripts without spaces give one word per character, so that names in them match inside text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

LONGEST_NAME = 1000
"""Code points. A "name" above this is a text that got into the wrong column."""

# Han, kana, Thai, Lao, Khmer, Burmese: one character is one word. Everything else: runs of letters, marks and digits.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_LETTERS, _MARKS = rf"[^\W_{_UNSPACED}]", "[\u0300-\u036f]"
_WORD = re.compile(rf"{_LETTERS}+(?:{_MARKS}+{_LETTERS}*)*|[{_UNSPACED}]|(?:{_MARKS}+{_LETTERS}*)+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
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


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """`word` without case and diacritics."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_FOLD_EXTRA)


def places(text: str) -> list[Place]:
    """Where the words of `text` stand, in order; offsets are code points. A possessive 's is no word of its own."""
    pattern = _ASCII_WORD if text.isascii() else _WORD
    found = [match.span() for match in pattern.finditer(text)]
    if "'" not in text and "’" not in text:
        return found
    return [place for i, place in enumerate(found) if not _possessive(text, found, i)]


def words(text: str) -> list[Word]:
    """The words of `text` in order."""
    return [Word(start, end, fold(text[start:end])) for start, end in places(text)]


def _possessive(text: str, found: list[Place], i: int) -> bool:
    start, end = found[i]
    return i > 0 and text[start:end] == "s" and start == found[i - 1][1] + 1 and text[start - 1] in "'’"


def key(name: str) -> str:
    """The key under which `name` stands in the alias index; empty where it holds no letter or digit."""
    if name.isascii() and "'" not in name:
        return " ".join(_ASCII_WORD.findall(name.lower()))
    return " ".join(word.folded for word in words(name))
