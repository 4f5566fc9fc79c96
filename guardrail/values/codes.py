"""Codes: capital letters, digits and signs that stand for one thing: article numbers, serial numbers, postal codes.

    is_code("AB-1042")                               → True
    find_codes("It is sold as AB-1043.", "AB-1042")  → [Span(14, 21)]

Two codes are of one form where letters, digits and signs have the same places. Only such are compared: a lamp with the
article number AB-1042 may well have an E27 socket.
"""

from __future__ import annotations

import re
from functools import lru_cache

from guardrail.types import Span
from guardrail.values.cells import read_cell

__all__ = ["find_codes", "is_code", "same_form"]

_CODE = re.compile(r"(?=.*\d.*\d)[A-Z\d]+(?:[-./ ][A-Z\d]+)*")
_YEARS = re.compile(r"(?:1\d{3}|20\d{2})[-/](?:1\d{3}|20\d{2}|\d{2})")
_LONGEST = 40
_DIGITS, _PARTED = 8, 6
"""So many digits alone are no number of anything (40063813), and with signs between them no score or ratio (555-0142)."""
_BEFORE, _BEHIND = r"(?<![^\W_])(?<![^\W_][-./])", r"(?![^\W_]|[-./][^\W_])"


def is_code(text: str) -> bool:
    """Whether a text is one: not a date, a range or a measure, and no number of few digits."""
    if len(text) > _LONGEST or not _CODE.fullmatch(text):
        return False
    if text.isdigit():
        return len(text) >= _DIGITS
    lettered = any(map(str.isalpha, text))
    if not lettered and (sum(map(str.isdigit, text)) < _PARTED or _YEARS.fullmatch(text)):
        return False
    return read_cell(text) is None


def find_codes(text: str, known: str) -> list[Span]:
    """The places of codes that have the form of a known one."""
    return [Span(*found.span()) for found in _like(known).finditer(text)]


def same_form(one: str, other: str) -> bool:
    """Whether one code may stand in the place of the other."""
    return _like(one).fullmatch(other) is not None


@lru_cache(maxsize=4_096)
def _like(code: str) -> re.Pattern[str]:
    parts = (r"\d" if one.isdigit() else "[A-Z]" if one.isalpha() else re.escape(one) for one in code)
    return re.compile(f"{_BEFORE}{''.join(parts)}{_BEHIND}")
