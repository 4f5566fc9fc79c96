"""Which reading of a name is meant: a log-linear score over what is known without a model.

    score = prior + form + context words + coherence + recall

The weights were set by hand on the development part of the linking evaluation (docs/knowledge.md has the figures).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from guardrail import ontology
from guardrail.evidence import names
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.linking.spans import Scanned, function_words
from guardrail.language.stems import form_stem
from guardrail.types import Candidate, Entity

PRIOR = 0.6
CONTEXT = 0.9
COHERENCE = 1.5
RECALL = 4.0
HUMAN = ontology.classes("human")
_LABEL = 0.7
_BARE_NAME = 0.8
"""Less for one word of a person's name: "Parker" is many people."""
_MOST_TYPES = 4
_JOINED = 5
"""Readings of one mention, the best known, whose edges are looked at."""
_REMEMBERED = 50_000
_REMEMBERED_EDGES = 500_000
"""About 40 MB."""
_NO_WORDS: frozenset[str] = frozenset()
_OTHER_CASE = -1.0


class NameReading(NamedTuple):
    """What a name may stand for: number, the name as the graph writes it, kind 0 for a label and 1 for an alias.

    `forms`: further ways in which the graph writes the same name. `entity`: where it is known already.
    """

    n: int
    text: str
    kind: int
    popularity: float
    degree: int
    forms: tuple[str, ...] = ()
    entity: Entity | None = None

    @property
    def prior(self) -> float:
        return self.popularity or math.log1p(self.degree)


class Option(NamedTuple):
    """A reading of a name in a text. `score`: what the name alone says for it; `bare`: one word that is no label."""

    reading: NameReading
    score: float
    bare: bool


def option(reading: NameReading, fit: float) -> Option:
    """`fit`: how well the text's form of the name fits it."""
    return Option(reading, PRIOR * reading.prior + fit, reading.kind != 0 and " " not in reading.text)


def form_score(surface: str, reading: NameReading, *, initial: bool) -> float | None:
    """How well `surface` is this name as the graph writes it; None where it cannot be."""
    scores = [_one_form(surface, text, initial=initial) for text in (reading.text, *reading.forms)]
    possible = [score for score in scores if score is not None]
    if not possible:
        return None
    return max(possible) + (_LABEL if reading.kind == 0 else 0.0)


def _one_form(surface: str, name: str, *, initial: bool) -> float | None:
    if surface == name:
        return 0.5
    lower = surface.islower()
    if lower != name.islower():
        # "Physics is …" at a sentence's start; else a capital means a name, and lower case none.
        return 0.0 if initial and not lower and surface[1:].islower() else None
    return 0.5 if lower else _of_capitals(surface, name)


def _of_capitals(surface: str, name: str) -> float | None:
    """Both are written with a capital: where only one has nothing else, it may be an abbreviation."""
    if name.isupper() and len(name) <= 5 and not surface.isupper():
        return None  # "Who" is no "WHO"
    if surface.isupper() and len(surface) <= 4 and not name.isupper():
        return _OTHER_CASE
    return 0.2


class _Neighbours:
    """Where the edges of entities lead, remembered until the graph changes: the same are asked in sentence after sentence."""

    def __init__(self, graph: Knowledge) -> None:
        self._graph = graph
        self._known: dict[int, frozenset[int]] = {}
        self._edges, self._version = 0, ""

    def leaving(self, numbers: Collection[int], version: str) -> Mapping[int, frozenset[int]]:
        """The objects of the statements of each of the entities, and of others."""
        if version != self._version or self._edges + len(self._known) > _REMEMBERED_EDGES:
            self._known, self._edges, self._version = {}, 0, version
        known = self._known
        missing = [n for n in numbers if n not in known]
        if missing:
            ends: dict[int, list[int]] = {n: [] for n in missing}
            for a, b in self._graph.leaving(sorted(missing)):
                ends[a].append(b)
            known.update((n, frozenset(found)) for n, found in ends.items())
            self._edges += sum(map(len, ends.values()))
        return known


