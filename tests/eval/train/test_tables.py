"""Sentences about small tables stand beside the rows that they speak of."""

import random

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY
from eval.train.tables import Table, kept_aside, table_pairs, tables
from guardrail.models.embed import Embedder

HOUSE = Table(
    "house",
    (
        ("Garden room", "price per night", "GBP 90"),
        ("Garden room", "breakfast", "included"),
        *((f"Room {number}", "floor", str(number)) for number in range(1, 17)),
    ),
    (
        ("A night in the garden room costs ninety pounds.", ATTRIBUTABLE),
        ("You pay extra for breakfast in the garden room.", CONTRADICTORY),
        ("The garden room has a desk.", EXTRAPOLATORY),
    ),
)


def test_a_pair_has_the_rows_that_are_nearest_in_meaning() -> None:
    """Not all of a long table, and the row that decides among them."""
    made = list(table_pairs([HOUSE], random.Random(0), Embedder()))
    assert [one.labels for one in made] == [label for _, label in HOUSE.sentences]
    assert all("Garden room: " in one.premise for one in made)
    assert "price per night: GBP 90" in made[0].premise
    assert all(8 <= one.premise.count(": floor:") + 2 <= 14 for one in made)


def test_every_table_has_twins_and_open_sentences() -> None:
    """Five that follow, five that cannot be true, two that are open; ids of their own; one in seven kept aside. Contrasts are open more often."""
    found = tables()
    assert len({one.id for one in found}) == len(found) > 1300
    contrasts = [one for one in found if one.of_contrasts]
    assert len(contrasts) == 180
    for one in contrasts:
        assert {label for _, label in one.sentences} == {ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY}
    for one in found:
        if one.of_contrasts:
            continue
        labels = [label for _, label in one.sentences]
        assert [labels.count(bit) for bit in (ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY)] == [5, 5, 2]
    assert 0.1 < sum(map(kept_aside, found)) / len(found) < 0.2
