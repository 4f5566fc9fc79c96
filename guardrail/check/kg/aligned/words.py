"""The words of a sentence as far as its properties are told by them: stems, negation, and which words carry no meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from guardrail.check.kg.compare.names import fold
from guardrail.types import Span

__all__ = ["Word", "akin", "content", "contrary", "former", "negations", "words_of"]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_EMPTY = frozenset(
    "a an the current present former formerly previous previously ago of in on at by to for with from as into onto per and or but is was are were be been being has had have having do did"
    " does it its he his she her they their them this that these those there which who whom whose what when where how so"
    " than then also both each every any all one only about around some currently now today still already just moment"
    " can could may might must shall should will would need needs get gets got make makes made take takes took give gives"
    " use uses used using offer offers offered provide provides include includes contain contains comprises comprise"
    " you your we our us i up out over under within until till since before after during"
    " not no never none neither nor without cannot yes isnt arent wasnt werent dont doesnt didnt hasnt havent hadnt cant couldnt wont"
    " wouldnt shouldnt mustnt"
    " people person anyone everybody everyone somebody users user visitors visitor guests guest customers customer".split()
)
_ENDINGS = frozenset(
    "|s|es|ed|d|e|r|rs|er|ers|or|ors|ing|ings|ion|ions|ation|ations|ment|ments|al|y|ying|ication|ies|ied|t|th|ts|ance|ence|ant|ist|able|ible|ship|ity".split(
        "|"
    )
)
_INFLECTIONS = frozenset("|s|es|ed|d|e|er|ers|or|ors|ing|ings|y|al".split("|"))
_IN_Y = frozenset({"y", "ies", "ied", "ying", "ication", "ications"})
"""Apply, applied, application."""
_THREE = frozenset({"ed", "ing", "es", "e", "er"})
# Forms of one word that share too few letters.
_IRREGULAR = frozenset(
    frozenset(pair.split("/"))
    for pair in "born/birth births/born died/death long/length longer/length wide/width wider/width high/height higher/height"
    " tall/height taller/height deep/depth deeper/depth broad/breadth strong/strength sold/sale sells/sale sells/sold chose/choice"
    " spoken/speech paid/payment paid/pays teaches/taught taught/teaching built/building built/builder made/maker led/leader"
    " begins/began begins/begun wrote/written held/holds held/holder kept/keeps lent/loan lends/loan grew/growth lost/loss"
    " won/winner won/wins hang/hung hangs/hung annual/year yearly/year annually/year monthly/month weekly/week daily/day hourly/hour costs/cost bought/buyer bought/buys woman/women man/men child/children person/people".split()
)
_OPPOSITES: tuple[tuple[str, str], ...] = tuple(
    (left, right)
    for left, _, right in (
        pair.partition("/")
        for pair in "open/close opens/closes start/end first/last earliest/latest minimum/maximum lowest/highest birth/death"
        " born/died buy/sell bought/sold purchase/sale arrival/departure arrives/departs adult/child adults/children"
        " summer/winter weekday/weekend inbound/outbound front/rear upper/lower indoor/outdoor import/export income/expense"
        " revenue/cost win/loss founded/dissolved parent/subsidiary predecessor/successor follows/followed length/width"
        " width/height length/height depth/height created/bought built/restored gross/net input/output male/female".split()
    )
)
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|nobody|neither|nor|without|cannot|lacks?|lacking|forbidden|prohibited|banned|barred|free of)\b|n['’]t\b",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(
    r"\bnot only\b|\bfree of charge\b|\bno (?:more|fewer|less|later) than\b|\bno\.\s?\d", re.IGNORECASE
)
_FORMER = re.compile(r"\b(?:former|formerly|previous|previously|ex|used to|once|no longer)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its place; `key` is folded."""

    span: Span
    key: str


def words_of(text: str) -> list[Word]:
    """All words in order. O(n)."""
    return [Word(Span(*match.span()), fold(match[0])) for match in _WORD.finditer(text)]


@lru_cache(maxsize=16384)
def content(text: str) -> frozenset[str]:
    """The words of `text` that carry meaning, folded."""
    return frozenset(word for found in words_of(text) for word in found.key.split() if word not in _EMPTY)


@lru_cache(maxsize=65536)
def akin(one: str, other: str) -> bool:
    """Whether two words are forms of one: "weighs" and "weight", "founded" and "founder", "car" and "cars"."""
    if one == other:
        return True
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    rests = {one[shared:], other[shared:]}
    if frozenset((one, other)) in _IRREGULAR or (shared == 3 and rests <= _THREE) or rests <= _IN_Y:
        return True
    if shared < 4:
        return shared >= 2 and rests in ({"", "s"}, {"", "es"}, {"y", "ies"})
    return rests <= (_INFLECTIONS if shared == 4 else _ENDINGS)


def contrary(one: str, other: str) -> bool:
    """Whether a word of the one text is the opposite of a word of the other: "closes" and "opening time"."""
    ours, theirs = _poles(one), _poles(other)
    return any(
        (pair, 1 - pole) in theirs and (pair, pole) not in theirs and (pair, 1 - pole) not in ours
        for pair, pole in ours
    )


@lru_cache(maxsize=16384)
def _poles(text: str) -> frozenset[tuple[int, int]]:
    """Which words of which pair of opposites a text has."""
    words = content(text)
    return frozenset(
        (at, pole)
        for at, pair in enumerate(_OPPOSITES)
        for pole, word in enumerate(pair)
        if _has(words, word)
    )


def _has(words: frozenset[str], wanted: str) -> bool:
    return any(akin(wanted, word) for word in words)


def negations(text: str) -> int:
    """How many words deny something."""
    return len(_NEGATION.findall(_NOT_ONLY.sub(" ", text)))


def former(text: str) -> bool:
    """Whether it is of something that is over: "a former director", "used to be"."""
    return _FORMER.search(text) is not None
