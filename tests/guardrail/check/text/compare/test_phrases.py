"""Names where they stand, in sentences as they are usually written."""

from guardrail.check.text.compare.phrases import names, read, words_of
from guardrail.check.text.compare.stems import stems


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
