"""Words that exclude each other where they stand in the same place."""

from guardrail.check.text.compare.contrasts import known_by, renamed
from guardrail.check.text.compare.phrases import read
from guardrail.check.text.compare.stems import stems


def test_a_name_in_the_place_of_another() -> None:
    """Behind the same word, where the sentence has not the claimed one too."""
    ours = read("It was built by Holm.")
    assert list(renamed(ours, read("It was built by Berg in Ulm.")))
    assert not list(renamed(ours, read("It was built by Berg and Holm.")))


def test_a_name_is_known_by_its_last_word_or_its_country() -> None:
    """ "Holm" is "Mia Holm", "Dutch" is of the Netherlands."""
    assert known_by(read("Mia Holm"), stems(read("Holm left.")))
    assert not known_by(read("Mia Holm"), stems(read("Mia left.")))
    assert known_by(read("Dutch"), stems(read("in the Netherlands")))
