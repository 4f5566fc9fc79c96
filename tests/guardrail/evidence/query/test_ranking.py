"""Who comes before whom in a graph."""

from __future__ import annotations

from guardrail.evidence.query.ranking import rankings
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Argument, Candidate, Claim, Entity, Fact, Mention, Node, Span, Triplet, Value

AREA = Node("P2046", "area")
KM2 = Node("Q712226", "square kilometre")
LANDS = {"A": 90, "B": 70, "C": 50}


def area(of: str, size: int) -> Triplet:
    return Triplet(
        Node(f"Q{of}", of),
        AREA,
        Value(f"{size} square kilometre", str(size), "quantity", unit=KM2),
        source="t",
    )


def world(graph: Graph, *, members: int | None = None) -> Graph:
    """Three lands; A and C lie in North, B in South. `members`: how many lands there are said to be."""
    kind = Node("Qland", "land")
    with graph.write() as batch:
        batch.add_entities(
            [
                NewEntity(Entity(f"Q{name}", name)) for name in (*LANDS, "North", "South")
            ]
            + [NewEntity(Entity("Qland", "land"))]
        )  # fmt: skip
        for name, size in LANDS.items():
            within = "South" if name == "B" else "North"
            batch.add_statements(
                [
                    Triplet(Node(f"Q{name}", name), Node("P31", "instance of"), kind, source="t"),
                    Triplet(Node(f"Q{name}", name), Node("P30", "continent"), Node(f"Q{within}", within), source="t"),
                    area(name, size),
                ]
            )  # fmt: skip
        if members:
            number = Value(str(members), str(members), "quantity")
            batch.add_statements([Triplet(kind, Node("P1114", "quantity"), number, source="t")])
    return graph


def about(graph: Graph, text: str, subject: str, object_: str = "") -> Claim:
    """The claim with its names linked by their ids."""

    def argument(name: str) -> Argument:
        start = text.index(name)
        span = Span(start, start + len(name))
        entity = graph.entity(f"Q{name}")
        assert entity is not None
        return Argument(name, span, (Mention(span, name, (Candidate(entity, 0.0),)),))

    other = argument(object_) if object_ else Argument("land")
    places = [argument(name).mentions[0] for name in ("North", "South") if name in text]
    fact = Fact(argument(subject), "is", other)
    return Claim(0, Span(0, len(text)), text, text, (fact,), tuple(places))


def test_two_values_side_by_side(graph: Graph) -> None:
    """Of a comparison both statements come, and the one ahead."""
    world(graph)
    [right] = rankings(graph, about(graph, "A is larger than B.", "A", "B"))
    [wrong] = rankings(graph, about(graph, "C is larger than B.", "C", "B"))
    assert (right.ahead, [t.subject.label for t in right.beside]) == ((), ["B"])
    assert [[t.subject.label for t in member] for member in wrong.ahead] == [["B"]]
    assert right.whole
    assert wrong.whole


def test_without_both_values_there_is_no_comparison(graph: Graph) -> None:
    """A land without an area is neither larger nor smaller."""
    world(graph)
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("QD", "D"))])
    assert rankings(graph, about(graph, "A is larger than D.", "A", "D")) == ()
    assert rankings(graph, about(graph, "A is heavier than B.", "A", "B")) == ()


def test_those_ahead_come_greatest_first(graph: Graph) -> None:
    """C has B and A before it, and A is the largest."""
    world(graph)
    [ranking] = rankings(graph, about(graph, "C is the largest land.", "C"))
    assert [member[0].subject.label for member in ranking.ahead] == ["A", "B"]
    assert not ranking.whole  # nobody said how many lands there are


def test_a_class_that_says_its_number_is_whole(graph: Graph) -> None:
    """Three lands of three; of four one is missing."""
    world(graph, members=3)
    [ranking] = rankings(graph, about(graph, "A is the largest land in the world.", "A"))
    assert (ranking.ahead, ranking.whole, ranking.wanted) == ((), True, 1)


def test_a_class_with_a_member_missing_is_not(graph: Graph) -> None:
    """The fourth land may be larger."""
    world(graph, members=4)
    [ranking] = rankings(graph, about(graph, "A is the largest land in the world.", "A"))
    assert not ranking.whole


def test_a_place_leaves_out_who_lies_elsewhere(graph: Graph) -> None:
    """B is larger than C, but lies in the South; what places the others is part of the proof."""
    world(graph, members=3)
    [ranking] = rankings(graph, about(graph, "C is the largest land in the North.", "C"))
    assert [[t.predicate.id for t in member] for member in ranking.ahead] == [["P2046", "P30"]]
    [own] = rankings(graph, about(graph, "B is the largest land in the South.", "B"))
    assert (own.ahead, own.whole) == ((), True)
    [stranger] = rankings(graph, about(graph, "A is the largest land in the South.", "A"))
    assert not stranger.whole  # it does not lie there


def test_another_kind_is_no_set(graph: Graph) -> None:
    """A is no lake."""
    world(graph)
    assert rankings(graph, about(graph, "A is the largest lake.", "A")) == ()
