"""Which stretches of a text may be names: the linker's first step, before the graph is asked.

A name is a run of words with nothing but small punctuation between them. What English writes with a capital, or what
holds a digit or another script, may be the name of anything; words in lower case may only be concepts ("physicist").
Common words at the start of a sentence are no names there (`blocked`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from guardrail.evidence.names import Place, cut, fold
from guardrail.language.lists import word_list
from guardrail.language.stems import form_stem

LONGEST_RUN = 10
"""Words of the longest name that is looked up."""
_LONGEST_CONCEPT = 3
_GAP = re.compile(r"[ \u00a0]?|[-–‐/&.'’·]|[.,:&!?'’]+ |[ ][-–—&/'’+]+[ ]?|'s |’s ")
_OPENING, _CLOSING = frozenset({' "', " “", " (", '. "', ". “", ". ("}), frozenset({'" ', "” ", ") "})
"""Of a nickname inside a name."""
_NEAR = 40
_SENTENCE_BREAK = re.compile(r"[.!?:][\"”’)]?\s+[\"“‘(]?$|[\n|]\W*$")
_INSIDE = frozenset({" ", "-", ". ", ".", "'", "’"})
"""What may stand between two words of a capitalised run."""
_LINKING = frozenset("of the de van von la".split())
_PARTICLES = word_list("particles")
_SIGNS = frozenset(map(chr, range(128)))  # a letter by itself
_TITLES = (
    word_list("titles")
    | word_list("features")
    | frozenset(
        "ceo chairman officer former manager actor actress singer author writer director commissioner uncle aunt".split()
    )
)
_FEATURES = word_list("features")
_VERB = re.compile(
    r"(is|was|are|were|has|had|have|will|would|can|could|did|does|[a-z]{3,}ed|won|made|makes|began|became|came|went|took"
    r"|gave|said|says|wrote|sang|built|bought|sold|sells|led|left|lost|ran|held|grew|owns|uses|offers|employs|operates"
    r"|produces|announces|competes|borders|contains|includes|launches|acquires|remains|stars|features|tells|stands|lies"
    r"|plays|plans|works|lives|serves|manufactures|provides|develops)\Z"
)
# What is said of a name behind a comma: "Apple, which …", "Amazon, based in …", "Oracle, a company …".
_ASIDES = frozenset(
    "a an one the which who whose based founded headquartered formerly known led located owned".split()
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
    """What a written word is by itself.

    `capital`: it looks like a name; `alone`: it may be one on its own, but perhaps not at a sentence's start; `time`: a number,
    a month, a weekday; `plural`: it looks like one; `reach`: words of the longest name that begins with it;
    `content`: its stem, empty for a function word.
    """

    folded: str
    case: Case
    blocked: Blocked
    function: bool
    time: bool
    plural: bool
    capital: bool
    alone: bool
    reach: int
    content: str

    @property
    def small(self) -> bool:
        """Whether it is a function word in lower case."""
        return self.function and self.case is Case.LOWER


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
    nicknames: set[int]  # those in quotation marks or brackets inside a name: 'Anna "Nan" Berg'

    def surface(self, first: int, last: int) -> str:
        return self.text[self.places[first][0] : self.places[last][1]]

    def lower(self, first: int, last: int) -> bool:
        """Whether all of the words are in lower case."""
        return self.cases[first : last + 1].count(Case.LOWER) == last + 1 - first

    def blocked(self, i: int) -> bool:
        """Whether word `i` is no name on its own: a common word at a sentence's start or in lower case; a number."""
        when = self.traits[i].blocked
        if when < Blocked.INITIAL or not self.initial[i]:
            return when is Blocked.ALWAYS
        return when is Blocked.INITIAL or (len(self.words) > 1 and not self._acts(i))

    def _acts(self, i: int) -> bool:
        """Whether what is around is said of a name: "Apple released …" and "Apple, based in …" are no fruit."""
        end = self.places[i][1]
        following = self.text[end : end + 2]
        if following in ("'s", "’s") or self._cell(i):
            return True
        if i + 1 >= len(self.words):
            return False
        if following == ", ":
            return self.words[i + 1] in _ASIDES or self.traits[i + 1].capital
        if self.cases[i + 1] is not Case.LOWER or following[:1] != " ":
            return False
        if self.words[i + 1] in ("and", "or") and i + 2 < len(self.words):
            return self.traits[i + 2].capital  # "China and India", "Apple or Google"
        return bool(_VERB.match(self.words[i + 1]))

    def _cell(self, i: int) -> bool:
        """Whether the word is all there is between the bars of a table: "| Japan | Tokyo |"."""
        start, end = self.places[i]
        before, after = self.text[max(0, start - _NEAR) : start], self.text[end : end + _NEAR]
        return before.rstrip("* ").endswith("|") and after.lstrip("* ").startswith("|")


