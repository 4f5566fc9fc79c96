"""The words of a sentence."""

from __future__ import annotations

import pytest

from guardrail.check.kg.aligned.words import akin, contrary, former, negations


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("weighs", "weight", True),
        ("founded", "founder", True),
        ("batteries", "battery", True),
        ("born", "birth", True),
        ("car", "care", False),
        ("star", "start", False),
        ("port", "portrait", False),
        ("applying", "application", True),
        ("supplies", "supply", True),
    ],
)
def test_forms_of_one_word_are_akin(one: str, other: str, expected: bool) -> None:
    """By a shared beginning and known endings, or as irregular forms."""
    assert akin(one, other) is expected


def test_opposites_are_told_apart() -> None:
    """A closing time is no opening time."""
    assert contrary("it closes at", "opening time")
    assert not contrary("it opens at", "opening time")


def test_negations_are_counted() -> None:
    """ "No more than" denies nothing."""
    assert [
        negations(one) for one in ("It has no lift.", "no more than two", "not without it", "free of charge")
    ] == [1, 0, 2, 0]


def test_what_is_over_is_told() -> None:
    """Half past ten is not over."""
    assert former("a former director")
    assert not former("half past ten")
