"""The training mixture: what is kept aside stays aside. Needs the data sets."""

import pytest

from eval.datasets.files import data_dir
from eval.train.dev import DEV
from eval.train.example import Example, held_out
from eval.train.sets import READERS

needs_data = pytest.mark.skipif(
    not (data_dir() / "nli_collection").exists(), reason="the data sets are not there (GUARDRAIL_DATA)"
)


def test_one_premise_never_falls_on_both_sides() -> None:
    """Examples of one group are kept aside together."""
    examples = [Example(f"p{n % 300}", f"h{n}", 1, "s", f"p{n % 300}") for n in range(3000)]
    trained, aside = held_out(examples, share=0.1)
    assert {e.group for e in trained}.isdisjoint(e.group for e in aside)
    assert len(trained) + len(aside) == 3000
    assert 100 < len(aside) < 600


@needs_data
@pytest.mark.parametrize("name", sorted(READERS))
def test_every_training_set_reads(name: str) -> None:
    """Each reader gives pairs with words on both sides and a label that can be right."""
    examples = [example for example, _ in zip(READERS[name](data_dir()), range(200), strict=False)]
    assert len(examples) >= 100
    assert all(e.premise.strip() and e.hypothesis.strip() and e.labels in (1, 2, 4, 6) for e in examples)
    assert len({e.labels for e in examples}) > 1


@needs_data
@pytest.mark.parametrize("name", sorted(DEV))
def test_every_evaluation_set_reads(name: str) -> None:
    """Each evaluation set holds hundreds of pairs and more than one label."""
    examples = list(DEV[name](data_dir()))
    assert len(examples) > 500
    assert len({e.labels for e in examples}) in (2, 3)


@needs_data
def test_evaluation_premises_are_not_trained_on() -> None:
    """No premise of the SNLI test part is among the training pairs."""
    from eval.train.mixture import _natural

    trained = {example.premise for example in _natural(data_dir())}
    assert trained.isdisjoint(example.premise for example in DEV["snli test"](data_dir()))
