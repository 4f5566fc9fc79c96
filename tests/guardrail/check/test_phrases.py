"""Names and values as phrases: where they are, which are lists, and which may stand for one thing."""

import pytest

from guardrail.check.phrases import (
    grouped,
    like_stems,
    names,
    phrases,
    read,
    same,
    sentences_of,
    stem,
    words_of,
)


def found(text: str) -> list[str]:
    items = read(text)
    return [words_of(items, name) for name in names(items)]


def test_a_run_of_capitals_is_one_name() -> None:
    """Names go on over hyphens and "of", and end at a comma."""
    assert found("It was Bar-Lane of Kiel, Bonn, and the Bank of Ulm.") == [
        "Bar Lane of Kiel",
        "Bonn",
        "Bank of Ulm",
    ]


def test_a_participle_at_the_beginning_is_no_name() -> None:
    """ "Born in Kiel" begins with a verb."""
    assert found("Born in Kiel, she moved to Ulm.") == ["Kiel", "Ulm"]


def test_glued_sentences_are_set_apart() -> None:
    """A full stop without a space between a small and a capital letter ends a sentence; within initials it does not."""
    assert sentences_of("It lies in Ohio.Kiel is larger.") == ("It lies in Ohio.", "Kiel is larger.")
    assert sentences_of("It lies in the U.S. state of Ohio.") == ("It lies in the U.S. state of Ohio.",)
    assert [item.text for item in read("It is 1·7 km.")][-1] == "1.7 km"


def test_a_list_is_told_by_its_commas() -> None:
    """Each member of a list has the whole list, and nothing beside it."""
    items = read("They met Ulm, Bonn and Kiel in 1990.")
    bonn = next(one for one in phrases(items) if words_of(items, one) == "Bonn")
    assert [words_of(items, one) for one in grouped(items, bonn)] == ["Ulm", "Bonn", "Kiel"]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("it met Fraser", "it met Malcolm Fraser", True),
        ("it met Fraser", "it met Whitlam", False),
        ("it met in 1990", "it met in May 1990", True),
        ("it met in 1990", "it met in 1991", False),
        ("it met Fraser", "it met in 1991", None),
        ("it met 20 people", "it met 20 km away", None),
    ],
)
def test_phrases_are_the_same_where_they_share_a_word_or_agree(
    ours: str, theirs: str, expected: bool | None
) -> None:
    """A surname may be the person, a year holds its days, and nothing is said of two kinds."""
    left, right = read(ours), read(theirs)
    assert same(left, phrases(left)[0], right, phrases(right)[0]) is expected


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        ("mexico", "mexican", True),
        ("austria", "australia", False),
        ("iran", "iraq", False),
        ("city", "cities", True),
    ],
)
def test_forms_of_a_word_share_all_but_their_endings(left: str, right: str, alike: bool) -> None:
    """Countries with like names are not forms of one word."""
    assert like_stems(stem(left), stem(right)) is alike
