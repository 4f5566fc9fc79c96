"""Is a sentence of a reference the claim, or the claim but for one word? Compared word by word, dates and numbers by value.

A claim that stands in a sentence is supported by it, with brackets, asides and what follows left out where nothing hangs on
them. A claim that is the sentence but for one date, number or opposite is refuted by it. Both ask for near identity: every
other word must be the same and in its place, so that two lists, two events or two readings never meet here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from guardrail.check.opposites import exclusive
from guardrail.types import Argument, Span
from guardrail.values import compare, find_values
from guardrail.values.units import ORDINAL, unit_of

__all__ = ["Difference", "Item", "compared", "doubtful", "items", "repeatable", "value_keys"]

_TOKEN = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*")
_NOT = re.compile(r"\b(can|ca|wo|sha|\w+)n['’]t\b", re.IGNORECASE)
_REFERRED = frozenset(
    {"of", "from", "after", "following", "before"}
)  # "14 days of purchase": when the time begins
_ARTICLES = frozenset({"a", "an", "the"})
_LEAST = 3  # items of a claim that is compared: less is no sentence
_MONTH = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)$"
)
_NEGATORS = frozenset({"not", "never"})
_AUXILIARIES = frozenset({"do", "does", "did"})
# What is told as possible, as somebody's word, as fiction or under a condition is not told.
_DOUBT = re.compile(
    r"\b(?:(?-i:may)|might|could|would|should|if|unless|whether|reportedly|allegedly|alleged|supposed(?:ly)?|purported(?:ly)?|"
    r"probably|possibly|perhaps|presumably|likely|rumou?red|claim(?:s|ed|ing)?|believed|thought|expected|planned|plans|"
    r"proposed|intended|hoped|according|contrary|theory|hypothetical(?:ly)?|fiction(?:al)?|imagined?|dream(?:s|ed)?|myth|"
    r"legend|almost|nearly|denied|denies|disputed|said|says|told|tells|think|thinks|unlike|instead|rather|except)\b|[\"“”«»?]",
    re.IGNORECASE,
)
# A part of a sentence with one of these is not what the sentence says: "the tallest in Europe" is not the tallest.
_WHOLE = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|few|little|hardly|barely|only|sole|first|last|all|every|each|"
    r"any|most|least|best|worst|majority|half|\w+est|more|less|fewer|too|enough|same|other|another|fail(?:s|ed)?)\b|n['’]t\b",
    re.IGNORECASE,
)
_UNIVERSAL = re.compile(
    r"\b(?:all|any|every|each|both|most|many|some|several|few|only|always|often|sometimes|usually|yet|anymore|no longer|either|"
    r"neither|nor|until|because|but|although|though|while|just|merely|alone)\b",
    re.IGNORECASE,
)
_OPENING = frozenset(
    "in on at during after before since by from through throughout as with for also today later".split()
)
_BEFORE_NUMBERS = frozenset(
    "in on at about over some nearly almost around approximately roughly only exactly the of by with after before for from"
    " all these those there between under up more than least most its his her their to has had with another other".split()
)
_CUT = frozenset(
    "in on at during after before since from near with for as under while when where who which".split()
)
_DATING = frozenset("in on since by from to until of between and during is was".split())
_STATING = frozenset("is are was were has had lies lie lay stands stood located situated".split())
_PLAIN = ("", "about", "exactly", "from", "to", "since", "until")
# What happens once, or is told of as a rule: at another time it would be wrong. A cup is won again and again.
_ONCE = re.compile(
    r"\b(?:born|died|dies|founded|established|built|constructed|completed|created|invented|discovered|incorporated|formed|"
    r"premiered|premieres|abolished|dissolved|demolished|destroyed|assassinated|executed|murdered|buried|unveiled|inaugurated|"
    r"adopted|ratified|enacted|designed|begins|starts|ends|expires|closes|opens|deadline|birthday|takes place)\b|"
    r"\b(?:was|were|is|are|been)\s+(?:\w+ly\s+|first\s+|originally\s+)?(?:released|published|opened|launched|signed|acquired|"
    r"introduced|coined|killed|listed|added|renamed|commissioned|due|valid)\b",
    re.IGNORECASE,
)
# What has another number each time, where nothing says which time is meant.
_AGAIN = re.compile(
    r"\b(?:scor(?:es|ed)|w[io]ns?|los(?:t|es)|play(?:s|ed)|hits?|caught|ran|runs?|s[eo]lls?|sold|b(?:ought|uys)|report(?:s|ed)|"
    r"post(?:s|ed)|record(?:s|ed)|earn(?:s|ed)|receiv(?:es|ed)|attend(?:s|ed)|finish(?:es|ed)|visit(?:s|ed)|made|took|rose|fell|"
    r"increased|decreased|grew|dropped|gained|paid|pays|raised|invested)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Item:
    """A word, or a date or number (`value`) as one. `key`: what makes two of them the same. `after`: the marks behind it."""

    key: str
    text: str
    span: Span
    value: Argument | None = None
    after: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """How a sentence stands to a claim. `claimed` and `known`: the words or values that differ, of a conflict."""

    state: Literal["agree", "conflict"]
    claimed: Item | None = None
    known: Item | None = None
    denied: bool = False  # one side only denies what the other says


@lru_cache(maxsize=4096)
def items(text: str) -> tuple[Item, ...]:
    """The words of `text` without articles, its dates and numbers each as one."""
    values = [argument for argument in find_values(text) if argument.span and not _in_name(text, argument)]
    raw: list[Item] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() < at:
            continue
        value = next(
            (v for v in values if v.span is not None and v.span.start <= match.start() < v.span.end), None
        )
        if value is not None and value.span is not None:
            at = value.span.end
            raw.append(Item(_value_key(value), value.text, value.span, value))
            continue
        raw += _words(match[0], match.start())
    starts = [*(item.span.start for item in raw[1:]), len(text)]
    return tuple(
        replace(one, after=text[one.span.end : following].strip())
        for one, following in zip(raw, starts, strict=False)  # no word, no mark behind it
        if one.key not in _ARTICLES
    )


def value_keys(text: str) -> frozenset[str]:
    """The keys of all dates and numbers of `text`, however long it is."""
    return frozenset(_value_key(argument) for argument in find_values(text))


def doubtful(sentence: str) -> bool:
    """Whether the sentence tells what it tells as possible, as somebody's word or as fiction."""
    return _DOUBT.search(sentence) is not None


