"""The cross-encoder of the product's files in torch: BERT, or MPNet where tokens have distances (Song et al. 2020, §3.2).

The word table stays as it is, because both bodies of the small model share it. On a GPU matrices are multiplied in bf16.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from eval.train.lean.pairs import BERT, MPNET
from eval.train.lean.stored import Weights, restored, weights_of

__all__ = ["Network", "usual_device"]

_HEADS = 12
_FARTHEST = 511  # tokens apart: where the table of distances ends
_UNSEEN = -1e4  # added to the attention that padding gets
_COMPILED = 64  # variants of a layer: by length, by whether it learns, by model
_PARTS = (
    *("qkv.weight", "qkv.bias", "mix.weight", "mix.bias", "norm1.gain", "norm1.bias"),
    *("up.weight", "up.bias", "down.weight", "down.bias", "norm2.gain", "norm2.bias"),
)


def usual_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


class Network:
    """The body `body` of the model in `folder`, with the `changes` of an earlier training where there are any.

    `start`: the weights of the file, which what is learnt is saved against.
    """

    def __init__(
        self, folder: Path, body: str = "nli", *, changes: Path | None = None, device: str | None = None
    ) -> None:
        self.device = device or usual_device()
        self.start = weights_of(folder / f"{body}.npz")
        begun = restored(changes, self.start) if changes else self.start
        self._weights = {name: self._tensor(value) for name, value in begun.items()}
        table = weights_of(folder / "embeddings.npz")
        self._table = {name: self._tensor(value) for name, value in table.items()}
        self._words = self._table.pop("words") * self._table.pop("words_scale")
        self.marks = MPNET if "distances" in begun else BERT
        self._epsilon = 1e-5 if "distances" in begun else 1e-12
        self._layers = sum(name.endswith(".qkv.weight") for name in begun)
        self._layer = _layer
        if self.device == "cuda":
            torch._dynamo.config.cache_size_limit = _COMPILED
            self._layer = torch.compile(_layer, dynamic=True)
        for weight in self.trained():
            weight.requires_grad_(True)

    def _tensor(self, value: np.ndarray) -> Tensor:
        return torch.tensor(value, dtype=torch.float32, device=self.device)

    def trained(self) -> list[Tensor]:
        """The weights that learn: all of the body but the distances of tokens."""
        return [weight for name, weight in self._weights.items() if name != "distances"]

    def weights(self) -> Weights:
        """As they are now, by the names of the file."""
        return {name: weight.detach().cpu().numpy() for name, weight in self._weights.items()}

    def __call__(self, ids: Tensor, kinds: Tensor, lengths: Tensor, dropout: float = 0.0) -> Tensor:
        """Logits, fp32 `[n, 3]`, of `ids` and `kinds` `[n, width]`, of which the first `lengths` `[n]` count.

        `dropout`: the share of what attention and the inner layer add that is left out at random, in training alone.
        """
        hidden, bias = self._embedded(ids, kinds), self._bias(lengths, ids.shape[1])
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            for at in range(self._layers):
                parts = [self._weights[f"layer{at}.{part}"] for part in _PARTS]
                hidden = self._layer(hidden, bias, self._epsilon, dropout, parts)
        pooled = torch.tanh(self._linear("pooler", hidden[:, 0].float()))
        return self._linear("classifier", pooled)

    def _linear(self, name: str, given: Tensor) -> Tensor:
        return functional.linear(given, self._weights[f"{name}.weight"].T, self._weights[f"{name}.bias"])

    def _embedded(self, ids: Tensor, kinds: Tensor) -> Tensor:
        table = self._table
        summed = self._words[ids] + table["positions"][: ids.shape[1]]
        if "kinds" in table:
            summed = summed + table["kinds"][kinds]
        norm = table["embed_norm.gain"], table["embed_norm.bias"]
        return functional.layer_norm(summed, summed.shape[-1:], *norm, self._epsilon)

    def _bias(self, lengths: Tensor, width: int) -> Tensor:
        """What is added to the attention, `[n, heads, width, width]`: distances, and that padding is not seen."""
        places = torch.arange(width, device=self.device)
        bias = torch.where(places < lengths[:, None], 0.0, _UNSEEN)[:, None, None, :]
        if "distances" in self._weights:
            bias = bias + self._weights["distances"][:, places - places[:, None] + _FARTHEST]
        narrow = torch.bfloat16 if self.device == "cuda" else torch.float32
        return bias.to(narrow).expand(len(lengths), _HEADS, width, width)


def _layer(hidden: Tensor, bias: Tensor, epsilon: float, dropout: float, parts: list[Tensor]) -> Tensor:
    """One layer; `parts` as in `_PARTS`."""
    qkv, qkv_bias, mix, mix_bias, gain1, bias1, up, up_bias, down, down_bias, gain2, bias2 = parts
    many, width, size = hidden.shape
    packed = functional.linear(hidden, qkv.T, qkv_bias).view(many, width, 3, _HEADS, size // _HEADS)
    query, key, value = packed.permute(2, 0, 3, 1, 4).unbind(0)
    seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
    mixed = functional.linear(seen.transpose(1, 2).reshape(many, width, size), mix.T, mix_bias)
    hidden = functional.layer_norm(hidden + _dropped(mixed, dropout), (size,), gain1, bias1, epsilon)
    inner = functional.gelu(functional.linear(hidden, up.T, up_bias))
    added = _dropped(functional.linear(inner, down.T, down_bias), dropout)
    return functional.layer_norm(hidden + added, (size,), gain2, bias2, epsilon)


def _dropped(given: Tensor, share: float) -> Tensor:
    return functional.dropout(given, share) if share else given
