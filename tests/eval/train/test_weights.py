"""Weights from the files that ship and from checkpoints, and their means."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="safetensors is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")

from eval.train.__main__ import main
from eval.train.export import _encoder_weights
from eval.train.lean.stored import save_changes, weights_of
from eval.train.weights import load, mean, save
from guardrail.models.encoder import MODELS
from tests.eval.train.lean.small import write_model


def test_the_shipped_file_gives_back_the_weights_it_was_made_of() -> None:
    """Quantised again, the restored matrices are those of the file: a training can begin with what ships."""
    restored = load(MODELS / "nli.npz")
    plain = _encoder_weights({key.removeprefix("bert."): value for key, value in restored.items()}, "classes")
    with np.load(MODELS / "nli.npz") as stored:
        smooth = stored["layer3.up.smooth"].astype(np.float32)
        again = plain["layer3.up.weight"] / smooth[:, None] / stored["layer3.up.weight_scale"]
        assert np.array_equal(np.rint(again).astype(np.int8), stored["layer3.up.weight"])
        assert np.array_equal(plain["classifier.bias"], stored["classifier.bias"].astype(np.float32))


def test_a_mean_weighs_what_all_parts_hold() -> None:
    """Shares are those that were asked for, and must make a whole."""
    parts = [{"a": np.zeros(2, np.float32), "b": np.ones(1)}, {"a": np.full(2, 4, np.float32)}]
    found = mean(parts, [0.25, 0.75])
    assert list(found) == ["a"]
    assert found["a"].tolist() == [3.0, 3.0]
    with pytest.raises(ValueError, match=r"shares sum to 0\.5"):
        mean(parts, [0.25, 0.25])


def test_a_checkpoint_takes_the_rest_from_the_base(tmp_path: Path) -> None:
    """What was trained is saved with the base's word table, so that the folder stands alone."""
    base, out = tmp_path / "base", tmp_path / "out"
    table = {"bert.embeddings.word_embeddings.weight": np.ones((3, 2), np.float32)}
    save({"classifier.bias": np.zeros(3)}, _folder(base, table), out)
    assert set(load(out)) == {"classifier.bias", "bert.embeddings.word_embeddings.weight"}


def test_changes_that_were_carried_back_become_a_checkpoint(tmp_path: Path) -> None:
    """The weights they began with, changed, by the names of a checkpoint; the word table and the configuration are the base's."""
    file = write_model(tmp_path / "model") / "nli.npz"
    start = weights_of(file)
    save_changes({name: value + 1 for name, value in start.items()}, start, tmp_path / "changes", bits=8)
    table = {"bert.embeddings.word_embeddings.weight": np.ones((3, 2), np.float32)}
    base, out = _folder(tmp_path / "base", table), tmp_path / "out"
    (base / "config.json").write_text("{}", encoding="utf-8")
    main(
        [
            "restore",
            "--of",
            str(tmp_path / "changes"),
            "--start",
            str(file),
            "--base",
            str(base),
            "--out",
            str(out),
        ]
    )
    found = load(out)
    assert (out / "config.json").exists()
    assert found["bert.embeddings.word_embeddings.weight"].tolist() == table.popitem()[1].tolist()
    query = start["layer0.qkv.weight"][:, : len(start["layer0.qkv.weight"])].T
    assert np.allclose(found["bert.encoder.layer.0.attention.self.query.weight"], query + 1, atol=1e-5)


def _folder(path: Path, weights: dict[str, np.ndarray]) -> Path:
    from safetensors.numpy import save_file

    path.mkdir()
    save_file(weights, path / "model.safetensors")
    return path
