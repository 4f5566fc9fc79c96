"""Words that exclude each other where they stand in the same place."""

import pytest

from guardrail.check.text.contrasts import denied, known_by, opposed, renamed
from guardrail.check.text.phrases import read, stems


@pytest.mark.parametrize(
    ("claim", "sentence", "found"),
    [
        ("Pass A and B.", "Pass A or B.", [("and", "or")]),
        ("Children and women were not counted.", "They did not count children or women.", []),
        ("It must be sold.", "It may be sold.", [("must", "may")]),
        ("It must be sold.", "It may only be sold.", []),
        ("It opened in May.", "It opened in June.", [("May", "June")]),
        ("It is open in June.", "It may be open.", []),
        ("More than six came.", "Less than six came.", []),
    ],
)
def test_opposites_count_in_their_place(claim: str, sentence: str, found: list[tuple[str, str]]) -> None:
    """Joints and duties between the same words; no month is read into "may", no opposite into a bound."""
    ours, theirs = read(claim), read(sentence)
    assert [(ours[at].text, theirs[there].text) for at, there in opposed(ours, theirs)] == found


@pytest.mark.parametrize(
    ("claim", "sentence", "differ"),
    [
        ("It is covered.", "It is not covered.", True),
        ("It is not covered.", "We cover it.", True),
        ("It is not covered.", "We never cover it.", False),
        ("It is covered.", "It is not only covered.", False),
        ("It is covered.", "It is not covered unless you pay.", False),
        ("It is covered.", "No flood is covered, and it is covered by law.", False),
    ],
)
def test_a_denial_reaches_the_word_that_it_denies(claim: str, sentence: str, differ: bool) -> None:
    """What limits a denial makes it another one; what is denied on both sides is the same."""
    assert bool(list(denied(read(claim), read(sentence)))) is differ


def test_a_name_in_the_place_of_another() -> None:
    """Behind the same word, where the sentence has not the claimed one too."""
    ours = read("It was built by Holm.")
    assert list(renamed(ours, read("It was built by Berg in Ulm.")))
    assert not list(renamed(ours, read("It was built by Berg and Holm.")))


@pytest.mark.parametrize(
    ("claim", "sentence", "known", "differ"),
    [
        ("Orly finished with ten men.", "Dunmore finished with ten men.", "orly dunmore", True),
        ("Orly finished with ten men.", "Dunmore finished with ten men.", "", False),
        ("Mia Holm was elected again.", "Ida Berg was elected again.", "", True),
        ("Mia Holm was elected again.", "Ida Berg, who was elected again, left.", "", False),
        ("Orly finished with ten men.", "Dunmore and Orly finished with ten men.", "orly dunmore", False),
    ],
)
def test_names_that_do_the_same_stand_in_one_place(
    claim: str, sentence: str, known: str, differ: bool
) -> None:
    """One word that begins a sentence is a name only where it is written as one elsewhere."""
    found = list(renamed(read(claim), read(sentence), frozenset(known.split())))
    assert bool(found) is differ


def test_a_name_is_known_by_its_last_word_or_its_country() -> None:
    """ "Holm" is "Mia Holm", "Dutch" is of the Netherlands."""
    assert known_by(read("Mia Holm"), stems(read("Holm left.")))
    assert not known_by(read("Mia Holm"), stems(read("Mia left.")))
    assert known_by(read("Dutch"), stems(read("in the Netherlands")))
