"""A corpus of reference documents in one file beside the knowledge graph: passages, names, inverted index.

    with Corpus.open("corpus.db") as corpus:
        corpus.search("When was the Eiffel Tower opened?", limit=5)

Reading is safe from many threads. indexing.py writes.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from guardrail.errors import KnowledgeDamaged, KnowledgeError, KnowledgeMissing
from guardrail.evidence.frames import Granularity, named
from guardrail.evidence.names import words
from guardrail.evidence.postings import Postings
from guardrail.evidence.terms import terms
from guardrail.types import Passage, Source, Span

__all__ = ["Corpus", "CorpusStats", "Hit"]

APPLICATION_ID = 0x47524350  # "GRCP"
_LONGEST_NAME = 8
_AFFORDED = 300_000  # postings of one query
_AT_ONCE = 900  # parameters of one query

Numbers = NDArray[np.int64]
T = TypeVar("T")


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
    """A corpus file. `names`: how names are found in a text (keys of nodes); None: capitalised phrases."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.path, self.read_only = path, read_only
        self._local = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._postings = Postings()

    @classmethod
    def open(cls, path: Path | str, *, read_only: bool = True) -> Self:
        """Raises KnowledgeMissing or KnowledgeDamaged."""
        where = Path(path)
        if not where.exists():
            raise KnowledgeMissing(where)
        corpus = cls(where, read_only=read_only)
        try:
            (application,) = corpus.db.execute("PRAGMA application_id").fetchone()
            corpus.db.execute("SELECT value FROM meta").fetchone()
        except sqlite3.DatabaseError as error:
            corpus.close()
            raise KnowledgeDamaged(where, str(error)) from error
        if application != APPLICATION_ID:
            corpus.close()
            raise KnowledgeDamaged(where, "an SQLite file of another application")
        return corpus

    @classmethod
    def create(cls, path: Path | str, *, granularity: Granularity = Granularity.SENTENCE) -> Self:
        """An empty corpus. Raises KnowledgeError where there is a file already, or none can be made."""
        where = Path(path)
        if where.exists() and where.stat().st_size:
            raise KnowledgeError(f"{where} exists already")
        corpus = cls(where, read_only=False)
        try:
            where.parent.mkdir(parents=True, exist_ok=True)
            corpus.db.execute("PRAGMA page_size = 8192")
            corpus.db.execute("PRAGMA journal_mode = WAL")
            tables = files("guardrail.evidence").joinpath("corpus.sql").read_text("utf-8")
            corpus.db.executescript(
                f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; {tables} INSERT INTO meta VALUES "
                f"('granularity', '{granularity}'), ('version', '0'), ('terms', '0'), ('passages', '0'); COMMIT;"
            )
        except (OSError, sqlite3.Error) as error:
            raise KnowledgeError(f"cannot write {where}: {error}") from error
        return corpus

    @property
    def db(self) -> sqlite3.Connection:
        """The connection of this thread."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            mode = "?mode=ro" if self.read_only else ""
            connection = sqlite3.connect(
                f"{self.path.absolute().as_uri()}{mode}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
            connection.execute("PRAGMA cache_size = -32000")
            connection.execute("PRAGMA mmap_size = 1073741824")
            self._local.connection = connection
            with self._lock:
                self._all.append(connection)
        return connection

    def close(self) -> None:
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()
        self._local = threading.local()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One batch of changes, whole or not at all. Raises KnowledgeError where the disk or the file refuses."""
        try:
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield self.db
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise KnowledgeError(f"{self.path}: {error}") from error

    # ── what is in it ─────────────────────────────────────────────────────────────────────────────────

    def meta(self) -> dict[str, str]:
        return dict(self.db.execute("SELECT key, value FROM meta"))

    def stats(self) -> CorpusStats:
        meta = self.meta()
        documents, passages, nodes, mentions = (
            self.db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
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
            self.db,
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
        held, lengths = self._postings.holding(self.db, query, numbers, version=version)
        return [int(n) for n in numbers], held, lengths

    def term_frequency(self, query: Iterable[str]) -> dict[str, int]:
        """How many passages hold each term."""
        sql = "SELECT term, SUM(count) FROM posting WHERE term IN {} GROUP BY term"
        return {
            term: count
            for chunk in _chunks(set(query))
            for term, count in self.db.execute(sql.format(_marks(chunk)), chunk)
        }

    def _alive(self, numbers: Iterable[int]) -> set[int]:
        sql = "SELECT n FROM passage WHERE n IN "
        return {n for chunk in _chunks(numbers) for (n,) in self.db.execute(sql + _marks(chunk), chunk)}

    def passages(self, numbers: Iterable[int]) -> dict[int, Passage]:
        """Passages by number; their span is their place in the document."""
        sql = (
            "SELECT p.n, p.start, p.text, d.id, d.title, d.url, d.as_of FROM passage p"
            " JOIN document d ON d.n = p.document WHERE p.n IN "
        )
        return {
            n: Passage(
                f"{id}@{start}",
                text,
                Source.CORPUS,
                title=title,
                url=url or None,
                span=Span(start, start + len(text)),
                as_of=as_of,
            )
            for chunk in _chunks(numbers)
            for n, start, text, id, title, url, as_of in self.db.execute(sql + _marks(chunk), chunk)  # noqa: A001
        }

    def documents_of(self, numbers: Iterable[int]) -> dict[int, int]:
        """The number of the document that each passage is of."""
        sql = "SELECT n, document FROM passage WHERE n IN "
        return {n: d for chunk in _chunks(numbers) for n, d in self.db.execute(sql + _marks(chunk), chunk)}

    def around(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """Every passage of the documents of these passages, by document, in order."""
        found: dict[int, list[int]] = {}
        for chunk in _chunks(set(self.documents_of(numbers).values())):
            sql = f"SELECT document, n FROM passage WHERE document IN {_marks(chunk)} ORDER BY n"
            for document, number in self.db.execute(sql, chunk):
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
        sql = "SELECT key, n FROM node WHERE key IN "
        return {k: n for chunk in _chunks(keys) for k, n in self.db.execute(sql + _marks(chunk), chunk)}

    def mentions(self, node: int) -> Numbers:
        """The passages that mention a node, ascending."""
        rows = self.db.execute("SELECT passage FROM mention WHERE node = ? ORDER BY passage", (node,))
        return np.fromiter((n for (n,) in rows), dtype=np.int64)

    def frequency(self, nodes: Iterable[int], *, most: int = 1_000_000) -> dict[int, int]:
        """How many passages mention each node, counted up to `most`; nodes that none mentions are left out."""
        sql = "SELECT COUNT(*) FROM (SELECT 1 FROM mention WHERE node = ? LIMIT ?)"
        counted = ((node, self.db.execute(sql, (node, most)).fetchone()[0]) for node in nodes)
        return {node: count for node, count in counted if count}

    def names_in(self, passages: Iterable[int]) -> dict[int, list[int]]:
        """The nodes that each passage mentions."""
        found: dict[int, list[int]] = {}
        sql = "SELECT passage, node FROM mention WHERE passage IN "
        for chunk in _chunks(passages):
            for passage, node in self.db.execute(sql + _marks(chunk), chunk):
                found.setdefault(passage, []).append(node)
        return found

    def title_nodes(self, passages: Iterable[int]) -> dict[int, list[int]]:
        """The node that the title of each passage's document is."""
        sql = "SELECT p.n, d.node FROM passage p JOIN document d ON d.n = p.document WHERE d.node IS NOT NULL AND p.n IN "
        return {
            n: [node]
            for chunk in _chunks(passages)
            for n, node in self.db.execute(sql + _marks(chunk), chunk)
        }

    def pages(self, nodes: Iterable[int]) -> dict[int, list[int]]:
        """The passages of the documents whose title is the node (GraphRetrieve's “pages that correspond to entities”)."""
        found: dict[int, list[int]] = {}
        sql = "SELECT d.node, p.n FROM document d JOIN passage p ON p.document = d.n WHERE d.node IN {} ORDER BY p.n"
        for chunk in _chunks(nodes):
            for node, passage in self.db.execute(sql.format(_marks(chunk)), chunk):
                found.setdefault(node, []).append(passage)
        return found


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    whole = list(items)
    for start in range(0, len(whole), _AT_ONCE):
        yield whole[start : start + _AT_ONCE]


def _marks(chunk: Sequence[object]) -> str:
    return f"({','.join('?' * len(chunk))})"
