"""Vectors of sentences, in int8, shipped with the package: all-MiniLM-L6-v2, and the same tuned for properties.

The first gives the semantic similarity of TMS; the second finds which property a sentence speaks of.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from guardrail.models.encoder import Encoder, Tokens

__all__ = ["Embedder", "PropertyEmbedder"]

_LONGEST = 256  # tokens; what all-MiniLM-L6-v2 was trained on, the rest of a longer text is left out
_REMEMBERED = 16_384  # vectors of 1.5 kB; a statement is compared with one claim after another


class Embedder:
    """Implements `guardrail.types.Embedder`. Thread-safe; loads its weights at first use."""

    name = "all-MiniLM-L6-v2-int8"
    _graph = "sentence"

    def __init__(self, *, threads: int | None = None) -> None:
        self._encoder = Encoder(self._graph, threads=threads)
        self._lock = Lock()
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()  # asked for last, at the end

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32 `[len(texts), 384]`. Texts beyond 256 tokens are cut there."""
        return self._encoder.run([_cut(one) for one in self._encoder.tokenise(texts)]).reshape(-1, 384)

    def similarity(self, left: str, right: str) -> float:
        """Cosine of the two texts, in [-1, 1]."""
        return float(self.similarities([left], [right])[0, 0])

    def similarities(self, texts: Sequence[str], others: Sequence[str]) -> NDArray[np.float32]:
        """Cosines of each of `texts` with each of `others`, in [-1, 1], float32 `[len(texts), len(others)]`."""
        known = self._vectors([*texts, *others])
        left, right = (np.stack([known[one] for one in side]) for side in (texts, others))
        cosines: NDArray[np.float32] = np.clip(left @ right.T, -1.0, 1.0)
        return cosines

    def _vectors(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """By text; those that were not asked for of late are worked out together."""
        with self._lock:
            found = {one: self._known[one] for one in texts if one in self._known}
        fresh = list(dict.fromkeys(one for one in texts if one not in found))
        if fresh:
            found |= zip(fresh, self.embed(fresh), strict=True)
        with self._lock:
            for one, vector in found.items():
                self._known[one] = vector
                self._known.move_to_end(one)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found


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
