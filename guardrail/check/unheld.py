"""Names and values of a claim that the evidence does not hold.

A small model supports "Rainbow Estate" by "Rainbow Terrace" and "Lullwater Estate", and 1900 by "the 19th century". What a
claim names must stand in the evidence: in the same words in their order, in a form of them (Mexico, Mexican), as an acronym,
or by the last word alone, as persons are called. A value must be held by one that agrees with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from guardrail.check.covering import alike
from guardrail.check.names import like_words
from guardrail.check.phrases import EMPTY, TIMES, like_stems, names, read, stem, words_of
from guardrail.check.wording import Item
from guardrail.types import Claim
from guardrail.values.demonyms import DEMONYMS

__all__ = ["unheld"]

_SMALL = re.compile(r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE)
_ADDED = re.compile(
    r"(?:Former|Reigning|Current|Late|Then|Then-\w+|New|Young|\w+(?:ed|ing))$"
)  # before a name that begins a sentence
# Words for other things, too, and seasons, which a date may stand for.
_LOOSE = frozenset({"spring", "summer", "autumn", "fall", "winter", "may", "march"})
_GAP = 3  # words that may stand within a name: "Ida (Mia) Holm"


@dataclass(frozen=True, slots=True)
class _Held:
    """What a text holds: its items, their stems, and its names with their stems."""

    text: str
    items: tuple[Item, ...]
    stems: tuple[str, ...]
    names: tuple[tuple[str, tuple[str, ...]], ...]


def unheld(claim: Claim, evidence: str) -> str:
    """The first name or value of `claim` that does not stand in `evidence`; "" where all do."""
    held = _held(evidence)
    ours = read(claim.resolved)
    for item in ours:
        if item.value is not None and item.value.value is not None and not _value_held(item, held):
            return item.text
        if item.key in TIMES - _LOOSE and item.key not in held.stems and item.key not in held.text:
            return item.text
    known = _labels(claim)
    for name in names(ours):
        words = words_of(ours, name)
        if name.end - name.start == 1 and (name.start == 0 or _ADDED.match(words)):
            continue  # what begins a sentence may be any word
        first, _, rest = words.partition(" ")
        ways = (words, *known.get(words.casefold(), ()), *([rest] if _ADDED.match(first) else ()))
        if not any(_name_held(way, held) for way in ways):
            return words
    return ""


@lru_cache(maxsize=512)
def _held(evidence: str) -> _Held:
    text = read(evidence)
    found = tuple((words_of(text, n), _stems(text[n.start : n.end])) for n in names(text))
    return _Held(evidence.casefold(), text, tuple(stem(item.key) for item in text), found)


def _stems(items: Sequence[Item]) -> tuple[str, ...]:
    return tuple(stem(item.key) for item in items if item.key not in EMPTY)


def _labels(claim: Claim) -> dict[str, tuple[str, ...]]:
    """What else the names of the claim are called, as far as the graph knows them."""
    found: dict[str, tuple[str, ...]] = {}
    for mention in claim.mentions:
        labels = tuple(candidate.entity.label for candidate in mention.candidates)
        found[mention.text.casefold()] = labels
    return found


def _value_held(item: Item, held: _Held) -> bool:
    """A small number in words may be counted, an age reckoned."""
    if _SMALL.match(item.text) or item.text.endswith(" old"):
        return True
    return item.text.casefold() in held.text or any(alike(item, other) for other in held.items)


def _name_held(name: str, held: _Held) -> bool:
    if name.casefold() in held.text:
        return True
    wanted = _stems(read(name))
    if (
        not wanted
        or _in_order(wanted, held.stems)
        or _together(wanted, held.stems)
        or _country_held(name, held)
    ):
        return True
    if "-" in name and all(any(like_stems(one, other) for other in held.stems) for one in wanted):
        return True
    return any(
        like_words(name, other) == "same"
        or (len(stems) < len(wanted) and stems[-1:] == wanted[-1:] and set(stems) <= set(wanted))
        for other, stems in held.names
    )


def _in_order(wanted: Sequence[str], stems: Sequence[str]) -> bool:
    """Whether the words stand in their order, with few others between them."""
    for start, first in enumerate(stems):
        if not like_stems(first, wanted[0]):
            continue
        left = iter(stems[start + 1 : start + len(wanted) + _GAP])
        if all(any(like_stems(word, other) for other in left) for word in wanted[1:]):
            return True
    return False


def _together(wanted: Sequence[str], stems: Sequence[str]) -> bool:
    """Whether the words stand side by side in any order: "Ulm School of Music" and "the Music School Ulm"."""
    size = len(wanted) + 1
    return any(
        all(any(like_stems(word, other) for other in stems[at : at + size]) for word in wanted)
        for at in range(len(stems))
        if any(like_stems(stems[at], word) for word in wanted)
    )


def _country_held(name: str, held: _Held) -> bool:
    """The adjective of a country is held by its name: "Dutch" by "the Netherlands", and the other way round."""
    ways = _countries().get(name.casefold(), ())
    return any(_in_order(way.split(), held.stems) for way in ways)


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """For an adjective or a country, in lower case, all words for the same country."""
    together: dict[str, set[str]] = {}
    for adjective, (entity, label) in DEMONYMS.items():
        together.setdefault(entity, set()).update((adjective, label.casefold()))
    return {word: tuple(sorted(words)) for words in together.values() for word in words}
