"""The place of a phrase in a sentence: the same words in other parts do not say the same."""

import pytest

from guardrail.check.roles import misplaced


@pytest.mark.parametrize(
    ("claim", "sentence", "claimed", "known"),
    [
        ("Holm defeated Berg.", "Berg, who defeated Holm, retired.", "Berg", "Holm"),
        (
            "Holm was born in Kiel.",
            "Holm was born in Ulm, but moved with his parents to Kiel.",
            "Kiel",
            "Ulm",
        ),
        ("Holm was born in Kiel.", "Born in Ulm, Holm moved to Kiel as a boy.", "Kiel", "Ulm"),
        ("It was accepted by Chile.", "It was rejected by Chile and accepted by Peru.", "Chile", "Peru"),
        ("It was produced by Berg.", "It was produced by Holm and directed by Berg.", "Berg", "Holm"),
        ("Mia left Kiel.", "Ida left Bonn, and Mia left Ulm, and Ida left Kiel.", "Kiel", "Ulm"),
        ("It was built in 1990.", "It was built in 1980 and renewed in 1990.", "1990", "1980"),
        ("Kiel includes the islands.", "Bonn includes the islands.", "Kiel", "Bonn"),
        (
            "He was a Danish scholar of Swedish origin.",
            "He was a Swedish scholar of Danish origin.",
            "Swedish",
            "Danish",
        ),
        (
            "The spongy tissue lies between the round bundles.",
            "The round tissue lies between the spongy bundles.",
            "spongy tissue",
            "round tissue",
        ),
    ],
)
def test_a_place_that_is_filled_otherwise_is_found(
    claim: str, sentence: str, claimed: str, known: str
) -> None:
    """What governs a phrase has something else in the sentence."""
    found = misplaced(claim, [sentence])
    assert found is not None
    assert (found.claimed, found.known) == (claimed, known)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Berg was defeated by Holm.", "Holm defeated Berg."),
        ("Holm defeated Berg.", "Berg was defeated by Holm."),
        ("It was found in Kiel and Ulm.", "It was found in Kiel and on Ulm."),
        ("It was released in Japan.", "It was released in Peru in 2004 and in Japan in 2005."),
        ("He starred in Ulm.", "He starred in Kiel, Bonn and Ulm."),
        ("It starred Mia.", "It starred Ida, Mia and Eva."),
        ("He served over 200 towns.", "He served over 200 towns."),
        ("It has several global stations.", "It has several global channels and television stations."),
        ("The radio station Nord played music.", "The radio station airing Catholic talk played music."),
        ("He won two Berg Prize medals.", "He won three Berg Prize medals."),
        ("Holm led the Bank of Ulm.", "The Bank of Ulm was led by Holm."),
    ],
)
def test_other_words_for_the_same_are_left_alone(claim: str, sentence: str) -> None:
    """A passive, a longer list, another preposition of place or another word tells of no other part."""
    assert misplaced(claim, [sentence]) is None


def test_one_sentence_that_says_it_is_enough() -> None:
    """What one sentence gives to another, another sentence may give to it."""
    said = ["Holm was born in Ulm.", "Berg was born in Kiel."]
    assert misplaced("He was born in Kiel.", said) is None
    assert misplaced("He was born in Kiel.", said[:1]) is not None
