"""A cross-encoder of two narrow layers with random weights, in the product's files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

WIDTH, WORDS, PLACES = 24, 30_522, 336


def write_model(folder: Path) -> Path:
    """The folder, with two bodies of the same weights and `embeddings.npz` in it."""
    rng = np.random.default_rng(0)

    def drawn(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.2, shape).astype(np.float32)

    body: dict[str, np.ndarray] = {"pooler.weight": drawn(WIDTH, WIDTH), "pooler.bias": drawn(WIDTH)}
    body |= {"classifier.weight": drawn(WIDTH, 3), "classifier.bias": drawn(3)}
    for layer in range(2):
        for name, high, wide in (("qkv", 1, 3), ("mix", 1, 1), ("up", 1, 4), ("down", 4, 1)):
            body[f"layer{layer}.{name}.weight"] = drawn(high * WIDTH, wide * WIDTH)
            body[f"layer{layer}.{name}.bias"] = drawn(wide * WIDTH)
        for name in ("norm1", "norm2"):
            body[f"layer{layer}.{name}.gain"] = np.ones(WIDTH, np.float32)
            body[f"layer{layer}.{name}.bias"] = drawn(WIDTH)
    table = {"words": drawn(WORDS, WIDTH), "words_scale": np.ones((WORDS, 1), np.float32)}
    table |= {"positions": drawn(PLACES, WIDTH), "kinds": drawn(2, WIDTH)}
    table |= {"embed_norm.gain": np.ones(WIDTH, np.float32), "embed_norm.bias": drawn(WIDTH)}
    folder.mkdir(exist_ok=True)
    for name in ("nli", "nli_long"):
        np.savez(folder / f"{name}.npz", **body)  # type: ignore[arg-type]
    np.savez(folder / "embeddings.npz", **table)  # type: ignore[arg-type]
    return folder