def repeatable(claim: str) -> bool:
    """Whether the claim tells what has another number each time: goals, games, sales."""
    return _AGAIN.search(claim) is not None


def compared(claim: str, sentence: str) -> Difference | None:
    """What `sentence` says about `claim` by its wording; None where that is not plain."""
    ours, theirs = items(claim), items(sentence)
    if len(ours) < _LEAST or len(theirs) < _LEAST:
        return None
    if _keys(ours) == _keys(theirs):
        return Difference("agree")
    if doubtful(sentence) or doubtful(claim):
        return None
    for told in _told(theirs):
        if (difference := _aligned(ours, told, claim)) is not None:
            return difference
    for shorter in _shortened(ours, theirs):
        difference = _aligned(ours, shorter, claim)
        if difference is not None and difference.state == "conflict":
            return difference
    if _WHOLE.search(claim) is None and any(_keys(ours) == _keys(part) for part in _parts(ours, theirs)):
        return Difference("agree")
    return None


def _keys(items_: Sequence[Item]) -> tuple[str, ...]:
    return tuple(item.key for item in items_)


def _words(word: str, start: int) -> Iterator[Item]:
    """A token as items: "didn't" is two."""
    span = Span(start, start + len(word))
    if (negated := _NOT.fullmatch(word)) is not None:
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(negated[1].casefold(), negated[1].casefold())
        yield Item(stem, word, Span(start, start))
        yield Item("not", word, span)
        return
    if word.casefold() == "cannot":
        yield Item("can", word, Span(start, start))
        yield Item("not", word, span)
        return
    plain = unicodedata.normalize("NFKD", word.replace("’", "'"))
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    yield Item("&" if plain == "and" else plain.replace(".", ""), word, span)


