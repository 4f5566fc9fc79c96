"""The inverted index of a corpus: postings packed in rows, BM25 over the rarest terms first.

A query's postings are read in the order of their rarity until there are enough candidates; commoner terms only add to
the scores of these. So a search costs about the same in ten thousand passages and in a million.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.corpus.bm25 import K1, B, Floats, idf
from guardrail.evidence.store.database import Cursor

__all__ = ["Posting", "Postings", "add", "pack"]

_CANDIDATES = 2_000  # passages whose score is worked out in full
_READ = 25_000  # postings from which candidates are drawn
_REMEMBERED = 24_000_000  # bytes of postings kept in memory
_ITEM = np.dtype([("passage", "<i4"), ("times", "u1"), ("length", "u1")])


class Posting(NamedTuple):
    """The passages that hold a term: numbers ascending, how often, and how many terms the passage has (255 at most)."""

    passages: NDArray[np.int32]
    times: NDArray[np.uint8]
    lengths: NDArray[np.uint8]


class Postings:
    """Reads the index of one corpus. Safe to share between threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Posting] = OrderedDict()
        self._bytes = 0
        self._version = -1
        self._lock = Lock()

    def search(
        self,
        db: Cursor,
        query: Sequence[str],
        *,
        count: int,
        mean: float,
        limit: int,
        version: int,
    ) -> tuple[NDArray[np.int32], Floats]:
        """The best passages for the terms of `query` and their scores, best first; ties by number.

        `count` passages of `mean` terms are in the corpus of this `version`.
        """
        found = self._fetch(db, frozenset(query), version)
        if not found:
            return np.empty(0, np.int32), np.empty(0)
        weights = {
            t: min(n, 2) * idf(len(found[t].passages), count) for t, n in Counter(query).items() if t in found
        }
        order = sorted(weights, key=lambda term: len(found[term].passages))
        candidates = self._candidates(found, order)
        scores = np.zeros(len(candidates))
        for term in order:
            posting = found[term]
            places = np.searchsorted(posting.passages, candidates)
            places[places == len(posting.passages)] = 0
            hit = posting.passages[places] == candidates
            times = posting.times[places[hit]].astype(np.float64)
            norm = K1 * (1 - B + B * posting.lengths[places[hit]] / mean)
            scores[hit] += weights[term] * times * (K1 + 1) / (times + norm)
        best = np.lexsort((candidates, -scores))[:limit]
        return candidates[best], scores[best]

    def holding(
        self, db: Cursor, query: Sequence[str], passages: NDArray[np.int32], *, version: int
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Which passages (ascending) hold which terms: `[len(passages), len(query)]`; and how many terms each has.

        The number of terms is known, and not 0, where the passage holds any of them.
        """
        held = np.zeros((len(passages), len(query)), dtype=np.bool_)
        lengths = np.zeros(len(passages), dtype=np.int64)
        found = self._fetch(db, frozenset(query), version)
        for column, term in enumerate(query):
            posting = found.get(term)
            if posting is None:
                continue
            places = np.searchsorted(posting.passages, passages)
            places[places == len(posting.passages)] = 0
            hit = posting.passages[places] == passages
            held[:, column] = hit
            lengths[hit] = posting.lengths[places[hit]]
        return held, lengths

    def _candidates(self, found: Mapping[str, Posting], order: Sequence[str]) -> NDArray[np.int32]:
        """Passages that hold the rarest terms; of a term too common to read whole, only with another one."""
        read, spent = [], 0
        for place, term in enumerate(order):
            passages = found[term].passages
            if place and spent + len(passages) > _READ:
                break
            read.append(passages)
            spent += len(passages)
        together = np.sort(np.concatenate(read), kind="stable")  # sorted runs: merged, not sorted
        passages = together[np.concatenate(([True], together[1:] != together[:-1]))]
        if len(passages) <= _CANDIDATES:
            return passages
        weight = np.zeros(len(passages))
        for term, one in zip(order, read, strict=False):
            weight[np.searchsorted(passages, one)] += 1.0 / np.log1p(len(found[term].passages))
        best = np.argpartition(-weight, _CANDIDATES)[:_CANDIDATES]
        return np.sort(passages[best])

    def _fetch(self, db: Cursor, wanted: frozenset[str], version: int) -> dict[str, Posting]:
        with self._lock:
            if version != self._version:
                self._kept.clear()
                self._bytes, self._version = 0, version
            found = {term: self._kept[term] for term in wanted if term in self._kept}
        missing = sorted(wanted - found.keys())
        packed: dict[str, list[bytes]] = {}
        sql = "SELECT term, packed FROM posting WHERE term IN ANY_TEXT(?) ORDER BY term, segment"
        for term, blob in db.rows(sql, (missing,)) if missing else ():
            packed.setdefault(term, []).append(blob)
        for term, blobs in packed.items():
            found[term] = _unpacked(blobs)
            self._keep(term, found[term])
        return found

    def _keep(self, term: str, posting: Posting) -> None:
        with self._lock:
            self._kept[term] = posting
            self._bytes += len(posting.passages) * _ITEM.itemsize
            while self._bytes > _REMEMBERED and self._kept:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= len(dropped.passages) * _ITEM.itemsize


def _unpacked(blobs: Sequence[bytes]) -> Posting:
    items = np.frombuffer(b"".join(blobs), dtype=_ITEM)
    passages = np.ascontiguousarray(items["passage"])
    order = np.argsort(passages, kind="stable") if np.any(np.diff(passages) < 0) else slice(None)
    return Posting(
        passages[order],
        np.ascontiguousarray(items["times"])[order],
        np.ascontiguousarray(items["length"])[order],
    )


def pack(items: Iterable[tuple[int, int, int]]) -> bytes:
    """Postings (passage, times, length), passages ascending, as one row holds them."""
    clipped = [(passage, min(times, 255), min(length, 255)) for passage, times, length in items]
    return np.array(clipped, dtype=_ITEM).tobytes()


def add(db: Cursor, segment: int, postings: Mapping[str, Sequence[tuple[int, int, int]]]) -> None:
    """Write the postings of one segment."""
    db.many(
        "INSERT INTO posting (term, segment, count, packed) VALUES (?, ?, ?, ?)",
        ((term, segment, len(items), pack(items)) for term, items in sorted(postings.items())),
    )
