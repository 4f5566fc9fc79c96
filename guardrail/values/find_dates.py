"""Finds dates, years, decades and centuries in text.

A bare four-digit number is a year unless what surrounds it counts something ("1500 people", "1969 kg"). A day and month
without a year name no point in time and give nothing, but their digits are taken, so that nobody reads "4 July" as four.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from guardrail.types import Argument, Span
from guardrail.values.dates import MONTHS, Moment, century_moment, month_number, ordinal_number, value_of
from guardrail.values.numbers import ORDINAL_WORDS, read_number
from guardrail.values.units import unit_pattern

__all__ = ["FULL_DATE", "NUMERIC_DATE", "DateSpan", "find_dates"]


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A stretch of text that is taken; `argument` is None where it means nothing by itself."""

    start: int
    end: int
    argument: Argument | None


_MONTH = "(?:" + "|".join([*MONTHS, "Sept", *(m[:3] for m in MONTHS)]) + r")\b\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_ERA = r"(?:\s*(?P<era>B\.?C\.?E?\.?|A\.?D\.?|C\.?E\.?)(?![A-Za-z]))"
_YEAR = r"(?P<year>\d{3,4}|\d{1,2}(?=\s*B\.?C))(?![\d,]\d|\.\d|[A-Za-z%°])"
_NTH = "(?:" + "|".join(sorted(ORDINAL_WORDS, key=len, reverse=True)) + r"|\d{1,2}(?:st|nd|rd|th))"
_B = r"(?<![\w.,/$€£¥#+])(?<![A-Z\d]-)"  # no year inside a number, an identifier, or after a currency sign

FULL_DATE = re.compile(
    rf"(?<![\w/])(?:(?:the\s+)?(?P<d>{_DAY})(?:\s+day)?\s+(?:of\s+)?(?P<m>{_MONTH})"
    rf"|(?P<m2>{_MONTH})\s+(?:the\s+)?(?P<d2>{_DAY}))(?!\w)(?:\s?,?\s+(?:of\s+|in\s+)?{_YEAR}{_ERA}?)?",
    re.IGNORECASE,
)
_ISO = re.compile(r"(?<![\w-])(?P<year>\d{4})-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>0[1-9]|[12]\d|3[01]))?(?![\w-])")
NUMERIC_DATE = re.compile(
    r"(?<![\w/.])(?P<a>\d{1,2})(?P<sep>[/.])(?P<b>\d{1,2})(?P=sep)(?P<year>\d{4})(?![\w/])"
)
_MONTH_YEAR = re.compile(rf"\b(?P<m>{_MONTH}),?\s+(?:of\s+)?{_YEAR}{_ERA}?", re.IGNORECASE)
_DECADE = re.compile(r"(?<![\w])(?P<year>\d{3}0)['’]?s\b|(?<![\w])['’](?P<short>\d0)s\b")
_CENTURY = re.compile(
    rf"\b(?P<n>{_NTH})(?:[\s-])(?P<size>century|centuries|millennium)\b(?P<era>\s+B\.?C\.?E?\.?)?",
    re.IGNORECASE,
)
_RANGE = re.compile(rf"{_B}(?P<y1>\d{{4}})\s?[–—-]\s?(?P<y2>\d{{4}}|\d{{2}})(?![\w-]|[,.]\d)")
_ERA_YEAR = re.compile(rf"{_B}(?P<year>\d{{1,4}}){_ERA}|\b(?P<ad>AD|A\.D\.)\s+(?P<year2>\d{{1,4}})\b")
_BARE = re.compile(rf"{_B}(?P<year>[12]\d{{3}})(?![\w'’]|[,.]\d|-\d|[%°])")
_OLD = re.compile(
    r"\b(?:[Ii]n|[Ii]n the year|[Ss]ince|[Uu]ntil|[Bb]y)\s+(?P<year>[1-9]\d{2})(?=[,.;:)]|\s*$)"
)
_RELATIVE = re.compile(
    r"\b(?:(?P<which>last|this)\s+year|(?P<ago>\w+(?:-\w+)?)\s+years?\s+ago|(?P<day>today|yesterday))\b",
    re.IGNORECASE,
)
# A year may stand before a plural only where an article or preposition makes it an adverb or adjective.
_COUNTS = re.compile(
    rf"\s*-?\s*(?:{unit_pattern()}|people|men|women|children|[a-z]+s\b(?<!ss)(?<!is)(?<!us)(?<!as))"
)
_MORE = re.compile(
    r"\b(?:more|less|fewer|greater|higher|lower) than\s+$|\b(?:over|nearly|almost|at (?:least|most)|up to)\s+$"
)
_DATES_IT = re.compile(
    r"(?:\b(?:in|since|during|until|till|from|after|before|by|of|early|late|mid|around|circa|c\.|the|to|and|born|year|"
    r"between|spring|summer|autumn|fall|winter)|[(–,])\s*$",
    re.IGNORECASE,
)
_MODIFIER = re.compile(
    r"\b(?P<word>about|around|approximately|roughly|circa|c\.|ca\.|early|mid|late|before|prior to|after|since|until|till|by|"
    r"from|between|to|and|no later than|as early as|as late as|(?:end|close|start|beginning|middle) of)(?:\s+(?:the|in|year|in\s+the|the\s+year))*(?:\s+|-)$",
    re.IGNORECASE,
)
_OUTER = re.compile(
    r"\b(?P<word>by|before|prior to|no later than|after)\s+(?:the\s+)?(?:very\s+)?$", re.IGNORECASE
)
_PLAIN_WORDS = {
    "approximately": "about",
    "roughly": "about",
    "around": "about",
    "circa": "about",
    "c.": "about",
}
_PLAIN_WORDS |= {"ca.": "about", "prior to": "before", "till": "until", "as early as": "", "as late as": ""}
_PLAIN_WORDS |= {
    "end of": "end",
    "close of": "end",
    "start of": "start",
    "beginning of": "start",
    "middle of": "mid",
}


