"""The weight-free ONNX graph of a BERT or MPNet encoder in int8: a few kilobytes; its weights are handed over at load time.

How many layers there are, and whether the encoder knows kinds of tokens (BERT) or how far apart two tokens are (MPNet, Song et al. 2020,
§3.2), is read from its weights.

Activations are quantised with constants found on sample text, after each input channel was scaled down by what its
weights are scaled up (SmoothQuant, Xiao et al. 2022, eq. 3). A row's result thus depends on that row alone: batches,
whatever else is in them, give bit for bit what single requests give. Dynamic quantisation does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

from eval.train.mpnet import LONGEST
from eval.train.weights import layers_of

__all__ = ["STATES", "WIDTH", "Head", "Make", "build", "shapes_of"]

WIDTH = 384  # of the states of the sentence encoder
Head = Literal["classes", "sentence", "words"]
STATES = (
    0,
    2,
    3,
)  # the layers whose states the head `words` gives, 0 the embedding; higher ones are not worked out
_MS = "com.microsoft"
_TYPES = {"float32": TensorProto.FLOAT, "int8": TensorProto.INT8, "uint8": TensorProto.UINT8}


@dataclass(frozen=True, slots=True)
class Make:
    """What the weights of an encoder do not tell: its attention heads, and what its layer norms add to a variance."""

    heads: int = 12
    epsilon: float = 1e-12


@dataclass(slots=True)
class _Graph:
    """Collects nodes; a tensor that no node makes is an external weight of the shape that `shapes` gives."""

    shapes: dict[str, tuple[tuple[int, ...], str]]
    make: Make
    nodes: list[NodeProto] = field(default_factory=list)

    def add(self, kind: str, inputs: Sequence[str], output: str, *, domain: str = "", **more: object) -> str:
        self.nodes.append(helper.make_node(kind, list(inputs), [output], domain=domain, **more))
        return output

    def constant(self, name: str, value: int | list[int]) -> str:
        values = value if isinstance(value, list) else [value]
        shape = [len(values)] if isinstance(value, list) else []
        tensor = helper.make_tensor(f"{name}_value", TensorProto.INT64, shape, values)
        self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        return name

    def linear(self, inputs: str, name: str) -> str:
        """int8 matrix product with a constant activation scale; plain fp32 where the weights are not quantised."""
        if self.shapes[f"{name}.weight"][1] == "float32":
            product = self.add("MatMul", [inputs, f"{name}.weight"], f"{name}_product")
            return self.add("Add", [product, f"{name}.bias"], f"{name}_out")
        smooth = self.add("Mul", [inputs, f"{name}.smooth"], f"{name}_smooth")
        scale, zero = f"{name}.scale", f"{name}.zero"
        small = self.add("QuantizeLinear", [smooth, scale, zero], f"{name}_int8")
        matrix = [small, f"{name}.weight", scale, f"{name}.weight_scale", zero, "", f"{name}.bias"]
        return self.add("MatMulIntegerToFloat", matrix, f"{name}_out", domain=_MS)

    def residual(self, inputs: str, skip: str, name: str, output: str) -> str:
        weights = [inputs, skip, f"{name}.gain", f"{name}.bias"]
        return self.add("SkipLayerNormalization", weights, output, domain=_MS, epsilon=self.make.epsilon)


def build(
    shapes: dict[str, tuple[tuple[int, ...], str]],
    head: Head,
    make: Make | None = None,
    *,
    taps: bool = False,
) -> ModelProto:
    """The graph for weights of these shapes and types; with `taps` each linear layer's input is an output too."""
    graph = _Graph(shapes, make or Make())
    hidden = _embeddings(graph)
    apart = _distances(graph)
    last = layers_of(shapes) - 1
    tapped: list[str] = []
    states = [hidden]
    for layer in range(max(STATES) if head == "words" else last + 1):
        # The head of `classes` reads the first token only, so the last layer works that one out alone.
        alone = head == "classes" and layer == last
        hidden = _layer(graph, hidden, f"layer{layer}", tapped, apart, alone=alone)
        states.append(hidden)
    outputs = [_output(graph, head, states)]
    if taps:
        outputs += [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in dict.fromkeys(tapped)
        ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask", *(["token_type_ids"] if "kinds" in shapes else []))
    ]
    weights = [_external(name, *shape) for name, shape in shapes.items()]
    made = helper.make_graph(graph.nodes, head, inputs, outputs, initializer=weights)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(_MS, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=9)


def _output(graph: _Graph, head: Head, states: Sequence[str]) -> ValueInfoProto:
    if head == "words":
        joined = graph.add("Concat", [states[layer] for layer in STATES], "states", axis=-1)
        shape: list[str | int] = ["batch", "length", len(STATES) * WIDTH]
        return helper.make_tensor_value_info(joined, TensorProto.FLOAT, shape)
    output = _classes(graph, states[-1]) if head == "classes" else _sentence(graph, states[-1])
    return helper.make_tensor_value_info(
        output, TensorProto.FLOAT, ["batch", 3 if head == "classes" else WIDTH]
    )


