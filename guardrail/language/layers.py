"""The first layers of our pipeline as one graph: the numbers that spaCy gets from the same weights, in a fifth of the time.

spaCy runs every layer by itself, in Python, and lays out its weights anew for each sentence. Most sentences are too short for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from thinc.api import Model
from thinc.types import Floats2d

from guardrail.language.words import Words, states_of
from guardrail.models.encoder import MODELS, Graph, Weights

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["GRAPH", "PIECES", "frozen"]

GRAPH = "reading"  # how it is made: eval/train/reading.py
PIECES = 3  # of a maxout layer


def frozen(trained: Words) -> Words:
    """A model that gives what `trained` gives, but for the last digits, and cannot be trained."""
    nodes = list(trained.walk(order="dfs_pre"))
    columns = next(one.attrs["columns"] for one in nodes if one.name == "extract_features")
    tables = [one for one in nodes if one.name == "hashembed"]
    graph = Graph(MODELS / f"{GRAPH}.onnx", _weights(nodes), threads=1)

    def vectors(doc: Doc) -> Floats2d:
        keys = doc.to_array(columns)
        forms = np.hstack([table.predict(keys[:, at]) for at, table in enumerate(tables)])
        return cast("Floats2d", graph.run({"states": states_of(doc), "forms": forms}))

    def forward(
        _model: Words, docs: list[Doc], is_train: bool
    ) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Doc]]]:
        return [vectors(doc) for doc in docs], lambda _: []

    return Model(GRAPH, forward, dims={"nO": trained.get_dim("nO")})


def _weights(nodes: Sequence[Model[Any, Any]]) -> Weights:
    """Of each maxout layer and the norm behind it, in their order; the pieces of a maxout one after the other."""
    found: Weights = {}
    products = [one for one in nodes if one.name == "maxout"]
    norms = [one for one in nodes if one.name == "layernorm"]
    for at, (product, norm) in enumerate(zip(products, norms, strict=True)):
        weight, bias = np.asarray(product.get_param("W")), np.asarray(product.get_param("b"))
        found |= {
            f"layer{at}.weight": np.concatenate(list(weight.swapaxes(0, 1))),
            f"layer{at}.bias": np.concatenate(list(bias.T)),
            f"layer{at}.gain": np.asarray(norm.get_param("G")),
            f"layer{at}.shift": np.asarray(norm.get_param("b")),
        }
    return found
