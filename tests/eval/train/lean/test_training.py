"""Training where there is only numpy and torch: the network is the product's, it learns, and what it learnt can be carried back."""

import ast
import json
import sys
from itertools import count, repeat
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from eval.train import example, lean  # noqa: E402
from eval.train.lean import pairs as bits  # noqa: E402
from eval.train.lean import training  # noqa: E402
from eval.train.lean.network import Network  # noqa: E402
from eval.train.lean.pairs import BERT, MPNET, UNKNOWN, Pairs, batches, collated, joined  # noqa: E402
from eval.train.lean.stored import restored, save_changes, weights_of  # noqa: E402
from eval.train.lean.training import Plan, auc, labelled, loss, probabilities, train  # noqa: E402
from guardrail.models.encoder import MODELS, Encoder  # noqa: E402
from guardrail.models.nli import Embedded  # noqa: E402
from tests.eval.train.lean.small import write_model  # noqa: E402

TOLD = [
    ("The night shift starts at 10. Staff must sign in.", "The night shift begins at ten in the evening."),
    ("Bus 58 leaves the station every 20 minutes.", "Bus 58 leaves every half hour."),
    ("The museum opened in 1990.", "It is free."),
    ("Tickets are sold on board.", "Tickets are not sold on board."),
]


def _tokens(*ids: int) -> np.ndarray:
    return np.array(ids, np.uint16)


def _made_up(labels: list[int]) -> Pairs:
    """A pair for each label, whose premise tells it by one token."""
    return Pairs.of(
        [(_tokens(10 + n % 5, 20 + label), _tokens(30 + n), label) for n, label in enumerate(labels)]
    )


