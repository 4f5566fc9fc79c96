"""The shipped cross-encoder as a folder that transformers loads: the same weights, taken back from 8 bits to fp32.

For measuring the int8 runtime against torch fp32, and for serving the same model on a GPU.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from guardrail.models.encoder import MODELS

__all__ = ["write_twin"]

Weights = dict[str, NDArray[np.float32]]
_LAYERS, _WIDTH = 6, 384


def write_twin(folder: Path, *, models: Path = MODELS) -> Path:
    """Writes config, tokenizer and weights of a BertForSequenceClassification into `folder`. Needs safetensors."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    with np.load(models / "embeddings.npz") as table, np.load(models / "nli.npz") as stored:
        tensors = {**_embeddings(dict(table)), **_encoder(dict(stored))}
    save_file(
        {name: np.ascontiguousarray(value) for name, value in tensors.items()}, folder / "model.safetensors"
    )
    (folder / "config.json").write_text(json.dumps(_config()), encoding="utf-8")
    shutil.copy(models / "tokenizer.json", folder / "tokenizer.json")
    tokens = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(tokens), encoding="utf-8")
    return folder


def _config() -> dict[str, object]:
    names = ("attributable", "extrapolatory", "contradictory")
    return {
        "architectures": ["BertForSequenceClassification"],
        "model_type": "bert",
        "hidden_size": _WIDTH,
        "num_hidden_layers": _LAYERS,
        "num_attention_heads": 12,
        "intermediate_size": 1536,
        "vocab_size": 30522,
        "max_position_embeddings": 512,
        "id2label": dict(enumerate(names)),
        "label2id": {name: at for at, name in enumerate(names)},
    }


def _embeddings(table: dict[str, NDArray[np.generic]]) -> Weights:
    at = "bert.embeddings"
    words = table["words"].astype(np.float32) * table["words_scale"].astype(np.float32)
    return {
        f"{at}.word_embeddings.weight": words,
        f"{at}.position_embeddings.weight": table["positions"].astype(np.float32),
        f"{at}.token_type_embeddings.weight": table["kinds"].astype(np.float32),
        f"{at}.LayerNorm.weight": table["embed_norm.gain"].astype(np.float32),
        f"{at}.LayerNorm.bias": table["embed_norm.bias"].astype(np.float32),
    }


def _encoder(stored: dict[str, NDArray[np.generic]]) -> Weights:
    tensors: Weights = {}

    def linear(name: str, *targets: str) -> None:
        weight = stored[f"{name}.weight"].astype(np.float32)
        if f"{name}.smooth" in stored:
            weight = weight * stored[f"{name}.weight_scale"].astype(np.float32)
            weight = weight * stored[f"{name}.smooth"].astype(np.float32)[:, None]
        bias = stored[f"{name}.bias"].astype(np.float32)
        parts = zip(
            targets, np.split(weight, len(targets), axis=1), np.split(bias, len(targets)), strict=True
        )
        for target, part, offset in parts:
            tensors[f"{target}.weight"], tensors[f"{target}.bias"] = part.T, offset

    for layer in range(_LAYERS):
        at, here = f"bert.encoder.layer.{layer}", f"layer{layer}"
        self_ = f"{at}.attention.self"
        linear(f"{here}.qkv", f"{self_}.query", f"{self_}.key", f"{self_}.value")
        linear(f"{here}.mix", f"{at}.attention.output.dense")
        linear(f"{here}.up", f"{at}.intermediate.dense")
        linear(f"{here}.down", f"{at}.output.dense")
        for norm, target in (("norm1", f"{at}.attention.output"), ("norm2", f"{at}.output")):
            tensors[f"{target}.LayerNorm.weight"] = stored[f"{here}.{norm}.gain"].astype(np.float32)
            tensors[f"{target}.LayerNorm.bias"] = stored[f"{here}.{norm}.bias"].astype(np.float32)
    linear("pooler", "bert.pooler.dense")
    linear("classifier", "classifier")
    return tensors
