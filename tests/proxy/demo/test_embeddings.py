"""Embeddings of the demo model."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from tests.proxy.demo.asking import ask, asked


async def test_what_means_the_same_lies_close() -> None:
    """Vectors come from a sentence encoder, one for each text in order."""
    texts = ["The cat sleeps.", "A cat is sleeping.", "Interest rates rose."]
    whole = await asked("/embeddings", input=texts)
    cat, same, other = (np.array(one["embedding"]) for one in whole["data"])
    assert cat @ same > 0.5 > cat @ other


async def test_numbers_may_be_packed() -> None:
    """`encoding_format: base64` holds the same numbers as the list."""
    plain = (await asked("/embeddings", input="x"))["data"][0]["embedding"]
    packed = (await asked("/embeddings", input="x", encoding_format="base64"))["data"][0]["embedding"]
    assert np.frombuffer(base64.b64decode(packed), "<f4").tolist() == pytest.approx(plain)


@pytest.mark.parametrize("given", [[], [1, 2], None, ["x"] * 100])
async def test_what_is_no_text_is_refused(given: object) -> None:
    """Token numbers, nothing and too much are clear errors."""
    assert (await ask("/embeddings", input=given))[0] == 400
