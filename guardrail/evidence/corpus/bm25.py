"""Okapi BM25 over texts that are held in memory: the passages of one request, the candidates of one claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.corpus.terms import terms

__all__ = ["Bm25", "idf"]

K1 = 1.2
B = 0.6  # sentences differ in length for reasons of style: normalised less than documents (0.75)

Floats = NDArray[np.float64]


def idf(frequency: int, count: int) -> float:
    """Inverse document frequency of a term that `frequency` of `count` texts hold; never negative."""
    return float(np.log1p((count - frequency + 0.5) / (frequency + 0.5)))


class Bm25:
    """An index built once over `texts`; a search costs the postings of the query's terms."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(terms(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
        mean = lengths.mean() if len(lengths) and lengths.mean() > 0 else 1.0
        self._norm: Floats = K1 * (1 - B + B * lengths / mean)
        postings: dict[str, list[tuple[int, int]]] = {}
        for place, count in enumerate(counts):
            for term, times in count.items():
                postings.setdefault(term, []).append((place, times))
        self._postings = {term: np.array(pairs, dtype=np.int64) for term, pairs in postings.items()}
        self._count = len(texts)

    def __len__(self) -> int:
        return self._count

    def idf(self, term: str) -> float:
        """Of a term of these texts; as for one text where it occurs in none."""
        return idf(len(self._postings.get(term, ())), self._count)

    def scores(self, query: str) -> Floats:
        """The score of every text, 0 where no term of the query occurs: float64 `[len(self)]`."""
        found: Floats = np.zeros(self._count)
        for term, times in Counter(terms(query)).items():
            pairs = self._postings.get(term)
            if pairs is not None:
                places, tf = pairs[:, 0], pairs[:, 1]
                found[places] += min(times, 2) * self.idf(term) * tf * (K1 + 1) / (tf + self._norm[places])
        return found

    def search(self, query: str, limit: int) -> list[tuple[int, float]]:
        """Places and scores of the best `limit` texts that share a term with `query`; ties in the order of the texts."""
        scores = self.scores(query)
        best = np.argsort(-scores, kind="stable")[:limit]
        return [(int(place), float(scores[place])) for place in best if scores[place] > 0]
