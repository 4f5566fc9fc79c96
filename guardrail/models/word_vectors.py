"""How like texts are by their words alone: far quicker than an encoder, and good enough to leave out what is far."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from guardrail.models.encoder import MODELS, tokenizer_of, word_table

__all__ = ["WordVectors"]

_COMMONEST = 1_000  # where words begin in the list, the most common first; what stands before are marks
_REMEMBERED = 16_384  # texts


class WordVectors:
    """Sums of the vectors of the words, which an encoder starts from: the rarer a word, the more it counts. Thread-safe."""

    def __init__(self, folder: Path = MODELS) -> None:
        self._tokenizer = tokenizer_of(folder)
        table = word_table(folder)
        self._words, self._scale = table["words"], table["words_scale"]
        places = np.arange(len(self._words))
        self._weights = np.log1p(np.maximum(places - _COMMONEST, 1)).astype(np.float32)
        self._pieces = lru_cache(maxsize=_REMEMBERED)(self._pieces_of)

    def likeness(self, text: str, others: Sequence[str]) -> NDArray[np.float32]:
        """Cosine of the text with each of the others, float32 `[len(others)]`; 0 where one has no words."""
        vectors = np.stack([self._vector(one) for one in (text, *others)])
        found: NDArray[np.float32] = vectors[1:] @ vectors[0]
        return found

    def _vector(self, text: str) -> NDArray[np.float32]:
        pieces = self._pieces(text)
        scale = self._scale[pieces, 0] * self._weights[pieces]
        summed: NDArray[np.float32] = scale.astype(np.float32) @ self._words[pieces].astype(np.float32)
        return summed / max(float(np.linalg.norm(summed)), 1e-9)

    def _pieces_of(self, text: str) -> NDArray[np.int64]:
        return np.array(self._tokenizer.encode(text, add_special_tokens=False).ids, np.int64)
