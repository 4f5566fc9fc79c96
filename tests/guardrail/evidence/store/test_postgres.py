"""The graph in PostgreSQL answers as the one in a file does."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")

from guardrail.errors import KnowledgeError, KnowledgeMissing
from guardrail.evidence.door import open_graph, open_or_create
from guardrail.evidence.importers.load import Loader, load
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.query.closure import chain
from guardrail.evidence.query.facts import answers
from guardrail.evidence.query.paths import paths
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Argument, Claim, Entity, Fact, Property, Span
from tests.postgres_server import Server, why_not
from tests.world import fill, triplet, watched

pytestmark = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of this module's own, in a folder that its user may enter (pytest's are root's alone)."""
    with tempfile.TemporaryDirectory(prefix="kg-postgres-") as folder:
        made = Server(Path(folder))
        made.create()
        made.start()
        yield made
        made.kill()


@pytest.fixture
def url(server: Server) -> str:
    return server.new_database()


@pytest.fixture
def shared(url: str) -> Iterator[Graph]:
    """The small world in PostgreSQL."""
    with open_or_create(url) as made:
        yield fill(made)


def test_names_as_people_say_them_are_found(url: str) -> None:
    """ "the gym" of "Gym": a small graph of somebody's own is one in PostgreSQL, too."""
    with open_or_create(url) as made:
        with made.write() as batch:
            batch.add_entities([NewEntity(Entity("Gym", "Gym")), NewEntity(Entity("Main pool", "Main pool"))])
        assert {row.text for row in made.own_names(10)} == {"Gym", "Main pool"}
        assert made.own_names(1) == []
        with made.write() as batch:
            batch.add_properties([Property("below", "below")])
            batch.add_statements([triplet("Main pool", "below", "Gym")])
        assert [one.object.label for one in made.own_statements(1)] == ["Gym"]
        found = AliasLinker(made).link("You have to be 16 to use the gym.")
        assert [mention.entity.id for mention in found if mention.entity is not None] == ["Gym"]


def test_it_answers_as_the_file_does(shared: Graph, graph: Graph) -> None:
    """Entities, statements, search, aliases, paths: the same in both."""
    for entity_id in ("Q76", "Q30", "Q90", "Q404"):
        assert shared.entity(entity_id) == graph.entity(entity_id)
        assert shared.statements(entity_id) == graph.statements(entity_id)
        assert shared.incoming(entity_id) == graph.incoming(entity_id)
        assert shared.aliases(entity_id) == graph.aliases(entity_id)
    for text in ("paris", "obama", "zorbax", "Q76", ""):
        assert shared.search(text) == graph.search(text)
    assert shared.properties() == graph.properties()
    assert paths(shared, ["Q76", "Q30", "Q937"]) == paths(graph, ["Q76", "Q30", "Q937"])
    mine, theirs = shared.stats(), graph.stats()
    assert (mine.entities, mine.statements, mine.aliases) == (
        theirs.entities,
        theirs.statements,
        theirs.aliases,
    )


def test_the_edges_of_many_entities_are_those_of_the_file(shared: Graph, graph: Graph) -> None:
    """Whatever numbers the two give: the same statements, however often and of however many it is asked."""

    def told(of: Graph, ids: list[str], incoming: int) -> set[str]:
        _, edges = of.around(ids, incoming=incoming)
        return {triplet.id for triplet in of.read_edges(edges).values()}

    ids = ["Q76", "Q30", "Q142", "Q90", "Q18094"]
    for count in (1, 2, 5, 1, 1, 1, 1, 1, 5):
        assert told(shared, ids[:count], 100) == told(graph, ids[:count], 100) != set()
    assert told(shared, ids, 0) == told(graph, ids, 0) < told(graph, ids, 100)


def test_questions_of_the_graph_are_planned_once(shared: Graph) -> None:
    """After that the server only answers: a plan takes longer than the few rows."""
    for _ in range(12):
        shared.degrees(list(range(100)))
    rows = shared.database.rows(
        "SELECT SUM(generic_plans), SUM(custom_plans) FROM pg_prepared_statements WHERE statement LIKE ?",
        ("%degree%",),
    )
    assert rows[0][0] >= 9
    assert rows[0][1] == 0


