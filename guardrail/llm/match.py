"""A model's words matched against the real ones: text spans (ClaimVer §8 "string matching") and cited triplets ("membership
checks for supporting triplets"). Pure string work; what does not match was made up.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from guardrail.types import Span, Triplet
from guardrail.values.render import shown

__all__ = ["Cited", "find_span", "find_spans", "members", "show"]

_WORD = re.compile(r"[^\W_]+")
_LOOSE = {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "…": "."}
_LEFTOVER = 3  # words: a whole triplet has at least three; shorter remains are punctuation and "NA"


def find_span(text: str, quote: str, *, start: int = 0) -> Span | None:
    """Where `quote` stands in `text` at or after `start`: exactly, else but for case, white space, quotes and dashes.

    None when it does not stand there. The span is of the original text.
    """
    quote = quote.strip()
    if not quote:
        return None
    at = text.find(quote, start)
    if at >= 0:
        return Span(at, at + len(quote))
    loose, places = _loosen(text)
    wanted = _loosen(quote)[0]
    first = bisect_left(places, start)
    at = loose.find(wanted, first) if wanted else -1
    if at < 0:
        return None
    return Span(places[at], places[at + len(wanted) - 1] + 1)


@lru_cache(maxsize=16)
def _loosen(text: str) -> tuple[str, tuple[int, ...]]:
    """`text` in lower case with single spaces and plain quotes, and where each of its characters came from."""
    out: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        plain = _LOOSE.get(character, character)
        if plain.isspace():
            if not out or out[-1] == " ":
                continue
            plain = " "
        for part in plain.casefold():  # "ß" becomes two
            out.append(part)
            places.append(place)
    while out and out[-1] == " ":
        out.pop()
        places.pop()
    return "".join(out), tuple(places)


def find_spans(text: str, quotes: Sequence[str]) -> list[Span | None]:
    """One span per quote, disjoint. A quote is looked for after the one before it, then anywhere that is still free."""
    found: list[Span | None] = []
    taken: list[Span] = []
    after = 0
    for quote in quotes:
        span = _free(text, quote, after, taken) or _free(text, quote, 0, taken)
        found.append(span)
        if span:
            taken.append(span)
            after = span.end
    return found


def _free(text: str, quote: str, start: int, taken: Sequence[Span]) -> Span | None:
    while span := find_span(text, quote, start=start):
        if not any(span.overlaps(other) for other in taken):
            return span
        start = span.start + 1
    return None


def show(triplet: Triplet) -> str:
    """A triplet as ClaimVer's Table 2 prints it, with its qualifiers as further triplets of the statement."""
    told = f"({triplet.subject.label!r}, {triplet.predicate.label!r}, {shown(triplet.object)!r}"
    for qualifier in triplet.qualifiers:
        told += f", {qualifier.predicate.label!r}: {shown(qualifier.object)!r}"
    return told + ")"


@dataclass(frozen=True, slots=True)
class Cited:
    """The retrieved triplets that a model cited, and whether it also cited something that was not retrieved."""

    triplets: tuple[Triplet, ...]
    invented: bool = False


def members(cited: str, retrieved: Sequence[Triplet]) -> Cited:
    """Which of `retrieved` are quoted in `cited`: subject, predicate and object in this order, whatever the punctuation.

    The published models quote loosely (missing quotes, "NA", Python tuples), so words are compared, not syntax.
    """
    words = _words(cited)
    free = [True] * len(words)
    found = []
    # Long ones first: ("A", "part of", "B C") must not be taken for ("A", "part of", "B").
    for triplet in sorted(retrieved, key=lambda item: -len(_words(_plain(item)))):
        wanted = _words(_plain(triplet))
        places = [at for at in _places(words, wanted) if all(free[at : at + len(wanted)])]
        for at in places:
            if all(free[at : at + len(wanted)]):
                free[at : at + len(wanted)] = [False] * len(wanted)
        if places:
            found.append(triplet)
    order = {id(triplet): number for number, triplet in enumerate(retrieved)}
    found.sort(key=lambda item: order[id(item)])
    qualifiers = {
        word
        for triplet in found
        for q in triplet.qualifiers
        for word in _words(f"{q.predicate.label} {shown(q.object)}")
    }
    rest = [word for word, left in zip(words, free, strict=True) if left and word not in qualifiers]
    return Cited(tuple(found), invented=len(rest) >= _LEFTOVER)


def _plain(triplet: Triplet) -> str:
    return f"{triplet.subject.label} {triplet.predicate.label} {shown(triplet.object)}"


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("'s", "s").replace("’s", "s"))


def _places(words: Sequence[str], wanted: Sequence[str]) -> list[int]:
    if not wanted:
        return []
    size = len(wanted)
    return [at for at in range(len(words) - size + 1) if words[at : at + size] == wanted]
