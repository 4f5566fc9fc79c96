"""Words that compare: "is larger than", "was born before", "the second-longest river in Africa".

They name what is compared (area, height, date of birth) by the ids of `guardrail.ontology`, and which way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from guardrail.language.lists import any_of
from guardrail.ontology import ids
from guardrail.values.numbers import ORDINAL_WORDS

__all__ = [
    "Comparison",
    "Sequence",
    "Superlative",
    "bound_of",
    "comparison",
    "in_difference",
    "is_limit",
    "orders",
    "sequence",
    "superlative",
    "superlative_in",
]

_AREA, _PEOPLE, _LENGTH = ids("area", "diameter"), ids("population"), ids("length")
_HEIGHT, _MASS, _DEPTH = ids("height", "elevation"), ids("mass"), ids("depth")
_AGE, _ATOMIC_NUMBER = ids("date of birth", "inception"), ids("atomic number")
# Adjective stems: what they measure, and whether more of it is meant.
_MEASURES = {
    "larg": (_AREA, True), "bigg": (_AREA, True), "great": (_AREA, True), "small": (_AREA, False), "tini": (_AREA, False),
    "tall": (_HEIGHT, True), "high": (_HEIGHT, True), "low": (_HEIGHT, False), "long": (_LENGTH, True),
    "short": ((*_LENGTH, *_HEIGHT), False), "heavi": (_MASS, True), "light": (_MASS, False), "deep": (_DEPTH, True),
    "shallow": (_DEPTH, False), "old": (_AGE, False), "young": (_AGE, True),
}  # fmt: skip
# The participle of an event: when it took place.
_EVENTS = {
    word: ids(part)[0]
    for part, words in {
        "date of birth": "born",
        "date of death": "died",
        "inception": "founded|established|formed|created|incorporated",
        "publication date": "released|published|came out|premiered",
        "discovery date": "discovered",
        "launch date": "launched",
        "date of official opening": "opened",
        "start time": "started|began",
        "end time": "ended",
    }.items()
    for word in words.split("|")
}
_STEMS = "|".join(_MEASURES)
_THAN = re.compile(
    rf"^\W*(?:is|was|are|were|remains|became)?\s*(?:not\s+)?(?:(?:much|far|slightly|significantly|considerably|also|still|"
    rf"even|a\s+(?:bit|little|lot))\s+)*(?:(?P<adjective>{_STEMS})(?:er|ier)|(?P<populous>more|less)\s+populous)"
    r"(?:\s+(?:in|by)\s+(?P<by>(?:surface\s+|total\s+|land\s+)?area|size|population|height|length))?\s+than(?:\s+(?:the|that\s+of))*\W*$",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"^\W*(?:has|had|have)\s+(?:a\s+|an\s+)?(?P<more>larger|bigger|greater|higher|smaller|lower|more|fewer)\s+"
    r"(?P<what>population|people|inhabitants|residents|area|land\s+area|surface\s+area|mass|atomic\s+number)\s+than(?:\s+(?:the|that\s+of))*\W*$",
    re.IGNORECASE,
)
_WHEN = re.compile(
    rf"^\W*(?:was|were)?\s*(?:first\s+)?(?P<event>{'|'.join(_EVENTS)})\s+(?:\w+\s+years?\s+)?"
    r"(?P<order>before|after|earlier\s+than|later\s+than)(?:\s+the)?\W*$",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:max(?:im(?:um|al))?(?![^\W_])|limit|(?:up to|at most|cap|allowance|ceiling|within|passes)\b)",
    re.IGNORECASE,
)
_LEAST = re.compile(r"\b(?:min(?:im(?:um|al))?(?![^\W_])|(?:at least|lowest)\b)", re.IGNORECASE)
_IN_DIFFERENCE = re.compile(
    rf"\s+(?:(?:more|fewer|less)\s+(?!than\b)\w|(?:(?!than\b)\w[\w-]*\s+){{0,2}}?(?:{any_of('greater')}|{any_of('lesser')})\b[^.;]*?\bthan\b)",
    re.IGNORECASE,
)
_MAKING = "written|composed|painted|made|built|constructed|designed"
_OCCUR = rf"(?P<event>{'|'.join(_EVENTS)}|{_MAKING})"
_FIRST = re.compile(
    rf"^\W*(?:(?:was|were|had|is)\s+)?(?:(?:been|first|already)\s+)?{_OCCUR}\s+"
    r"(?:(?:long|shortly|just|well|soon|(?:many\s+)?(?:years|decades|centuries))\s+)?"
    r"(?P<order>before|after|earlier\s+than|later\s+than)(?:\s+the)?\W*$",
    re.IGNORECASE,
)
_SECOND = re.compile(
    rf"^\W*(?:(?:was|were|had|is)\s+)?(?:(?:been|first|even)\s+)?{_OCCUR}\W*$", re.IGNORECASE
)
_SUPERLATIVE = re.compile(
    r"\b(?:(?<![Aa]t )(?:[Mm]ost|[Ll]east)|"
    r"(?!(?:inter|for|mod|hon|arr|manif|requ|conqu|inv|harv|prot|cont|qu|gu|ch|dig|sugg|w|r|n|t|northw|southw|midw)est\b)"
    r"[a-z]{2,}est)\b"
)
_ORDERS = re.compile(r"\b(?:[Bb]efore|[Aa]fter|earlier|later|than|at least|at most)\b")
_HAD = {"population": _PEOPLE, "people": _PEOPLE, "inhabitants": _PEOPLE, "residents": _PEOPLE, "mass": _MASS}
_RANKS = "|".join(sorted(ORDINAL_WORDS, key=len, reverse=True))
_MOST = re.compile(
    rf"\b(?:[Tt]he|(?P<owner>[A-Z][\w.-]*(?: [A-Z][\w.-]*)*)['’]s?)\s+(?:(?P<rank>{_RANKS}|\d+(?:st|nd|rd|th))[\s-]+)?"
    rf"(?:(?P<adjective>{_STEMS})(?:i?est)|(?P<populous>most|least)[\s-]populous)\s+(?P<kind>[a-z][a-z -]*?)"
    r"(?:\s+by\s+(?P<by>(?:surface\s+|total\s+|land\s+)?area|size|population|mass))?"
    r"(?:\s+(?:in|of|on|within)\s+(?P<place>(?:the\s+|our\s+)?[\w][\w .'’-]*?))?"
    r"(?:\s+by\s+(?P<by2>(?:surface\s+|total\s+|land\s+)?area|size|population|mass))?(?=\s*(?:[.,;:!?()–—]|$|\band\b|\bwith\b))"
)
_EVERYWHERE = re.compile(r"(?:the\s+|our\s+)?(?:(?:entire\s+)?world|earth|globe|planet|all)$", re.IGNORECASE)
_CITIES = ("city", "town", "metropolis", "municipality")


@dataclass(frozen=True, slots=True)
class Comparison:
    """`properties`: ids of what may be compared; `more`: the first is said to have the greater value, or the later date."""

    properties: tuple[str, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """What happened to one thing before (or, with `later`, after) what happened to another: participles, lower case."""

    first: str
    second: str
    later: bool

    @staticmethod
    def dated_by(event: str) -> str:
        """The property that dates an event; "" for the making of a work, which its maker's life bounds."""
        return _EVENTS.get(event, "")


