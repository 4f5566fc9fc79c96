"""Pairs from WikiSplit: what each says of its evidence is so."""

import gzip
import random
import re
from pathlib import Path

import pytest

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, UNSUPPORTED, Example
from eval.train.splits import split_pairs

WHOLE = "Born in Turin in 1901 , Rosa Bianchi was an engineer who built the bridge of Ivrea for the railway ."
FIRST = "Rosa Bianchi was an engineer who was born in Turin in 1901 ."
SECOND = "The engineer Rosa Bianchi built the bridge of Ivrea for the railway ."
ADDING = "The bridge was painted green in Milan and opened by the mayor , Carlo Neri ."


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


@pytest.fixture
def made(tmp_path: Path) -> list[Example]:
    """What forty rows give: half are true splits, half add something in the second sentence."""
    folder = tmp_path / "wiki_split"
    folder.mkdir()
    rows = [f"{WHOLE}\t{FIRST} <::::> {SECOND}", f"{WHOLE}\t{FIRST} <::::> {ADDING}"]
    for name in ("tune", "validation"):
        with gzip.open(folder / f"{name}.tsv.gz", "wt", encoding="utf-8") as file:
            file.write("\n".join(rows * 10))
    return list(split_pairs(tmp_path, random.Random(4)))


def test_a_part_that_adds_a_word_is_never_called_supported(made: list[Example]) -> None:
    """About a third of the set does not keep the meaning; only parts made of the sentence's own words count."""
    supported = [e for e in made if e.labels == ATTRIBUTABLE]
    assert len(supported) > 10
    assert all("painted" not in e.hypothesis for e in supported)


def test_the_next_sentence_and_the_longer_one_are_not_said(made: list[Example]) -> None:
    """Of what is Extrapolatory the evidence lacks several words, though the subject is the same."""
    open_ = [e for e in made if e.labels == EXTRAPOLATORY]
    assert {e.hypothesis.split()[0] for e in open_} == {"The", "Born"}  # the next sentence; the longer one
    assert all(len(words(e.hypothesis) - words(e.premise)) >= 3 for e in open_)


def test_a_contradiction_moves_a_number_or_denies(made: list[Example]) -> None:
    """One slot differs: a number that the sentence does not hold, or a "not"."""
    wrong = [e for e in made if e.labels == CONTRADICTORY]
    moved = [e for e in wrong if "1901" not in e.hypothesis and re.search(r"\d", e.hypothesis)]
    denied = [e for e in wrong if re.search(r"\b(not|never)\b", e.hypothesis)]
    assert moved
    assert denied
    assert len(moved) + len(denied) == len(wrong)
    assert all(words(e.hypothesis) - words(e.premise) for e in moved)


def test_a_name_put_in_for_another_stays_open(made: list[Example]) -> None:
    """Whether another name contradicts depends on the relation, so only "not supported" is said."""
    renamed = [e for e in made if e.labels == UNSUPPORTED]
    assert renamed
    assert all(words(e.hypothesis) - words(e.premise) for e in renamed)


def test_spaces_of_the_tokeniser_are_undone(made: list[Example]) -> None:
    """Commas and full stops follow their word."""
    assert made
    assert not any(" ." in text or " ," in text for e in made for text in (e.premise, e.hypothesis))
