"""Sentence vectors for the semantic similarity of TMS.

`SentenceEmbedder` hashes character trigrams: it knows spelling, not meaning.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["SentenceEmbedder"]

_WIDTH = 384


class SentenceEmbedder:
    """Implements `guardrail.types.Embedder`. Thread-safe."""

    name = "trigrams"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32 `[len(texts), 384]`; a text without letters is the zero vector."""
        return np.stack([_vector(text) for text in texts]) if texts else np.zeros((0, _WIDTH), np.float32)

    def similarity(self, left: str, right: str) -> float:
        """Cosine of the two texts, in [-1, 1]."""
        return float(_vector(left) @ _vector(right))


@lru_cache(maxsize=4096)
def _vector(text: str) -> NDArray[np.float32]:
    vector = np.zeros(_WIDTH, np.float32)
    padded = f"  {' '.join(text.casefold().split())}  "
    for at in range(len(padded) - 2):
        vector[zlib.crc32(padded[at : at + 3].encode()) % _WIDTH] += 1.0
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
