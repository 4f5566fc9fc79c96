"""Values that stand in each other's place."""

import pytest

from guardrail.check.text.amounts import crossed, named, replaced, stands
from guardrail.check.text.phrases import read


def pairs(claim: str, sentence: str) -> list[tuple[str, str]]:
    ours, theirs = read(claim), read(sentence)
    return [(ours[at].text, theirs[there].text) for at, there in replaced(ours, theirs)]


@pytest.mark.parametrize(
    ("claim", "sentence", "found"),
    [
        ("It runs 3 hours.", "It runs 120 minutes.", [("3 hours", "120 minutes")]),
        ("It runs 2 hours.", "It runs 120 minutes.", []),
        ("It has 3 rooms.", "It has 4 cats.", []),
        ("It has 3 rooms.", "It has 4 rooms.", [("3", "4")]),
        ("It weighs 3 kg.", "It is 4 m long.", []),
        ("It takes at least 8 weeks.", "It takes at most 8 weeks.", [("8 weeks", "8 weeks")]),
        ("It takes 3 days.", "Spring: 4 days; autumn: 5 days.", []),
    ],
)
def test_only_values_that_measure_the_same_replace_each_other(
    claim: str, sentence: str, found: list[tuple[str, str]]
) -> None:
    """By dimension or by what is counted; opposite bounds differ; of two that are as near none is chosen."""
    assert pairs(claim, sentence) == found


def test_values_are_crossed_only_where_the_claim_has_two_of_a_kind() -> None:
    """One value with a mate that the sentence puts elsewhere says nothing yet."""
    ours, theirs = read("The P2 has 128 GB."), read("The P2 has 8 GB of memory and 128 GB of storage.")
    assert list(crossed(ours, theirs)) == []


def test_a_place_is_called_by_its_unit_or_what_it_counts() -> None:
    """Or by the word before it."""
    assert named(read("within 14 days"), 1) == "day"
    assert named(read("it has 14 cats"), 2) == "cat"
    assert named(read("led by Holm"), 2) == "led"


def test_a_number_in_words_stands_where_its_digits_do() -> None:
    """And the other way round."""
    assert stands(read("eight rooms"), 0, read("It has 8 rooms."))
    assert not stands(read("eight rooms"), 0, read("It has 9 rooms."))
