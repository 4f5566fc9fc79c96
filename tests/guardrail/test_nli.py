"""Classifiers: the shipped model, what the outputs of foreign models mean, and models on torch."""

import importlib.util
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from guardrail.errors import ConfigError
from guardrail.models.hub import Hub
from guardrail.models.nli import Embedded, roles

A, E, C = 0, 1, 2


@pytest.mark.parametrize(
    ("names", "places"),
    [
        (["entailment", "neutral", "contradiction"], (A, E, C)),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], (C, E, A)),
        (["contradiction", "entailment", "neutral"], (C, A, E)),
        (["attributable", "extrapolatory", "contradictory"], (A, E, C)),
        (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], (A, C, E)),
        (["entailment", "not_entailment"], (A, E)),
        (["hallucinated", "consistent"], (E, A)),
        (["inconsistent", "consistent"], (E, A)),
        (["unsupported", "supported"], (E, A)),
        (["not supported", "supported"], (E, A)),
    ],
)
def test_what_outputs_are_called_says_what_they_mean(names: list[str], places: tuple[int, ...]) -> None:
    """Label order comes from the names, and "not supported" is never read as refuted."""
    assert roles(dict(enumerate(names)), outputs=len(names), model="m") == places


@pytest.mark.parametrize(
    ("names", "outputs", "message"),
    [
        (["LABEL_0", "LABEL_1", "LABEL_2"], 3, "'LABEL_0', which names no label"),
        (["entailment"], 2, "'LABEL_1', which names no label"),
        (["score"], 1, "names no label"),
        (["entailment"], 1, "do not tell supported from not supported"),
        (["neutral", "contradiction"], 2, "do not tell supported from not supported"),
    ],
)
def test_names_that_say_nothing_are_refused(names: list[str], outputs: int, message: str) -> None:
    """A model whose outputs cannot be told apart is an error with a way out, not a guess."""
    with pytest.raises(ConfigError, match=message):
        roles(dict(enumerate(names)), outputs=outputs, model="m")


@pytest.fixture(scope="module")
def shipped() -> Iterator[Embedded]:
    model = Embedded()
    yield model
    model.close()


EVIDENCE = (
    "Marie Curie: place of birth: Warsaw; date of birth: 7 November 1867; field of work: physics, chemistry."
)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        (EVIDENCE, "Marie Curie was born in Warsaw.", A),
        (EVIDENCE, "Marie Curie was born in Paris.", C),
        (EVIDENCE, "Marie Curie was born in 1867.", A),
        (EVIDENCE, "Marie Curie was born in 1903.", C),
        (EVIDENCE, "Marie Curie was married to Pierre Curie.", E),
        (EVIDENCE, "Marie Curie was not born in Warsaw.", C),
        ("The museum opened in 1932 and was closed in 1987.", "The museum opened in 1932.", A),
        ("The museum opened in 1932 and was closed in 1987.", "The museum opened in 1945.", C),
        ("The museum opened in 1932 and was closed in 1987.", "The museum is visited by many tourists.", E),
    ],
)
def test_the_shipped_model_reads_triplets_and_passages(
    shipped: Embedded, premise: str, hypothesis: str, label: int
) -> None:
    """Plain cases come out right: the same fact in other words, another value, and what is not said."""
    assert int(shipped.probabilities([(premise, hypothesis)])[0].argmax()) == label


def test_the_shipped_model_gives_the_same_row_in_any_batch(shipped: Embedded) -> None:
    """A verdict does not depend on which other requests came at the same moment."""
    pairs = [(EVIDENCE, f"Marie Curie was born in {year}.") for year in range(1850, 1880)]
    pairs += [("Rome.", "It is."), ("Long ago. " * 60, "Long ago.")]
    together = shipped.probabilities(pairs)
    alone = np.concatenate([shipped.probabilities([pair]) for pair in pairs])
    assert float(np.abs(together - alone).max()) < 1e-6
    assert np.allclose(together.sum(axis=1), 1, atol=1e-5)


LEAVE = (
    "Employees who have completed six months of service are entitled to 18 weeks of paid parental leave per child. "
    "The first 12 weeks are paid at full salary and the remaining 6 weeks at 70 percent of salary. Leave may be taken in up to "
    "three separate blocks and must be used before the child's second birthday. Requests are submitted in the portal at "
    "least eight weeks before the intended start date. The line manager confirms the request within ten working days. "
    "Changes to dates that have been confirmed need the agreement of the manager and of the service centre. "
)


@pytest.mark.parametrize(
    ("hypothesis", "label"),
    [
        ("The line manager confirms the request within ten working days.", A),
        ("Leave may be taken in up to three separate blocks.", A),
        ("Employees may bring a dog to the office on Fridays.", E),
        ("Requests are never submitted in the portal.", C),
    ],
)
def test_the_shipped_model_reads_windows_of_many_sentences(
    shipped: Embedded, hypothesis: str, label: int
) -> None:
    """One sentence among the many of a long premise decides; the premise has more tokens than the former window of 256."""
    premise = LEAVE + "The canteen serves lunch from noon until two and is closed at weekends. " * 11
    assert 256 < shipped.lengths([premise])[0] <= 300
    assert int(shipped.probabilities([(premise, hypothesis)])[0].argmax()) == label


def test_short_and_long_pairs_of_one_batch_keep_their_places(shipped: Embedded) -> None:
    """The two bodies answer in the order of the pairs, whichever read which."""
    short, long = (EVIDENCE, "Marie Curie was born in Warsaw."), (LEAVE * 2, "The leave is unpaid.")
    mixed = shipped.probabilities([long, short, long, short])
    assert np.allclose(mixed[1], shipped.probabilities([short])[0], atol=1e-6)
    assert np.allclose(mixed[2], shipped.probabilities([long])[0], atol=1e-6)
    assert not np.allclose(mixed[0], mixed[1], atol=1e-3)


def test_the_shipped_model_serves_many_threads(shipped: Embedded) -> None:
    """Threads that ask at once each get the row of their own pair."""
    pairs = [(EVIDENCE, f"Marie Curie won prize number {n}.") for n in range(24)]
    alone = [shipped.probabilities([pair])[0] for pair in pairs]
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda pair: shipped.probabilities([pair])[0], pairs))
    assert all(np.allclose(row, own, atol=1e-6) for row, own in zip(rows, alone, strict=True))


def test_the_shipped_model_refuses_what_does_not_fit(shipped: Embedded) -> None:
    """Nothing is cut: a pair longer than the window is an error, and no pairs give no rows."""
    with pytest.raises(ValueError, match=f"does not fit a window of {shipped.window}"):
        shipped.probabilities([("word " * 400, "Rome is old.")])
    assert shipped.probabilities([]).shape == (0, 3)
    assert shipped.lengths(["Rome is old.", ""]) == [4, 0]


def test_the_shipped_model_states_its_thresholds(shipped: Embedded) -> None:
    """Each kind of evidence has an abstain band: no label below one half."""
    for kind in ("triplets", "passages"):
        limits = shipped.thresholds(kind)
        assert 0.5 <= limits.attributable < 1
        assert 0.5 <= limits.contradictory < 1


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
