"""Embeddings by the sentence encoder that ships with the package."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import cache

from guardrail.models.embed import Embedder
from proxy.demo.speech import Json, Mistake, tokens
from proxy.wire.headers import Failure

__all__ = ["embeddings"]

_MOST = 64  # texts in one request


def embeddings(request: Json) -> Json:
    """POST /v1/embeddings: unit vectors of 384 numbers. Raises Mistake for an input that is no text."""
    texts = _texts(request.get("input"))
    vectors = _embedder().embed(texts).astype("<f4")
    coded = request.get("encoding_format") == "base64"
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(vector.tobytes()).decode() if coded else vector.tolist(),
        }
        for index, vector in enumerate(vectors)
    ]
    used = tokens(*texts)
    return {
        "object": "list",
        "data": data,
        "model": request["model"],
        "usage": {"prompt_tokens": used, "total_tokens": used},
    }


def _texts(given: object) -> Sequence[str]:
    texts = given if isinstance(given, list) else [given]
    words = [text for text in texts if isinstance(text, str)]
    if not 1 <= len(texts) <= _MOST or len(words) < len(texts):
        raise Mistake(Failure(400, f"input must be a text or a list of 1 to {_MOST} texts.", param="input"))
    return words


@cache
def _embedder() -> Embedder:
    return Embedder(threads=1)
