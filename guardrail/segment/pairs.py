"""A key and its value as a sentence: "capital: Sydney" below "Australia" is read as "The capital of Australia is Sydney."

Nobody can tell from a key alone whether what stands above it is the thing or the property, so several readings are offered;
whoever reads them takes the first that states something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from guardrail.segment.view import Edit, View
from guardrail.types import Span

__all__ = ["JOINT", "PAIR", "below", "singular", "told"]

PAIR = re.compile(
    r"""[\s"'“*_`-]*(?P<key>[^\W\d_][^:=\n"“”{}<>|]{0,60}?)["'”*_`]*[ \t]*(?::(?!/)|=(?!=)|→|⇒|=>|->|\.{4,80}|…{2,40}|(?:\. ){3,40})[ \t]*["'“*_`]*(?P<value>[^\n]{1,160}?)["'”*_`,;]*[ \t\r]*"""
)
JOINT = re.compile(r"_+|(?<=[a-z])(?=[A-Z])")
_RESTRICTED = re.compile(
    r"(?i)\s+(?:by|per|for|in|around|across|and their)\b.*"
    r"|^(?:here (?:is|are)\s+)?(?:(?:an?|the|some|list of|major|famous|world|following)\s+)*"
)
_WHOSE = re.compile(r"(?i)\s+of\b.*")
_NAME = re.compile(r"[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)+")  # a property is not written so
_MOST = 6  # readings
_DONE = re.compile(
    r"(?:Born|Killed|Elected|Appointed|Buried|Known|Named|Married|Founded|Built|Located|Awarded)\b"
)
_DID = re.compile(r"(?:[A-Z][a-z]+ed|Won|Wrote|Held|Led|Became|Grew|Fought|Taught|Sang)\s")
_BEING = re.compile(r"\d+(?:st|nd|rd|th)\s|[A-Z][a-z]+\sof\s")
_ASIDE = re.compile(r"\s*\([^()]*\)|[:*_]+$")
_LONGEST_ITEM, _LONGEST_NAME = 160, 60


def told(view: View, key: Span, value: Span, above: Sequence[str]) -> list[View]:
    """The sentences that a key and its value may stand for; `above`: what they stand below, the nearest first."""
    name, said = key.of(view.text), value.of(view.text)
    if not name.strip() or not said.strip():
        return []
    apart = view.edited([Edit(m.start(), m.end(), " ") for m in _joints(view.text, key)])
    grown = len(apart.text) - len(view.text)
    key = Span(key.start, key.end + grown)
    value = value.shift(grown) if value.start >= key.start else value
    end = "" if said.rstrip().endswith(".") else "."
    return [apart.composed([*parts, value, end]) for parts in _subjects(apart.text, key, above)][:_MOST]


def below(view: View, heading: str) -> list[View]:
    """The sentences that an item without a subject may stand for below a heading that names one: "Born in Ulm" below "Einstein"."""
    name, text = _ASIDE.sub("", heading.strip()).strip(), view.text.strip()
    if not name or len(name) > _LONGEST_NAME or len(text) > _LONGEST_ITEM:
        return []
    at = view.text.find(text)
    words: list[Span | str] = [text[0].lower(), Span(at + 1, at + len(text))]
    end = "" if text.endswith(".") else "."
    joints = [joint for form, joint in ((_DONE, " was "), (_DID, " "), (_BEING, " was ")) if form.match(text)]
    return [view.composed([f"{name}{joint}", *words, end]) for joint in joints]


def _joints(text: str, key: Span) -> Iterator[re.Match[str]]:
    """Where the words of a key are joined, as in "place_of_birth" and "placeOfBirth"."""
    return (match for match in JOINT.finditer(text, key.start, key.end) if match.start() > key.start)


def _subjects(text: str, key: Span, above: Sequence[str]) -> Iterator[list[Span | str]]:
    name = key.of(text)
    if re.search(r"['’]s?\s", name):
        yield [key, " is "]
    elif re.search(r"(?i)\sof\s", name):
        yield ["" if name[:4].lower() == "the " else "The ", *_small(text, key), " is "]
    for other in [] if _NAME.fullmatch(name) else above:
        yield ["The ", *_small(text, key), f" of {other} is "]
    for other in above:
        for heading in dict.fromkeys((singular(other), singular(_WHOSE.sub("", other)))):
            yield [f"The {heading} of ", key, " is "]


def _small(text: str, key: Span) -> list[Span | str]:
    """A key in small letters: "Capital" inside of a sentence."""
    words = key.of(text)
    if not re.match(r"[A-Z][a-z]+(?:\s[a-z]|\Z)", words):
        return [key]
    return [words[0].lower(), Span(key.start + 1, key.end)]


def singular(heading: str) -> str:
    """The property that a heading names: of "Capitals by country" it is the capital."""
    words = _RESTRICTED.sub("", _RESTRICTED.sub("", heading.strip())).replace("_", " ")
    if words.endswith("ies"):
        words = words[:-3] + "y"
    elif words.endswith("s") and not words.endswith("ss"):
        words = words[:-1]
    return words[:1].lower() + words[1:]
