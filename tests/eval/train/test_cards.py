"""Pairs of cards: what a sentence says stands on its card or not, as its label tells."""

import random
from itertools import pairwise

from eval.train.cards import card_pairs
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, UNSUPPORTED, Example


def drawn() -> list[Example]:
    return list(card_pairs(random.Random(0)))


def test_every_label_is_there_and_support_is_a_third() -> None:
    labels = [example.labels for example in drawn()]
    assert set(labels) == {ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, UNSUPPORTED}
    assert 0.3 < labels.count(ATTRIBUTABLE) / len(labels) < 0.4


def test_the_same_card_refutes_what_it_supports_with_another_value() -> None:
    made = drawn()
    pairs = [(a, b) for a, b in pairwise(made) if b.labels == CONTRADICTORY]
    assert len(pairs) > 1000
    assert all(
        a.labels == ATTRIBUTABLE and a.premise == b.premise and a.hypothesis != b.hypothesis for a, b in pairs
    )


def test_what_is_not_on_the_card_is_open() -> None:
    """The same card without the statement that the sentence tells."""
    made = drawn()
    first = {id(a): a for a in made if a.labels == ATTRIBUTABLE}
    supported = {a.hypothesis: a.premise for a in first.values()}
    shorter = [e for e in made if e.labels == EXTRAPOLATORY and e.hypothesis in supported]
    assert len(shorter) > 1000
    assert all(len(e.premise) < len(supported[e.hypothesis]) for e in shorter)


def test_no_placeholder_is_left_and_another_seed_draws_other_cards() -> None:
    assert not any("{" in example.hypothesis or "{" in example.premise for example in drawn())
    assert [e.premise for e in drawn()] != [e.premise for e in card_pairs(random.Random(1))]


def test_whole_groups_of_properties_fall_on_one_side() -> None:
    """What is kept aside is kept aside by group: the first property names it."""
    groups = {example.group for example in drawn()}
    assert 60 < len(groups) < 200