def _external(name: str, shape: tuple[int, ...], dtype: str) -> TensorProto:
    tensor = TensorProto(name=name, data_type=_TYPES[dtype], data_location=TensorProto.EXTERNAL)
    tensor.dims.extend(shape)
    tensor.external_data.add(key="location", value="none")
    return tensor


def _embeddings(graph: _Graph) -> str:
    if graph.shapes["words"][1] == "int8":
        small = graph.add("Gather", ["words", "input_ids"], "words_int8")
        wide = graph.add("Cast", [small], "words_wide", to=TensorProto.FLOAT)
        scale = graph.add("Gather", ["words_scale", "input_ids"], "words_row_scale")
        words = graph.add("Mul", [wide, scale], "words_out")
    else:
        words = graph.add("Gather", ["words", "input_ids"], "words_out")
    shape = graph.add("Shape", ["input_ids"], "shape")
    length = graph.add("Gather", [shape, graph.constant("one", 1)], "length")
    places = graph.add("Range", [graph.constant("zero", 0), length, graph.constant("step", 1)], "places")
    positions = graph.add("Gather", ["positions", places], "positions_out")
    if "kinds" in graph.shapes:
        kinds = graph.add("Gather", ["kinds", "token_type_ids"], "kinds_out")
        words = graph.add("Add", [words, kinds], "words_kinds")
    total = graph.add("Add", [words, positions], "embedded")
    graph.add("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    return graph.add(
        "LayerNormalization",
        [total, "embed_norm.gain", "embed_norm.bias"],
        "hidden",
        axis=-1,
        epsilon=graph.make.epsilon,
    )


def _distances(graph: _Graph) -> str:
    """What the distance between two tokens adds to the attention that one pays the other, `[1, heads, tokens, tokens]`; "" where the
    encoder has no such table.
    """
    if "distances" not in graph.shapes:
        return ""
    down = graph.add("Unsqueeze", ["places", graph.constant("down", [1])], "places_down")
    across = graph.add("Unsqueeze", ["places", graph.constant("across", [0])], "places_across")
    apart = graph.add("Sub", [across, down], "apart")
    places = graph.add("Add", [apart, graph.constant("middle", LONGEST - 1)], "apart_places")
    added = graph.add("Gather", ["distances", places], "apart_heads", axis=1)
    return graph.add("Unsqueeze", [added, "across"], "apart_out")


def _layer(
    graph: _Graph, hidden: str, name: str, tapped: list[str], apart: str, *, alone: bool = False
) -> str:
    """One transformer layer over all tokens, or, with `alone`, what it gives for the first one."""
    packed = graph.linear(hidden, f"{name}.qkv")
    tapped.append(hidden)
    parts = [f"{name}.query", f"{name}.key", f"{name}.value"]
    graph.nodes.append(helper.make_node("Split", [packed], parts, axis=-1, num_outputs=3))
    if alone:
        only = graph.constant("only", [0])
        hidden = graph.add("Gather", [hidden, only], f"{name}.hidden_first", axis=1)
        parts[0] = graph.add("Gather", [parts[0], only], f"{name}.query_first", axis=1)
        apart = apart and graph.add("Gather", [apart, only], f"{name}.apart_first", axis=2)
    attended = graph.add(
        "MultiHeadAttention",
        [*parts, "", "mask", *([apart] if apart else [])],
        f"{name}.attended",
        domain=_MS,
        num_heads=graph.make.heads,
    )
    mixed = graph.residual(graph.linear(attended, f"{name}.mix"), hidden, f"{name}.norm1", f"{name}.hidden1")
    wide = graph.add("Gelu", [graph.linear(mixed, f"{name}.up")], f"{name}.wide", domain=_MS)
    tapped += [attended, mixed, wide]
    return graph.residual(graph.linear(wide, f"{name}.down"), mixed, f"{name}.norm2", f"{name}.hidden2")


def _classes(graph: _Graph, hidden: str) -> str:
    """BertForSequenceClassification's head: first token, pooler, tanh, three logits."""
    first = graph.add("Gather", [hidden, "zero"], "first", axis=1)
    pooled = graph.add("Tanh", [graph.linear(first, "pooler")], "pooled")
    return graph.linear(pooled, "classifier")


def _sentence(graph: _Graph, hidden: str) -> str:
    """The mean over the tokens that are not padding, of unit length."""
    mask = graph.add("Cast", ["attention_mask"], "mask_wide", to=TensorProto.FLOAT)
    lifted = graph.add("Unsqueeze", [mask, graph.constant("last", [2])], "mask_lifted")
    masked = graph.add("Mul", [hidden, lifted], "masked")
    along = graph.constant("along", [1])
    total = graph.add("ReduceSum", [masked, along], "total", keepdims=0)
    count = graph.add("ReduceSum", [mask, along], "count", keepdims=1)
    mean = graph.add("Div", [total, count], "mean")
    return graph.add("LpNormalization", [mean], "sentence", axis=-1, p=2)


def shapes_of(weights: dict[str, NDArray[np.generic]]) -> dict[str, tuple[tuple[int, ...], str]]:
    """Shape and type of each weight as the graph sees it: fp16 is only how it is stored."""
    return {
        name: (value.shape, "float32" if value.dtype == np.float16 else str(value.dtype))
        for name, value in weights.items()
    }
