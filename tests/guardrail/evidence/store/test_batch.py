"""A batch is written whole or not at all, and writing the same thing twice changes nothing."""

import subprocess
import sys
from dataclasses import replace

import pytest

from guardrail.errors import KnowledgeError
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.evidence.store.packed import Columns
from guardrail.types import Entity, Node, Property, Triplet
from tests.world import day, node, statements, term, triplet


def test_the_same_statements_again_double_nothing(graph: Graph) -> None:
    """Importing a file twice is harmless."""
    before = graph.stats()
    with graph.write() as batch:
        batch.add_statements(statements())
    after = graph.stats()
    assert (after.statements, after.edges, after.aliases) == (before.statements, before.edges, before.aliases)


def test_a_batch_that_raises_leaves_nothing(graph: Graph) -> None:
    """Nothing of it is there, and the version is the old one."""
    before = graph.stats()
    with pytest.raises(ZeroDivisionError), graph.write() as batch:
        batch.add_statements(triplet("Q76", "P26", f"Q{1 // (3 - i)}") for i in range(4))
    assert graph.stats() == before


def test_unknown_ends_of_a_statement_become_entities(graph: Graph) -> None:
    """A statement may come before the entities it names; their labels may come later."""
    with graph.write() as batch:
        batch.add_statements([Triplet(Node("Q1000", ""), Node("P1", ""), Node("Q1001", "thing"))])
    assert graph.entity("Q1000").label == "Q1000"  # type: ignore[union-attr]
    assert graph.search("thing")[0].id == "Q1001"
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1000", "named at last"))])
    assert graph.statements("Q1000")[0].subject.label == "named at last"
    assert graph.search("named at last")[0].id == "Q1000"


def test_a_later_entity_adds_and_keeps(graph: Graph) -> None:
    """What is not given again stays: description, classes, aliases; the former label stays as an alias."""
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q90", "Paris (city)"), ("Lutetia",))])
    paris = graph.entity("Q90")
    assert paris is not None
    assert (paris.label, paris.description) == ("Paris (city)", "capital of France")
    assert graph.aliases("Q90") == ("City of Light", "Lutetia", "Paris", "Paris, France")


def test_retracted_statements_are_gone_from_both_ends(graph: Graph) -> None:
    """And the count says how many there were."""
    ids = [t.id for t in graph.statements("Q76", "P19")]
    with graph.write() as batch:
        assert batch.retract([*ids, "Q76$~00", "nonsense"]) == 1
    assert graph.statements("Q76", "P19") == []
    assert graph.incoming("Q18094", "P19") == []


def test_a_statement_with_an_id_can_change_its_object(graph: Graph) -> None:
    """Wikidata edits a statement in place: the former object must not stay reachable."""
    with graph.write() as batch:
        batch.add_statements([triplet("Q937", "P26", "Q1", id="Q937$a-b")])
    with graph.write() as batch:
        batch.add_statements([triplet("Q937", "P26", "Q2", id="Q937$a-b")])
    assert [t.object.label for t in graph.statements("Q937", "P26")] == ["Q2"]
    assert graph.incoming("Q1") == []
    assert graph.incoming("Q2")[0].id == "Q937$a-b"


def test_same_object_with_other_qualifiers_is_another_statement(graph: Graph) -> None:
    """Grover Cleveland was president twice."""
    with graph.write() as batch:
        batch.add_statements(
            [
                triplet("Q1", "P39", "Q2", *term("1885", "1889")),
                triplet("Q1", "P39", "Q2", *term("1893", "1897")),
            ]
        )
    assert len(graph.statements("Q1", "P39")) == 2


@pytest.mark.parametrize(
    "bad",
    [
        Triplet(Node("", "x"), Node("P1", ""), Node("Q1", "")),
        Triplet(Node("Q1", "x"), Node("", ""), Node("Q1", "")),
        Triplet(Node("Q1", "x"), Node("P1", ""), Node("", "")),
        Triplet(Node("Q1", "x" * 10_000), Node("P1", ""), Node("Q5", "")),
    ],
    ids=["no subject", "no predicate", "no object", "label of 10 kB"],
)
def test_a_statement_that_cannot_be_is_refused(graph: Graph, bad: Triplet) -> None:
    """The error is clear and nothing of the batch is kept."""
    before = graph.stats()
    with pytest.raises(KnowledgeError, match=r"needs|limit"), graph.write() as batch:
        batch.add_statements([triplet("Q76", "P26", "Q404"), bad])
    assert graph.stats() == before


@pytest.mark.parametrize("new", [NewEntity(Entity("", "x")), NewEntity(Entity("Q1", "x"), ("y" * 10_000,))])
def test_an_entity_that_cannot_be_is_refused(graph: Graph, new: NewEntity) -> None:
    """An alias of 10 kB is a text in the wrong column."""
    with pytest.raises(KnowledgeError, match=r"needs an id|limit is 1000"), graph.write() as batch:
        batch.add_entities([new])


