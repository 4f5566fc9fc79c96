"""Pairs made from other pairs: the neighbour is near and silent, and what a claim holds itself supports it."""

import random

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, Example
from eval.train.near import Neighbours, contained, silent, surrounded

CLAIM = "Ada Lovelace published the first algorithm for Babbage's engine."
OWN = "In 1843 Ada Lovelace published notes that hold the first algorithm for the engine of Charles Babbage."
RELATED = "Charles Babbage planned the analytical engine in 1837, and Lovelace translated an article on it."
SAYING = "The first algorithm for Babbage's engine was published by Ada Lovelace, it is said."


def example(premise: str, claim: str, *, labels: int = ATTRIBUTABLE) -> Example:
    return Example(premise, claim, labels, "dialfact", premise)


def pairs() -> list[Example]:
    """The claim with its evidence, three texts that share words with it, and sixty about something else."""
    others = [
        example(f"The river number{n} flows through town{n}.", f"A river flows through town{n} today.")
        for n in range(60)
    ]
    return [
        example(OWN, CLAIM),
        example(RELATED, "Babbage planned an analytical engine."),
        example(SAYING, "An algorithm was published by Lovelace."),
        *others,
    ]


def test_the_neighbour_of_a_claim_is_related_and_does_not_say_it() -> None:
    """The nearest foreign evidence is chosen, but never one that holds most of the claim's words."""
    near = Neighbours(pairs())
    assert near.of(pairs()[0]) == (RELATED, RELATED)


def test_a_claim_that_shares_no_rare_word_has_no_neighbour() -> None:
    """Nothing is put beside a claim that nothing is near to."""
    near = Neighbours(pairs())
    assert near.of(example("Cats purr.", "Lions sleep during noon heat.")) is None


def test_only_true_claims_meet_silent_evidence() -> None:
    """A refuted claim may be refuted by the neighbour as well, so its label would be a guess."""
    found = pairs()
    refuted = example(OWN, "Ada Lovelace built the first engine of Babbage herself.", labels=CONTRADICTORY)
    made = list(silent(Neighbours(found), [*found, refuted], 100, random.Random(1)))
    assert made
    assert refuted.hypothesis not in {e.hypothesis for e in made}
    assert all(e.labels == EXTRAPOLATORY for e in made)
    own = {e.hypothesis: e.premise for e in found}
    assert all(e.premise != own[e.hypothesis] for e in made)


def test_a_claim_is_supported_by_itself_whatever_stands_beside_it() -> None:
    """Evidence made of the claim holds it word for word, alone or among other words."""
    found = pairs()
    made = list(contained(Neighbours(found), found, len(found), random.Random(1)))
    assert all(e.hypothesis in e.premise and e.labels == ATTRIBUTABLE for e in made)
    assert {e.hypothesis == e.premise for e in made} == {True, False}


def test_a_neighbour_beside_the_evidence_changes_no_label() -> None:
    """The evidence is still there in full, before or after the neighbour, and the label is the old one."""
    found = pairs()
    made = list(surrounded(Neighbours(found), found, random.Random(1)))
    assert [(e.hypothesis, e.labels) for e in made] == [(e.hypothesis, e.labels) for e in found]
    assert all(old.premise in new.premise for old, new in zip(found, made, strict=True))
    assert RELATED in made[0].premise
