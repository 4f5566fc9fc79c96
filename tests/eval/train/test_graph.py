"""The ONNX graph without weights: its classes are those of the plain encoder, and a row stands for itself."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed")

from eval.train.graph import build, shapes_of
from guardrail.models.encoder import MODELS, Encoder


@pytest.fixture
def built(tmp_path: Path) -> Encoder:
    """The shipped weights under a graph that is built anew from their shapes."""
    for name in ("nli.npz", "embeddings.npz", "nli.json", "tokenizer.json"):
        (tmp_path / name).symlink_to(MODELS / name)
    with np.load(MODELS / "embeddings.npz") as table, np.load(MODELS / "nli.npz") as stored:
        shapes = shapes_of({**{k: table[k] for k in table.files}, **{k: stored[k] for k in stored.files}})
    (tmp_path / "nli.onnx").write_bytes(build(shapes, "classes").SerializeToString())
    return Encoder("nli", folder=tmp_path, threads=1)


def test_the_graph_gives_what_the_shipped_one_gives(built: Encoder) -> None:
    """Built anew from the shapes of the shipped weights it answers bit for bit as the shipped graph does."""
    shipped = Encoder("nli", threads=1)
    tokens = shipped.tokenise(
        [("The deposit is two weeks' rent.", "Six weeks of rent are due before the keys.")]
    )
    assert np.array_equal(built.run(tokens), shipped.run(tokens))
