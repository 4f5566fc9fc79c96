"""Ways to write the same words: soft line breaks of mail, words cut at the end of a line, years in Roman numerals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrail.segment.view import Edit, View

__all__ = ["rejoined", "written_out"]

_SOFT = re.compile(r"(?<=\S)=[ \t]*\r?\n(?=\S)")
_QUOTED = re.compile(r"=([2-7][0-9A-F])(?![0-9A-F])")  # quoted-printable, ASCII
_CUT = re.compile(r"(?<=[^\W\d_]{2})[-\u00ad\u2010\u2011][ \t]*\r?\n[ \t]*(?=[a-z])")
_YEAR = re.compile(
    r"(?<=\s)(?P<year>(?=[MDCLXVI]{4})M{1,2}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))(?![\w'’-])"
)
_BEFORE = re.compile(r"\b(?:in|since|year|by|until|till|from|to|before|after|around|circa|anno|AD)\s\Z")
_VALUES = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}


def written_out(view: View) -> View:
    """The view without soft line breaks and what comes with them, and with years in digits; linear."""
    if _SOFT.search(view.text):
        view = view.edited(Edit(found.start(), found.end(), "") for found in _SOFT.finditer(view.text))
        view = view.edited(
            Edit(found.start(), found.end(), chr(int(found[1], 16))) for found in _QUOTED.finditer(view.text)
        )
    return view.edited(_years(view.text))


def rejoined(view: View) -> View:
    """The view with the words whole that a hyphen cuts at the end of a line; the same view where there are none."""
    return view.edited(Edit(found.start(), found.end(), "") for found in _CUT.finditer(view.text))


def _years(text: str) -> Iterator[Edit]:
    for found in _YEAR.finditer(text):
        if _BEFORE.search(text, max(0, found.start() - 10), found.start()):
            yield Edit(found.start(), found.end(), str(_number(found["year"])))


def _number(numeral: str) -> int:
    values = [_VALUES[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
