"""Weights of a cross-encoder from wherever they lie, by the names of its checkpoint, and means of them.

Models that were tuned from one base lie near enough to each other that the mean of their weights is a model too, often a better one
on what neither was tuned on (model soups, Wortsman et al. 2022). Only checkpoints need safetensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.train.lean.stored import weights_of
from eval.train.mpnet import as_mpnet

__all__ = ["BODY", "layers_of", "load", "mean", "named", "save"]

Weights = dict[str, NDArray[np.generic]]

BODY = "trained.safetensors"  # what training changes; the word table is the base's
_PARTS = {
    "mix": "attention.output.dense",
    "up": "intermediate.dense",
    "down": "output.dense",
}
_NORMS = {"norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}


def load(path: Path) -> Weights:
    """fp32 weights from a checkpoint folder (whole, or only what was trained) or from the int8 file that ships.

    Raises FileNotFoundError where it is none of these.
    """
    if path.suffix == ".npz":
        return named(weights_of(path))
    from safetensors.numpy import load_file

    whole = path / "model.safetensors"
    found = load_file(whole if whole.exists() else path / BODY)
    kind = "mpnet." if any(".attention.attn." in key for key in found) else "bert."
    return {_full(key, kind): value.astype(np.float32) for key, value in found.items()}


def _full(key: str, kind: str) -> str:
    """A base's names lack the model's first word, which a classifier's have."""
    return key if key.startswith(("classifier", kind)) else f"{kind}{key}"


def layers_of(names: Iterable[str]) -> int:
    """How many layers there are among weights of these names, which are the graph's."""
    return sum(name.endswith(".qkv.weight") for name in names)


def mean(parts: Sequence[Weights], shares: Sequence[float]) -> Weights:
    """The weighted mean of what all parts hold. Raises ValueError unless the shares sum to one."""
    if abs(sum(shares) - 1) > 1e-6:
        raise ValueError(f"shares sum to {sum(shares)}")
    names = set(parts[0]).intersection(*parts[1:])
    return {
        name: np.average([part[name].astype(np.float32) for part in parts], axis=0, weights=shares)
        for name in sorted(names)
    }


def save(weights: Weights, base: Path, out: Path) -> None:
    """Writes a whole checkpoint: these weights, and the base's where they hold none (the word table)."""
    from safetensors.numpy import save_file

    out.mkdir(parents=True, exist_ok=True)
    whole = {**load(base), **weights}
    save_file(
        {name: np.ascontiguousarray(value, np.float32) for name, value in whole.items()},
        out / "model.safetensors",
    )


def named(plain: Mapping[str, NDArray[np.generic]]) -> Weights:
    """The graph's names and `[in, out]` matrices → those of a checkpoint of BERT, or of MPNet where tokens have distances."""
    found: Weights = {}

    def linear(name: str, weight: NDArray[np.generic], bias: NDArray[np.generic]) -> None:
        found[f"{name}.weight"], found[f"{name}.bias"] = weight.T, bias

    for layer in range(layers_of(plain)):
        at, name = f"bert.encoder.layer.{layer}", f"layer{layer}"
        weights = np.split(plain[f"{name}.qkv.weight"], 3, axis=1)
        biases = np.split(plain[f"{name}.qkv.bias"], 3)
        for part, weight, bias in zip(("query", "key", "value"), weights, biases, strict=True):
            linear(f"{at}.attention.self.{part}", weight, bias)
        for part, target in _PARTS.items():
            linear(f"{at}.{target}", plain[f"{name}.{part}.weight"], plain[f"{name}.{part}.bias"])
        for part, target in _NORMS.items():
            found[f"{at}.{target}.weight"] = plain[f"{name}.{part}.gain"]
            found[f"{at}.{target}.bias"] = plain[f"{name}.{part}.bias"]
    linear("bert.pooler.dense", plain["pooler.weight"], plain["pooler.bias"])
    linear("classifier", plain["classifier.weight"], plain["classifier.bias"])
    return as_mpnet(found, plain["distances"]) if "distances" in plain else found