def test_the_folder_needs_nothing_but_numpy_and_torch() -> None:
    """It is carried alone to a machine that has no more."""
    known = {*sys.stdlib_module_names, "numpy", "torch"}
    for path in Path(lean.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.partition(".")[0] in known or name.startswith("eval.train.lean."), (path, name)


def test_labels_have_the_bits_that_they_have_elsewhere() -> None:
    """What is packed with the one is read with the other."""
    for name in ("ATTRIBUTABLE", "EXTRAPOLATORY", "CONTRADICTORY"):
        assert getattr(bits, name) == getattr(example, name)


def test_the_network_gives_the_probabilities_of_the_product() -> None:
    """Up to what the product rounds to int8."""
    heat = json.loads((MODELS / "nli.json").read_text(encoding="utf-8"))["temperature"]
    sides = [
        [_tokens(*one.ids[1:-1]) for one in Encoder("nli").tokenise(side)] for side in zip(*TOLD, strict=True)
    ]
    given = Pairs.of([(premise, claim, 1) for premise, claim in zip(*sides, strict=True)])
    cooled = probabilities(Network(MODELS, device="cpu"), given) ** (1 / heat)
    model = Embedded(threads=1)
    assert np.abs(cooled / cooled.sum(axis=1, keepdims=True) - model.probabilities(TOLD)).max() < 0.02
    model.close()


def test_a_few_steps_lower_the_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From labels, and from what another model says of pairs that nobody labelled. A step takes a second here."""
    monkeypatch.setattr(training, "monotonic", count().__next__)
    plan = Plan(seconds=60, rate=3e-3, tokens=512)
    model, known = write_model(tmp_path), _made_up([1, 2, 4] * 4)
    teacher = Network(model, device="cpu")
    train(teacher, repeat(known), plan)
    assert (probabilities(teacher, known).argmax(axis=1) == np.array([0, 1, 2] * 4)).all()
    unknown = Pairs(known.tokens, known.begins, known.premises, np.full(12, UNKNOWN, np.uint8), known.said)
    pupil = Network(model, device="cpu")
    train(pupil, repeat(labelled(teacher, unknown)), plan)
    assert (probabilities(pupil, known).argmax(axis=1) == np.array([0, 1, 2] * 4)).all()


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor:UserWarning")  # torch itself asks for it
def test_a_layer_can_be_compiled_whole(tmp_path: Path) -> None:
    """As it is on a GPU, with dropout and without, for batches of any size: it says what it says otherwise."""
    network, given = Network(write_model(tmp_path), device="cpu"), _made_up([1, 2, 4] * 4)
    before = probabilities(network, given)
    network._layer = torch.compile(network._layer, dynamic=True, backend="eager", fullgraph=True)
    assert np.allclose(probabilities(network, given), before, atol=1e-6)
    assert train(network, [given], Plan(seconds=60, rate=1e-3, tokens=128, dropout=0.1)) == 2


def test_training_ends_when_its_time_is_up(tmp_path: Path) -> None:
    """However many epochs are left."""
    network = Network(write_model(tmp_path), device="cpu")
    assert train(network, repeat(_made_up([1, 2, 4])), Plan(seconds=0.2, rate=1e-3, tokens=512)) > 3


@pytest.mark.parametrize(("bits_", "error"), [(8, 0.005), (6, 0.02)])
def test_saved_changes_give_the_weights_back(tmp_path: Path, bits_: int, error: float) -> None:
    """Matrices of layers up to half a step of their row's greatest change, everything else as it was."""
    rng = np.random.default_rng(1)
    start = weights_of(write_model(tmp_path) / "nli.npz")
    weights = {
        name: value + rng.normal(0, 0.01, value.shape).astype(np.float32) for name, value in start.items()
    }
    save_changes(weights, start, tmp_path / "changes", bits=bits_)
    found = restored(tmp_path / "changes", start)
    for name, value in weights.items():
        greatest = np.abs(value - start[name]).max()
        assert np.abs(found[name] - value).max() <= error * greatest + 1e-6, name
    again = Network(tmp_path, changes=tmp_path / "changes", device="cpu").weights()
    assert np.array_equal(again["pooler.weight"], weights["pooler.weight"])
    with pytest.raises(FileNotFoundError, match="no changes in"):
        restored(tmp_path / "nothing", start)


def test_a_pair_is_marked_as_its_encoder_marks_it() -> None:
    """MPNet's words stand four ids higher, and it ends a premise twice."""
    given = joined([Pairs.of([(_tokens(7, 8), _tokens(9), 1)]), Pairs.of([(_tokens(5), _tokens(6), 4)])])
    bert, mpnet = (collated(given, np.array([0, 1]), marks) for marks in (BERT, MPNET))
    assert bert.ids[:, :7].tolist() == [[101, 7, 8, 102, 9, 102, 0], [101, 5, 102, 6, 102, 0, 0]]
    assert bert.kinds[:, :7].tolist() == [[0, 0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 0, 0]]
    assert mpnet.ids[0, :8].tolist() == [0, 11, 12, 2, 2, 13, 2, 1]
    assert (bert.lengths.tolist(), mpnet.lengths.tolist()) == ([6, 5], [7, 6])
    assert bert.labels.tolist() == [1, 4]


def test_batches_hold_every_pair_once_and_pairs_of_like_length() -> None:
    """With padding they keep to the tokens that were asked for."""
    lengths = np.random.default_rng(0).integers(1, 200, 500)
    given = Pairs.of([(np.zeros(n, np.uint16), _tokens(1), 1) for n in lengths])
    found = list(batches(given, 2048, np.random.default_rng(0)))
    assert sorted(np.concatenate(found)) == list(range(500))
    assert all(len(one) <= 8 or collated(given, one, MPNET).ids.size <= 2048 for one in found)


def test_the_loss_weighs_labels_and_the_other_model_s_word() -> None:
    """Where one of them is unknown the other counts alone."""
    logits = torch.tensor([[2.0, 0.0, 0.0]] * 3)
    said = torch.tensor([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    labels = torch.tensor([1, UNKNOWN, 1], dtype=torch.uint8)
    both, other, label = (
        float(loss(logits[n : n + 1], labels[n : n + 1], said[n : n + 1], 0.25)) for n in range(3)
    )
    assert both == pytest.approx(0.25 * label + 0.75 * other)
    assert other > 2 > label


def test_the_area_counts_ties_by_half() -> None:
    """As by hand: of four pairs two are in order, one is a tie."""
    assert auc(np.array([True, True, False, False]), np.array([3.0, 1.0, 1.0, 2.0], np.float32)) == 0.625
