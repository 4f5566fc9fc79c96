"""The statements that are nearest to a sentence in meaning: of a graph of somebody's own all are looked at, whatever the sentence names.

A graph of the world has too many statements for that: there it is those of the things that the sentence names.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.properties.completeness import COMPLETE_LIST
from guardrail.types import Embedder, Profile, Triplet

__all__ = ["NearestStatements", "as_text", "divided"]

Triplets = tuple[Triplet, ...]

_MOST = 5_000
"""Statements of a graph that is small enough: their vectors take 8 MB and a few seconds once."""
_NEAREST = 6
_PEERS = 60
_REMEMBERED = 512
"""Things whose statements' vectors are kept, 1.5 kB a statement."""


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
        self._vectors_of = lru_cache(maxsize=_REMEMBERED)(self._embedded)

    def to(self, text: str, profiles: Sequence[Profile]) -> tuple[Triplets, Triplets]:
        """The nearest ones, the nearest first, and others with their properties: of the whole graph, or of those in the profiles where it is
        not somebody's own or too large.
        """
        known = self._read()
        statements, vectors = (known.statements, known.vectors) if known.statements else self._among(profiles)
        if not statements:
            return (), ()
        (vector,) = self._embedder.embed([text])
        order = np.argsort(-(vectors @ vector), kind="stable")
        return divided(list(dict.fromkeys(statements[at] for at in order.tolist())))

    def _among(self, profiles: Sequence[Profile]) -> tuple[Sequence[Triplet], NDArray[np.float32]]:
        """The statements of these things and those of which they are the value, with their vectors as rows."""
        parts = [tuple(dict.fromkeys((*one.statements, *one.terms, *one.incoming))) for one in profiles]
        vectors = [self._vectors_of(tuple(map(as_text, part))) for part in parts if part]
        return [one for part in parts for one in part], np.concatenate(
            vectors
        ) if vectors else _NOTHING.vectors

    def _embedded(self, texts: tuple[str, ...]) -> NDArray[np.float32]:
        return self._embedder.embed(texts)

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