@dataclass(frozen=True, slots=True)
class Superlative:
    """The subject is number `rank` of its `kind`, by `properties`, in `place` ("" for everywhere)."""

    properties: tuple[str, ...]
    more: bool
    kind: str
    place: str
    rank: int


def is_limit(name: str) -> bool:
    """Whether a property is the most that there can be: "max people"."""
    return _LIMIT.search(name) is not None


def bound_of(name: str) -> str:
    """The modifier that a property's name gives its values: "at most" of "max people", "at least" of "minimum age"; else ""."""
    return "at most" if is_limit(name) else "at least" if _LEAST.search(name) else ""


def comparison(words: str) -> Comparison | None:
    """What the words between two names compare; None where they do not, or not only. A negation is left to the fact."""
    if match := _THAN.match(words):
        if match["populous"]:
            return Comparison(_PEOPLE, match["populous"].lower() == "more")
        properties, more = _MEASURES[match["adjective"].lower()]
        return Comparison(_by(match["by"], properties), more)
    if match := _HAS.match(words):
        what = " ".join(match["what"].lower().split())
        if what == "atomic number":
            return Comparison(_ATOMIC_NUMBER, match["more"].lower() in ("higher", "greater", "larger"))
        return Comparison(_HAD.get(what, _AREA), match["more"].lower() not in ("smaller", "lower", "fewer"))
    if match := _WHEN.match(words):
        return Comparison(
            (_EVENTS[match["event"].lower()],), match["order"].lower().startswith(("after", "later"))
        )
    return None


def sequence(between: str, after: str) -> Sequence | None:
    """The order of two events, from the words between their subjects and those after the second; None for anything else."""
    first, second = _FIRST.match(between), _SECOND.match(after)
    if first is None or second is None:
        return None
    later = first["order"].lower().startswith(("after", "later"))
    return Sequence(first["event"].lower(), second["event"].lower(), later)


def orders(text: str) -> bool:
    """Whether a text puts things in an order, in time or by size: what follows from values, and not from how it reads."""
    return _ORDERS.search(text) is not None or superlative_in(text)


def superlative_in(text: str) -> bool:
    """Whether a text has a superlative, of whatever: "the dearest"."""
    return _SUPERLATIVE.search(text) is not None


def superlative(text: str) -> Superlative | None:
    """The first superlative of a text that says of what kind and where; None without one."""
    match = _MOST.search(text)
    if match is None:
        return None
    kind = match["kind"].strip()
    properties: tuple[str, ...]
    if match["populous"]:
        properties, more = _PEOPLE, match["populous"].lower() == "most"
    else:
        properties, more = _MEASURES[match["adjective"].lower()]
        if kind.split()[-1] in _CITIES and properties == _AREA:
            properties = _PEOPLE
    place = (match["owner"] or match["place"] or "").strip()
    if _EVERYWHERE.match(place):
        place = ""
    return Superlative(_by(match["by"] or match["by2"], properties), more, kind, place, _rank(match["rank"]))


def _by(measure: str | None, properties: tuple[str, ...]) -> tuple[str, ...]:
    words = (measure or "").lower()
    if words == "population":
        return _PEOPLE
    return _MASS if words == "mass" else _AREA if words.endswith(("area", "size")) else properties


def _rank(words: str | None) -> int:
    if not words:
        return 1
    return int(words[:-2]) if words[0].isdigit() else ORDINAL_WORDS[words.lower()]


def in_difference(text: str, end: int) -> bool:
    """Whether the number that ends here tells by how much two things differ: "66 more pages", "66 pages fewer than"."""
    return _IN_DIFFERENCE.match(text, end) is not None
