"""A knowledge file opens whole or says what is wrong with it; readers never wait for the writer."""

import sqlite3
import threading
from pathlib import Path

import pytest

from guardrail.errors import KnowledgeDamaged, KnowledgeError, KnowledgeMissing
from guardrail.evidence.store.database import SqliteDatabase
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    """Opening never makes a file."""
    with pytest.raises(KnowledgeMissing, match=r"no knowledge file at .*none\.db"):
        Graph.open(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00", b"\x00" * 5000], ids=len)
def test_a_file_that_is_no_database_is_damaged(tmp_path: Path, content: bytes) -> None:
    """Empty files, text and half headers are told apart from knowledge files."""
    path = tmp_path / "odd.db"
    path.write_bytes(content)
    with pytest.raises(KnowledgeDamaged, match="not an intact knowledge file"):
        Graph.open(path)


def test_a_directory_is_no_knowledge_file(tmp_path: Path) -> None:
    """A path that is a directory is named as one."""
    with pytest.raises(KnowledgeDamaged, match="directory"):
        Graph.open(tmp_path)


def test_a_file_cut_short_is_damaged(graph: Graph, tmp_path: Path) -> None:
    """A download that broke off is noticed at once, not at the first query."""
    graph.close()
    path = tmp_path / "world.db"
    path.write_bytes(path.read_bytes()[:-8192])
    with pytest.raises(KnowledgeDamaged, match="cut off"):
        Graph.open(path)


def test_another_applications_database_is_refused(tmp_path: Path) -> None:
    """A browser's history is SQLite too."""
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(KnowledgeDamaged, match="another application"):
        Graph.open(path)


def test_a_later_schema_is_refused(graph: Graph, tmp_path: Path) -> None:
    """A file of a newer program is not misread."""
    graph.close()
    connection = sqlite3.connect(tmp_path / "world.db")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(KnowledgeDamaged, match="schema version 99"):
        Graph.open(tmp_path / "world.db")


def test_damage_inside_the_file_is_named_when_it_is_met(graph: Graph, tmp_path: Path) -> None:
    """Overwritten pages give an error that names the file, not a wrong answer."""
    graph.close()
    path = tmp_path / "world.db"
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(KnowledgeDamaged, match=r"world\.db"), Graph.open(path) as opened:
        opened.entity("Q76")


def test_an_existing_file_is_not_overwritten(graph: Graph) -> None:
    """Creating over a knowledge file is an error, and the file is as it was."""
    with pytest.raises(KnowledgeError, match="exists already"):
        Graph.create(graph.name)
    assert graph.entity("Q76") is not None


def test_a_file_opened_for_reading_cannot_be_written(graph: Graph) -> None:
    """The error says so, before anything is tried."""
    with (
        Graph.open(graph.name) as reader,
        pytest.raises(KnowledgeError, match="reading only"),
        reader.write() as batch,
    ):
        batch.add_entities([NewEntity(Entity("Q1", "x"))])


def test_a_read_only_directory_is_no_hindrance_to_reading(graph: Graph, tmp_path: Path) -> None:
    """Knowledge may lie on a volume that is mounted for reading."""
    graph.close()
    tmp_path.chmod(0o500)
    try:
        with Graph.open(tmp_path / "world.db") as reader:
            assert reader.entity("Q76") is not None
    finally:
        tmp_path.chmod(0o700)


def test_readers_see_the_last_whole_batch_while_the_writer_works(graph: Graph) -> None:
    """A reader on another thread is not blocked and sees nothing of an unfinished batch."""
    seen: list[Entity | None] = []
    with Graph.open(graph.name) as reader, graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "universe"))])
        thread = threading.Thread(target=lambda: seen.append(reader.entity("Q1")))
        thread.start()
        thread.join(timeout=5)
        assert not thread.is_alive()
    assert seen == [None]


def test_a_closed_graph_says_so(graph: Graph) -> None:
    """Using a closed graph from a new thread is an error with its name in it."""
    graph.close()
    caught: list[Exception] = []

    def use() -> None:
        try:
            graph.entity("Q76")
        except KnowledgeError as error:
            caught.append(error)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert "has been closed" in str(caught[0])


def test_a_full_disk_undoes_the_batch(graph: Graph) -> None:
    """When the disk is full the batch is lost as a whole, the graph before it is not."""
    before = graph.stats()
    database = graph.database
    assert isinstance(database, SqliteDatabase)
    pages = database.rows("PRAGMA page_count")[0][0]
    database.rows(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(KnowledgeError, match="full"), graph.write() as batch:
        batch.add_entities(NewEntity(Entity(f"X{i}", f"thing number {i}", "d" * 200)) for i in range(2000))
    database.rows("PRAGMA max_page_count = 1000000")
    assert graph.stats() == before
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("X1", "one"))])
    assert graph.entity("X1") is not None


def test_a_file_that_is_removed_is_missed(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is open would go on answering from a file that nobody can see; once it is back it is read again."""
    monkeypatch.setattr("guardrail.evidence.store.database._LOOK_S", 0.0)
    path = tmp_path / "world.db"
    before = graph.version
    path.rename(tmp_path / "kept.db")
    with pytest.raises(KnowledgeMissing, match=r"world\.db"):
        _ = graph.version
    (tmp_path / "kept.db").rename(path)
    assert graph.version == before


def test_a_file_that_takes_the_place_of_another_is_read(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads at that moment gets one error, as numbers of the old file mean nothing in the new one."""
    monkeypatch.setattr("guardrail.evidence.store.database._LOOK_S", 0.0)
    with Graph.create(tmp_path / "new.db") as new:
        with new.write() as batch:
            batch.add_entities([NewEntity(Entity("new", "New"))])
        version = new.version
    graph.close()
    path = tmp_path / "world.db"
    with Graph.open(path) as read:
        assert read.entity("new") is None
        (tmp_path / "new.db").replace(path)
        with pytest.raises(KnowledgeError, match="another file"):
            read.entity("new")
        found = read.entity("new")
        assert found is not None
        assert found.label == "New"
        assert read.version == version