def test_a_property_without_an_id_is_refused(graph: Graph) -> None:
    """Properties need ids as everything does."""
    with pytest.raises(KnowledgeError, match="needs an id"), graph.write() as batch:
        batch.add_properties([Property("", "x")])


def test_settling_measures_what_is_single(graph: Graph) -> None:
    """98 of 100 subjects with one value make a relation single; 90 do not; so do three with a thing each, and two say nothing."""
    with graph.write(settle=False) as batch:
        batch.add_statements(
            [
                *(triplet(f"S{i}", "one", day("1990")) for i in range(100)),
                *(triplet(f"S{i}", "some", day("1990")) for i in range(100)),
                *(triplet(f"S{i}", "some", day("1991")) for i in range(10)),
                *(triplet(f"S{i}", "few", node("Q30")) for i in range(3)),
                *(triplet(f"S{i}", "two", node("Q30")) for i in range(2)),
            ]
        )
        batch.settle()
    cardinality = {p: graph.property(p) for p in ("one", "some", "few", "two", "P26")}
    assert {p: known.cardinality for p, known in cardinality.items() if known} == {
        "one": "single",
        "some": "list",
        "few": "single",
        "two": "unknown",
        "P26": "list",
    }


def test_settling_counts_degrees(graph: Graph) -> None:
    """Degrees after a deferred import are those after one that kept count."""
    before = graph.degrees(list(graph.numbers(["Q76", "Q30"]).values()))
    with graph.write(settle=False) as batch:
        batch.add_statements([triplet("Q76", "P27", node("Q30"))])
    with graph.write(settle=False) as batch:
        batch.settle()
    after = graph.degrees(list(before))
    assert after == {n: degree + 1 for n, degree in before.items()}


def test_types_and_gender_follow_the_statements(graph: Graph) -> None:
    """A class that is stated becomes one of the entity's types, once."""
    with graph.write() as batch:
        batch.add_statements([triplet("Q90", "P31", "Q515"), triplet("Q90", "P31", "Q5119")])
        batch.add_statements([triplet("Q90", "P31", "Q515", *term("1000"))])
    assert graph.entity("Q90").types == ("Q515", "Q5119")  # type: ignore[union-attr]


UPDATES = """
import sys
from itertools import count
from guardrail.evidence.store.graph import Graph
from tests.world import triplet
with Graph.open(sys.argv[1], read_only=False) as graph:
    for number in count():
        with graph.write() as batch:
            batch.retract(t.id for t in graph.statements(f"S{number - 2}", "P131"))
            batch.add_statements(triplet(f"S{number}", "P131", f"T{i}") for i in range(50))
        print(number, flush=True)
"""


def test_killed_in_the_middle_of_an_update_the_file_holds_whole_batches(graph: Graph) -> None:
    """kill -9 while a reader reads: both see each batch as a whole, the version counts them, and writing goes on."""
    before = int(graph.version.rpartition(".")[2])
    command = [sys.executable, "-c", UPDATES, graph.name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        with Graph.open(graph.name) as reader:
            for line in writer.stdout:
                sizes = {len(reader.statements(f"S{number}")) for number in range(int(line) + 2)}
                assert sizes <= {0, 50}
                if int(line) >= 12:
                    break
        writer.kill()
    with Graph.open(graph.name, read_only=False) as after:
        assert after.database.rows("PRAGMA integrity_check") == [("ok",)]
        written = int(after.version.rpartition(".")[2]) - before
        assert written >= 13
        assert [len(after.statements(f"S{n}")) for n in range(written + 1)] == [0] * (written - 2) + [
            50,
            50,
            0,
        ]
        with after.write() as batch:
            batch.add_statements([triplet("S0", "P131", "T0")])
        assert len(after.statements("S0")) == 1


def test_packed_statements_that_come_without_those_before_are_refused(graph: Graph) -> None:
    """Places of entities that nobody told would be those of others."""
    columns = Columns()
    columns.add("a", "p", "b")
    columns.pack()
    columns.add("b", "p", "c")
    with pytest.raises(KnowledgeError, match="without those before"), graph.write() as batch:
        batch.add_packed(columns.pack())
    assert graph.entity("c") is None


def test_what_a_source_said_is_removed(graph: Graph) -> None:
    """With its edges; what others say stays, and what one of them repeated is theirs."""
    before = graph.stats()
    own = [replace(triplet("Q76", "P26", f"Q{n}"), source="ours") for n in (9001, 9002)]
    with graph.write() as batch:
        batch.add_statements(own)
        batch.add_statements([replace(own[1], source="theirs")])
    with graph.write() as batch:
        assert batch.retract_sources(["ours", "nobody's"]) == 1
    assert graph.stats().statements == before.statements + 1
    assert graph.stats().edges == before.edges + 1
    assert not graph.incoming("Q9001", "P26")
