"""Texts are changed in one place, and pairs without labels lie near what decides their claims."""

import random

import pytest

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY
from eval.train.rough import Rough, _lemmas
from eval.train.senses import Senses
from eval.train.unlabelled import Source, pairs_of

TEXT = "The tenants must not keep dogs in the older flats after March, because of the noise."
PASSAGE = "Guests of the house pay 40 pounds before April. Cats were sold in Leeds."
SENSES = Senses(
    {("old", "a"): [("1-a", ["new"])], ("dog", "n"): [("1-n", [])], ("cat", "n"): [("2-n", [])]},
    {"1-n": ["dog"], "2-n": ["cat"], "1-a": ["old"]},
    {"1-n": ["9-n"], "2-n": ["9-n"]},
    {"9-n": ["1-n", "2-n"]},
)
SOURCE = Source(
    "ferry",
    "Tickets are sold on board. The first ferry leaves at seven. Dogs travel free, bicycles do not.",
    (
        ("The earliest ferry goes at seven.", ATTRIBUTABLE),
        ("The earliest ferry goes at nine.", CONTRADICTORY),
        ("Tickets cost more for bicycles.", 2),
    ),
)


def test_a_change_leaves_most_of_the_text() -> None:
    """Words of the passage, of WordNet and of the lists stand in the place of others; a phrase may be left out."""
    rough = Rough(SENSES, random.Random(0))
    found = {rough.changed(TEXT, PASSAGE) for _ in range(400)}
    assert TEXT not in found
    assert {
        TEXT.replace("dogs", "cats"),
        TEXT.replace("March", "Leeds"),
        TEXT.replace("after", "before"),
        TEXT.replace("must not", "must"),
        TEXT.replace(" after March", ""),
    } <= found


def test_there_may_be_nothing_to_change() -> None:
    """A text of small words alone stays."""
    assert Rough(Senses(), random.Random(0)).changed("It has been there.", "") is None


@pytest.mark.parametrize(
    ("word", "lemma", "tag"),
    [
        ("dogs", "dog", "NNS"),
        ("ladies", "lady", "NNS"),
        ("closed", "close", "VBD"),
        ("boxes", "box", "VBZ"),
        ("old", "old", "JJ"),
    ],
)
def test_a_word_may_be_a_form_of_another(word: str, lemma: str, tag: str) -> None:
    """By its letters alone."""
    assert (lemma, tag) in list(_lemmas(word))


def test_pairs_of_a_passage_are_of_every_kind() -> None:
    """The claims beside each other, sentences of the passage as claims, and changed claims and evidence; the same for the same seed."""
    made = [pair for seed in range(40) for pair in pairs_of(SOURCE, Rough(SENSES, random.Random(seed)))]
    claims = [text for text, _ in SOURCE.claims]
    assert (claims[0], claims[1]) in made
    assert (claims[1], claims[0]) in made
    assert any(claim == "The first ferry leaves at seven." for _, claim in made)
    assert any(claims[0] in premise and "on board" in premise for premise, _ in made)
    assert any(claim not in claims and "ferry" in claim for _, claim in made)
    assert all(premise and claim and premise != claim for premise, claim in made)
    assert list(pairs_of(SOURCE, Rough(SENSES, random.Random(1)))) == list(
        pairs_of(SOURCE, Rough(SENSES, random.Random(1)))
    )
