"""What held, holds and no longer holds."""

import pytest

from guardrail.evidence.query.temporal import holds, in_time
from guardrail.types import Property
from tests.world import term, triplet

HEAD = Property("P35", "head of state", temporal=True)
OBAMA = triplet("Q30", "P35", "Q76", *term("2009-01-20", "2017-01-20"))
TRUMP = triplet("Q30", "P35", "Q22686", *term("2017-01-20", "2021-01-20"))
BIDEN = triplet("Q30", "P35", "Q6279", *term("2021-01-20"))


@pytest.mark.parametrize(
    ("tense", "expected"),
    [
        ("present", [BIDEN]),
        ("former", [OBAMA, TRUMP]),
        ("past", [OBAMA, TRUMP, BIDEN]),
        ("", [OBAMA, TRUMP, BIDEN]),
    ],
)
def test_the_tense_chooses_the_statements(tense: str, expected: list[object]) -> None:
    """ "is", "former", "was"."""
    assert holds([OBAMA, TRUMP, BIDEN], HEAD, tense) == expected


def test_without_a_current_one_the_latest_counts(graph: object) -> None:
    """A graph of 2020 still has a president."""
    assert holds([TRUMP, OBAMA], HEAD, "present") == [TRUMP]


def test_preferred_statements_win_among_the_current() -> None:
    """Rank says which of two is meant."""
    preferred = triplet("Q30", "P35", "Q1", rank="preferred")
    assert holds([preferred, BIDEN], HEAD, "present") == [preferred]


def test_nothing_is_lost() -> None:
    """What does not hold stands behind what does."""
    assert in_time([OBAMA, BIDEN, TRUMP], HEAD, "present") == [BIDEN, OBAMA, TRUMP]


def test_what_does_not_change_is_left_alone() -> None:
    """A birthplace has no tense."""
    assert holds([OBAMA, BIDEN], Property("P19", "x"), "present") == [OBAMA, BIDEN]
