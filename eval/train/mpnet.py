"""What a checkpoint of MPNet (Song et al. 2020) has otherwise than BERT's: names, where its positions begin, and a table of how far
apart two tokens are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["LONGEST", "as_bert", "as_mpnet", "is_mpnet", "positions_of"]

Weights = dict[str, NDArray[np.generic]]

LONGEST = 512  # tokens; the table of distances holds that many either way
_BEGIN = 2  # the place of the first token
_FAR = 128  # tokens apart from which on all are of one group
_GROUPS = 32
_POSITIONS = "embeddings.position_embeddings.weight"
_DISTANCES = "encoder.relative_attention_bias.weight"
_NAMES = (
    ("attention.attn.q.", "attention.self.query."),
    ("attention.attn.k.", "attention.self.key."),
    ("attention.attn.v.", "attention.self.value."),
    ("attention.attn.o.", "attention.output.dense."),
    ("attention.LayerNorm.", "attention.output.LayerNorm."),
    ("classifier.dense.", "pooler.dense."),
    ("classifier.out_proj.", "classifier."),
)


def is_mpnet(names: Iterable[str]) -> bool:
    return any(".attention.attn." in name for name in names)


def as_bert(tensors: Weights) -> Weights:
    """By BERT's names without the first word; `distances`, `[heads, 2 · LONGEST - 1]`: what each distance adds to the attention, from
    the key farthest before the query to the one farthest behind it.
    """
    # What a base has as its pooler no classifier of MPNet reads; the name is taken by the classifier's own first matrix.
    kept = {name: value for name, value in tensors.items() if "pooler." not in name}
    found = {_bert(name): value for name, value in kept.items()}
    found[_POSITIONS] = found[_POSITIONS][_BEGIN:]
    groups = found.pop(_DISTANCES)
    found["distances"] = groups[_grouped(np.arange(1 - LONGEST, LONGEST))].T
    return found


def as_mpnet(tensors: Weights, distances: NDArray[np.generic]) -> Weights:
    """The other way round, of the layers and the head. A group that no distance is in has zeros."""
    found = {_mpnet(name): value for name, value in tensors.items()}
    groups = np.zeros((_GROUPS, len(distances)), np.float32)
    groups[_grouped(np.arange(1 - LONGEST, LONGEST))] = distances.T
    found[f"mpnet.{_DISTANCES}"] = groups
    return found


def positions_of(table: NDArray[np.generic]) -> NDArray[np.generic]:
    """BERT's table of positions as MPNet has it: with rows before the first token that nothing reads."""
    return np.concatenate([np.zeros((_BEGIN, table.shape[1]), table.dtype), table])


def _bert(name: str) -> str:
    name = name.removeprefix("mpnet.")
    for theirs, ours in _NAMES:
        name = re.sub(rf"(^|\.){re.escape(theirs)}", rf"\1{ours}", name)
    return name


def _mpnet(name: str) -> str:
    bare = name.removeprefix("bert.")
    for theirs, ours in _NAMES:
        if ours in bare:
            bare = bare.replace(ours, theirs)
            break
    return bare if bare.startswith("classifier.") else f"mpnet.{bare}"


def _grouped(apart: NDArray[np.int64]) -> NDArray[np.int64]:
    """The group of each distance: half of the groups for keys behind the query, the nearest distances each for themselves, farther
    ones together, the farther the more (T5, Raffel et al. 2020, §2.1).
    """
    half = _GROUPS // 2
    near, away = half // 2, np.abs(apart)
    # In fp32, as the model itself counts: where a logarithm is a whole number, its last digit decides the group.
    share = np.log(np.maximum(away, 1).astype(np.float32) / near) / np.float32(math.log(_FAR / near))
    far = np.minimum(near + (share * (half - near)).astype(np.int64), half - 1)
    return np.where(apart > 0, half, 0) + np.where(away < near, away, far)
