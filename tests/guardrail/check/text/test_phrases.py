"""Names where they stand, and words by their stems."""

import pytest

from guardrail.check.text.phrases import like_stems, names, read, stem, stems, words_of


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
    assert {"ohio", "kiel"} <= stems(read("It lies in Ohio.Kiel is larger."))
    assert "us" in stems(read("It lies in the U.S. state of Ohio."))
    assert [item.text for item in read("It is 1·7 km.")][-1] == "1.7 km"


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
