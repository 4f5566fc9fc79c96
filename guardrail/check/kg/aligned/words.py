"""The words of a sentence as far as its properties are told by them: stems, negation, and which words carry no meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from guardrail.check.kg.compare.names import fold
from guardrail.check.until import happened
from guardrail.language.lists import any_of, pairs, word_list
from guardrail.types import Span

__all__ = [
    "Word",
    "akin",
    "charged_otherwise",
    "content",
    "contrary",
    "denied_by_name",
    "former",
    "framing",
    "idle",
    "negations",
    "open_not_opened",
    "ordered",
    "words_of",
]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_EMPTY = word_list("empty")
_ENDINGS = frozenset(
    "|s|es|ed|d|e|r|rs|er|ers|or|ors|ing|ings|ion|ions|ation|ations|ment|ments|al|y|ying|ication|ies|ied|t|th|ts|ance|ence|ant|ist|able|ible|ship|ity".split(
        "|"
    )
)
_INFLECTIONS = frozenset("|s|es|ed|d|e|er|ers|or|ors|ing|ings|y|al".split("|"))
_IN_Y = frozenset({"y", "ies", "ied", "ying", "ication", "ications"})
"""Apply, applied, application."""
_THREE = frozenset({"ed", "ing", "es", "e", "er"})
_IRREGULAR = frozenset(frozenset(pair) for pair in pairs("irregular"))
_OPPOSITES = pairs("opposite")
_ORDERED = word_list("ordered")
_NEGATION = re.compile(rf"\b(?:{any_of('denying')}|cannot|{any_of('lacking')})\b|n['’]t\b", re.IGNORECASE)
_NOT_ONLY = re.compile(
    r"\bnot only\b|\bfree of charge\b|\bno (?:more|fewer|less|later) than\b|\bno\.\s?\d", re.IGNORECASE
)
_FRAME = re.compile(
    r"\b(?:if|when|once|while|provided|as long as|for) (?:you(?:['’](?:re|ve|d))?|your \w+)(?: \w+){0,4}? $",
    re.IGNORECASE,
)
_FRAMED = re.compile(r"((?: \w+)?)(?=,|[.!]?$)")
_IDLE = re.compile(
    r"\broom for\b|\bby (?:birth|trade|training|profession|descent|name|blood|marriage)\b|\bat (?:the (?:latest|earliest|most|least|moment|same time|very \w+)|all|a time|once|any (?:one )?time|most|least)\b",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(r"\bnos?\.|\bnos?(?=\s*$)|^nos?(?= of\b)|\bwithout\b.*", re.IGNORECASE)
_TIMES = {
    "hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "monthly": "month", "quarterly": "quarter",
    "yearly": "year", "annual": "year", "annually": "year",
}  # fmt: skip
_EACH = re.compile(
    rf"\b(?:(?:per|each|every)\s+(?P<noun>[a-z]+)|(?P<times>{'|'.join(_TIMES)}))\b", re.IGNORECASE
)
_BE = r"\b(?:is|are|was|were|be|been)\b"
_IS_OPEN = re.compile(rf"{_BE}(?:(?!{_BE})[^.])*?\bopen\b", re.IGNORECASE)
_OPENED = re.compile(r"(?:opened|opening date)\b", re.IGNORECASE)
_FORMER = re.compile(rf"\b(?:{any_of('former')})\b", re.IGNORECASE)


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
    differing = (at for at, (ours, theirs) in enumerate(zip(one, other, strict=False)) if ours != theirs)
    shared = next(differing, min(len(one), len(other)))
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
    return len(_NEGATION.findall(happened(_NOT_ONLY.sub(" ", text))))


def framing(text: str, names: Sequence[Span]) -> list[Span]:
    """The words that only say which thing is spoken of: "If you go for" and "plan" of "If you go for the Gold plan, …"."""
    found = []
    for name in names:
        before, behind = _FRAME.search(text, 0, name.start), _FRAMED.match(text, name.end)
        if before is not None:
            found.append(Span(before.start(), name.start))
            found += [Span(name.end, behind.end(1))] if behind is not None else []
    return found


def idle(text: str) -> list[Span]:
    """Phrases that say nothing of what a value is of: "at the latest", "at a time", "room for"."""
    return [Span(*match.span()) for match in _IDLE.finditer(text)]


def denied_by_name(label: str) -> bool:
    """Whether a property's name is a denial, "does not cover". "No. of rooms" counts, and "without breakfast" says of which it is."""
    return negations(_NO_DENIAL.sub(" ", label)) % 2 == 1


def ordered(label: str) -> bool:
    """Whether a property's name says that it holds one way only: who reports to somebody is not reported to by them."""
    return not _ORDERED.isdisjoint(fold(label).split())


def charged_otherwise(label: str, text: str) -> bool:
    """Whether a property's name says for what each time, and the text says it of something else: "per item", "£10 per day"."""
    ours, theirs = _each(text), _each(label)
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _each(text: str) -> frozenset[str]:
    """What an amount is for: "month" of "monthly" and "per month"."""
    found = (match["noun"] or _TIMES[match["times"].casefold()] for match in _EACH.finditer(text))
    return frozenset(noun.casefold().removesuffix("s") for noun in found)


def open_not_opened(text: str, label: str) -> bool:
    """Whether the text says that something is open, and the property of this name when it was opened."""
    return _OPENED.match(label) is not None and _IS_OPEN.search(text) is not None


def former(text: str) -> bool:
    """Whether it is of something that is over: "a former director", "used to be"."""
    return _FORMER.search(text) is not None
