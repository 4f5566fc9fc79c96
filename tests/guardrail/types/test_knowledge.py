"""Entities, values and statements."""

from __future__ import annotations

import dataclasses

import pytest

from guardrail.types import Node, Setting, Triplet, Value


def test_statements_are_equal_by_what_they_say() -> None:
    """Two readings of one statement are one: they can be counted and put into sets."""
    born = Triplet(
        Node("Q937", "Albert Einstein"), Node("P569", "date of birth"), Value("1879", "1879", "date", 9)
    )
    same = Triplet(
        Node("Q937", "Albert Einstein"), Node("P569", "date of birth"), Value("1879", "1879", "date", 9)
    )
    assert len({born, same}) == 1
    assert born != dataclasses.replace(same, rank="deprecated")


def test_nothing_that_is_known_can_be_changed_in_place() -> None:
    """Evidence that was cited stays as it was cited."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Node("Q1", "universe").label = "something else"  # type: ignore[misc]


def test_the_setting_shows_in_the_number_of_references() -> None:
    """None is zero, one is accurate, several are noisy."""
    assert [Setting.of(count) for count in (0, 1, 2, 9)] == ["zero", "accurate", "noisy", "noisy"]
