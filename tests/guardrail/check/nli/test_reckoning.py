"""What a sentence compares is reckoned from the values of the things that it names."""

import pytest

from guardrail.check.nli.reckoning import borne_out
from guardrail.types import Node, Triplet

STATEMENTS = tuple(
    Triplet(Node("", thing), Node("", name), Node("", value))
    for thing, name, value in (
        ("Pontoon A", "berths", "64"),
        ("Pontoon B", "berths", "88"),
        ("Pontoon C", "berths", "40"),
        ("Pontoon A", "depth at low water", "1.8 m"),
        ("Pontoon B", "depth at low water", "150 cm"),
        ("Ana Ruiz", "started", "2019-03-01"),
        ("Bo Lind", "started", "2021-06-15"),
        ("Bar", "opens", "17:00"),
        ("Kitchen", "opens", "09:30"),
    )
)
COUNTS, DEPTHS, STARTS, TIMES = STATEMENTS[:3], STATEMENTS[3:5], STATEMENTS[5:7], STATEMENTS[7:]


@pytest.mark.parametrize(
    ("claim", "near", "sign"),
    [
        ("Pontoon B has more berths than pontoon A.", COUNTS, 1),
        ("Pontoon A has more berths than pontoon B.", COUNTS, -1),
        ("Fewer boats fit on A than on B.", COUNTS, 1),
        ("Pontoon A doesn't hold more boats than B.", COUNTS, 1),
        ("B has the most berths of all pontoons.", COUNTS, 1),
        ("C is the largest of the pontoons.", COUNTS, -1),
        ("The water is deeper at A than at B.", DEPTHS, 1),
        ("Ana joined before Bo did.", STARTS, 1),
        ("Ana joined later than Bo.", STARTS, -1),
        ("The kitchen opens earlier than the bar.", TIMES, 1),
        ("Pontoon A has berths.", COUNTS, 0),
        ("Pontoon A is older than pontoon B.", (), 0),
    ],
)
def test_values_bear_a_comparison_out_or_not(claim: str, near: tuple[Triplet, ...], sign: int) -> None:
    """Units are converted, dates and times of day put in order; a denial turns it round."""
    assert borne_out(claim, near) == sign


def test_the_nearest_property_that_both_have_is_compared() -> None:
    """By berths B is greater, by depth A."""
    claim = "Pontoon A is larger than pontoon B."
    assert borne_out(claim, (*COUNTS, *DEPTHS)) == -1
    assert borne_out(claim, (*DEPTHS, *COUNTS)) == 1


def test_a_thing_that_only_some_others_exceed_is_not_compared_with_all() -> None:
    """Pontoon A has more berths than one and fewer than another."""
    assert borne_out("Pontoon A has more berths than any of the others.", COUNTS) == 0