def find_dates(text: str, today: date | None) -> list[DateSpan]:
    """All dates in `text`, in order and disjoint; `today` gives "last year" and "two years ago" a meaning."""
    taken: list[DateSpan] = []
    for finder in (_full, _iso, _numeric, _month_year, _century, _decade, _era, _range, _old, _bare):
        for found in finder(text):
            if not any(found.start < other.end and other.start < found.end for other in taken):
                taken.append(found)
    if today is not None:
        taken += [
            f for f in _relative(text, today) if not any(f.start < o.end and o.start < f.end for o in taken)
        ]
    return sorted(taken, key=lambda found: found.start)


def _found(text: str, start: int, end: int, moment: Moment, modifier: str | None = None) -> DateSpan:
    words = text[start:end]
    if modifier is None:
        modifier = _modifier(text, start)
    return DateSpan(start, end, Argument(words, Span(start, end), (), value_of(moment, words), modifier))


def _modifier(text: str, start: int) -> str:
    match = _MODIFIER.search(text, max(0, start - 40), start)
    if not match:
        return ""
    word = match["word"].casefold()
    if word == "and":
        between = re.search(r"\bbetween\s+[^.;]{1,40}$", text[: match.start()], re.IGNORECASE)
        return "and" if between else ""
    # "in early 1990" or "by the late 1990s": the nearer word says how wide the interval is
    plain = _PLAIN_WORDS.get(word, word)
    return _bound(plain, text, match.start()) if plain in ("start", "end") else plain


def _bound(edge: str, text: str, start: int) -> str:
    """What a word before "the end of 2027" makes of it: by then is by 2027, before its start is before 2027."""
    outer = _OUTER.search(text, max(0, start - 20), start)
    if outer is None:
        return edge
    word = outer["word"].casefold()
    if word == "after":
        return "after" if edge == "end" else ""
    return "by" if edge == "end" else "before"


def find_days(text: str) -> list[tuple[Span, str]]:
    """Days without a year and where they stand, as XML Schema writes them (gMonthDay): "--05-20" for "20 May"."""
    found = (match for match in FULL_DATE.finditer(text) if match["year"] is None)
    return [
        (Span(start, match.end() - match[0].endswith(".")), f"--{month:02}-{day:02}")
        for match in found
        for start, month, day in _day_of(match)
    ]


def _signed(year: str, era: str | None) -> int:
    return -int(year) if era and era.lstrip().upper().startswith("B") else int(year)


def _full(text: str) -> Iterator[DateSpan]:
    for match in FULL_DATE.finditer(text):
        for start, month, day in _day_of(match):
            if match["year"] is None:
                yield DateSpan(start, match.end(), None)
                continue
            moment = Moment(_signed(match["year"], match["era"]), month, day, 11)
            yield _found(text, start, match.end(), moment)


