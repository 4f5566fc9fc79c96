"""The statements that are nearest to a sentence in meaning: of a graph of somebody's own all are looked at, whatever the sentence names.

A graph of the world has too many statements for that: there it is those of the things that the sentence names.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.properties.completeness import COMPLETE_LIST
from guardrail.models.word_vectors import WordVectors
from guardrail.types import Embedder, Profile, Triplet

__all__ = ["NearestStatements", "as_text", "divided"]

Triplets = tuple[Triplet, ...]

_MOST = 5_000
"""Statements of a graph that is small enough: their vectors take 8 MB and a few seconds once."""
_NEAREST = 6
_PEERS = 60
_COMPARED = 32
"""Statements of the things that a sentence names: 95 % of the six nearest in meaning are among the 32 nearest in their words."""


class _Known(NamedTuple):
    """The statements of a version of the graph, what they say, and the vectors of that as rows."""

    version: str
    statements: Sequence[Triplet]
    texts: Sequence[str]
    vectors: NDArray[np.float32]


_NOTHING = _Known("", (), (), np.zeros((0, 0), np.float32))


class NearestStatements:
    """Reads the graph again when it has changed, and then embeds what is new. Safe to share between threads."""

    def __init__(self, graph: Knowledge, embedder: Embedder) -> None:
        self._graph, self._embedder = graph, embedder
        self._known = _NOTHING
        self._lock = Lock()

    @cached_property
    def _words(self) -> WordVectors:
        return WordVectors()

    def to(self, text: str, profiles: Sequence[Profile]) -> tuple[Triplets, Triplets]:
        """The nearest ones, the nearest first, and others with their properties: of the whole graph, or of those in the profiles where it is
        not somebody's own or too large.
        """
        known = self._read()
        if not known.statements:
            return divided(self._among(profiles, text))
        (vector,) = self._embedder.embed([text])
        return divided(_ranked(known.statements, known.vectors @ vector))

    def _among(self, profiles: Sequence[Profile], text: str) -> Sequence[Triplet]:
        """The statements of these things and those of which they are the value, in the order of their nearness: of many those whose words
        are nearest are compared by meaning.
        """
        found = [one for known in profiles for one in (*known.statements, *known.terms, *known.incoming)]
        found = list(dict.fromkeys(found))
        if len(found) > _COMPARED:
            found = _ranked(found, self._words.likeness(text, list(map(as_text, found))))
        near, far = found[:_COMPARED], found[_COMPARED:]
        if near:
            near = _ranked(near, self._embedder.similarities([text], list(map(as_text, near)))[0])
        return [*near, *far]

    def _read(self) -> _Known:
        version = self._graph.recent_version
        with self._lock:
            if self._known.version != version:
                found = [one for one in self._graph.own_statements(_MOST) if _asserted(one)]
                texts = list(map(as_text, found))
                self._known = _Known(version, found, texts, self._vectors(texts))
            return self._known

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        known = dict(zip(self._known.texts, self._known.vectors, strict=True))
        if fresh := [one for one in dict.fromkeys(texts) if one not in known]:
            known |= zip(fresh, self._embedder.embed(fresh), strict=True)
        return np.stack([known[one] for one in texts]) if texts else _NOTHING.vectors


def _ranked(statements: Sequence[Triplet], likeness: NDArray[np.float32]) -> list[Triplet]:
    """In the order of their likeness, each once."""
    order = np.argsort(-likeness, kind="stable").tolist()
    return list(dict.fromkeys(statements[at] for at in order))


def divided(ranked: Sequence[Triplet]) -> tuple[Triplets, Triplets]:
    """Of statements in the order of their nearness the nearest ones, and those behind them with a property of theirs: they tell how a
    thing compares with others.
    """
    nearest, rest = ranked[:_NEAREST], ranked[_NEAREST:]
    asked = {_property(one) for one in nearest}
    return tuple(nearest), tuple(islice((one for one in rest if _property(one) in asked), _PEERS))


def _property(one: Triplet) -> str:
    return one.predicate.id or one.predicate.label


def _asserted(statement: Triplet) -> bool:
    return statement.rank != "deprecated" and statement.predicate.id != COMPLETE_LIST.id


def as_text(statement: Triplet) -> str:
    """What is embedded of a statement."""
    return f"{statement.subject.label}: {statement.predicate.label}: {statement.object.label}"
