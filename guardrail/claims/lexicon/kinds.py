"""Coarse kinds of things: person, place, organisation, work … from Wikidata classes, descriptions and common nouns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from guardrail.claims.lexicon.parties import party_by_name
from guardrail.claims.lexicon.words import singular
from guardrail.types import Entity, Mention

__all__ = ["Kinds", "load_kinds"]

_FILE = Path(__file__).parents[2] / "data" / "types.yaml"
_BODY = frozenset({"org"})
_HEAD_ENDS = re.compile(r"\b(?:of|in|from|by|at|on|for|who|that|which|with|and)\b|[,;(]")


@dataclass(frozen=True, slots=True)
class Kinds:
    """`of_class`: Wikidata class → kind; `of_noun`: common noun → kind; `within`: kind → the wider kind it is part of."""

    of_class: Mapping[str, str]
    of_noun: Mapping[str, str]
    within: Mapping[str, str]

    def noun(self, noun: str) -> str:
        """The kind that a common noun names, "" if none is known."""
        low = singular(noun)
        return self.of_noun.get(low) or self.of_noun.get(noun.lower(), "")

    def entity(self, entity: Entity) -> frozenset[str]:
        """The kinds of an entity, from its classes, else from its description; empty when nothing is known."""
        found = {self.of_class[one] for one in entity.types if one in self.of_class}
        if not found:
            found = {"person"} if entity.gender else self._described(entity.description)
        if entity.gender and "person" in found:
            found.add({"m": "man", "f": "woman"}[entity.gender])
        return frozenset(found | {self.within[kind] for kind in found if kind in self.within})

    def _described(self, description: str) -> set[str]:
        """The kind of the noun that a description is about."""
        words = _HEAD_ENDS.split(description, maxsplit=1)[0].split()
        kind = self.noun(words[-1]) if words else ""
        return {kind} if kind else set()

    def mention(self, mention: Mention | None) -> frozenset[str]:
        """The kinds of a mention under its best reading; of a name that the graph does not know, what its words tell."""
        if mention is None:
            return frozenset()
        known = self.entity(mention.entity) if mention.entity is not None else frozenset()
        if known <= _BODY and party_by_name(mention.text):
            return known | {"party", *_BODY}
        return known


@cache
def load_kinds() -> Kinds:
    """The table that is shipped (guardrail/data/types.yaml)."""
    data = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    of_class = {one: kind for kind, entry in data.items() for one in entry["classes"]}
    of_noun: dict[str, str] = {}
    for kind, entry in data.items():
        for noun in entry["nouns"].split():
            of_noun.setdefault(noun, kind)
    return Kinds(of_class, of_noun, {kind: entry["in"] for kind, entry in data.items() if "in" in entry})
