"""The graph gives back what was written, with labels, in order of rank, under another version after each batch."""

import threading
from collections.abc import Callable, Sequence

import pytest

from guardrail.evidence.knowledge import Edge
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity, Node, Triplet, Value
from tests.world import node, triplet, watched


def test_an_entity_is_read_as_a_whole(graph: Graph) -> None:
    """Label, description, classes, gender and prior are there."""
    obama = graph.entity("Q76")
    assert obama == Entity("Q76", "Barack Obama", types=("Q5",), popularity=6.0, gender="m")
    assert graph.entity("Q13133").gender == "f"  # type: ignore[union-attr]
    assert graph.entity("Q404") is None


def test_popularity_falls_back_on_the_number_of_edges(graph: Graph) -> None:
    """An entity that came without a prior is as well known as it is connected."""
    switzerland, unconnected = graph.entity("Q39"), graph.entity("Q89")
    assert switzerland is not None
    assert unconnected is not None
    assert switzerland.popularity > 0
    assert unconnected.popularity == 3.0


def test_statements_carry_labels_qualifiers_and_units(graph: Graph) -> None:
    """A reader needs no second look-up to show a statement."""
    [birth] = graph.statements("Q76", "P19")
    assert birth.object == Node("Q18094", "Honolulu")
    assert birth.source == "test"
    [height] = graph.statements("Q76", "P2048")
    assert height.object == Value("1.87 metre", "1.87", "quantity", unit=Node("Q11573", "metre"))
    last = graph.statements("Q30", "P35")
    assert {q.predicate.label for t in last for q in t.qualifiers} == {"start time", "end time"}


def test_all_statements_of_a_subject_and_none_of_a_stranger(graph: Graph) -> None:
    """Without a property everything comes; unknown ids give nothing."""
    assert {t.predicate.id for t in graph.statements("Q76")} == {"P19", "P26", "P31", "P21", "P569", "P2048"}
    assert graph.statements("Q404") == []
    assert graph.statements("Q76", "P404") == []


def test_preferred_statements_come_first_and_deprecated_last(graph: Graph) -> None:
    """Rank orders what is read."""
    with graph.write() as batch:
        batch.add_statements([triplet("Q76", "P39", "Q1", rank="deprecated"), triplet("Q76", "P39", "Q2")])
        batch.add_statements([triplet("Q76", "P39", "Q3", rank="preferred")])
    assert [t.rank for t in graph.statements("Q76", "P39")] == ["preferred", "normal", "deprecated"]


def test_incoming_statements_with_and_without_a_property(graph: Graph) -> None:
    """What has the entity as its object, at most `limit`."""
    assert [t.subject.label for t in graph.incoming("Q25191", "P57")] == ["Inception"]
    assert {t.subject.id for t in graph.incoming("Q5")} == {"Q76", "Q937", "Q13133"}
    assert len(graph.incoming("Q5", limit=2)) == 2
    assert graph.incoming("Q5", "P404") == []


def test_a_statement_is_found_again_by_its_id(graph: Graph) -> None:
    """Cited evidence can be looked up."""
    for statement in graph.statements("Q30"):
        assert graph.statement(statement.id) == statement
    assert graph.statement("Q30$~0") is None
    assert graph.statement("nothing") is None


def test_search_finds_names_then_beginnings(graph: Graph) -> None:
    """Best known first; ids are found too; rubbish finds nothing."""
    assert [e.id for e in graph.search("paris")] == ["Q90", "Q830149", "Q47899"]
    assert graph.search("Q76")[0].label == "Barack Obama"
    assert [e.id for e in graph.search("einst")] == ["Q937"]
    assert graph.search("paris", limit=1)[0].id == "Q90"
    assert graph.search("") == graph.search("%%") == []


def test_aliases_leave_out_the_label(graph: Graph) -> None:
    """Further names in alphabetical order."""
    assert graph.aliases("Q76") == ("Barack Hussein Obama", "Obama")
    assert graph.aliases("Q404") == ()


def test_every_batch_changes_the_version(graph: Graph) -> None:
    """A cache that carries the version never shows what was true before; an empty batch changes nothing."""
    before = graph.version
    with graph.write():
        pass
    assert graph.version == before
    with graph.write() as batch:
        batch.add_statements([triplet("Q937", "P26", "Q76")])
    assert graph.version != before


