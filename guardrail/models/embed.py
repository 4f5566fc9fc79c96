"""Vectors of sentences, in int8, shipped with the package: all-MiniLM-L6-v2, and the same tuned for properties.

The first gives the semantic similarity of TMS; the second finds which property a sentence speaks of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from guardrail.models.encoder import Encoder, Tokens

__all__ = ["Embedder", "PropertyEmbedder"]

_LONGEST = 256  # tokens; what all-MiniLM-L6-v2 was trained on, the rest of a longer text is left out
_REMEMBERED = 4096  # vectors of 1.5 kB; a triplet is compared with one claim after another


class Embedder:
    """Implements `guardrail.types.Embedder`. Thread-safe; loads its weights at first use."""

    name = "all-MiniLM-L6-v2-int8"
    _graph = "sentence"

    def __init__(self, *, threads: int | None = None) -> None:
        self._encoder = Encoder(self._graph, threads=threads)
        self._vector = lru_cache(maxsize=_REMEMBERED)(self._fresh)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32 `[len(texts), 384]`. Texts beyond 256 tokens are cut there."""
        return self._encoder.run([_cut(one) for one in self._encoder.tokenise(texts)]).reshape(-1, 384)

    def similarity(self, left: str, right: str) -> float:
        """Cosine of the two texts, in [-1, 1]."""
        return float(np.clip(self._vector(left) @ self._vector(right), -1.0, 1.0))

    def _fresh(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.embed([text])[0]
        return vector


class PropertyEmbedder(Embedder):
    """Tuned so that a sentence lies near the names of the property that it speaks of: "sets you back" and "price".

    The subject of the sentence stands in it as "it", a value as "something". How it is made: eval/train/properties.py.
    """

    name = "minilm-l6-properties-1"
    _graph = "property"


def _cut(tokens: Tokens) -> Tokens:
    if len(tokens) <= _LONGEST:
        return tokens
    return Tokens((*tokens.ids[: _LONGEST - 1], tokens.ids[-1]), tokens.kinds[:_LONGEST])
