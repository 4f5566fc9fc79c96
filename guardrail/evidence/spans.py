"""Which stretches of a text may be names: the linker's first step, before the graph is asked.

A name is a run of words with nothing but small punctuation between them. What English writes with a capital, or what
holds a digit or another script, may be the name of anything; words in lower case may only be concepts ("physicist").
Common words at the start of a sentence are held back (`blocked`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from guardrail.evidence.names import Place, fold, places

LONGEST_RUN = 10
"""Words of the longest name that is looked up."""
_LONGEST_CONCEPT = 3
_GAP = re.compile(r"[ \u00a0]?|[-–‐/&.'’·]|[.,:&!?'’]+ |[ ][-–—&/'’+]+[ ]?|'s |’s ")
_NEAR = 40
_SENTENCE_BREAK = re.compile(r"[.!?:][\"”’)]?\s+[\"“‘(]?$|[\n|]\W*$")
_PARTICLES = frozenset("the de la le du des da do van von der den di del el al bin ibn y e zu".split())
_TITLES = frozenset(
    "president king queen prince princess emperor empress pope sir dame lord lady dr doctor professor prof mr mrs ms miss"
    " senator governor mayor minister chancellor secretary general captain colonel major admiral lieutenant judge justice"
    " bishop archbishop cardinal saint rabbi imam sheikh sultan duke duchess count countess baron baroness chairman"
    " director ceo chief officer vice deputy prime former coach manager actor actress singer author writer director"
    " congressman congresswoman representative ambassador commissioner commander father brother sister uncle aunt"
    " city town village state province county river lake mount republic kingdom".split()
)
_VERB = re.compile(
    r"(is|was|are|were|has|had|have|will|would|can|could|did|does|[a-z]{3,}ed|won|made|makes|began|became|came|went|took"
    r"|gave|said|says|wrote|sang|built|bought|sold|sells|led|left|lost|ran|held|grew|owns|uses|offers|employs|operates"
    r"|produces|announces|competes|borders|contains|includes|launches|acquires|remains|stars|features|tells|stands|lies"
    r"|plays|plans|works|lives|serves|manufactures|provides|develops)\Z"
)


class Case(IntEnum):
    """How a word is written."""

    LOWER = 0
    TITLE = 1
    UPPER = 2
    OTHER = 3  # digits, scripts without case


class Blocked(IntEnum):
    """When a word is no name on its own."""

    NEVER = 0
    ALWAYS = 1
    INITIAL = 2  # at a sentence's start
    INITIAL_IDLE = 3  # there, unless a verb or a possessive follows


class Traits(NamedTuple):
    """What a written word is by itself. `time`: a number, a month, a weekday; `plural`: it looks like one."""

    folded: str
    case: Case
    blocked: Blocked
    function: bool
    time: bool
    plural: bool


class Stretch(NamedTuple):
    """A stretch of words `first..last` (inclusive) of a text, as written, and the key it would have in the alias index."""

    first: int
    last: int
    key: str
    form: str
    singular: bool = False


@dataclass(frozen=True, slots=True)
class Scanned:
    """A text, read once: its words (folded; where they stand; how they are written), and which begin a sentence."""

    text: str
    words: list[str]
    places: list[Place]
    cases: list[Case]
    traits: list[Traits]
    initial: list[bool]
    joined: list[bool]  # word i may stand in one name with word i + 1

    def surface(self, first: int, last: int) -> str:
        return self.text[self.places[first][0] : self.places[last][1]]

    def blocked(self, i: int) -> bool:
        """Whether word `i` is no name on its own: a common word at a sentence's start or in lower case; a number."""
        when = self.traits[i].blocked
        if when < Blocked.INITIAL or not self.initial[i]:
            return when is Blocked.ALWAYS
        return when is Blocked.INITIAL or (len(self.words) > 1 and not self._acts(i))

    def _acts(self, i: int) -> bool:
        """Whether a verb or a possessive follows: "Apple released …" is no fruit."""
        end = self.places[i][1]
        following = self.text[end : end + 2]
        if following in ("'s", "’s"):
            return True
        if i + 1 >= len(self.words) or self.cases[i + 1] is not Case.LOWER or following[:1] != " ":
            return False
        return bool(_VERB.match(self.words[i + 1]))


def scan(text: str) -> Scanned:
    """Reads `text`: O(n)."""
    found = places(text)
    if not found:
        return Scanned(text, [], [], [], [], [], [])
    traits = [_traits(text[start:end]) for start, end in found]
    initial, joined = [True], []
    for (_, before), (start, _) in pairwise(found):
        gap = text[before:start]
        plain = gap == " "
        initial.append(not plain and bool(_SENTENCE_BREAK.search(gap[-_NEAR:])))
        joined.append(plain or bool(_GAP.fullmatch(gap)))
    joined.append(False)
    return Scanned(text, [t[0] for t in traits], found, [t[1] for t in traits], traits, initial, joined)


