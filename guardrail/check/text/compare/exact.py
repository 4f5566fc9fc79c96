"""A claim against sentences, value by value: where one says the same but for a number, a name or an opposite, it contradicts it.

A value fills a slot, which its unit or what it counts and the words around it tell: "paid within 30 days" against "14 days".
Three things can be found of a value: it stands in the evidence, another one stands in its place, or none does. The
second is proof where the sentence says all else that the claim says; the third only withdraws support.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

from guardrail.check.text.compare.amounts import (
    DATE,
    Text,
    allowed,
    in_title,
    is_value,
    named,
    replaced,
    stands,
)
from guardrail.check.text.compare.contrasts import denied, known_by, opposed, renamed
from guardrail.check.text.compare.items import Item
from guardrail.check.text.compare.opposites import exclusive
from guardrail.check.text.compare.phrases import EMPTY, names, read, words_of
from guardrail.check.text.compare.stems import in_some_form, stems
from guardrail.language.stems import light_stem
from guardrail.rules import rule
from guardrail.types import Node, Object, Span, Value

__all__ = ["Difference", "coverage", "differences", "lacking", "missing"]


@dataclass(frozen=True, slots=True)
class Difference:
    """`claimed` and its place in the claim, what is `known` in its place, and in which sentence; `value`: the known thing.

    `share` in [0, 1]: how much of what else the claim says stands in that sentence, in `shared` words or values. `slot`: what
    the place is called. `telling`: few sentences that share as much could have it otherwise. Not so dates, months and days, which
    differ from one event to the next, opposites, denials, and values that a bound of the sentence allows ("up to 30 days"), which are
    `allowed`.
    """

    claimed: str
    span: Span
    known: str
    value: Object | None
    sentence: int
    share: float
    shared: int
    slot: str
    telling: bool
    allowed: bool = False


@rule("value-not-held", silent="")
def missing(claim: str, evidence: str, titles: str = "") -> str:
    """The first value or name of `claim` that the evidence does not hold; "" where all do.

    Titles hold names alone, and the numbers that belong to them: "clause 7".
    """
    return next(lacking(claim, evidence, titles), "")


def lacking(claim: str, evidence: str, titles: str = "") -> Iterator[str]:
    """Each value of `claim` that the evidence does not hold, then each name. Titles: as in `missing`."""
    ours, held, heads = read(claim), read(evidence), read(titles)
    known = stems(held) | stems(heads)
    for at, item in enumerate(ours):
        if is_value(item) and not (stands(ours, at, held) or in_title(ours, at, heads)):
            yield item.text
    for name in names(ours):
        if (name.start or name.end > 1) and not known_by(ours[name.start : name.end], known):
            yield words_of(ours, name)


@lru_cache(maxsize=4096)
def coverage(claim: str, sentence: str, title: str = "") -> float:
    """The share of the claim's words, values aside, that the sentence or its title has in some form."""
    return _share(_words(read(claim)), stems(read(sentence)) | stems(read(title)))


def differences(
    claim: str,
    sentences: Sequence[str],
    title: str = "",
    *,
    among: Sequence[str] = (),
    behind: Sequence[str] = (),
) -> Iterator[Difference]:
    """What each of the sentences has otherwise than the claim, as far as they are comparable.

    `among`: all that was read, which tells the names among the words that begin a sentence. `behind`: of each sentence what its pronouns
    speak of, whose words it has, too; "" where it has none.
    """
    ours, heads = read(claim), stems(read(title))
    known = heads.union(*(_inner(read(one)) for one in (claim, *sentences, *among)))
    stated = ((n, read(one)) for n, one in enumerate(sentences) if not one.rstrip().endswith("?"))
    for number, theirs in stated:
        about = heads | (stems(read(behind[number])) if behind else frozenset())
        for at, there, find in _found(ours, theirs, known):
            clause = next(theirs[start:end] for start, end in _clauses(theirs) if there < end)
            yield _difference(ours, theirs, (at, there), number, stems(clause) | about, find)


def _found(ours: Text, theirs: Text, known: frozenset[str]) -> Iterator[tuple[int, int, object]]:
    """The places of what differs, and what found it: values in the whole sentence, where they may have changed places, words in a clause."""
    yield from ((at, there, replaced) for at, there in replaced(ours, theirs))
    for find in (opposed, denied, partial(renamed, known=known)):
        for start, end in _clauses(theirs):
            yield from ((at, start + there, find) for at, there in find(ours, theirs[start:end]))


def _clauses(text: Text) -> Iterator[tuple[int, int]]:
    """Where the parts of a sentence between semicolons begin and end, each of which is a statement of its own."""
    ends = [at + 1 for at, item in enumerate(text[:-1]) if item.after.startswith(";")]
    return pairwise((0, *ends, len(text)))


def _difference(
    ours: Text, theirs: Text, places: tuple[int, int], number: int, held: frozenset[str], find: object
) -> Difference:
    at, there = places
    mine, other = ours[at], theirs[there]
    rest = _words(ours) - _replaced(ours, at)
    share = _share(rest, held)
    values = sum(stands(ours, one, theirs) for one, item in enumerate(ours) if is_value(item))
    bounded_by = allowed(mine, other)
    known: Object | None = other.value.value if other.value is not None else Node("", other.text)
    return Difference(
        claimed=mine.text,
        span=mine.span,
        known=f"not {other.text}" if find is denied else other.text,
        value=None if find is denied else known,
        sentence=number,
        share=share,
        shared=round(share * len(rest)) + values,
        slot=DATE if _of_time(mine, other) else named(ours, at),
        telling=find not in (opposed, denied) and not _dated(mine, other) and not bounded_by,
        allowed=bounded_by,
    )


def _replaced(text: Text, at: int) -> frozenset[str]:
    """The stems of the word that differs, and of the name that it begins."""
    end = next((name.end for name in names(text) if name.start == at), at + 1)
    return frozenset(light_stem(item.key) for item in text[at:end])


def _dated(mine: Item, other: Item) -> bool:
    value = other.value.value if other.value is not None else None
    in_time = bool(other.times) or (isinstance(value, Value) and value.datatype == "date")
    return in_time or _of_time(mine, other)


def _of_time(mine: Item, other: Item) -> bool:
    """Whether they are two months or days: dates in words."""
    return exclusive(mine.key, other.key) == "time"


@lru_cache(maxsize=4096)
def _inner(text: Text) -> frozenset[str]:
    """The stems of the names that stand within a sentence, where a capital is no matter of its place."""
    return frozenset(
        light_stem(item.key) for name in names(text) if name.start for item in text[name.start : name.end]
    )


def _share(wanted: frozenset[str], held: frozenset[str]) -> float:
    found = sum(in_some_form(word, held) for word in wanted)
    return found / len(wanted) if wanted else 1.0


@lru_cache(maxsize=4096)
def _words(text: Text) -> frozenset[str]:
    """The stems of what says something and is no value."""
    return frozenset(light_stem(item.key) for item in text if item.key not in EMPTY and not is_value(item))