def test_a_new_property_is_seen_by_an_open_reader(graph: Graph) -> None:
    """Cached properties follow the version."""
    with Graph.open(graph.name) as reader:
        assert reader.property("P999") is None
        with graph.write() as batch:
            batch.add_statements([triplet("Q76", "P999", "Q30")])
        assert reader.property("P999") is not None
        assert reader.statements("Q76", "P999")[0].object == node("Q30")


def test_edges_are_walked_in_both_directions(graph: Graph) -> None:
    """Each edge stands once at each end."""
    numbers, edges = graph.around(["Q18094"], incoming=10)
    numbers |= graph.numbers(["Q76"])
    assert {(e.b, e.p > 0) for e in edges} >= {(numbers["Q76"], False)}
    [direct] = graph.edges_between([numbers["Q76"]], [numbers["Q18094"]])
    turned = Edge(direct.b, -direct.p, direct.a, direct.k)
    read = graph.read_edges([direct, turned])
    assert read[direct] == read[turned] == graph.statements("Q76", "P19")[0]


def test_what_stands_around_several_entities_is_asked_and_read_at_once(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One round trip for the edges of any number of entities, at most so many arriving at each; one for their statements."""
    ids = ["Q76", "Q30", "Q18094"]
    whole = {edge for i in ids for edge in graph.around([i], incoming=1000)[1]}
    asked = watched(graph, monkeypatch)
    numbers, edges = graph.around([*ids, "Q404", "Q76"], incoming=1000)
    assert len(asked) == 1
    assert set(edges) == whole
    assert numbers == graph.numbers(ids)
    found = graph.read_edges(edges)
    assert set(found) == whole
    assert len([sql for sql in asked if "FROM statement" in sql]) == 1
    assert set(graph.around(ids, incoming=0)[1]) == {edge for edge in whole if edge.p > 0} != whole
    assert graph.around([], incoming=2) == ({}, [])
    assert graph.read_edges([]) == {}


def test_what_lies_above_is_asked_at_once(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many steps, along the properties named; a circle ends."""
    with graph.write() as batch:
        batch.add_statements([triplet("Q30", "P131", "Q18094")])
    by = [number for p in ("P131", "P17") if (number := graph.property_number(p))]
    asked = watched(graph, monkeypatch)

    def above(hops: int, by: list[int] = by) -> set[tuple[str, str]]:
        numbers, edges = graph.upward(["Q18094", "Q404"], by, hops)
        assert set(numbers) == {"Q18094"}
        return {
            (t.subject.id, t.object.id)
            for t in graph.read_edges(edges).values()
            if isinstance(t.object, Node)
        }

    assert above(1) == {("Q18094", "Q782")}
    assert above(2) == {("Q18094", "Q782"), ("Q782", "Q30")}
    assert above(3) == above(2) | {("Q30", "Q18094")} == above(9)
    assert above(3, by[:1]) == {("Q18094", "Q782")}
    assert len([sql for sql in asked if "RECURSIVE" in sql]) == 6


def test_a_hierarchy_in_which_all_stand_above_all_is_cut_off(
    make_graph: Callable[[Sequence[Triplet]], Graph],
) -> None:
    """What is left out is the rest of so many thousand."""
    ids = [f"n{i}" for i in range(120)]
    graph = make_graph([triplet(a, "P131", b) for a in ids for b in ids if a != b])
    by = graph.property_number("P131")
    assert by is not None
    numbers, edges = graph.upward(["n0"], [by], 3)
    assert set(numbers) == {"n0"}
    assert len(edges) == 5_000


def test_many_threads_read_at_once(graph: Graph) -> None:
    """Every thread gets the right answer from its own connection."""
    wrong: list[str] = []

    def read() -> None:
        read = (graph.statements("Q76", "P19")[0].object.label for _ in range(50))
        wrong.extend(label for label in read if label != "Honolulu")

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_stats_count_what_is_there(graph: Graph) -> None:
    """Adding one entity with two names changes just those counts."""
    before = graph.stats()
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "universe"), ("cosmos",))])
    after = graph.stats()
    assert (after.entities, after.aliases) == (before.entities + 1, before.aliases + 2)
    assert after.statements == before.statements
