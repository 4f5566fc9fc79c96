"""From the words of a predicate to properties of the graph: for claims whose relation the lexicon does not know.

"works for" finds the property that is so called, or the ones whose label or alias shares most of its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from guardrail.evidence import names
from guardrail.language.lists import word_list
from guardrail.language.stems import family_stem
from guardrail.types import Property

_EMPTY = word_list("stop words")
_LEAST = 0.5
_OVER = frozenset(map(family_stem, ("former", "previous", "ex")))


@dataclass(frozen=True, slots=True)
class _Name:
    words: frozenset[str]
    property: Property


class RelationIndex:
    """The names of a graph's properties, by their words."""

    def __init__(self, properties: Iterable[Property]) -> None:
        self._exact: dict[str, list[Property]] = {}
        self._by_word: dict[str, list[_Name]] = {}
        for known in properties:
            for text in (known.label, *known.aliases):
                self._add(text, known)

    def _add(self, text: str, known: Property) -> None:
        same = self._exact.setdefault(names.key(text), [])
        if known not in same:
            same.append(known)
        name = _Name(content(text), known)
        for word in name.words:
            self._by_word.setdefault(word, []).append(name)

    def match(self, predicate: str, limit: int = 3) -> list[Property]:
        """Properties that `predicate` may mean, best first; none where fewer than half of the words agree."""
        exact = self._exact.get(names.key(predicate)) or self._exact.get(_bare(predicate))
        if exact:
            return exact[:limit]
        wanted = content(predicate)
        best: dict[str, tuple[float, Property]] = {}
        over = wanted & _OVER
        for name in {id(n): n for word in wanted for n in self._by_word.get(word, ())}.values():
            if name.words & _OVER != over:
                continue  # a director is no former director
            score = len(wanted & name.words) / len(wanted | name.words)
            if score >= _LEAST and score > best.get(name.property.id, (0.0, name.property))[0]:
                best[name.property.id] = (score, name.property)
        ranked = sorted(best.values(), key=lambda found: (-found[0], found[1].id))
        return [known for _, known in ranked[:limit]]


@lru_cache(maxsize=65536)
def content(text: str) -> frozenset[str]:
    """The words of `text` that carry meaning, each cut to the stem of its family."""
    return frozenset(family_stem(word) for word in names.key(text).split() if word not in _EMPTY)


def relevance(properties: Sequence[Property], wanted: frozenset[str]) -> float:
    """Share of `wanted` stems that the names of the properties hold, best name of each; in [0, 1]."""
    if not wanted or not properties:
        return 0.0
    covered = frozenset[str]()
    for known in properties:
        covered |= max(
            (content(text) & wanted for text in (known.label, *known.aliases)), key=len, default=frozenset()
        )
    return len(covered) / len(wanted)


def _bare(predicate: str) -> str:
    """Without the auxiliaries and articles around: "was the wife of" is "wife of"."""
    found = names.key(predicate).split()
    while found and found[0] in (
        "is",
        "was",
        "are",
        "were",
        "be",
        "been",
        "has",
        "had",
        "have",
        "a",
        "an",
        "the",
        "did",
    ):
        found.pop(0)
    return " ".join(found)
