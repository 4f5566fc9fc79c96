"""The ONNX graph without weights: its classes are those of the plain encoder, and a row stands for itself."""

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed")

from eval.train.graph import build, shapes_of
from guardrail.models.encoder import MODELS, Encoder, Tokens, _session, _table, _weights


def test_the_graph_gives_what_the_shipped_one_gives() -> None:
    """Built anew from the shapes of the shipped weights it answers bit for bit as the shipped graph does."""
    weights = {**_table(MODELS), **_weights(MODELS, "nli")}
    with np.load(MODELS / "embeddings.npz") as table, np.load(MODELS / "nli.npz") as stored:
        shapes = shapes_of({**{k: table[k] for k in table.files}, **{k: stored[k] for k in stored.files}})
    session = _session(build(shapes, "classes").SerializeToString(), weights, 1)
    ids = np.arange(1000, 1024, dtype=np.int64)[None]
    feed = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.repeat([[0, 1]], 12, axis=1),
    }
    tokens = Tokens(tuple(ids[0].tolist()), tuple(feed["token_type_ids"][0].tolist()))
    assert np.array_equal(session.run(None, feed)[0], Encoder("nli").run([tokens]))
