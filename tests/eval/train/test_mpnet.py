"""An MPNet cross-encoder becomes a graph of ours and comes back: what transformers says of a pair, the graph says, too."""

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")

from safetensors.numpy import load_file, save_file  # noqa: E402

from eval.datasets.torch_twin import write_twin  # noqa: E402
from eval.train.__main__ import _table  # noqa: E402
from eval.train.export import export  # noqa: E402
from eval.train.nli import _model  # noqa: E402
from eval.train.weights import load  # noqa: E402
from guardrail.errors import ConfigError  # noqa: E402
from guardrail.models.encoder import MODELS, Encoder  # noqa: E402
from guardrail.models.hub import Hub  # noqa: E402
from guardrail.models.nli import Embedded  # noqa: E402

PAIRS = [
    ("The deposit is six weeks' rent. " * 12, "The deposit is a week's rent."),
    ("The lawn is open to all residents from seven in the morning until dusk.", "The lawn opens at seven."),
    ("Rome is old.", "Rome is the capital of Italy."),
]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small MPNet with chance weights, behind the tokenizer that ships."""
    folder = tmp_path_factory.mktemp("mpnet")
    torch.manual_seed(0)
    config = transformers.MPNetConfig(
        vocab_size=30522,
        hidden_size=48,
        num_hidden_layers=3,
        num_attention_heads=12,
        intermediate_size=192,
        max_position_embeddings=514,
        layer_norm_eps=1e-5,
        num_labels=3,
    )
    model = transformers.MPNetForSequenceClassification(config)
    for weight in model.parameters():  # as far apart as trained ones: chance weights are near 0
        torch.nn.init.normal_(weight, 0.0, 0.12)
    model.save_pretrained(folder)
    # What a mean of checkpoints takes over from a base that has a pooler, and no classifier reads.
    tensors = load_file(folder / "model.safetensors")
    unread = {"mpnet.pooler.dense.weight": np.ones((48, 48), np.float32)}
    save_file({**tensors, **unread}, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "tokenizer.json").write_bytes((MODELS / "tokenizer.json").read_bytes())
    return folder


@pytest.fixture(scope="module")
def exported(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    _table(checkpoint, folder)
    export(checkpoint, folder, "nli", "classes", samples=PAIRS * 4)
    (folder / "nli.json").write_text(json.dumps({"name": "small-mpnet", "window": 320}))
    return folder


def _logits(checkpoint: Path, encoder: Encoder) -> np.ndarray:
    """As transformers works them out."""
    model = transformers.MPNetForSequenceClassification.from_pretrained(checkpoint).eval()
    with torch.inference_mode():
        rows = [model(input_ids=torch.tensor([one.ids])).logits[0] for one in encoder.tokenise(PAIRS)]
    return np.array([row.numpy() for row in rows])


def test_the_graph_says_what_transformers_says(checkpoint: Path, exported: Path) -> None:
    """Up to what eight bits round away; tokens up to 128 apart and farther have their own distances."""
    encoder = Encoder("nli", folder=exported, threads=1)
    ours, theirs = encoder.run(encoder.tokenise(PAIRS)), _logits(checkpoint, encoder)
    assert np.abs(ours - theirs).max() < 0.03 * np.abs(theirs).max()


def test_a_row_does_not_depend_on_the_others(exported: Path) -> None:
    encoder = Encoder("nli", folder=exported, threads=1)
    tokens = encoder.tokenise(PAIRS)
    together = encoder.run(tokens)
    for one, row in zip(tokens, together, strict=True):
        assert np.allclose(encoder.run([one])[0], row, atol=1e-5)


def test_a_folder_is_opened_by_its_path(exported: Path) -> None:
    """It has its own name and reads long pairs by the same body, and no trees are taken for it that are of another model."""
    model = Embedded(exported, threads=1)
    assert model.name == "small-mpnet"
    assert model.probabilities(PAIRS).sum(axis=1) == pytest.approx(1.0, abs=1e-5)


def test_what_was_exported_comes_back_for_torch(checkpoint: Path, exported: Path, tmp_path: Path) -> None:
    """A GPU can serve the file that ships, and a training can begin with it."""
    twin = write_twin(tmp_path, models=exported)
    hub = Hub(twin, device="cpu")
    assert hub.probabilities(PAIRS) == pytest.approx(Embedded(exported).probabilities(PAIRS), abs=0.02)
    before, after = load(checkpoint), load(exported / "nli.npz")
    assert set(after) == {name for name in before if ".embeddings." not in name and "pooler" not in name}
    for name, value in after.items():
        assert value.shape == before[name].shape
    bias = "mpnet.encoder.relative_attention_bias.weight"
    used = [group for group in range(32) if group != 16]  # a key behind the query is not 0 tokens away
    assert np.allclose(after[bias][used], before[bias][used], atol=1e-3)
    assert _model(checkpoint, exported / "nli.npz").num_labels == 3


def test_a_folder_without_settings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nli\.json does not name a model"):
        Embedded(tmp_path)
