r"""Lists of English words (guardrail/data/english.txt), each asked for by its name: "denying", "hedging", "empty".

The lists that several rooms share stand there, and those that are long. What has the shape of grammar is a regex in the code, with
a list in it: `rf"\b(?:{any_of('denying')}|cannot)\b"`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

__all__ = ["any_of", "pairs", "word_list"]

_FILE = Path(__file__).parent.parent / "data" / "english.txt"


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list. Raises KeyError for a name that no list has, as all of these do."""
    return frozenset(_lists()[name].split())


@cache
def pairs(name: str) -> tuple[tuple[str, str], ...]:
    """The pairs of words of a list, in order."""
    found = (pair.split("/") for pair in _lists()[name].split())
    return tuple((left, right) for left, right in found)


@cache
def any_of(name: str) -> str:
    """What stands in a regex for any phrase of a list: "not|never", the first of those that fit; apostrophes may be left out."""
    phrases = (re.escape(phrase.strip()) for phrase in _lists()[name].split("|"))
    return "|".join(phrase.replace("'", "'?").replace(r"\ ", " ") for phrase in phrases)


@cache
def _lists() -> Mapping[str, str]:
    """The lists by their names. What is indented goes on with the list above it."""
    found: dict[str, str] = {}
    name = ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            found[name] += line
        elif line and not line.startswith("#"):
            name, _, found[name] = line.partition(":")
    return found