def scan(text: str) -> Scanned:
    """Reads `text`: O(n)."""
    words, places, gaps = cut(text)
    traits = list(map(_traits, words))
    initial, joined, nicknames = [False] * len(words), [True] * len(words), set[int]()
    if words:
        initial[0], joined[-1] = True, False
    for i, gap in enumerate(gaps):
        if gap == " ":
            continue
        joined[i], initial[i + 1] = _across(gap if len(gap) < _NEAR else gap[-_NEAR:])
        nickname = gap in _CLOSING and i > 0 and gaps[i - 1] in _OPENING
        if nickname and all(t.capital for t in traits[i - 1 : i + 2]):
            joined[i - 1 : i + 1] = True, True
            nicknames.add(i)
    cases = [t[1] for t in traits]
    return Scanned(text, [t[0] for t in traits], places, cases, traits, initial, joined, nicknames)


@lru_cache(maxsize=4096)
def _across(gap: str) -> tuple[bool, bool]:
    """What stands between two words: whether they may be of one name, and whether the second begins a sentence."""
    return _GAP.fullmatch(gap) is not None, _SENTENCE_BREAK.search(gap) is not None


def stretches(scanned: Scanned, begun: Callable[[Sequence[str]], Container[str]]) -> list[Stretch]:
    """Every stretch that may be a name, shorter before longer from the same start.

    `begun` tells with which of some pairs of words a name begins: most begin none, and need not be followed further.
    Where a plural may be meant ("presidents", "Super Bowls") the singular is there too.
    """
    reaches = _reaches(scanned)
    pairs = _pairs(scanned, reaches)
    known = begun([key for keys in pairs for key in keys])
    found: list[Stretch] = []
    for first, (keys, trait) in enumerate(zip(pairs, scanned.traits, strict=True)):
        if trait.alone and reaches[first]:
            found += _single(scanned, first)
        if any(key in known for key in keys):
            found += _longer(scanned, first, reaches[first], known)
    for i in scanned.nicknames:
        found += _without(scanned, i)
    return found


def _single(scanned: Scanned, first: int) -> Iterator[Stretch]:
    """A word by itself. A common one that begins a sentence is read as inside it: "Water boils …", but "Apple pie …" is of no firm."""
    trait, (start, end) = scanned.traits[first], scanned.places[first]
    form = scanned.text[start:end]
    if scanned.initial[first] and scanned.blocked(first):
        form = form[:1].lower() + form[1:]
        if not _traits(form).alone:
            return
    yield Stretch(first, first, trait.folded, form)
    if trait.plural:
        yield Stretch(first, first, trait.folded[:-1], form[:-1], True)


def _without(scanned: Scanned, i: int) -> Iterator[Stretch]:
    """The name around a nickname as it may be known without it."""
    words, traits, places = scanned.words, scanned.traits, scanned.places
    first, last = i, i
    while first > max(0, i - 3) and traits[first - 1].capital and scanned.joined[first - 1]:
        first -= 1
    while last < min(len(words) - 1, i + 2) and traits[last + 1].capital and scanned.joined[last]:
        last += 1
    for start in range(first, i):
        for end in range(i + 1, last + 1):
            before = scanned.text[places[start][0] : places[i - 1][1]]
            behind = scanned.text[places[i + 1][0] : places[end][1]]
            yield Stretch(
                start, end, " ".join([*words[start:i], *words[i + 1 : end + 1]]), f"{before} {behind}"
            )


def _longer(scanned: Scanned, first: int, reach: int, known: Container[str]) -> Iterator[Stretch]:
    """Stretches of two words and more; those of more where a name begins with the first two."""
    key, start, only_times = scanned.words[first], scanned.places[first][0], scanned.traits[first].time
    for last in _lasts(scanned, first, reach, known):
        trait, end = scanned.traits[last], scanned.places[last][1]
        key, longer = f"{key} {trait.folded}", last > first + 1
        only_times = only_times and trait.time
        if only_times or trait.small:
            continue
        if longer or key in known:
            yield Stretch(first, last, key, scanned.text[start:end])
        if trait.plural and (longer or key[:-1] in known):
            yield Stretch(first, last, key[:-1], scanned.text[start : end - 1], True)


