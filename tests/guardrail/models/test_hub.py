"""Models of the transformers library: rows that do not depend on a batch, labels by name, the window."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from guardrail.errors import ConfigError
from guardrail.models.hub import Hub
from guardrail.models.settings import Thresholds

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None,
    reason="the extra `gpu` (torch, transformers) is not installed",
)


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_without_torch_the_error_names_the_extra() -> None:
    """Who asks for a hub model without the extra is told which one to install."""
    with pytest.raises(ConfigError, match=r"claim-guardrail\[gpu\]"):
        Hub("some/model")


def tiny(folder: Path, labels: list[str]) -> Path:
    """A BERT classifier of a few thousand random weights, saved as transformers saves one."""
    import torch
    import transformers

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"rome is old new a the city was".split(), "."]
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=40,
        initializer_range=0.6,
        id2label=dict(enumerate(labels)),
        label2id={label: at for at, label in enumerate(labels)},
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=40).save_pretrained(
        folder
    )
    return folder


PAIRS = [
    ("rome is old.", "rome is a city."),
    ("rome was new. the city is old. a city is rome.", "rome is old."),
    ("new.", "old."),
    ("the city was old.", "a new city was the city was the new."),
] * 3


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_a_batch_gives_what_single_pairs_give(tmp_path: Path) -> None:
    """Rows are probabilities in our order and do not depend on the pairs beside them."""
    model = Hub(tiny(tmp_path / "m", ["contradiction", "neutral", "entailment"]), device="cpu")
    together = model.probabilities(PAIRS)
    assert together.shape == (12, 3)
    assert np.allclose(together.sum(axis=1), 1, atol=1e-5)
    alone = np.concatenate([model.probabilities([pair]) for pair in PAIRS])
    assert np.allclose(together, alone, atol=1e-4)
    assert float(np.ptp(together[:, 0])) > 0.01
    model.close()


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_a_folder_of_the_project_s_own_has_its_calibration(tmp_path: Path) -> None:
    """Its name, temperature, window and thresholds hold, so that it judges as its int8 file does; what is given goes before them."""
    folder = tiny(tmp_path / "m", ["attributable", "extrapolatory", "contradictory"])
    plain = Hub(folder, device="cpu")
    assert (plain.name, plain.folder) == (str(folder), None)
    settings = {
        "name": "mine",
        "window": 30,
        "temperature": 2.0,
        "thresholds": {"passages": {"attributable": 0.75, "contradictory": 0.95}},
    }
    (folder / "nli.json").write_text(json.dumps(settings), encoding="utf-8")
    own = Hub(folder, device="cpu")
    assert (own.name, own.folder, own.window) == ("mine", folder, 30)
    assert own.thresholds("passages") == Thresholds(0.75, 0.95)
    assert own.thresholds("windows") == Thresholds()
    assert np.ptp(own.probabilities(PAIRS[:1])) < np.ptp(plain.probabilities(PAIRS[:1]))
    given = Hub(folder, device="cpu", temperature=1.0, thresholds=Thresholds(0.6, 0.7))
    assert given.thresholds("passages") == Thresholds(0.6, 0.7)
    assert np.allclose(given.probabilities(PAIRS), plain.probabilities(PAIRS), atol=1e-5)


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_the_order_of_the_models_labels_is_obeyed(tmp_path: Path) -> None:
    """The same weights with labels named in another order give the same numbers in other columns."""
    first = Hub(tiny(tmp_path / "a", ["contradiction", "neutral", "entailment"]), device="cpu")
    second = Hub(tiny(tmp_path / "b", ["entailment", "neutral", "contradiction"]), device="cpu")
    assert np.allclose(first.probabilities(PAIRS), second.probabilities(PAIRS)[:, ::-1], atol=1e-5)


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_a_two_class_model_never_contradicts(tmp_path: Path) -> None:
    """ "Not supported" is Extrapolatory: the column of contradictions stays empty."""
    model = Hub(tiny(tmp_path / "m", ["unsupported", "supported"]), device="cpu")
    rows = model.probabilities(PAIRS)
    assert float(rows[:, 2].max()) == 0.0
    assert np.allclose(rows.sum(axis=1), 1, atol=1e-5)


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_stated_labels_stand_in_for_names_that_say_nothing(tmp_path: Path) -> None:
    """`labels` makes a model usable whose config only says LABEL_0."""
    folder = tiny(tmp_path / "m", ["LABEL_0", "LABEL_1"])
    with pytest.raises(ConfigError, match="state `labels`"):
        Hub(folder, device="cpu")
    rows = Hub(folder, device="cpu", labels=["unsupported", "attributable"]).probabilities(PAIRS)
    assert float(rows[:, 2].max()) == 0.0


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_a_pair_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    """A pair longer than the model's window raises instead of being cut."""
    model = Hub(tiny(tmp_path / "m", ["entailment", "neutral", "contradiction"]), device="cpu")
    assert model.window == 40
    assert model.lengths(["rome is old.", ""]) == [4, 0]
    with pytest.raises(ValueError, match="does not fit a window of 40"):
        model.probabilities([("rome " * 60, "old.")])
    assert model.probabilities([]).shape == (0, 3)


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_the_config_of_the_tiny_model_is_what_transformers_writes(tmp_path: Path) -> None:
    """The test model goes through files, as a real one does."""
    config = json.loads((tiny(tmp_path / "m", ["entailment", "not_entailment"]) / "config.json").read_text())
    assert config["id2label"] == {"0": "entailment", "1": "not_entailment"}


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_a_small_budget_of_tokens_changes_no_row(tmp_path: Path) -> None:
    """Pairs that are run in many small batches get the rows that one large batch gives."""
    folder = tiny(tmp_path / "m", ["entailment", "neutral", "contradiction"])
    large, small = Hub(folder, device="cpu"), Hub(folder, device="cpu", tokens=40)
    assert np.allclose(large.probabilities(PAIRS), small.probabilities(PAIRS), atol=1e-4)


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_half_precision_gives_nearly_the_same_rows(tmp_path: Path) -> None:
    """bf16, the default on a GPU, can be had on a CPU too, and stays close to fp32."""
    folder = tiny(tmp_path / "m", ["entailment", "neutral", "contradiction"])
    full, half = Hub(folder, device="cpu"), Hub(folder, device="cpu", precision="bf16")
    assert (full.precision, half.precision) == ("fp32", "bf16")
    assert np.allclose(full.probabilities(PAIRS), half.probabilities(PAIRS), atol=0.05)
