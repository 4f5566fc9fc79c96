"""A change of a sentence, and the parts of a parsed sentence that changes need.

A change is a list of places with what is put there, so that changes that do not touch each other can be made together: a sentence
that is reworded in one place is as often false in another as it is true.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, UNSUPPORTED
from eval.train.senses import Senses
from guardrail.language import Doc, Token

__all__ = [
    "CLOSED",
    "DENIED",
    "Change",
    "Part",
    "Place",
    "apart",
    "applied",
    "child",
    "denies",
    "exchange",
    "is_plural",
    "lowered",
    "made_false",
    "made_less",
    "made_open",
    "made_same",
    "openings",
    "phrase_of",
    "root_of",
    "stretch",
    "tables",
]

Part = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Change:
    """`parts`: from where to where, and what is put there. `label`: what the changed sentence is beside the old one; `back`: what
    the old one is beside the changed one (0: nobody knows).
    """

    kind: str
    label: int
    parts: tuple[Part, ...]
    back: int


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence that is to be changed. `others`: the other sentences of its passage."""

    doc: Doc
    others: Sequence[Doc]
    senses: Senses
    rng: random.Random

    @property
    def text(self) -> str:
        return self.doc.text


def applied(text: str, found: Sequence[Change]) -> str:
    """The text with these changes made, which must not touch each other."""
    for start, end, put in sorted((p for one in found for p in one.parts), reverse=True):
        text = f"{text[:start]}{put}{text[end:]}"
    text = re.sub(r"\s+([,.;:])", r"\1", re.sub(r"\s{2,}", " ", text)).strip()
    text = re.sub(r"\b([Aa])n?(?= [a-z])", lambda m: _article(m, text), text)
    return text[:1].upper() + text[1:]


def _article(match: re.Match[str], text: str) -> str:
    vowel = re.match(r" (?:[aeio]|u(?!ni|s[eu]|r[aeio]))", text[match.end() :])
    spared = re.match(r" (?:one\b|once\b|eu|h)", text[match.end() :])
    return match[0] if spared else match[1] + ("n" if vowel else "")


def apart(left: Change, right: Change) -> bool:
    """Whether the two touch nowhere."""
    return all(a[1] < b[0] or b[1] < a[0] for a in left.parts for b in right.parts)


def made_false(kind: str, *parts: Part) -> Change:
    return Change(kind, CONTRADICTORY, parts, CONTRADICTORY)


def made_open(kind: str, *parts: Part) -> Change:
    return Change(kind, UNSUPPORTED, parts, UNSUPPORTED)


def made_same(kind: str, *parts: Part) -> Change:
    return Change(kind, ATTRIBUTABLE, parts, ATTRIBUTABLE)


def made_less(kind: str, *parts: Part) -> Change:
    """What says less than the sentence; `back`: then the sentence says more than is known."""
    return Change(kind, ATTRIBUTABLE, parts, UNSUPPORTED)


@cache
def tables() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("altered.yaml").read_text("utf-8"))
    return found


def openings() -> list[str]:
    """What may stand in front of a claim."""
    return list(tables()["openings"])


def stretch(doc: Doc, first: int, last: int) -> tuple[int, int]:
    return doc.tokens[first].start, doc.tokens[last].end


def phrase_of(doc: Doc, at: int) -> tuple[int, int]:
    """From where to where a noun phrase stands, without its preposition and what is joined to it."""
    first, last = doc.first[at], doc.last[at]
    for kid in doc.kids(at):
        if kid.dep in ("case", "cc", "mark", "punct") and kid.at < at:
            first = max(first, doc.last[kid.at] + 1)
        if kid.at > at and kid.dep in ("conj", "punct", "acl:relcl", "appos", "parataxis", "advcl"):
            last = min(last, doc.first[kid.at] - 1)
    return stretch(doc, first, max(last, at))


def child(doc: Doc, at: int, *deps: str) -> Token | None:
    return next((kid for kid in doc.kids(at) if kid.dep in deps), None)


def root_of(doc: Doc) -> Token | None:
    roots = [one for one in doc.roots() if one.dep == "ROOT"]
    return roots[0] if len(roots) == 1 else None


def is_plural(doc: Doc, subject: Token) -> bool:
    return (
        subject.tag in ("NNS", "NNPS")
        or subject.low in ("they", "we", "you", "these", "those")
        or bool(child(doc, subject.at, "conj"))
    )


def denies(doc: Doc) -> bool:
    """Whether a sentence holds a word of denial."""
    return any(token.low in DENIED for token in doc.tokens)


def exchange(text: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[Part, ...]:
    """Two stretches of a text exchanged; the first word of the sentence loses its capital."""
    (a, b), (c, d) = sorted((left, right))
    first, second = text[a:b], text[c:d]
    if a == 0 and first.split()[0].lower() in _SMALL:
        first = first[:1].lower() + first[1:]
    return (a, b, second), (c, d, first)


def lowered(doc: Doc, at: int, text: str) -> str:
    return (
        text
        if doc.tokens[at].tag in ("NNP", "NNPS")
        or text.startswith(("I ", "I'"))
        or re.match("[A-Z]{2}", text)
        else text[:1].lower() + text[1:]
    )


_SMALL = frozenset(
    "the a an this that these those all every each any no some both most many few his her its their our your my".split()
)


DENIED = frozenset(
    "no not n't never nobody nothing none neither nor hardly scarcely barely rarely seldom without cannot".split()
)


CLOSED = DENIED | frozenset(
    "only all every each any anyone everyone most few if unless except at up less fewer more until whoever whatever".split()
)