class Disambiguator:
    """Scores readings; remembers what it has read of entities until the graph changes. Safe to share between threads."""

    def __init__(self, graph: Knowledge) -> None:
        self._graph = graph
        self._entities: dict[int, Entity] = {}
        self._words: dict[str, frozenset[str]] = {}  # of an entity's description and of its classes
        self._classes: dict[str, frozenset[str]] = {}  # of a class's label
        self._neighbours = _Neighbours(graph)
        self._version = ""

    def scored(
        self,
        scanned: Scanned,
        mentions: Sequence[Sequence[Option]],
        anchors: Sequence[Entity],
        *,
        version: str,
    ) -> list[tuple[Candidate, ...]]:
        """The best two candidates of each mention, best first; `version` is the graph's."""
        self._recall(mentions, version)
        open_ones = [options for options in mentions if len(options) > 1]
        joined = self._joined(mentions, anchors, version) if open_ones else {}
        around = _content(scanned) if open_ones else _NO_WORDS
        if open_ones:
            self._read_words(open_ones)
        anchored = {entity.id for entity in anchors}
        return [self._best(options, around, joined, anchored) for options in mentions]

    def _best(
        self,
        options: Sequence[Option],
        around: frozenset[str],
        joined: Mapping[int, int],
        anchored: Collection[str],
    ) -> tuple[Candidate, ...]:
        ranked: list[tuple[float, str, Entity]] = []
        several = len(options) > 1
        if several:
            around -= _stems(options[0].reading.text)
        for reading, score, bare in options:
            entity = reading.entity or self._entities.get(reading.n)
            if entity is None:
                continue
            if bare and not HUMAN.isdisjoint(entity.types):
                score -= _BARE_NAME
            if several:
                score += CONTEXT * min(3, len(around & self._words.get(entity.id, _NO_WORDS)))
                if reading.n in joined:
                    score += COHERENCE * math.log1p(joined[reading.n])
            if entity.id in anchored:
                score += RECALL
            ranked.append((-score, entity.id, entity))
        ranked.sort(key=itemgetter(0, 1))
        return tuple([Candidate(entity, -score) for score, _, entity in ranked[:2]])

    def _recall(self, mentions: Sequence[Sequence[Option]], version: str) -> None:
        """Fetches the entities of all readings that are not in memory."""
        if version != self._version or max(len(self._entities), len(self._words)) > _REMEMBERED:
            self._entities, self._words, self._classes, self._version = {}, {}, {}, version
        known = self._entities
        missing = {
            r.n for options in mentions for r, _, _ in options if r.entity is None and r.n not in known
        }
        if missing:
            known.update(self._graph.entities(sorted(missing)))

    def _read_words(self, mentions: Sequence[Sequence[Option]]) -> None:
        """The words that tell the readings of ambiguous mentions apart: of their descriptions and their classes."""
        words, classes, known = self._words, self._classes, self._entities
        entities = [r.entity or known.get(r.n) for options in mentions for r, _, _ in options]
        new = [entity for entity in entities if entity is not None and entity.id not in words]
        if not new:
            return
        unread = {t for entity in new for t in entity.types[:_MOST_TYPES] if t not in classes}
        if unread:
            numbers = self._graph.numbers(unread)
            found = self._graph.entities(list(numbers.values()))
            classes.update(dict.fromkeys(unread, _NO_WORDS))
            classes.update({entity.id: _stems(entity.label) for entity in found.values()})
        for entity in new:
            of_classes = (classes[t] for t in entity.types[:_MOST_TYPES])
            words[entity.id] = _stems(entity.description).union(*of_classes) - function_words()

    def _joined(
        self, mentions: Sequence[Sequence[Option]], anchors: Sequence[Entity], version: str
    ) -> dict[int, int]:
        """With how many other mentions (and anchors) the graph joins each reading directly."""
        place: dict[int, set[int]] = {}
        for i, options in enumerate(mentions):
            for each in options[:_JOINED]:
                if each.reading.n > 0:
                    place.setdefault(each.reading.n, set()).add(i)
        for n in self._graph.numbers([entity.id for entity in anchors]).values() if anchors else ():
            place.setdefault(n, set()).add(-1)
        if len(place) < 2:
            return {}
        partners: dict[int, set[int]] = {}
        there = place.keys()
        leaving = self._neighbours.leaving(there, version)
        for a in there:
            for b in there & leaving[a]:
                if a != b:
                    partners.setdefault(a, set()).update(place[b] - place[a])
                    partners.setdefault(b, set()).update(place[a] - place[b])
        return {n: len(with_) for n, with_ in partners.items()}


@lru_cache(maxsize=65536)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(form_stem, names.key(text).split()))


def _content(scanned: Scanned) -> frozenset[str]:
    """The words of the text that say something, cut to stems."""
    return frozenset([traits.content for traits in scanned.traits])
