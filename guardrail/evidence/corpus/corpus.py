"""A corpus of reference documents beside the knowledge graph, in a file or in PostgreSQL: passages, names, inverted index.

    with Corpus.open("corpus.db") as corpus:
        corpus.search("When was the Eiffel Tower opened?", limit=5)

Reading is safe from many threads. indexing.py writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from guardrail.errors import KnowledgeError, KnowledgeMissing
from guardrail.evidence.corpus.frames import Granularity, named
from guardrail.evidence.corpus.postings import Postings
from guardrail.evidence.corpus.terms import terms
from guardrail.evidence.names import words
from guardrail.evidence.store.database import (
    Cursor,
    Database,
    Layout,
    Parameter,
    Row,
    SqliteDatabase,
    is_postgres,
)
from guardrail.types import Passage, Source, Span

__all__ = ["Corpus", "CorpusStats", "Hit", "exists"]

_TOTALS = (("version", "0"), ("terms", "0"), ("passages", "0"))
LAYOUT = Layout(
    "corpus/corpus.sql",
    application=0x47524350,
    version=0,
    space="guardrail_corpus",
    meta=_TOTALS,
    called="corpus",
)  # "GRCP"
_LONGEST_NAME = 8
_AFFORDED = 300_000  # postings of one query

Numbers = NDArray[np.int64]


def exists(where: Path | str) -> bool:
    """Whether there is a corpus in this file or at this address. Raises KnowledgeError where it cannot be reached."""
    if not is_postgres(where):
        return Path(where).exists()
    try:
        Corpus.open(where).close()
    except KnowledgeMissing:
        return False
    return True


class Hit(NamedTuple):
    """A passage by its number, and its BM25 score."""

    passage: int
    score: float


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """How much a corpus holds."""

    documents: int
    passages: int
    nodes: int
    mentions: int
    granularity: Granularity
    version: int


class Corpus:
    """Documents behind a database: a file of their own, or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._postings = Postings()

    @classmethod
    def open(cls, where: Path | str, *, read_only: bool = True) -> Self:
        """The corpus in a file or at a `postgresql://` address. Raises KnowledgeMissing, KnowledgeDamaged, KnowledgeError."""
        if is_postgres(where):
            from guardrail.evidence.store.postgres import PostgresDatabase

            return cls(PostgresDatabase.open(str(where), read_only=read_only, layout=LAYOUT))
        return cls(SqliteDatabase.open(Path(where), read_only=read_only, layout=LAYOUT))

    @classmethod
    def create(cls, where: Path | str, *, granularity: Granularity = Granularity.SENTENCE) -> Self:
        """An empty corpus. Raises KnowledgeError where there is one already, or none can be made."""
        layout = replace(LAYOUT, meta=(*LAYOUT.meta, ("granularity", granularity.value)))
        if not is_postgres(where):
            return cls(SqliteDatabase.create(Path(where), layout=layout))
        from guardrail.evidence.store.postgres import PostgresDatabase

        if exists(where):
            with cls.open(where) as there:
                raise KnowledgeError(f"{there.name} exists already")
        return cls(PostgresDatabase.create(str(where), layout=layout))

    @property
    def name(self) -> str:
        """Where it is, without any password."""
        return self._database.name

    def rows(self, sql: str, parameters: Sequence[Parameter] = ()) -> list[Row]:
        """What a query gives."""
        return self._database.rows(sql, parameters)

    def transaction(self) -> AbstractContextManager[Cursor]:
        """One batch of changes, whole or not at all. Raises KnowledgeError where the disk or the database refuses."""
        return self._database.transaction()

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ── what is in it ─────────────────────────────────────────────────────────────────────────────────

    def meta(self) -> dict[str, str]:
        return dict(self.rows("SELECT key, value FROM meta"))

    def stats(self) -> CorpusStats:
        meta = self.meta()
        documents, passages, nodes, mentions = (
            self.rows(f"SELECT COUNT(*) FROM {table}")[0][0]
            for table in ("document", "passage", "node", "mention")
        )
        granularity, version = Granularity(meta["granularity"]), int(meta["version"])
        return CorpusStats(documents, passages, nodes, mentions, granularity, version)

    # ── search ────────────────────────────────────────────────────────────────────────────────────────

    def search(self, text: str, *, limit: int = 10) -> list[Hit]:
        """The passages that share terms with `text`, by BM25, best first. Empty for an empty corpus."""
        return self.search_terms(terms(text), limit=limit)

    def search_terms(self, query: Sequence[str], *, limit: int = 10) -> list[Hit]:
        meta = self.meta()
        count = int(meta["passages"])
        query = self.telling(query) if count else ()
        if not query:
            return []
        numbers, scores = self._postings.search(
            self._database,
            query,
            count=count,
            mean=max(int(meta["terms"]) / count, 1.0),
            limit=limit * 2 + 8,  # some may have been removed since
            version=int(meta["version"]),
        )
        found = [Hit(int(n), float(s)) for n, s in zip(numbers, scores, strict=True)]
        alive = self._alive(hit.passage for hit in found)
        hits = (hit for hit in found if hit.passage in alive)
        return [hit for hit, _ in zip(hits, range(limit), strict=False)]

    def telling(self, query: Sequence[str]) -> list[str]:
        """The terms of a query that some passage holds, without the commonest where these cost more than they tell.

        The rarest terms are kept as long as their postings are not too many in all, two of them always.
        """
        frequency = self.term_frequency(query)
        kept: set[str] = set()
        spent = 0
        for term in sorted(frequency, key=lambda term: (frequency[term], term)):
            spent += frequency[term]
            if len(kept) > 1 and spent > _AFFORDED:
                break
            kept.add(term)
        return [term for term in query if term in kept]

    def holding(
        self, query: Sequence[str], passages: Iterable[int]
    ) -> tuple[list[int], NDArray[np.bool_], NDArray[np.int64]]:
        """The passages in ascending order, which of the terms each holds, and how many terms it has."""
        numbers = np.array(sorted(passages), dtype=np.int32)
        version = int(self.meta()["version"])
        held, lengths = self._postings.holding(self._database, query, numbers, version=version)
        return [int(n) for n in numbers], held, lengths

    def term_frequency(self, query: Iterable[str]) -> dict[str, int]:
        """How many passages hold each term."""
        sql = "SELECT term, SUM(count) FROM posting WHERE term IN ANY_TEXT(?) GROUP BY term"
        return {term: int(count) for term, count in self.rows(sql, (sorted(set(query)),))}

    def _alive(self, numbers: Iterable[int]) -> set[int]:
        return {n for (n,) in self.rows("SELECT n FROM passage WHERE n IN ANY_INT(?)", (list(numbers),))}

    def passages(self, numbers: Iterable[int]) -> dict[int, Passage]:
        """Passages by number; their span is their place in the document. A document without a date has its file's."""
        sql = (
            "SELECT p.n, p.start, p.text, d.id, d.title, d.url, d.as_of, o.mtime FROM passage p"
            " JOIN document d ON d.n = p.document JOIN origin o ON o.n = d.origin WHERE p.n IN ANY_INT(?)"
        )
        return {
            n: Passage(
                f"{id}@{start}",
                text,
                Source.CORPUS,
                title=title,
                url=url or None,
                span=Span(start, start + len(text)),
                as_of=as_of or _day(mtime),
            )
            for n, start, text, id, title, url, as_of, mtime in self.rows(sql, (list(numbers),))  # noqa: A001
        }

    def documents_of(self, numbers: Iterable[int]) -> dict[int, int]:
        """The number of the document that each passage is of."""
        return dict(self.rows("SELECT n, document FROM passage WHERE n IN ANY_INT(?)", (list(numbers),)))

    def around(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """Every passage of the documents of these passages, by document, in order."""
        found: dict[int, list[int]] = {}
        sql = "SELECT document, n FROM passage WHERE document IN ANY_INT(?) ORDER BY n"
        for document, number in self.rows(sql, (sorted(set(self.documents_of(numbers).values())),)):
            found.setdefault(document, []).append(number)
        return found

    # ── the graph ─────────────────────────────────────────────────────────────────────────────────────

    def nodes_in(self, text: str) -> dict[str, int]:
        """The nodes that `text` mentions: key to number, in order of appearance. Names no document has are left out."""
        folded = [word.folded for word in words(text)]
        stretches = {
            " ".join(folded[first:last])
            for first in range(len(folded))
            for last in range(first + 1, min(first + _LONGEST_NAME, len(folded)) + 1)
        }
        known = self.nodes(stretches)
        return {name: known[name] for name in named(text, known) if name in known}

    def nodes(self, keys: Iterable[str]) -> dict[str, int]:
        """Numbers of the nodes of these keys, as far as there are any."""
        return dict(self.rows("SELECT key, n FROM node WHERE key IN ANY_TEXT(?)", (sorted(set(keys)),)))

    def mentions(self, node: int) -> Numbers:
        """The passages that mention a node, ascending."""
        rows = self.rows("SELECT passage FROM mention WHERE node = ? ORDER BY passage", (node,))
        return np.fromiter((n for (n,) in rows), dtype=np.int64)

    def frequency(self, nodes: Iterable[int], *, most: int = 1_000_000) -> dict[int, int]:
        """How many passages mention each node, counted up to `most`; nodes that none mentions are left out."""
        sql = (
            "SELECT value, (SELECT COUNT(*) FROM (SELECT 1 FROM mention WHERE node = value LIMIT ?) AS counted)"
            " FROM EACH_INT(?)"
        )
        return {node: count for node, count in self.rows(sql, (most, list(nodes))) if count}

    def names_in(self, passages: Iterable[int]) -> dict[int, list[int]]:
        """The nodes that each passage mentions."""
        found: dict[int, list[int]] = {}
        sql = "SELECT passage, node FROM mention WHERE passage IN ANY_INT(?)"
        for passage, node in self.rows(sql, (list(passages),)):
            found.setdefault(passage, []).append(node)
        return found

    def title_nodes(self, passages: Iterable[int]) -> dict[int, list[int]]:
        """The node that the title of each passage's document is."""
        sql = (
            "SELECT p.n, d.node FROM passage p JOIN document d ON d.n = p.document"
            " WHERE d.node IS NOT NULL AND p.n IN ANY_INT(?)"
        )
        return {n: [node] for n, node in self.rows(sql, (list(passages),))}

    def pages(self, nodes: Iterable[int]) -> dict[int, list[int]]:
        """The passages of the documents whose title is the node (GraphRetrieve's “pages that correspond to entities”)."""
        found: dict[int, list[int]] = {}
        sql = (
            "SELECT d.node, p.n FROM document d JOIN passage p ON p.document = d.n"
            " WHERE d.node IN ANY_INT(?) ORDER BY p.n"
        )
        for node, passage in self.rows(sql, (list(nodes),)):
            found.setdefault(node, []).append(passage)
        return found


def _day(mtime: int) -> str:
    """The day of a time in nanoseconds, in UTC; empty for 0, which stands for no file."""
    return datetime.fromtimestamp(mtime / 1e9, tz=UTC).date().isoformat() if mtime else ""