def _lasts(scanned: Scanned, first: int, reach: int, known: Container[str]) -> Iterator[int]:
    """The words with which such a stretch may end."""
    begins = f"{scanned.words[first]} {scanned.words[first + 1]}" in known
    for last in range(first + 1, min(first + reach, len(scanned.words))):
        yield last
        if not scanned.joined[last] or not begins:
            break


def _reaches(scanned: Scanned) -> list[int]:
    """How many words a name that begins at each word may have at most: none, a concept's few, or a name's many."""
    return [
        LONGEST_RUN if word in _PARTICLES and _before_name(scanned, i) else trait.reach
        for i, (word, trait) in enumerate(zip(scanned.words, scanned.traits, strict=True))
    ]


def _pairs(scanned: Scanned, reaches: Sequence[int]) -> list[tuple[str, ...]]:
    """The keys of two words with which a name may begin at each word; that of a plural is asked as a singular, too."""
    found: list[tuple[str, ...]] = [()] * len(reaches)
    words, traits, joined = scanned.words, scanned.traits, scanned.joined
    for i, reach in enumerate(reaches):
        if reach and joined[i]:
            key = f"{words[i]} {words[i + 1]}"
            found[i] = (key, key[:-1]) if traits[i + 1].plural else (key,)
    return found


def capitalised_runs(scanned: Scanned) -> list[tuple[int, int]]:
    """Maximal runs `(first, last)` of capitalised words with single spaces between: what looks like a name."""
    runs: list[tuple[int, int]] = []
    last = -1
    for i, trait in enumerate(scanned.traits):
        if i > last and trait.capital and not (trait.function and scanned.initial[i]):
            last = _run_end(scanned, i)
            runs.append((i, last))
    return runs


def _run_end(scanned: Scanned, first: int) -> int:
    traits, joined, count = scanned.traits, scanned.joined, len(scanned.traits)
    last = first
    while joined[last]:
        if not _goes_on(scanned, last) and scanned.nicknames.isdisjoint((last, last + 1)):
            break
        step = last + 1
        while step < count - 1 and step < last + 3 and scanned.words[step] in _LINKING and joined[step]:
            step += 1
        if not traits[step].capital:
            break
        last = step
    return last


def _goes_on(scanned: Scanned, i: int) -> bool:
    """Whether what stands behind a word may be inside a name; a full stop may behind two letters: "St. Helena"."""
    start, end = scanned.places[i]
    gap = scanned.text[end : scanned.places[i + 1][0]]
    return gap in _INSIDE and (gap != ". " or end - start <= 2)


def _before_name(scanned: Scanned, i: int) -> bool:
    """Lower-case particles begin a name where a capital follows: "the Beatles", "van Gogh"."""
    return scanned.joined[i] and scanned.traits[i + 1].capital


@lru_cache(maxsize=65536)
def _traits(word: str) -> Traits:
    folded, case = fold(word), _case(word)
    function, blocked = folded in function_words(), _blocked(folded, case)
    plural = len(folded) > 3 and folded[-1] == "s" and folded[-2] not in "su"
    time = folded in _calendar() or folded.isdigit()
    capital = case in (Case.TITLE, Case.UPPER)
    reach = LONGEST_RUN if case is not Case.LOWER else 0 if function else _LONGEST_CONCEPT
    alone = blocked is not Blocked.ALWAYS and not time and not (function and case is Case.LOWER)
    content = "" if function else form_stem(folded)
    return Traits(folded, case, blocked, function, time, plural, capital, alone, reach, content)


def _blocked(folded: str, case: Case) -> Blocked:
    if folded.isdigit() or folded in _SIGNS:
        return Blocked.ALWAYS
    if case is Case.UPPER:
        return Blocked.NEVER  # "US", "WHO", "IT"
    if case is Case.LOWER:
        return Blocked.ALWAYS if _no_concept(folded) else Blocked.NEVER
    if folded in function_words():
        return Blocked.ALWAYS if folded in _calendar() else Blocked.INITIAL
    return Blocked.INITIAL_IDLE if case is Case.TITLE and folded in common_names() else Blocked.NEVER


def _no_concept(folded: str) -> bool:
    return folded in function_words() or (len(folded) < 3 and folded.isascii())


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


def is_feature(folded: str) -> bool:
    """Whether a word that goes before a name without "of" is part of it: "Lake Como" is not Como."""
    return folded in _FEATURES


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
