"""Chat answers that the model of statements and its trees learn from."""

import random

from eval.datasets.files import json_lines
from eval.suites.chat import HERE
from eval.train.graph_answers import Given, answers, every_claim, left_open
from eval.train.statements import Beside
from guardrail.check.nli.signals import PREFIX
from guardrail.types import Label, Node, Span, Triplet
from guardrail.verifier import Verifier

FRANCE = "The capital of France is Lyon. France has the euro. It is a fine place."
GIVEN = Given(
    "f",
    "What is France like?",
    FRANCE,
    (
        (Label.CONTRADICTORY.value, Span(0, 29)),
        (Label.ATTRIBUTABLE.value, Span(31, 50)),
        (Label.EXTRAPOLATORY.value, Span(52, 70)),
    ),
)


def test_answers_of_one_part_are_in_no_other() -> None:
    """What the model learns from, what its trees grow on, and what judges both; each has all labels."""
    model, trees = answers("model"), answers("trees")
    sealed = {
        row["answer"]
        for part in ("sealed_plain", "sealed_free", "sealed_contrasts", "sealed_roles", "sealed_daily")
        for row in json_lines(HERE / f"{part}.jsonl")
    }
    assert len(model) > 900
    assert len(trees) > 700
    assert len({one.text for one in (*model, *trees)} | sealed) == len(model) + len(trees) + len(sealed)
    for part in (model, trees):
        assert {label for one in part for label, _ in one.marked} == {label.value for label in Label}


def test_what_is_false_in_one_part_is_false() -> None:
    """And nothing is said of a place that is not marked."""
    assert GIVEN.label(Span(20, 40)) is Label.CONTRADICTORY
    assert GIVEN.label(Span(40, 60)) is Label.EXTRAPOLATORY
    assert GIVEN.label(Span(40, 45)) is Label.ATTRIBUTABLE
    assert GIVEN.label(Span(29, 31)) is None


def test_claims_come_with_what_the_product_finds_for_them(verifier: Verifier) -> None:
    """All with statements to learn from; those that comparing decides are no cases for the trees."""
    found = list(every_claim([GIVEN], verifier))
    assert [one.label for one in found][:2] == [Label.CONTRADICTORY, Label.ATTRIBUTABLE]
    assert any(triplet.object.label == "Paris" for triplet in found[0].evidence.nearest)
    assert all(one.label is not Label.CONTRADICTORY for one in left_open([GIVEN], verifier))


def test_a_claim_stands_beside_few_statements_or_all() -> None:
    """As the product reads them."""
    near = tuple(Triplet(Node("", "Hall"), Node("", f"rule {n}"), Node("", str(n))) for n in range(6))
    rng = random.Random(0)
    lengths = {Beside("It is so.", near, 0).pair(rng)[0].count("rule") for _ in range(30)}
    assert lengths == {PREFIX, len(near)}
