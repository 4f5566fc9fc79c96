"""Relation phrases to Wikidata properties: guardrail/data/relations.yaml as look-up tables.

The key of a verb is its voice, its stem and the path to the object: "" for a direct object, "in", or "border with" for
"shares a border with". The notation of the file is explained at its head.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from guardrail.claims.lexicon.words import PARTICLES, base, participle, singular, verb_stem

__all__ = ["Frame", "Lexicon", "load_lexicon"]

_FILE = Path(__file__).parents[2] / "data" / "relations.yaml"
_ARTICLES = frozenset({"a", "an", "the", "its", "his", "her", "their"})
_ADVERBS = frozenset({"best", "first", "widely"})


@dataclass(frozen=True, slots=True)
class Frame:
    """One reading of a phrase. `inverse`: the text's subject is the object of the property."""

    property_id: str
    inverse: bool
    subject: frozenset[str]  # kinds of the property's subject; empty: any
    object: frozenset[str]
    rank: int

    @property
    def relation(self) -> str:
        return ("^" if self.inverse else "") + self.property_id


Table = Mapping[tuple[str, ...], tuple[Frame, ...]]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`verbs`: (voice, stem, path); `nouns`: (noun,), object is the noun of subject; `nominals`: (noun, preposition), subject
    is a noun of object; `adjectives`: (adjective, preposition); `measures`: (adjective,); `counts`: (noun,). `labels` by id.
    """

    verbs: Table
    nouns: Table
    nominals: Table
    adjectives: Table
    measures: Table
    counts: Table
    labels: Mapping[str, str]
    ranges: Mapping[str, str]  # property → the kind of its objects, where it is one

    @property
    def properties(self) -> frozenset[str]:
        return frozenset(self.labels)


class _Compiler:
    def __init__(self) -> None:
        self.tables: dict[str, dict[tuple[str, ...], list[Frame]]] = {
            name: defaultdict(list)
            for name in ("verbs", "nouns", "nominals", "adjectives", "measures", "counts")
        }

    def add(self, table: str, key: Iterable[str], frame: Frame) -> None:
        frames = self.tables[table][tuple(key)]
        if all(other.relation != frame.relation for other in frames):
            frames.append(frame)

    def entry(self, name: str, entry: Mapping[str, str], rank: int) -> None:
        subject, object_ = (
            frozenset(entry.get(side, "").replace("any", "").split()) for side in ("subject", "object")
        )
        direct = Frame(entry.get("property", name), False, subject, object_, rank)
        inverse = Frame(direct.property_id, True, subject, object_, rank)
        for words in _phrases(entry, "by"):
            key, rest = _with_particle(words[0], words[1:])
            self.add("verbs", ("passive", key, " ".join([*rest, "by"])), direct)
            self.add("verbs", ("active", key, " ".join(rest)), inverse)
        for words in _phrases(entry, "do"):
            key, rest = _with_particle(words[0], words[1:])
            self.add("verbs", ("active", key, " ".join(rest)), direct)
            if len(words) == 1:
                self.add("verbs", ("passive", key, "by"), inverse)
        for key, frame in (("say", direct), ("back", inverse)):
            for words in _phrases(entry, key):
                self.verb(words, frame)
        for words in _phrases(entry, "of"):
            self.add("nominals", (noun_key(words[:-1]), words[-1]), direct)
        for words in _phrases(entry, "measure"):
            self.add("measures", (" ".join(words),), direct)
        for key, table, frame in (
            ("noun", "nouns", direct),
            ("role", "nouns", inverse),
            ("count", "counts", direct),
        ):
            for words in _phrases(entry, key):
                self.add(table, (noun_key(words),), frame)

    def verb(self, words: list[str], frame: Frame) -> None:
        """A phrase of `say` or `back`: its first word tells whether it is active, passive, a copula or an adjective."""
        while words[0] in _ADVERBS:
            words = words[1:]
        first, rest = words[0], [word for word in words[1:] if word not in _ARTICLES]
        key, rest = _with_particle(first, rest)
        path = " ".join(rest)
        if first == "is" and len(rest) > 1:
            self.add("nominals", (noun_key(rest[:-1]), rest[-1]), frame)
        elif first == "is":
            self.add("verbs", ("copula", "be", path), frame)
        elif first == "becomes":
            self.add("verbs", ("copula", "becom", path), frame)
        elif participle(first):
            self.add("verbs", ("passive", key, path), frame)
        elif first.endswith(("s", "ing")):
            self.add("verbs", ("active", key, path), frame)
        else:
            self.add("adjectives", (first, path), frame)


def _with_particle(verb: str, rest: list[str]) -> tuple[str, list[str]]:
    """The stem of a verb with its particle ("grow up"), and the words behind, the noun before the last one singular."""
    if len(rest) > 1:
        rest = [*rest[:-2], singular(rest[-2]), rest[-1]]
    if rest and f"{base(verb)} {rest[0]}" in PARTICLES:
        return f"{verb_stem(verb)} {rest[0]}", rest[1:]
    return verb_stem(verb), rest


def _phrases(entry: Mapping[str, str], key: str) -> list[list[str]]:
    return [phrase.split() for phrase in str(entry.get(key, "")).split("|") if phrase.strip()]


def noun_key(words: list[str]) -> str:
    """Noun words as a key: lower case, the last one singular."""
    return " ".join([*(word.lower() for word in words[:-1]), singular(words[-1])]) if words else ""


def compile_lexicon(data: Mapping[str, Mapping[str, str]]) -> Lexicon:
    """Look-up tables from the file's content."""
    compiler = _Compiler()
    for rank, (name, entry) in enumerate(data.items()):
        compiler.entry(name, entry, rank)
    tables = {
        name: {key: tuple(sorted(frames, key=lambda frame: frame.rank)) for key, frames in table.items()}
        for name, table in compiler.tables.items()
    }
    labels = {name: entry["label"] for name, entry in data.items() if "property" not in entry}
    ranges = {
        name: entry["object"].split()[0]
        for name, entry in data.items()
        if entry.get("object", "any") != "any"
    }
    return Lexicon(**tables, labels=labels, ranges=ranges)


@cache
def load_lexicon() -> Lexicon:
    """The lexicon that is shipped."""
    return compile_lexicon(yaml.safe_load(_FILE.read_text(encoding="utf-8")))
