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
        ("Main hall", "seats", "1200"),
        ("Small hall", "seats", "900"),
        ("Chapel", "seats", "900"),
        ("North wing", "built", "1887"),
        ("South wing", "built", "1931-05-02"),
        ("Harbour office", "telephone", "555 0134"),
    )
)
COUNTS, DEPTHS, STARTS, TIMES = STATEMENTS[:3], STATEMENTS[3:5], STATEMENTS[5:7], STATEMENTS[7:9]
SEATS, BUILT, UNRELATED = STATEMENTS[9:12], STATEMENTS[12:14], STATEMENTS[14:]


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
        ("Before the bar opens, the kitchen opens.", TIMES, 1),
        ("Before Ana joined, Bo did.", STARTS, -1),
        ("After the kitchen opens the bar does.", TIMES, 1),
        ("The main hall holds more people than the small hall.", SEATS, 1),
        ("The small hall seats more people than the chapel.", SEATS, -1),
        ("The chapel does not seat more people than the small hall.", SEATS, 1),
        ("The north wing is older than the south wing.", BUILT, 1),
        ("The interest in the chapel is for more people to see.", SEATS, 0),
        ("Pontoon B has more berths than pontoon A.", (*UNRELATED, *COUNTS), 1),
        ("Pontoon A has at least forty berths.", COUNTS, 0),
        ("Pontoon B has ten more berths than pontoon A.", COUNTS, 0),
        ("Pontoon A has ten more berths than pontoon B.", COUNTS, -1),
        ("Pontoon A has berths.", COUNTS, 0),
        ("Pontoon A is older than pontoon B.", (), 0),
    ],
)
def test_values_bear_a_comparison_out_or_not(claim: str, near: tuple[Triplet, ...], sign: int) -> None:
    """Units are converted, dates and times of day put in order; a denial turns it round."""
    assert borne_out(claim, near).sign == sign


def test_the_nearest_property_that_both_have_is_compared() -> None:
    """By berths B is greater, by depth A."""
    claim = "Pontoon A is larger than pontoon B."
    assert borne_out(claim, (*COUNTS, *DEPTHS)).sign == -1
    assert borne_out(claim, (*DEPTHS, *COUNTS)).sign == 1


def test_one_that_has_more_is_enough_against_a_superlative() -> None:
    """Pontoon A has more berths than one and fewer than another."""
    assert borne_out("Pontoon A has more berths than any of the others.", COUNTS).sign == -1
