"""Weights in the product's files, and what a training changed of them.

A change is saved as whole steps of its row's greatest change, so that it takes few bits: a training moves weights little, and
what it moves them by need not be as exact as the weights themselves. There is one file for each layer, so that none is large.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Weights", "plain", "restored", "save_changes", "weights_of"]

Weights = dict[str, NDArray[np.float32]]

_OF_INT8 = ("weight_scale", "smooth", "scale", "zero")
_STEP = ".step"
_TINY = 1e-12  # a row that did not change has no step


def weights_of(path: Path) -> Weights:
    """What a .npz file of the product holds, in fp32, by the names of its graph; matrices are `[in, out]`."""
    return plain(_arrays(path))


def plain(stored: Mapping[str, NDArray[Any]]) -> Weights:
    """int8 matrices in fp32, the smoothing taken out: nearer to the model that was quantised than 1 % of a weight's norm."""
    found: Weights = {}
    for key, value in stored.items():
        layer, _, part = key.rpartition(".")
        if part in _OF_INT8:
            continue
        wide = value.astype(np.float32)
        if part == "weight" and f"{layer}.smooth" in stored:
            smooth = stored[f"{layer}.smooth"].astype(np.float32)
            wide = wide * stored[f"{layer}.weight_scale"].astype(np.float32) * smooth[:, None]
        found[key] = wide
    return found


def save_changes(weights: Weights, start: Weights, out: Path, *, bits: int) -> None:
    """Writes what `weights` have otherwise than `start` into the folder `out`: matrices of layers in `bits`, at most 8, the rest in fp32."""
    out.mkdir(parents=True, exist_ok=True)
    parts: dict[str, dict[str, Any]] = defaultdict(dict)
    for name in sorted(weights):
        part = name.partition(".")[0] if name.startswith("layer") else "head"
        parts[part] |= _in_steps(name, weights[name] - start[name], 2 ** (bits - 1) - 1)
    for part, arrays in parts.items():
        np.savez_compressed(out / f"{part}.npz", **arrays)


def _in_steps(name: str, change: NDArray[np.float32], most: int) -> dict[str, NDArray[Any]]:
    """`most`: the steps of a row's greatest change."""
    if change.ndim < 2 or not name.startswith("layer"):
        return {name: change}
    step = np.maximum(np.abs(change).max(axis=1, keepdims=True) / most, _TINY)
    return {name: np.rint(change / step).astype(np.int8), f"{name}{_STEP}": step}


def restored(folder: Path, start: Weights) -> Weights:
    """`start` with the changes that `save_changes` wrote. Raises FileNotFoundError where there are none."""
    paths = sorted(folder.glob("*.npz"))
    if not paths:
        raise FileNotFoundError(f"no changes in {folder}")
    changes = {name: value for path in paths for name, value in _arrays(path).items()}
    return {name: value + _change(name, changes) for name, value in start.items()}


def _change(name: str, changes: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
    step = changes.get(f"{name}{_STEP}", np.float32(1))
    found: NDArray[np.float32] = changes[name].astype(np.float32) * step
    return found


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path, allow_pickle=False) as file:
        return {key: file[key] for key in file.files}
