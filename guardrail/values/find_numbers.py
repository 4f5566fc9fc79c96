"""Finds quantities in text: counts, measures, money, percentages, ages, ordinals and ranges of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from guardrail.language.lists import any_of
from guardrail.types import Argument, Node, Span, Value
from guardrail.values.meanings import meant
from guardrail.values.numbers import DIGITS, MAGNITUDES, ORDINAL_WORDS, WORDS, plain, read_number
from guardrail.values.units import (
    AGE,
    ORDINAL,
    Unit,
    currency_code_pattern,
    currency_sign_pattern,
    unit_named,
    unit_of,
    unit_pattern,
)

__all__ = ["find_numbers", "read_quantity"]

_CURRENCY = rf"(?P<currency>{currency_sign_pattern()}|(?:{currency_code_pattern()})\s)\s?"
_SCALE = rf"(?:\*{{0,2}}\s*-?\s*(?:{'|'.join(MAGNITUDES)})(?!\w))"
_NUMBER = rf"(?:{DIGITS}{_SCALE}?|(?i:\b{WORDS})\b)"
_AGE_TAIL = r"(?:[\s-]years?[\s-]old|\s+years\s+of\s+age)(?!\w)"
_QUANTITY = re.compile(
    rf"(?<![\w.,/#-])(?<!\d:)(?P<sign>[-−](?=\d))?(?:{_CURRENCY})?(?P<number>{_NUMBER})"
    rf"(?:(?P<money>m|mn|bn|k)(?!\w)(?<=[mnk]))?"
    rf"(?:\s?(?:[–—-]|to|(?<=\s)or(?=\s))\s?(?:[$€£¥₹])?(?P<upper>{_NUMBER}))?"
    rf"(?P<tail>(?P<age>{_AGE_TAIL})|[\s\u00a0-]?(?P<unit>{unit_pattern()}))?"
    r"(?![\w]|[.,]\d|:\d)"
)
_COMPOUND = re.compile(rf"\s*(?:,|and)?\s*(?P<number>{DIGITS})[\s\u00a0-]?(?P<unit>{unit_pattern()})(?!\w)")
_BETWEEN = re.compile(
    rf"\bbetween\s+(?P<low>(?:{_CURRENCY})?(?P<first>{_NUMBER})[^\d\w]?(?:\s?{unit_pattern()})?)\s+and\s+"
    rf"(?:[$€£¥₹])?(?P<second>{_NUMBER})(?:[\s\u00a0-]?(?P<unit>{unit_pattern()}))?(?!\w|[.,]\d)",
)
_ORDINAL = re.compile(
    rf"(?<![\w.,/-])(?P<n>\d[\d,]*(?:st|nd|rd|th)|(?<=the\s)(?:{'|'.join(sorted(ORDINAL_WORDS, key=len, reverse=True))}))\b",
    re.IGNORECASE,
)
_AGED = re.compile(r"\b(?:aged?|at(?:\s+the)?\s+age(?:\s+of)?|age\s+of|turned|turning)\s+$", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:\b[Nn]o\.|\b[Nn]umber|\b[Vv]ersion|\b[Cc]hapter|\b[Ss]ection|\b[Rr]oute|\b[Pp]art|#)\s*$"
)
_FRACTION = re.compile(
    r"\b(?:one|two|three|a)[\s-](?:thirds?|quarters?|fifths?|half|halves)\b|\b\d/\d\b", re.IGNORECASE
)
_MODIFIER = re.compile(
    r"(?:\b(?P<word>about|around|approximately|approx\.|roughly|nearly|almost|close to|some|an estimated|estimated(?: at)?|"
    r"exactly|precisely|more than|over|above|greater than|higher than|in excess of|at least|no fewer than|"
    r"no less than|a minimum of|less than|fewer than|under|below|lower than|up to|at most|no more than|a maximum of|"
    r"as many as|as much as|just over|just under|slightly over|slightly under|well over|only|least|most|"
    rf"{any_of('surpassing')}|{any_of('falling short')})"
    r"(?:\s+(?:a|an|the))?\s+|(?P<sign>[~≈<>≤≥])\s?)$",
    re.IGNORECASE,
)
_SAME = {
    "about": "around approximately approx. roughly some estimated|an estimated|estimated at|close to|~|≈",
    "nearly": "almost|just under|slightly under",
    "more than": f"over above|greater than|higher than|in excess of|just over|slightly over|well over|>|{any_of('surpassing')}",
    "at least": "no fewer than|no less than|a minimum of|≥",
    "less than": f"under below|fewer than|lower than|<|{any_of('falling short')}",
    "at most": "up to|no more than|a maximum of|≤|as many as|as much as",
    "exactly": "precisely only",
}
_CANONICAL = {
    word: canonical
    for canonical, words in _SAME.items()
    for group in words.split("|")
    for word in (
        [group, *group.split()] if group.split()[0] in ("around", "over", "under", "precisely") else [group]
    )
}


def find_numbers(text: str, taken: Iterable[tuple[int, int]]) -> list[Argument]:
    """All quantities outside the stretches that are `taken`, in order and disjoint."""
    spans = list(taken)
    spans += [match.span() for match in _FRACTION.finditer(text)]
    found: list[Argument] = []
    for argument in (*_between(text), *_ordinals(text), *_quantities(text)):
        span = argument.span
        if span and not any(span.start < end and start < span.end for start, end in spans):
            found.append(argument)
            spans.append((span.start, span.end))
    return sorted(found, key=lambda argument: argument.span or Span(0, 0))


def read_quantity(text: str) -> Value | None:
    """The quantity that `text` is as a whole."""
    for argument in _quantities(text):
        if argument.span == Span(0, len(text)):
            return argument.value
    return None


def _between(text: str) -> list[Argument]:
    found = []
    for match in _BETWEEN.finditer(text):
        low, high = read_number(match["first"]), read_number(match["second"])
        unit = _unit(match["currency"], match["unit"], text, match.start())
        if low is not None and high is not None and low < high:
            found.append(_argument(text, Span(match.start("low"), match.end()), low, high, unit))
    return found


def _ordinals(text: str) -> list[Argument]:
    found = []
    for match in _ORDINAL.finditer(text):
        digits = re.match(r"[\d,]+", match["n"])
        number = (
            Decimal(digits[0].replace(",", "")) if digits else Decimal(ORDINAL_WORDS[match["n"].casefold()])
        )
        found.append(_argument(text, Span(*match.span("n")), number, None, ORDINAL))
    return found


def _quantities(text: str) -> list[Argument]:
    found = []
    for match in _QUANTITY.finditer(text):
        number, unit = _amount(text, match), _unit_of(text, match)
        if number is None or (unit is None and match["number"].casefold() in ("one", "zero")):
            continue  # "one of them" counts nothing
        start, end = match.span()
        upper = read_number(match["upper"]) if match["upper"] else None
        if upper is not None and upper <= number:
            upper, end = None, match.end("number")
            unit = _unit(match["currency"], None, text, start)
        if upper is None:
            number, end = _compound(text, number, end, unit)
        found.append(_argument(text, Span(start, end), number, upper, unit, _modifier(text, start)))
    return found


def _amount(text: str, match: re.Match[str]) -> Decimal | None:
    """The number; None where it only names something ("No. 5"), and for "5m", which are millions only of a currency."""
    number = read_number(match["number"])
    if number is None or _NAMED.search(text, max(0, match.start() - 12), match.start()):
        return None
    if match["money"]:
        if not match["currency"]:
            return None
        number = read_number(match["number"] + match["money"]) or number
    return -number if match["sign"] else number


def _unit_of(text: str, match: re.Match[str]) -> Node | None:
    start = match.start()
    unit = AGE if match["age"] else _unit(match["currency"], match["unit"], text, start)
    return AGE if unit is None and _AGED.search(text, max(0, start - 16), start) else unit


def _compound(text: str, number: Decimal, end: int, unit: Node | None) -> tuple[Decimal, int]:
    """6 ft 2 in, 2 hours 30 minutes: the smaller unit of the same dimension is added."""
    big, match = unit_of(unit), _COMPOUND.match(text, end)
    if match is None or big is None or big.dimension not in ("length", "time", "mass"):
        return number, end
    small, more = unit_named(match["unit"]), read_number(match["number"])
    if small is None or more is None or not _is_part(more, small, big):
        return number, end
    return number + more * small.factor / big.factor, match.end()


def _is_part(more: Decimal, small: Unit, big: Unit) -> bool:
    """Whether so many small units are a part of a big one: "5 km and 300 ft" are two lengths."""
    if small.dimension != big.dimension or small.factor >= big.factor or more * small.factor >= big.factor:
        return False
    return round(big.factor / small.factor) in (12, 60, 7, 24, 16, 100, 1000, 365)


def _unit(currency: str | None, words: str | None, text: str, start: int) -> Node | None:
    """The unit of the number at `start`, by what stands before or behind it."""
    named = (
        unit_named(currency) if currency else next(iter(meant(words, text, start)), None) if words else None
    )
    if currency and named is None:  # A$, C$: dollars of another country
        return Node("", currency.strip())
    return named.node if named else None


def _modifier(text: str, start: int) -> str:
    match = _MODIFIER.search(text, max(0, start - 24), start)
    if not match:
        return ""
    word = (match["word"] or match["sign"]).casefold()
    return _CANONICAL.get(word, word if word in _SAME else "")


def _argument(
    text: str, span: Span, number: Decimal, upper: Decimal | None, unit: Node | None, modifier: str = ""
) -> Argument:
    words = span.of(text)
    value = Value(
        label=words,
        value=plain(number),
        datatype="quantity",
        unit=unit,
        lower=plain(number) if upper is not None else None,
        upper=plain(upper) if upper is not None else None,
    )
    return Argument(words, span, (), value, modifier)
