"""Fills a corpus: only what has changed is read again, all of one run is written in batches that stand or fall whole.

A file whose size and time of change are as before is not opened. In a file that has changed, documents (rows) whose
content is as before stay as they are. What is no longer there is removed; its postings go when the index is packed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from guardrail.errors import KnowledgeError
from guardrail.evidence.corpus import postings
from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import (
    Document,
    Skipped,
    other_files,
    read_file,
    source_files,
    storable,
)
from guardrail.evidence.corpus.frames import Granularity, frames, named, title_key
from guardrail.evidence.corpus.terms import terms
from guardrail.evidence.store.database import Cursor

__all__ = ["Indexed", "Names", "index", "index_documents"]

Names = Callable[[str], Sequence[str]]
Progress = Callable[[int, int], None]

_BATCH = 20_000  # passages written at a time
_UNREAD = (-1, 0)  # size and time of a file that is to be read again
_TOTAL = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_STALE = 0.3  # share of removed passages from which on the index is packed anew


@dataclass(slots=True)
class Indexed:
    """What a run did. `skipped`: what could not be read; `others`: files in the directory that are of no kind that is read."""

    files: int = 0
    unchanged: int = 0
    documents: int = 0
    passages: int = 0
    removed: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    others: list[Skipped] = field(default_factory=list)


def index(
    corpus: Corpus, source: Path | str, *, names: Names | None = None, progress: Progress | None = None
) -> Indexed:
    """Bring the corpus up to date with a directory or a file. `names` finds the names in a passage; None: capitalised phrases.

    `progress` is called with the files done and their number. Raises KnowledgeError where there is no such source.
    """
    root = Path(source).absolute()
    if not root.exists():
        raise KnowledgeError(f"nothing to index at {source}")
    files, done = source_files(root), Indexed(others=other_files(root))
    known = {
        path: (n, size, mtime)
        for n, path, size, mtime in corpus.rows("SELECT n, path, size, mtime FROM origin")
    }
    below = [path for path in known if Path(path) == root or root in Path(path).parents]
    writer = _Writer(corpus, names, done)
    for number, file in enumerate(files, start=1):
        status, name = file.stat(), str(file)
        done.files += 1
        if name in known and known[name][1:] == (status.st_size, status.st_mtime_ns):
            done.unchanged += 1
        else:
            writer.origin(name, status.st_size, status.st_mtime_ns, read_file(file, name))
        if progress is not None:
            progress(number, len(files))
    gone = set(below) - {str(file) for file in files}
    writer.forget(known[path][0] for path in gone)
    writer.finish()
    return done


def index_documents(
    corpus: Corpus, documents: Iterable[Document], *, origin: str, names: Names | None = None
) -> Indexed:
    """Bring the part of the corpus that came from `origin` up to date with `documents`."""
    done = Indexed()
    writer = _Writer(corpus, names, done)
    writer.origin(origin, 0, 0, documents)
    writer.finish()
    return done


class _Writer:
    """Collects rows and writes them a batch at a time; a run that breaks off leaves the batches before it."""

    def __init__(self, corpus: Corpus, names: Names | None, done: Indexed) -> None:
        self._corpus, self._names, self._done = corpus, names, done
        self._granularity = Granularity(corpus.meta()["granularity"])
        self._passage = _last(corpus, "n", "passage")
        self._document = _last(corpus, "n", "document")
        self._segment = _last(corpus, "segment", "posting")
        self._origin = _last(corpus, "n", "origin")
        self._titles = {
            key for (key,) in corpus.rows("SELECT DISTINCT k.key FROM node k JOIN document d ON d.node = k.n")
        }
        self._changed = False
        self._clear()

    def _clear(self) -> None:
        self._new: list[tuple[int, Document, int]] = []
        self._frames: list[tuple[int, int, int, str]] = []
        self._terms: dict[str, list[tuple[int, int, int]]] = {}
        self._length = 0
        self._remove: list[int] = []
        self._origins: list[tuple[str, int, int]] = []

    def origin(self, path: str, size: int, mtime: int, found: Iterable[Document | Skipped]) -> None:
        """Replace what came from one file by what is in it now."""
        number = self._numbered(path)
        rows = self._corpus.rows("SELECT id, n, digest FROM document WHERE origin = ?", (number,))
        before: dict[str, tuple[int, bytes]] = {id: (n, digest) for id, n, digest in rows}  # noqa: A001
        seen: set[str] = set()
        hindered = False
        for item in found:
            if isinstance(item, Skipped):
                self._done.skipped.append(item)
                hindered |= item.outside
                continue
            document = storable(item)
            if document.id in seen:
                self._done.skipped.append(Skipped(document.id, "a second document of this id"))
            else:
                seen.add(document.id)
                self._document_changed(document, number, before.get(document.id))
            if len(self._frames) >= _BATCH:
                self.flush()
        self._remove += [n for id, (n, _) in before.items() if id not in seen]  # noqa: A001
        self._done.removed += len(before.keys() - seen)
        self._origins.append((path, *_UNREAD) if hindered else (path, size, mtime))

    def _numbered(self, path: str) -> int:
        """The number of a file, which is known from now on, but not yet as read."""
        known = self._corpus.rows("SELECT n FROM origin WHERE path = ?", (path,))
        if known:
            return int(known[0][0])
        self._origin += 1
        with self._corpus.transaction() as db:
            db.many(
                "INSERT INTO origin (n, path, size, mtime) VALUES (?, ?, ?, ?)",
                [(self._origin, path, *_UNREAD)],
            )
        return self._origin

    def forget(self, origins: Iterable[int]) -> None:
        """Remove what came from files that are gone."""
        for number in origins:
            rows = self._corpus.rows("SELECT n FROM document WHERE origin = ?", (number,))
            self._remove += [n for (n,) in rows]
            self._done.removed += len(rows)
            with self._corpus.transaction() as db:
                db.many("DELETE FROM origin WHERE n = ?", [(number,)])

    def _document_changed(self, document: Document, origin: int, before: tuple[int, bytes] | None) -> None:
        if before is not None:
            if before[1] == document.digest:
                return
            self._remove.append(before[0])
        self._document += 1
        self._done.documents += 1
        self._new.append((self._document, document, origin))
        if document.title:
            self._titles.add(title_key(document.title))
        about = terms(document.title)
        for span in frames(document.text, self._granularity):
            self._passage += 1
            text = span.of(document.text)
            self._frames.append((self._passage, self._document, span.start, text))
            counted = Counter(terms(text))
            for term in about:  # a sentence is about what its document is about, though it says "he"
                counted.setdefault(term, 1)
            length = counted.total()
            self._length += length
            for term, times in counted.items():
                self._terms.setdefault(term, []).append((self._passage, times, length))

    def flush(self) -> None:
        """Write what has been collected."""
        if not (self._frames or self._remove or self._new or self._origins):
            return
        mentioned = [(n, self._mentioned(text)) for n, _, _, text in self._frames]
        titles = {number: title_key(document.title) for number, document, _ in self._new if document.title}
        with self._corpus.transaction() as db:
            self._removed(db)
            nodes = _nodes(db, {key for _, keys in mentioned for key in keys} | set(titles.values()))
            db.many(
                "INSERT INTO document (n, id, origin, title, url, as_of, node, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (n, d.id, origin, d.title, d.url, d.as_of, nodes.get(titles.get(n, "")), d.digest)
                    for n, d, origin in self._new
                ),
            )
            db.many("INSERT INTO passage (n, document, start, text) VALUES (?, ?, ?, ?)", self._frames)
            db.many(
                "INSERT INTO mention (node, passage) VALUES (?, ?) ON CONFLICT DO NOTHING",
                sorted((nodes[key], n) for n, keys in mentioned for key in keys),
            )
            if self._terms:
                self._segment += 1
                postings.add(db, self._segment, self._terms)
            _count(db, passages=len(self._frames), length=self._length)
            db.many(
                "UPDATE origin SET size = ?, mtime = ? WHERE path = ?",
                [(s, t, p) for p, s, t in self._origins],
            )
        self._done.passages += len(self._frames)
        self._changed = True
        self._clear()

    def _mentioned(self, text: str) -> Sequence[str]:
        return self._names(text) if self._names is not None else named(text, self._titles)

    def _removed(self, db: Cursor) -> None:
        if not self._remove:
            return
        gone = [(n,) for n in self._remove]
        inside = "(SELECT n FROM passage WHERE document = ?)"
        count = db.rows("SELECT COUNT(*) FROM passage")[0][0]
        db.many(f"DELETE FROM mention WHERE passage IN {inside}", gone)
        db.many("DELETE FROM passage WHERE document = ?", gone)
        db.many("DELETE FROM document WHERE n = ?", gone)
        after = db.rows("SELECT COUNT(*) FROM passage")[0][0]
        _count(db, dead=count - after)

    def finish(self) -> None:
        self.flush()
        meta = self._corpus.meta()
        if int(meta.get("dead", "0")) > _STALE * max(int(meta["passages"]), 1):
            pack(self._corpus)


def pack(corpus: Corpus) -> None:
    """Write the inverted index anew, without what was removed and in one segment."""
    with corpus.transaction() as db:
        db.rows("DELETE FROM posting")
        found: dict[str, list[tuple[int, int, int]]] = {}
        total = count = 0
        for number, text, title in _all_passages(db):
            counted = Counter(terms(text))
            for term in terms(title):
                counted.setdefault(term, 1)
            length = counted.total()
            total, count = total + length, count + 1
            for term, times in counted.items():
                found.setdefault(term, []).append((number, times, length))
        postings.add(db, 1, found)
        db.rows(
            "DELETE FROM node WHERE n NOT IN (SELECT node FROM mention) AND n NOT IN"
            " (SELECT node FROM document WHERE node IS NOT NULL)"
        )
        db.many(
            _TOTAL,
            [("passages", str(count)), ("terms", str(total)), ("dead", "0")],
        )
        _count(db)


def _all_passages(db: Cursor) -> Iterator[tuple[int, str, str]]:
    """Number, text and title of each, in order; a part of them is in memory at a time."""
    sql = (
        "SELECT p.n, p.text, d.title FROM passage p JOIN document d ON d.n = p.document"
        " WHERE p.n > ? ORDER BY p.n LIMIT ?"
    )
    last = 0
    while rows := db.rows(sql, (last, _BATCH)):
        yield from ((n, text, title) for n, text, title in rows)
        last = rows[-1][0]


def _last(corpus: Corpus, column: str, table: str) -> int:
    return int(corpus.rows(f"SELECT COALESCE(MAX({column}), 0) FROM {table}")[0][0])


def _nodes(db: Cursor, keys: set[str]) -> Mapping[str, int]:
    """The numbers of these names, new ones for those that had none."""
    known: dict[str, int] = dict(db.rows("SELECT key, n FROM node WHERE key IN ANY_TEXT(?)", (sorted(keys),)))
    last = db.rows("SELECT COALESCE(MAX(n), 0) FROM node")[0][0]
    fresh = {key: n for n, key in enumerate(sorted(keys - known.keys()), start=last + 1)}
    db.many("INSERT INTO node (n, key) VALUES (?, ?)", ((n, key) for key, n in fresh.items()))
    return known | fresh


def _count(db: Cursor, *, passages: int = 0, length: int = 0, dead: int = 0) -> None:
    """Keep the totals that BM25 needs; every call gives the corpus another version."""
    kept: dict[str, str] = dict(db.rows("SELECT key, value FROM meta"))
    meta = {key: int(kept.get(key, "0")) for key in ("passages", "terms", "dead", "version")}
    mean = meta["terms"] / meta["passages"] if meta["passages"] else 0
    changed = {
        "passages": meta["passages"] + passages - dead,
        "terms": max(meta["terms"] + length - round(dead * mean), 0),
        "dead": meta["dead"] + dead,
        "version": meta["version"] + 1,
    }
    db.many(_TOTAL, [(k, str(v)) for k, v in changed.items()])
