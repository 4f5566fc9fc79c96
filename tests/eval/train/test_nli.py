"""Training the cross-encoder: the short way through the last layer, and the loss of labels that stay open."""

import math
import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")

from eval.train.example import Example  # noqa: E402
from eval.train.nli import Encoded, _batches, _collate, _logits, _loss, _of_both, _pieces  # noqa: E402


def test_the_last_layer_alone_for_the_first_token_gives_the_model_s_logits() -> None:
    """Rows of different lengths get what the whole model gives them."""
    config = transformers.BertConfig(
        vocab_size=50,
        hidden_size=24,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=48,
        num_labels=3,
        attn_implementation="eager",
    )
    torch.manual_seed(0)
    model = transformers.BertForSequenceClassification(config).eval()
    rows = [Encoded([2, *range(5, 5 + n), 3], [0] * (n + 2), 1) for n in (4, 9, 17)]
    inputs, _ = _collate(rows)
    with torch.inference_mode():
        assert torch.allclose(_logits(model, inputs), model(**inputs).logits, atol=1e-5)


def test_a_model_of_one_body_gets_evidence_of_either_length() -> None:
    """Every pair beside the nearest sentences, and about a third beside the whole passage."""

    def made(premise: str) -> Callable[[Sequence[str], random.Random], list[Example]]:
        return lambda given, rng: [Example(premise, claim, 1, "twins", claim) for claim in given]

    claims = [f"claim {n}" for n in range(300)]
    found = _of_both(made("passage"), made("sentence"), claims, random.Random(0))
    assert [e.hypothesis for e in found if e.premise == "sentence"] == claims
    assert 70 < sum(e.premise == "passage" for e in found) < 130


def test_an_open_label_costs_nothing_between_its_two() -> None:
    """ "Not supported" teaches the sum of the two labels: how they share it does not matter."""
    allowed = torch.tensor([[False, True, True]])
    shared = torch.log(torch.tensor([[0.2, 0.4, 0.4]]))
    one = torch.log(torch.tensor([[0.2, 0.7, 0.1]]))
    assert _loss(shared, allowed, 0.0).item() == pytest.approx(-math.log(0.8), abs=1e-6)
    assert _loss(one, allowed, 0.0).item() == pytest.approx(-math.log(0.8), abs=1e-6)


def test_a_batch_keeps_to_its_tokens_and_loses_no_pair() -> None:
    """Long pairs make small batches; padding counts, and a pair longer than the bound stands alone."""
    encoded = [Encoded([0] * length, [0] * length, 1) for length in (5, 300, 40, 41, 39, 120, 7, 90, 320, 6)]
    found = list(_batches(encoded, random.Random(0), 256))
    assert sorted(len(e.ids) for batch in found for e in batch) == sorted(len(e.ids) for e in encoded)
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(len(e.ids) for e in batch) <= 256
    assert len(found) < len(encoded)


def test_pairs_of_one_claim_are_never_cut_apart() -> None:
    """A shuffled epoch keeps a claim beside both versions of its passage."""
    examples = [
        Example(version, f"claim {n}", 1, "written", "u")
        for n in range(9)
        for version in ("before", "after", "x")
    ]
    found = _pieces(examples)
    assert [e for piece in found for e in piece] == examples
    assert len(found) > 3
    for first, second in pairwise(found):
        assert first[-1].hypothesis != second[0].hypothesis