def stretches(scanned: Scanned, begun: Callable[[Sequence[str]], Container[str]]) -> list[Stretch]:
    """Every stretch that may be a name, shorter before longer from the same start.

    `begun` tells with which of some pairs of words a name begins: most begin none, and need not be followed further.
    Where a plural may be meant ("presidents", "Super Bowls") the singular is there too.
    """
    text, words, at, joined, traits = (
        scanned.text, scanned.words, scanned.places, scanned.joined, scanned.traits,
    )  # fmt: skip
    reaches = _reaches(scanned)
    known = begun(_pairs(scanned, reaches))
    found: list[Stretch] = []
    for first, reach in enumerate(reaches):
        if not reach:
            continue
        start, key, only_times = at[first][0], words[first], True
        for last in range(first, min(first + reach, len(words))):
            _, case, _, function, time, plural = traits[last]
            if last > first:
                key = f"{key} {words[last]}"
            second = last == first + 1
            only_times = only_times and time
            if not (
                (function and case is Case.LOWER) or only_times or (last == first and scanned.blocked(first))
            ):
                end = at[last][1]
                if not second or key in known:
                    found.append(Stretch(first, last, key, text[start:end]))
                if plural and (not second or key[:-1] in known):
                    found.append(Stretch(first, last, key[:-1], text[start : end - 1], True))
            if not joined[last] or (second and key not in known):
                break
    return found


def _reaches(scanned: Scanned) -> list[int]:
    """How many words a name that begins at each word may have at most: none, a concept's few, or a name's many."""
    return [
        LONGEST_RUN
        if traits.case is not Case.LOWER or _before_name(scanned, i)
        else 0
        if traits.function
        else _LONGEST_CONCEPT
        for i, (word, traits) in enumerate(zip(scanned.words, scanned.traits, strict=True))
    ]


def _pairs(scanned: Scanned, reaches: Sequence[int]) -> list[str]:
    """The keys of two words with which a name may begin."""
    found, words = [], scanned.words
    for i, (reach, joined) in enumerate(zip(reaches, scanned.joined, strict=True)):
        if reach and joined:
            key = f"{words[i]} {words[i + 1]}"
            found.append(key)
            if scanned.traits[i + 1].plural:
                found.append(key[:-1])
    return found


def capitalised_runs(scanned: Scanned) -> list[tuple[int, int]]:
    """Maximal runs `(first, last)` of capitalised words with single spaces between: what looks like a name."""
    runs: list[tuple[int, int]] = []
    i, count = 0, len(scanned.words)
    while i < count:
        if not _capital(scanned, i) or (scanned.initial[i] and scanned.traits[i].function):
            i += 1
            continue
        last = _run_end(scanned, i, count)
        runs.append((i, last))
        i = last + 1
    return runs


def _run_end(scanned: Scanned, first: int, count: int) -> int:
    last = first
    while last + 1 < count and scanned.joined[last]:
        start, end = scanned.places[last]
        gap = scanned.text[end : scanned.places[last + 1][0]]
        if gap not in (" ", "-", ". ", ".", "'", "’") or (gap == ". " and end - start > 2):
            break
        step = 1
        while (
            last + step < count
            and step < 3
            and scanned.words[last + step] in ("of", "the", "de", "van", "von", "la")
            and scanned.joined[last + step]
        ):
            step += 1
        if last + step >= count or not _capital(scanned, last + step):
            break
        last += step
    return last


def _capital(scanned: Scanned, i: int) -> bool:
    return scanned.cases[i] in (Case.TITLE, Case.UPPER)


def _before_name(scanned: Scanned, i: int) -> bool:
    """Lower-case particles begin a name where a capital follows: "the Beatles", "van Gogh"."""
    return scanned.words[i] in _PARTICLES and scanned.joined[i] and _capital(scanned, i + 1)


@lru_cache(maxsize=65536)
def _traits(word: str) -> Traits:
    folded, case = fold(word), _case(word)
    plural = len(folded) > 3 and folded[-1] == "s" and folded[-2] not in "su"
    time = folded in _calendar() or folded.isdigit()
    return Traits(folded, case, _blocked(folded, case), folded in function_words(), time, plural)


def _blocked(folded: str, case: Case) -> Blocked:
    if folded.isdigit() or (len(folded) == 1 and folded.isascii()):
        return Blocked.ALWAYS
    if case is Case.UPPER:
        return Blocked.NEVER  # "US", "WHO", "IT"
    if folded in function_words():
        return Blocked.ALWAYS if case is Case.LOWER or folded in _calendar() else Blocked.INITIAL
    if case is Case.LOWER:
        return Blocked.ALWAYS if len(folded) < 3 and folded.isascii() else Blocked.NEVER
    return Blocked.INITIAL_IDLE if case is Case.TITLE and folded in common_names() else Blocked.NEVER


def _case(word: str) -> Case:
    if word.islower():
        return Case.LOWER if not word[0].isdigit() else Case.OTHER
    if len(word) > 1 and word.isupper():
        return Case.UPPER
    if word[0].isupper() or any(c.isupper() for c in word):  # "iPhone", "eBay"
        return Case.TITLE
    return Case.OTHER


def is_title(folded: str) -> bool:
    """Whether a word goes before a name without being part of it: "President", "Sir", "the Governor of"."""
    return folded in _TITLES


@cache
def function_words() -> frozenset[str]:
    """Words that are no names on their own."""
    return _blocks()[0]


@cache
def common_names() -> frozenset[str]:
    """Words that are names and common words both."""
    return _blocks()[1]


@cache
def _blocks() -> tuple[frozenset[str], frozenset[str]]:
    text = files("guardrail").joinpath("data", "common_words.txt").read_text("utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    never, _, sometimes = lines.partition("====")
    return frozenset(never.split()), frozenset(sometimes.split()) - frozenset(never.split())


@cache
def _calendar() -> frozenset[str]:
    days = "monday tuesday wednesday thursday friday saturday sunday"
    months = "january february march april may june july august september october november december"
    return frozenset(f"{days} {months}".split())
