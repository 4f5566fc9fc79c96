"""Every sentence of `tests/data/constructions`, beside what is expected of it. A new construction is a line there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.constructions import claims, clinic, comparison, english, names, verdicts
from tests.constructions.corpus import BENCHES, DATA, Example, Reader, examples


def judge(example: Example, readers: Mapping[str, Reader]) -> None:
    for name, expected in example.expected.items():
        reader = readers[name]
        observed = reader.observe(example.text, **example.given)
        assert reader.agrees(observed, expected), f"{name} of {example.text!r}: {observed} and not {expected}"


def of(bench: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("example", examples(bench), ids=lambda example: example.id)


@of("english")
def test_a_text_is_read_as_english(example: Example) -> None:
    """Sentences, words, clauses, values and kinds are found in a text by itself."""
    judge(example, english.READERS)


@of("claims")
def test_a_text_falls_into_claims_and_facts(example: Example) -> None:
    """Claims, their kinds and wordings, and facts with the property that says the same."""
    judge(example, claims.READERS)


@of("names")
def test_words_are_linked_to_what_they_name(example: Example) -> None:
    """What is a name, and what it stands for in the small world."""
    judge(example, names.READERS)


@of("comparison")
def test_a_claim_is_compared_with_a_sentence(example: Example) -> None:
    """What differs between a claim and a sentence of the evidence."""
    judge(example, comparison.READERS)


@of("clinic")
def test_a_sentence_is_aligned_with_a_small_graph(example: Example) -> None:
    """Properties that no lexicon knows agree, conflict, or are left open."""
    judge(example, clinic.READERS)


@of("verdicts")
def test_the_pipeline_says_what_is_right(example: Example) -> None:
    """Labels, reasons and corrections over the knowledge that is shipped."""
    judge(example, verdicts.READERS)


def test_every_folder_has_its_readers() -> None:
    """No example lies where nothing reads it."""
    assert {path.name for path in DATA.iterdir()} == set(BENCHES)
    assert [path for path in DATA.rglob("*") if path.is_file() and path.suffix != ".yaml"] == []


@pytest.mark.parametrize("bench", BENCHES)
def test_no_example_stands_twice(bench: str) -> None:
    """A text is an example of a phenomenon once, with all that is expected of it."""
    found = [(one.phenomenon, one.text, str(one.given)) for one in examples(bench)]
    assert sorted(found) == sorted(set(found))
