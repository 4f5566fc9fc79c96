"""What the trees for statements grow on."""

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY
from eval.train.records import graphs, nearest
from eval.train.tables import Table, tables

HOUSE = Table(
    "house",
    (
        ("Garden room", "price per night", "GBP 90"),
        ("Lake room", "price per night", "GBP 120"),
        *((f"Room {number}", "floor", str(number)) for number in range(1, 9)),
    ),
    (("A night in the garden room costs ninety pounds.", ATTRIBUTABLE),),
)


def test_every_graph_has_twins_and_open_sentences() -> None:
    """Ten that follow, ten that cannot be true, four that are open, but of contrasts more; no table that the cross-encoder learns from."""
    found = graphs()
    assert len({one.id for one in found}) == len(found) == 360
    assert sum(one.of_contrasts for one in found) == 120
    for one in found:
        if one.of_contrasts:
            assert {label for _, label in one.sentences} == {ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY}
            continue
        labels = [label for _, label in one.sentences]
        assert [labels.count(bit) for bit in (ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY)] == [10, 10, 4]
    assert {one.id for one in found}.isdisjoint(one.id for one in tables())


def test_a_sentence_has_what_the_product_would_find_for_it() -> None:
    """The statements nearest in meaning, and others with their properties."""
    ((text, label, evidence),) = nearest(HOUSE)
    assert (text, label) == HOUSE.sentences[0]
    assert evidence.nearest[0].object.label == "GBP 90"
    assert not set(evidence.nearest) & set(evidence.peers)
    assert {one.predicate.label for one in evidence.peers} <= {
        one.predicate.label for one in evidence.nearest
    }
