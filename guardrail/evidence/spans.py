"""Which stretches of a text may be names: the linker's first step, before the graph is asked.

A name is a run of words with nothing but small punctuation between them. What English writes with a capital, or what
holds a digit or another script, may be the name of anything; words in lower case may only be concepts ("physicist").
Common words at the start of a sentence are held back (`blocked`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from guardrail.evidence.names import Word, words

LONGEST_RUN = 10
"""Words of the longest name that is looked up."""
_LONGEST_CONCEPT = 3
_GAP = re.compile(r"[ \u00a0]?|[-–‐/&.'’·]|[.,:&!?'’]+ |[ ][-–—&/'’+]+[ ]?|'s |’s ")
_NEAR = 40
_SENTENCE_BREAK = re.compile(r"[.!?:][\"”’)]?\s+[\"“‘(]?$|[\n|]\W*$")
_INSIDE = frozenset(
    "of the and de la le du des da do van von der den di del el al bin ibn y e zu & for in on at to a an".split()
)
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


class Stretch(NamedTuple):
    """A stretch of words `first..last` (inclusive) of a text, and the key it would have in the alias index."""

    first: int
    last: int
    key: str
    singular: bool = False


@dataclass(frozen=True, slots=True)
class Scanned:
    """A text, read once: its words, how each is written, and whether it begins a sentence."""

    text: str
    words: list[Word]
    cases: list[Case]
    initial: list[bool]
    joined: list[bool]  # word i may stand in one name with word i + 1

    def surface(self, first: int, last: int) -> str:
        return self.text[self.words[first].start : self.words[last].end]

    def blocked(self, i: int) -> bool:
        """Whether word `i` is no name on its own: a common word at a sentence's start or in lower case; a number."""
        word, case = self.words[i].folded, self.cases[i]
        if word.isdigit() or (len(word) == 1 and word.isascii()):
            return True
        if case is Case.UPPER:
            return False  # "US", "WHO", "IT"
        if word in function_words():
            return case is Case.LOWER or self.initial[i] or word in _calendar()
        if case is Case.LOWER:
            return len(word) < 3 and word.isascii()
        if not self.initial[i] or case is not Case.TITLE:
            return False
        return word in common_names() and len(self.words) > 1 and not self._acts(i)

    def _acts(self, i: int) -> bool:
        """Whether a verb or a possessive follows: "Apple released …" is no fruit."""
        following = self.text[self.words[i].end : self.words[i].end + 2]
        if following in ("'s", "’s"):
            return True
        if i + 1 >= len(self.words) or self.cases[i + 1] is not Case.LOWER or following[:1] != " ":
            return False
        return bool(_VERB.match(self.words[i + 1].folded))


def scan(text: str) -> Scanned:
    """Reads `text`: O(n)."""
    found = words(text)
    cases = [_case(text[w.start : w.end]) for w in found]
    initial, joined = [], []
    for i, word in enumerate(found):
        gap = text[found[i - 1].end if i else 0 : word.start]
        if gap == " " and i:
            initial.append(False)
            joined.append(True)
            continue
        initial.append(bool(_SENTENCE_BREAK.search(gap[-_NEAR:])) if i else True)
        if i:
            joined.append(bool(_GAP.fullmatch(gap)))
    joined.append(False)
    return Scanned(text, found, cases, initial, joined)


def stretches(scanned: Scanned) -> list[Stretch]:
    """Every stretch that may be a name, shorter before longer from the same start.

    Where a plural may be meant ("presidents", "Super Bowls") the singular is there too.
    """
    function, times = function_words(), _calendar()
    folded = [word.folded for word in scanned.words]
    lower = [case is Case.LOWER for case in scanned.cases]
    ends = [not (small and word in function) for word, small in zip(folded, lower, strict=True)]
    time = [word in times or word.isdigit() for word in folded]
    plural = [len(word) > 3 and word[-1] == "s" and word[-2] not in "su" for word in folded]
    found: list[Stretch] = []
    for first, word in enumerate(folded):
        longest = LONGEST_RUN
        if lower[first] and not _before_name(scanned, first):
            if not ends[first]:
                continue
            longest = _LONGEST_CONCEPT
        key, only_times = "", True
        for last in range(first, min(first + longest, len(folded))):
            key = f"{key} {folded[last]}" if key else word
            only_times = only_times and time[last]
            if ends[last] and not only_times and not (first == last and scanned.blocked(first)):
                found.append(Stretch(first, last, key))
                if plural[last]:
                    found.append(Stretch(first, last, key[:-1], True))
            if not scanned.joined[last]:
                break
    return found


def capitalised_runs(scanned: Scanned) -> list[tuple[int, int]]:
    """Maximal runs `(first, last)` of capitalised words with single spaces between: what looks like a name."""
    runs: list[tuple[int, int]] = []
    i, count = 0, len(scanned.words)
    while i < count:
        if not _capital(scanned, i) or (scanned.initial[i] and scanned.words[i].folded in function_words()):
            i += 1
            continue
        last = _run_end(scanned, i, count)
        runs.append((i, last))
        i = last + 1
    return runs


def _run_end(scanned: Scanned, first: int, count: int) -> int:
    last = first
    while last + 1 < count and scanned.joined[last]:
        gap = scanned.text[scanned.words[last].end : scanned.words[last + 1].start]
        if gap not in (" ", "-", ". ", ".", "'", "’") or (
            gap == ". " and scanned.words[last].end - scanned.words[last].start > 2
        ):
            break
        step = 1
        while (
            last + step < count
            and step < 3
            and scanned.words[last + step].folded in ("of", "the", "de", "van", "von", "la")
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
    return (
        scanned.words[i].folded in _INSIDE
        and scanned.joined[i]
        and scanned.cases[i + 1] in (Case.TITLE, Case.UPPER)
    )


@lru_cache(maxsize=65536)
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
