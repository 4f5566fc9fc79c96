"""Sentences that people labelled give pairs whose evidence decides, and the trees keep passages that the model never saw."""

import random

import pytest

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY
from eval.train.labelled import Labelled, kept_aside, labelled, pairs, short_pairs
from guardrail.types import Passage, Source

FERRY = Labelled(
    "ferry",
    "twin_sentences",
    "When does the ferry leave?",
    (
        Passage(
            "p",
            "Tickets are sold on board. The first ferry leaves at seven. Dogs travel free, bicycles do not.",
            Source.REQUEST,
            "Ferry",
        ),
    ),
    (
        ("The first ferry leaves at seven.", ATTRIBUTABLE),
        ("The last ferry leaves at seven.", CONTRADICTORY),
        ("Most passengers buy a return ticket.", EXTRAPOLATORY),
    ),
    together=False,
)


def test_a_short_pair_has_the_sentence_that_decides() -> None:
    """Of the passage it has what is nearest to the sentence, as the checker reads it."""
    made = list(short_pairs([FERRY], random.Random(0)))
    assert [one.labels for one in made] == [ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY]
    assert all("The first ferry leaves at seven." in one.premise for one in made[:2])


def test_a_long_pair_has_the_whole_passage() -> None:
    """What may stand before it is a title or another passage."""
    for one in pairs([FERRY] * 20, random.Random(0)):
        assert one.premise.endswith(FERRY.passages[0].text)
        assert one.group == "ferry"


@pytest.mark.parametrize("folder", ["answers", "altered_sentences", "twin_sentences"])
def test_each_folder_is_read_whole(folder: str) -> None:
    """Every line has a passage, sentences with all three labels among them, and an id of its own."""
    found = labelled(folder)
    assert len({one.id for one in found}) == len(found) > 100
    assert all(one.passages and one.sentences for one in found)
    labels = {label for one in found for _, label in one.sentences}
    assert labels - {0} == {ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY}


def test_the_trees_keep_about_one_passage_in_seven() -> None:
    """By its id alone, so that every run keeps the same ones."""
    found = labelled("twin_sentences")
    assert 0.1 < sum(map(kept_aside, found)) / len(found) < 0.2
