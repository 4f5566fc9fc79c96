"""A cross-encoder of the project's own files as a folder that transformers loads: the same weights, taken back from 8 bits to fp32,
with its calibration and its trees where it has one body.

For measuring the int8 runtime against torch fp32, and for serving the same model on a GPU:
`python -m eval.datasets.torch_twin FOLDER [MODELS]`.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.train.mpnet import positions_of
from eval.train.weights import layers_of, load
from guardrail.models.encoder import MODELS

__all__ = ["write_twin"]

Weights = dict[str, NDArray[np.generic]]
# Found for both bodies together, where there are two; a twin has the first alone.
_JUDGING = ("nli.json", "verdict.json")
_LABELS = ("attributable", "extrapolatory", "contradictory")


def write_twin(folder: Path, *, models: Path = MODELS) -> Path:
    """Writes config, tokenizer and weights of a sequence classifier, BERT or MPNet, into `folder`. Needs safetensors."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    with np.load(models / "embeddings.npz") as table, np.load(models / "nli.npz") as stored:
        tensors = {**_embeddings(dict(table)), **load(models / "nli.npz")}
        config = _config(dict(table), stored.files)
    save_file(
        {name: np.ascontiguousarray(value, np.float32) for name, value in tensors.items()},
        folder / "model.safetensors",
        metadata={"format": "pt"},
    )
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    for name in ("tokenizer.json", *(() if (models / "nli_long.onnx").exists() else _JUDGING)):
        if (models / name).exists():
            shutil.copy(models / name, folder / name)
    known = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    padding = "<pad>" if config["model_type"] != "bert" and "<pad>" in known else "[PAD]"
    tokens: dict[str, object] = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 512,
        "pad_token": padding,
    }
    if config["model_type"] != "bert":
        tokens["model_input_names"] = ["input_ids", "attention_mask"]
    (folder / "tokenizer_config.json").write_text(json.dumps(tokens), encoding="utf-8")
    return folder


def _config(table: Weights, names: list[str]) -> dict[str, object]:
    kind = "bert" if "kinds" in table else "mpnet"
    words, width = table["words"].shape
    shared: dict[str, object] = {
        "model_type": kind,
        "hidden_size": width,
        "num_hidden_layers": layers_of(names),
        "num_attention_heads": 12,
        "intermediate_size": 4 * width,
        "vocab_size": words,
        "id2label": dict(enumerate(_LABELS)),
        "label2id": {name: at for at, name in enumerate(_LABELS)},
    }
    if kind == "bert":
        return {**shared, "architectures": ["BertForSequenceClassification"], "max_position_embeddings": 512}
    return {
        **shared,
        "architectures": ["MPNetForSequenceClassification"],
        "max_position_embeddings": 514,
        "layer_norm_eps": 1e-5,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "pad_token_id": 1,
    }


def _embeddings(table: Weights) -> Weights:
    words = table["words"].astype(np.float32) * table["words_scale"].astype(np.float32)
    kind, positions = (
        ("bert", table["positions"]) if "kinds" in table else ("mpnet", positions_of(table["positions"]))
    )
    found: Weights = {
        "word_embeddings.weight": words,
        "position_embeddings.weight": positions,
        "LayerNorm.weight": table["embed_norm.gain"],
        "LayerNorm.bias": table["embed_norm.bias"],
    }
    if "kinds" in table:
        found["token_type_embeddings.weight"] = table["kinds"]
    return {f"{kind}.embeddings.{name}": value for name, value in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m eval.datasets.torch_twin")
    parser.add_argument("folder", type=Path, help="where it is written")
    parser.add_argument("models", type=Path, nargs="?", default=MODELS, help="the files that it is made of")
    given = parser.parse_args()
    print(write_twin(given.folder, models=given.models))


if __name__ == "__main__":
    main()