def test_few_round_trips_answer_a_question(
    shared: Graph, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each costs more than its rows: one for a relation, one more for the hierarchy, few for paths."""
    asked = watched(shared, monkeypatch)

    def trips(act: Callable[[], object]) -> int:
        act()  # what is remembered between questions
        asked.clear()
        act()
        return len([sql for sql in asked if "'version'" not in sql])

    assert trips(lambda: shared.statements("Q76", "P19")) == 1
    assert trips(lambda: chain(shared, ["Q18094"], ["Q30"])) == 2
    assert trips(lambda: chain(shared, ["Q18094"], ["Q114"])) == 1
    assert trips(lambda: paths(shared, ["Q76", "Q30"])) <= 4
    assert chain(shared, ["Q18094"], ["Q30"]) == chain(graph, ["Q18094"], ["Q30"])


def test_linking_and_answers_work_on_it(shared: Graph) -> None:
    """The whole of the room runs over either store."""
    text = "Barack Obama was born in Kenya."
    obama, kenya = AliasLinker(shared).link(text)
    fact = Fact(
        Argument("x", mentions=(obama,)), "born in", Argument("y", mentions=(kenya,)), relations=("P19",)
    )
    [answer] = answers(shared, Claim(0, Span(0, len(text)), text, text, (fact,)))
    assert [t.object.label for t in answer.statements] == ["Honolulu"]


def test_a_batch_that_raises_leaves_nothing(shared: Graph) -> None:
    """As in a file."""
    before = shared.stats()
    with pytest.raises(ZeroDivisionError), shared.write() as batch:
        batch.add_statements(triplet("Q76", "P26", f"Q{1 // (3 - i)}") for i in range(4))
    assert shared.stats() == before


def test_settling_and_retracting(shared: Graph) -> None:
    """The set-based statements are understood too."""
    with shared.write(settle=False) as batch:
        batch.add_statements(triplet(f"S{i}", "one", "Q30") for i in range(100))
        batch.settle()
    known = shared.property("one")
    assert known is not None
    assert known.cardinality == "single"
    with shared.write() as batch:
        assert batch.retract([shared.statements("S0", "one")[0].id]) == 1
    assert shared.statements("S0") == []


def test_readers_are_not_blocked_by_the_writer(shared: Graph, url: str) -> None:
    """They see the last whole batch."""
    seen: list[Entity | None] = []
    with open_graph(url) as reader, shared.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "universe"))])
        thread = threading.Thread(target=lambda: seen.append(reader.entity("Q1")))
        thread.start()
        thread.join(timeout=10)
        assert not thread.is_alive()
    assert seen == [None]


def test_a_database_without_a_graph_is_missing_knowledge(url: str) -> None:
    """Opening makes nothing."""
    with pytest.raises(KnowledgeMissing):
        open_graph(url)


def test_a_graph_opened_for_reading_cannot_be_written(shared: Graph, url: str) -> None:
    """The client says so before the server does."""
    with open_graph(url) as reader, pytest.raises(KnowledgeError, match="reading only"), reader.write():
        pass


def test_a_server_that_is_not_there_is_a_clear_error() -> None:
    """No password in it, no traceback of the driver."""
    with pytest.raises(KnowledgeError, match=r"postgresql://127\.0\.0\.1:1/x") as caught:
        open_graph("postgresql://me:secret@127.0.0.1:1/x")
    assert "secret" not in str(caught.value)


def test_a_file_that_repeats_itself_is_imported(url: str, tmp_path: Path) -> None:
    """A statement that stands many times in one chunk is one statement, in PostgreSQL as in a file."""
    path = tmp_path / "again.nt"
    lines = [f"<http://x/e{n % 50}> <http://x/p> <http://x/e{n % 50 + 1}> ." for n in range(500)]
    path.write_text("\n".join(lines) + "\n")
    with open_or_create(url) as shared, Graph.create(tmp_path / "g.db") as graph:
        for made in (shared, graph):
            load([(path, RdfReader(".nt"))], Loader(made))
            assert made.stats().statements == 50
