"""The graph of the layers that read English, `reading.onnx`: from the states and the form of each word to its vector.

It is what `guardrail.language.words` and spaCy's MaxoutWindowEncoder build, without weights; those of the pipeline are handed
over when it is loaded (`guardrail.language.layers`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from onnx import ModelProto, NodeProto, TensorProto, helper

from guardrail.language.layers import GRAPH, PIECES

__all__ = ["build", "write_reading"]


def write_reading(models: Path, *, width: int, states: int, forms: int, depth: int) -> None:
    """Writes the graph for layers of these sizes into the folder `models`."""
    (models / f"{GRAPH}.onnx").write_bytes(build(width, states, forms, depth).SerializeToString())


def build(width: int, states: int, forms: int, depth: int) -> ModelProto:
    """`states` and `forms` numbers of each word in, `width` out; `depth` layers look at the words beside each."""
    layers = _Layers(width)
    joined = layers.add("Concat", [layers.maxout("states", states), layers.maxout("forms", forms)], axis=1)
    # As spaCy has it: so many empty words at either end as the layers look far, and these take part.
    words = layers.padded(layers.maxout(joined, 2 * width), depth)
    for _ in range(depth):
        wide = layers.padded(words, 1)
        beside = [layers.cut(wide, 0, -2), words, layers.cut(wide, 2, _END)]
        words = layers.add("Add", [words, layers.maxout(layers.add("Concat", beside, axis=1), 3 * width)])
    vectors = layers.cut(words, depth, -depth)
    sizes = {"states": states, "forms": forms}
    inputs = [helper.make_tensor_value_info(k, TensorProto.FLOAT, ["words", n]) for k, n in sizes.items()]
    output = helper.make_tensor_value_info(vectors, TensorProto.FLOAT, ["words", width])
    made = helper.make_graph(layers.nodes, GRAPH, inputs, [output], initializer=layers.weights)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


_END = 2**31 - 1


class _Layers:
    """Collects nodes; `weights` are the places of the weights, numbered in the order of the layers."""

    def __init__(self, width: int) -> None:
        self.nodes: list[NodeProto] = []
        self.weights: list[TensorProto] = []
        self._width, self._layer = width, 0

    def add(self, kind: str, inputs: Sequence[str], **more: object) -> str:
        output = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **more))
        return output

    def maxout(self, inputs: str, size: int) -> str:
        """The largest of `PIECES` products for each number, normalised."""
        name, width = f"layer{self._layer}", self._width
        self._layer += 1
        shapes = {
            "weight": [PIECES * width, size],
            "bias": [PIECES * width],
            "gain": [width],
            "shift": [width],
        }
        weight, bias, gain, shift = (self._external(f"{name}.{key}", shape) for key, shape in shapes.items())
        product = self.add("Gemm", [inputs, weight, bias], transB=1)
        pieces = [f"{name}.piece{piece}" for piece in range(PIECES)]
        self.nodes.append(helper.make_node("Split", [product], pieces, axis=1, num_outputs=PIECES))
        largest = self.add("Max", pieces)
        return self.add("LayerNormalization", [largest, gain, shift], axis=-1, epsilon=1e-8)

    def padded(self, words: str, by: int) -> str:
        """With so many rows of zeros at either end."""
        return self.add("Pad", [words, self._numbers(by, 0, by, 0)])

    def cut(self, words: str, start: int, end: int) -> str:
        return self.add("Slice", [words, self._numbers(start), self._numbers(end)])

    def _numbers(self, *values: int) -> str:
        tensor = helper.make_tensor("", TensorProto.INT64, [len(values)], values)
        return self.add("Constant", [], value=tensor)

    def _external(self, name: str, shape: Sequence[int]) -> str:
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
        tensor.dims.extend(shape)
        tensor.external_data.add(key="location", value="none")
        self.weights.append(tensor)
        return name