def _day_of(match: re.Match[str]) -> Iterator[tuple[int, int, int]]:
    """Where a day begins, its month and its number; nothing where there is no such day. "may 5" is none without a year."""
    name, digits = match["m"] or match["m2"], match["d"] or match["d2"]
    month, day = month_number(name), ordinal_number(digits)
    if month and 1 <= day <= 31 and (match["year"] or name[0].isupper()):
        yield match.start("d") if match["d"] else match.start("m2"), month, day


def _iso(text: str) -> Iterator[DateSpan]:
    for match in _ISO.finditer(text):
        day = int(match["d"] or 0)
        yield _found(text, *match.span(), Moment(int(match["year"]), int(match["m"]), day, 11 if day else 10))


def _numeric(text: str) -> Iterator[DateSpan]:
    for match in NUMERIC_DATE.finditer(text):
        a, b, year = int(match["a"]), int(match["b"]), int(match["year"])
        if match["sep"] == "." or a > 12 >= b:
            moment = Moment(year, b, a, 11)
        elif b > 12 >= a:
            moment = Moment(year, a, b, 11)
        else:  # 04/05/1990 is April to some and May to others
            moment = Moment(year) if a != b else Moment(year, b, a, 11)
        if moment.month <= 12 and max(a, b) <= 31:
            yield _found(text, *match.span(), moment)


def _month_year(text: str) -> Iterator[DateSpan]:
    for match in _MONTH_YEAR.finditer(text):
        if match["m"][0].isupper():
            yield _found(
                text,
                *match.span(),
                Moment(_signed(match["year"], match["era"]), month_number(match["m"]), 0, 10),
            )


def _century(text: str) -> Iterator[DateSpan]:
    for match in _CENTURY.finditer(text):
        number = ordinal_number(match["n"])
        precision = 6 if match["size"].casefold() == "millennium" else 7
        if number:
            yield _found(
                text, *match.span(), century_moment(number, bc=bool(match["era"]), precision=precision)
            )


def _decade(text: str) -> Iterator[DateSpan]:
    for match in _DECADE.finditer(text):
        year = int(match["year"]) if match["year"] else 1900 + int(match["short"])
        if match["year"] and year % 100 == 0:  # "the 1900s": the decade or the century
            yield _found(text, *match.span(), Moment(year + 1, precision=7))
        else:
            yield _found(text, *match.span(), Moment(year, precision=8))


def _era(text: str) -> Iterator[DateSpan]:
    for match in _ERA_YEAR.finditer(text):
        year = _signed(match["year"], match["era"]) if match["year"] else int(match["year2"])
        if year:
            yield _found(text, *match.span(), Moment(year))


def _range(text: str) -> Iterator[DateSpan]:
    for match in _RANGE.finditer(text):
        first = int(match["y1"])
        second = int(match["y2"]) if len(match["y2"]) == 4 else first // 100 * 100 + int(match["y2"])
        if 1000 <= first < second <= 2200:
            yield _found(text, *match.span("y1"), Moment(first), "from")
            yield _found(text, *match.span("y2"), Moment(second), "to")


def _old(text: str) -> Iterator[DateSpan]:
    for match in _OLD.finditer(text):
        yield _found(text, *match.span("year"), Moment(int(match["year"])))


def _bare(text: str) -> Iterator[DateSpan]:
    for match in _BARE.finditer(text):
        year = int(match["year"])
        if year > 2200:
            continue
        if _COUNTS.match(text, match.end()) and not _DATES_IT.search(
            text, max(0, match.start() - 14), match.start()
        ):
            continue
        if _MORE.search(text, max(0, match.start() - 14), match.start()):
            continue
        yield _found(text, *match.span(), Moment(year))


def _relative(text: str, today: date) -> Iterator[DateSpan]:
    for match in _RELATIVE.finditer(text):
        if match["day"]:
            day = today - timedelta(days=match["day"].casefold() == "yesterday")
            moment = Moment(day.year, day.month, day.day, 11)
        elif match["which"]:
            moment = Moment(today.year - (match["which"].casefold() == "last"))
        else:
            number = read_number(match["ago"])
            if number is None or number != int(number) or not 0 < number < today.year:
                continue
            moment = Moment(today.year - int(number))
        yield _found(text, *match.span(), moment)