def _value_key(argument: Argument) -> str:
    value = argument.value
    if value is None:
        return argument.text.casefold()
    unit = (value.unit.id or value.unit.label) if value.unit else ""
    return f"={value.datatype} {value.value} {value.lower or ''} {value.upper or ''} {unit}"


def _in_name(text: str, argument: Argument) -> bool:
    """Whether a number is a part of a name, as in "Apollo 11" or "Boeing 737"."""
    span, value = argument.span, argument.value
    if span is None or value is None:
        return True
    if value.datatype == "date":
        return False
    before = text[: span.start].rstrip()
    word = before[before.rfind(" ") + 1 :]
    named = word[:1].isupper() and word[-1:].isalnum() and word.casefold() not in _BEFORE_NUMBERS
    return value.unit is None and argument.text[:1].isdigit() and named and not _MONTH.search(word)


# ── what a sentence says with less words ──────────────────────────────────────────────────────────────


def _told(sentence: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """The sentence, and without what stands in brackets."""
    yield sentence
    bare = _without_brackets(sentence)
    if len(bare) < len(sentence):
        yield bare


def _shortened(claim: Sequence[Item], sentence: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """The sentence without what only adds to it: an aside, a second statement, "of purchase" after a time.

    What these leave still refutes what differs from it; it need not be true alone ("between Ulm and Bonn").
    """
    bare = _without_brackets(sentence)
    for whole in (bare, *_without_asides(bare)):
        head, tail = whole[: len(claim)], whole[len(claim) :]
        if not tail or (len(head) >= _LEAST and _adds(head, tail)):
            yield head


def _adds(head: Sequence[Item], tail: Sequence[Item]) -> bool:
    """Whether `tail` only adds: what stands behind a value, or begins with one, may be a list of values."""
    if head[-1].value is not None:
        unit = head[-1].value.value.unit if head[-1].value.value else None
        named = unit_of(unit) if unit else None
        return named is not None and named.dimension == "time" and tail[0].key in _REFERRED
    listed = any(item.value is not None for item in tail[:2])
    return not listed and (head[-1].after[:1] in (",", ";") or tail[0].key == "&")


def _without_brackets(sentence: Sequence[Item]) -> list[Item]:
    kept: list[Item] = []
    depth = 0
    for item in sentence:
        if depth == 0:
            kept.append(item)
        depth = max(depth + item.after.count("(") - item.after.count(")"), 0)
    return kept


def _parts(claim: Sequence[Item], sentence: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """What else the sentence says: without an opening phrase, an aside between commas, or what comes behind.

    Only what may be the claim is made: `claim` gives the length and the last word.
    """
    for told in _told(sentence):
        for opened in (told, _without_opening(told)):
            for whole in (opened, *_without_asides(opened)):
                if len(whole) >= len(claim):
                    yield from _cut(whole, len(claim))


def _without_opening(told: Sequence[Item]) -> Sequence[Item]:
    """Without "In 1990", or "In the year of the fire," up to its comma."""
    if told[0].key not in _OPENING:
        return told
    dated = len(told) > _LEAST + 1 and told[1].value is not None and told[1].key.startswith("=date")
    end = 1 if dated else next((i for i, item in enumerate(told) if "," in item.after), None)
    return told if end is None or end + _LEAST >= len(told) else told[end + 1 :]


def _without_asides(told: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """The sentence without what stands between its first two commas."""
    commas = [i for i, item in enumerate(told) if item.after == ","]
    if len(commas) == 2 and not any(item.key in ("&", "or") for item in told[commas[0] : commas[1] + 2]):
        yield [*told[: commas[0] + 1], *told[commas[1] + 1 :]]


def _cut(told: Sequence[Item], length: int) -> Iterator[Sequence[Item]]:
    """The sentence as far as its first `length` items, where it may end there."""
    head, tail = told[:length], told[length:]
    if not tail:
        yield head
        return
    counted = any(
        i.value is not None and i.value.value and i.value.value.datatype == "quantity" for i in head
    )
    ends = head[-1].after[:1] in (",", ";", ")", ":")
    if ends or (tail[0].key in _CUT and not counted):
        yield head


# ── one difference ────────────────────────────────────────────────────────────────────────────────────


def _aligned(ours: Sequence[Item], theirs: Sequence[Item], claim: str) -> Difference | None:
    """The same, or what differs where that is one place alone."""
    if _keys(ours) == _keys(theirs):
        return Difference("agree")
    start = _common(ours, theirs)
    end = _common(ours[start:][::-1], theirs[start:][::-1])
    left, right = ours[start : len(ours) - end], theirs[start : len(theirs) - end]
    if _denies(left, right):
        denial = Difference("conflict", next(iter(left), None), next(iter(right), None), denied=True)
        return None if _UNIVERSAL.search(claim) else denial
    if len(left) != 1 or len(right) != 1:
        return None
    place = _Place(claim, ours[:start], ours[start + 1 :])
    state = _differ(left[0], right[0], place)
    return None if state is None else Difference(state, left[0], right[0])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the claim the difference is: `before` and `behind` are the items around it, the same on both sides."""

    claim: str
    before: Sequence[Item]
    behind: Sequence[Item]

    @property
    def dated(self) -> bool:
        return any(item.key.startswith("=date") for item in (*self.before, *self.behind))

    @property
    def valued(self) -> bool:
        return any(item.value is not None for item in (*self.before, *self.behind))


def _common(left: Sequence[Item], right: Sequence[Item]) -> int:
    count = 0
    for ours, theirs in zip(left, right, strict=False):
        if ours.key != theirs.key:
            break
        count += 1
    return count


def _denies(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """Whether one side is the other but for a negation: "was not", "did not win"."""
    for one, other in ((left, right), (right, left)):
        words = [item.key for item in one]
        if not _NEGATORS.intersection(words):
            continue
        rest = [word for word in words if word not in _NEGATORS and word not in _AUXILIARIES]
        said = [item.key for item in other]
        if len(words) - len(rest) > 2 or len(rest) != len(said) or len(rest) > 1:
            continue
        if not rest or said[0].startswith(rest[0][: max(3, len(rest[0]) - 1)]):
            return True
    return False


def _differ(claimed: Item, known: Item, place: _Place) -> Literal["agree", "conflict"] | None:
    ours, theirs = claimed.value, known.value
    if ours is None and theirs is None:
        return "conflict" if _opposed(claimed, known, place) else None
    if ours is None or theirs is None or ours.value is None or theirs.value is None:
        return None
    state = compare(ours.value, theirs.value, modifier=ours.modifier)
    if state == "agree" and theirs.modifier == ours.modifier and ours.modifier in _PLAIN:
        return "agree"
    if state != "conflict" or theirs.modifier not in _PLAIN:
        return None
    if ours.value.datatype == "date":
        dated = bool(place.before) and place.before[-1].key in _DATING
        return "conflict" if dated and _ONCE.search(place.claim) else None
    if ours.value.unit is not None and ours.value.unit.id == ORDINAL.id:
        return "conflict" if not place.behind or place.behind[0].key.endswith("est") else None
    return "conflict" if place.dated or not repeatable(place.claim) else None


def _opposed(claimed: Item, known: Item, place: _Place) -> bool:
    kind = exclusive(claimed.key, known.key)
    if kind == "time":
        return place.dated or _ONCE.search(place.claim) is not None
    if kind == "event":
        return place.valued
    said = [item.key for item in place.before]
    # "the north gate" and "the south gate" are two; "the gate lies north" is wrong where it lies south
    return bool(_STATING.intersection(said[-1:] if kind == "person" else said)) and kind is not None
