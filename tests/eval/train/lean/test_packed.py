"""Packed pairs can be read and drawn anew with numpy alone, and the commands train on them."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, Example
from eval.train.labelled import Labelled
from eval.train.lean.packed import LONG, PAIRS, SHORT, UNLABELLED, Packed, epochs
from eval.train.lean.pairs import UNKNOWN, Pairs
from eval.train.packing import Segments, labelled_arrays, ranked, unlabelled_arrays
from guardrail.models.encoder import MODELS
from guardrail.types import Passage, Source
from tests.eval.train.lean.small import write_model

SAID = [
    "Tickets are sold on board.",
    "The first ferry leaves at seven.",
    "Dogs travel free, bicycles do not.",
]
CLAIMS = (
    ("The first ferry leaves at seven.", ATTRIBUTABLE),
    ("The first ferry leaves at nine.", CONTRADICTORY),
    ("Most passengers buy a return ticket.", EXTRAPOLATORY),
)
FERRY = Labelled(
    "ferry",
    "twin_sentences",
    "When?",
    (Passage("p", " ".join(SAID), Source.REQUEST, "Ferry"),),
    CLAIMS,
    together=False,
)
MADE = (
    ("The museum is shut. It opened in 1990.", "The museum is open."),
    ("Dogs pay.", "The first ferry leaves at seven."),
)


def _example(premise: str, label: int) -> Example:
    return Example(premise, "It is free.", label, "s", "g")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A passage with three claims, two copies of each kind of pairs, and two pairs without labels."""
    out = tmp_path_factory.mktemp("packed")
    names = {name for name, _ in (*SHORT, *LONG)} - {"near", "without", "whole"}
    pools = {name: [[_example(f"{name} once.", 1)], [_example(f"{name} twice.", 6)]] for name in names}
    tests = {"plain": [[_example("It costs a pound.", 4), _example("Nobody pays.", 1)]]}
    segments = Segments()
    np.savez(out / PAIRS, **labelled_arrays([ranked(FERRY)] * 40, pools, tests, segments))
    np.savez(out / UNLABELLED, **unlabelled_arrays(MADE, segments))
    return out


def _read(pairs: Pairs) -> list[tuple[str, str, int]]:
    """Premise, claim and labels of each pair, as text in small letters."""
    tokenizer = Tokenizer.from_file(str(MODELS / "tokenizer.json"))

    def sides() -> Iterator[list[int]]:
        for begin, end, premise in zip(pairs.begins, pairs.begins[1:], pairs.premises, strict=False):
            yield pairs.tokens[begin : begin + premise].tolist()
            yield pairs.tokens[begin + premise : end].tolist()

    texts = tokenizer.decode_batch(list(sides()))
    return list(zip(texts[::2], texts[1::2], pairs.labels.tolist(), strict=True))


def test_what_was_packed_is_read_again(folder: Path) -> None:
    """Pairs of a kind in turn, those that nothing learns from, and those without labels."""
    packed = Packed.read(folder, unlabelled=True)
    drawn = [_read(packed.drawn((("units", 1),), seed)) for seed in range(3)]
    assert drawn[0] == drawn[2] == [("units once.", "it is free.", 1)]
    assert drawn[1] == [("units twice.", "it is free.", 6)]
    assert _read(packed.tests()["plain"]) == [
        ("it costs a pound.", "it is free.", 4),
        ("nobody pays.", "it is free.", 1),
    ]
    assert _read(packed.unlabelled()) == [(*(side.lower() for side in pair), UNKNOWN) for pair in MADE]


def test_a_claim_stands_beside_the_nearest_sentences(folder: Path) -> None:
    """Each claim once, the sentence that decides among its evidence, others where there is room."""
    found = _read(Packed.read(folder).drawn((("near", 1),), 0))
    assert len(found) == 40 * len(CLAIMS)
    assert {(claim, labels) for _, claim, labels in found} == {
        (text.lower(), label) for text, label in CLAIMS
    }
    assert all(SAID[1].lower() in premise for premise, claim, _ in found if "ferry" in claim)
    assert {premise.count(".") for premise, _, _ in found} == {2, 3}


def test_without_its_nearest_sentence_a_supported_claim_may_be_open(folder: Path) -> None:
    """It is never contradicted, and stands in no other pair of this kind."""
    found = [pair for seed in range(20) for pair in _read(Packed.read(folder).drawn((("without", 1),), seed))]
    assert {(claim, labels) for _, claim, labels in found} == {
        (SAID[1].lower(), ATTRIBUTABLE | EXTRAPOLATORY)
    }
    assert not any(SAID[1].lower() in premise for premise, _, _ in found)
    assert 60 < len(found) < 180


def test_whole_passages_are_drawn_by_their_share(folder: Path) -> None:
    """Some with their title, some with another passage."""
    found = _read(Packed.read(folder).drawn((("whole", 0.5),), 0))
    assert 40 < len(found) < 80
    assert all(" ".join(SAID).lower() in premise for premise, _, _ in found)
    assert {premise.count("tickets") for premise, _, _ in found} == {1, 2}
    assert any(premise.startswith("ferry tickets") for premise, _, _ in found)


def test_other_processes_draw_the_same_epochs(folder: Path) -> None:
    """In the order of the recipes."""
    made = list(epochs(folder, [SHORT, LONG], processes=1))
    packed = Packed.read(folder)
    for at, (pairs, recipe) in enumerate(zip(made, (SHORT, LONG), strict=True)):
        assert _read(pairs) == _read(packed.drawn(recipe, at))


def test_the_commands_train_on_packed_pairs(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first model teaches the second, and both leave what they learnt."""
    pytest.importorskip("torch", reason="torch is not installed")
    from eval.train.lean import distil, teach
    from eval.train.lean.stored import restored, weights_of

    model = write_model(tmp_path / "model")
    common = {"--data": folder, "--model": model, "--seconds": 0.3, "--processes": 1, "--tokens": 512}
    _run(teach, {**common, "--out": tmp_path / "taught", "--epochs": 1})
    teacher = {"--teacher": model, "--changes": tmp_path / "taught", "--long-seconds": 0.3}
    _run(distil, {**common, **teacher, "--out": tmp_path / "learnt"})
    start = weights_of(model / "nli.npz")
    for learnt in ("taught", "learnt/nli", "learnt/nli_long"):
        found = restored(tmp_path / learnt, start)
        assert any(np.abs(found[name] - start[name]).max() > 0 for name in start)
    told = capsys.readouterr().out
    for what in ("before", "after", "teacher", "nli_long after"):
        assert f"{what}: plain, 2 pairs: AUC of support against contradiction" in told


def _run(module: object, options: dict[str, object]) -> None:
    module.main([str(one) for one in chain.from_iterable(options.items())])  # type: ignore[attr-defined]
