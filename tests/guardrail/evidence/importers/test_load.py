"""An import goes on where it stopped, doubles nothing, and says what it could not read."""

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import orjson
import pytest

from guardrail.errors import ImportFailed, KnowledgeError
from guardrail.evidence.importers import chunk as chunks
from guardrail.evidence.importers import rdf
from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.load import Loader, Outcome, Progress, load
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.store.database import SqliteDatabase
from guardrail.evidence.store.export import jsonl
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.store.packed import Packed

NT = RdfReader(".nt")


def lines(count: int) -> str:
    """N-Triples: a ring of entities, with a label each."""
    made = []
    for i in range(count // 2):
        made.append(f"<http://x/e{i}> <http://x/next> <http://x/e{i + 1}> .")
        made.append(f'<http://x/e{i}> <http://www.w3.org/2000/01/rdf-schema#label> "thing {i}"@en .')
    return "\n".join(made) + "\n"


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks and blocks of few records, so that a small file has many."""
    monkeypatch.setattr(chunks, "CHUNK", 100)
    monkeypatch.setattr(rdf, "CHUNK", 100)
    monkeypatch.setattr("guardrail.evidence.importers.source._BLOCK", 4096)


def interrupted(graph: Graph, path: Path) -> list[Progress]:
    """What an import tells until it is stopped in the middle."""
    seen: list[Progress] = []

    def stop(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load([(path, NT)], Loader(graph, report=stop))
    return seen


def test_an_interrupted_import_goes_on(tmp_path: Path, small_chunks: None) -> None:
    """After a failure in the middle the second run reads only the rest; the graph is that of one run."""
    path = tmp_path / "a.nt"
    path.write_text(lines(2000))
    with Graph.create(tmp_path / "whole.db") as whole:
        load([(path, NT)], Loader(whole))
        expected = whole.stats()
    graph = Graph.create(tmp_path / "parts.db")
    seen = interrupted(graph, path)
    assert 0 < graph.stats().statements < expected.statements
    [outcome] = load([(path, NT)], Loader(graph))
    assert outcome.resumed == seen[-1].written
    assert outcome.resumed + outcome.written == 2000
    after = graph.stats()
    assert (after.statements, after.edges, after.entities, after.aliases) == (
        expected.statements,
        expected.edges,
        expected.entities,
        expected.aliases,
    )
    graph.close()


@pytest.mark.parametrize("remembered", [0, 50, 500_000])
def test_the_size_of_chunks_changes_nothing(
    tmp_path: Path, small_chunks: None, monkeypatch: pytest.MonkeyPatch, remembered: int
) -> None:
    """Nor does how many entities are kept in mind: also where a label comes chunks after its entity, or twice."""
    path, label = tmp_path / "a.nt", "<http://www.w3.org/2000/01/rdf-schema#label>"
    again = [f'<http://x/e{i}> {label} "part {i % 7}"@en .\n' for i in range(0, 300, 3)]
    late = [f"<http://x/e{i}> <http://x/last> <http://x/lateComer{i % 5}> .\n" for i in range(300)]
    named = [f'<http://x/lateComer{i}> {label} "late {i}"@de .\n' for i in range(4)]
    path.write_text("".join([lines(600), *again, *late, lines(600), *named]))
    reader = RdfReader(".nt", languages=())

    def told(name: str) -> set[str]:
        with Graph.create(tmp_path / name) as graph:
            load([(path, reader)], Loader(graph))
            assert [e.id for e in graph.search("late comer4")] == ["http://x/lateComer4"]
            assert [e.label for e in graph.search("late 3")] == ["late 3"]
            assert graph.search("late comer3") == []
            return set(jsonl(graph))

    monkeypatch.setattr(rdf, "REMEMBERED", remembered)
    parts = told("parts.db")
    monkeypatch.setattr(rdf, "CHUNK", 1_000_000)
    monkeypatch.setattr(rdf, "_FIRST_CHUNK", 1_000_000)
    assert parts == told("whole.db")


def test_a_new_version_that_is_interrupted_goes_on(tmp_path: Path, small_chunks: None) -> None:
    """The former version goes when the new one begins, and not once more when that goes on."""
    path = tmp_path / "a.nt"
    path.write_text(lines(2000).replace("/next>", "/former>"))
    with Graph.create(tmp_path / "g.db") as graph:
        load([(path, NT)], Loader(graph))
        path.write_text(lines(2000))
        seen = interrupted(graph, path)
        [outcome] = load([(path, NT)], Loader(graph))
        assert (outcome.resumed, outcome.replaced) == (seen[-1].written, 0)
        assert graph.stats().statements == 1000
        assert [t.predicate.id for t in graph.statements("http://x/e7")] == ["http://x/next"]


def test_a_finished_file_is_not_read_again(tmp_path: Path) -> None:
    """Unless it is asked for, or the file has changed."""
    path = tmp_path / "a.nt"
    path.write_text(lines(10))
    with Graph.create(tmp_path / "g.db") as graph:
        load([(path, NT)], Loader(graph))
        version = graph.version
        [second] = load([(path, NT)], Loader(graph))
        assert second.already
        assert graph.version == version
        [third] = load([(path, NT)], Loader(graph, again=True))
        assert third.written == 10
        path.write_text(lines(12))
        [fourth] = load([(path, NT)], Loader(graph))
        assert fourth.written == 12
        assert graph.stats().statements == 6


def test_strict_stops_at_the_first_bad_line(tmp_path: Path) -> None:
    """With its number, and nothing of its batch is written."""
    path = tmp_path / "a.nt"
    path.write_text(lines(10) + "nonsense\n")
    with Graph.create(tmp_path / "g.db") as graph:
        with pytest.raises(ImportFailed, match=r"a\.nt:11"):
            load([(path, NT)], Loader(graph, strict=True))
        assert graph.stats().statements == 0


def test_a_truncated_archive_keeps_what_was_whole(tmp_path: Path, small_chunks: None) -> None:
    """And the error says that the file is not whole."""
    path = tmp_path / "a.nt.gz"
    packed = gzip.compress(lines(5000).encode())
    path.write_bytes(packed[: len(packed) * 2 // 3])
    with Graph.create(tmp_path / "g.db") as graph:
        with pytest.raises(ImportFailed, match="breaks off"):
            load([(path, NT)], Loader(graph))
        assert graph.stats().statements > 500


def test_a_name_of_ten_kilobytes_is_a_bad_record(tmp_path: Path) -> None:
    """The rest of the file comes in."""
    path = tmp_path / "a.nt"
    label = f'<http://x/e0> <http://www.w3.org/2000/01/rdf-schema#label> "{"x" * 10_000}"@en .\n'
    path.write_text(lines(10) + label)
    with Graph.create(tmp_path / "g.db") as graph:
        [outcome] = load([(path, NT)], Loader(graph))
        assert outcome.bad == 1
        assert "10000 characters" in outcome.bad_records[0].cause
        assert graph.stats().statements == 5


def test_an_id_of_ten_kilobytes_is_a_bad_record(tmp_path: Path) -> None:
    """At either end of a statement; what else its subject says comes in."""
    path, long = tmp_path / "a.nt", f"<http://x/{'y' * 10_000}>"
    path.write_text(lines(10) + f"<http://x/e0> <http://x/p> {long} .\n{long} <http://x/p> <http://x/e0> .\n")
    with Graph.create(tmp_path / "g.db") as graph:
        before = load([(path, NT)], Loader(graph))[0]
        assert "characters" in before.bad_records[0].cause
        assert graph.stats().statements == 5
        assert graph.incoming("http://x/e0", "http://x/p") == []


def test_progress_never_goes_back_and_ends_at_the_end(tmp_path: Path, small_chunks: None) -> None:
    """What the progress bar shows."""
    path = tmp_path / "a.nt"
    path.write_text(lines(2000))
    seen: list[Progress] = []
    with Graph.create(tmp_path / "g.db") as graph:
        load([(path, NT)], Loader(graph, report=seen.append))
    assert [p.position for p in seen] == sorted(p.position for p in seen)
    assert seen[-1].position == seen[-1].size == path.stat().st_size
    assert seen[-1].read == 2000


def test_a_full_disk_stops_between_batches(tmp_path: Path, small_chunks: None) -> None:
    """What was written is whole, and the import goes on when there is room again."""
    path = tmp_path / "a.nt"
    path.write_text(lines(20_000))
    graph = Graph.create(tmp_path / "g.db")
    database = graph.database
    assert isinstance(database, SqliteDatabase)
    database.rows("PRAGMA max_page_count = 60")
    with pytest.raises(KnowledgeError, match="full"):
        load([(path, NT)], Loader(graph))
    database.rows("PRAGMA max_page_count = 1000000")
    assert 0 < graph.stats().statements < 10_000
    load([(path, NT)], Loader(graph))
    assert graph.stats().statements == 10_000
    graph.close()


def test_killed_in_the_middle_the_file_opens_and_the_import_goes_on(tmp_path: Path) -> None:
    """kill -9 leaves whole batches only."""
    path, into = tmp_path / "a.nt", tmp_path / "g.db"
    path.write_text(lines(300_000))
    program = "from guardrail.cli.main import main; import sys; sys.argv = sys.argv[1:]; main()"
    command = [
        sys.executable,
        "-c",
        program,
        "guardrail",
        "kg",
        "import",
        str(path),
        "--into",
        str(into),
        "--quiet",
    ]
    with subprocess.Popen(command, start_new_session=True) as process:
        wait_for_rows(into, process)
        os.killpg(process.pid, signal.SIGKILL)
    with Graph.open(into, read_only=False) as graph:
        partial = graph.stats()
        assert graph.database.rows("PRAGMA integrity_check") == [("ok",)]
        if partial.statements < 150_000:
            assert partial.statements == partial.edges
        load([(path, NT)], Loader(graph))
        whole = graph.stats()
        assert (whole.statements, whole.edges) == (150_000, 150_000)
        assert whole.aliases == 150_001


KILLED = """
import os, signal, sys
from pathlib import Path
from guardrail.evidence.store.export import jsonl
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.importers import rdf
from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.load import Loader, load
rdf.CHUNK = 100
path, into, after = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
def report(progress):
    if progress.read >= after:
        os.kill(os.getpid(), signal.SIGKILL)
load([(path, reader_for(path))], Loader(Graph.create(into), report=report))
"""
TURTLE = "@prefix x: <http://x/> .\n" + "".join(
    f'x:e{i} x:next x:e{i + 1} ; x:at [ x:street "Street {i}" ; x:of x:e{i} ] .\n' for i in range(250)
)
RDF_XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/">'
    + "".join(
        f'<rdf:Description rdf:about="http://x/e{i}"><x:next rdf:resource="http://x/e{i + 1}"/>'
        f"<x:at><rdf:Description><x:street>Street {i}</x:street></rdf:Description></x:at></rdf:Description>"
        for i in range(250)
    )
    + "</rdf:RDF>"
)
JSON_LD = orjson.dumps(
    [
        {"@id": f"http://x/e{i}", "http://x/next": {"@id": f"http://x/e{i + 1}"},
         "http://x/at": {"http://x/street": f"Street {i}"}}
        for i in range(250)
    ]
).decode()  # fmt: skip


@pytest.mark.parametrize(("name", "content"), [("a.ttl", TURTLE), ("a.rdf", RDF_XML), ("a.jsonld", JSON_LD)])
def test_killed_in_a_file_that_is_parsed_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str
) -> None:
    """The second run writes only what the first had not, and unnamed things are not there twice."""
    path = tmp_path / name
    path.write_text(content)
    with Graph.create(tmp_path / "whole.db") as whole:
        [once] = load([(path, reader_for(path))], Loader(whole))
        expected = whole.stats()
        told = sorted(map(str, whole.subjects()))
    into = tmp_path / "parts.db"
    command = [sys.executable, "-c", KILLED, str(path), str(into), "300"]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    monkeypatch.setattr(rdf, "CHUNK", 100)
    with Graph.open(into, read_only=False) as graph:
        [outcome] = load([(path, reader_for(path))], Loader(graph))
        assert outcome.resumed >= 300
        assert outcome.resumed + outcome.written == once.written
        assert (graph.stats().statements, graph.stats().entities) == (
            expected.statements,
            expected.entities,
        )
        assert sorted(map(str, graph.subjects())) == told


def wait_for_rows(into: Path, process: "subprocess.Popen[bytes]") -> None:
    """Until the first batch is there."""
    for _ in range(600):
        time.sleep(0.05)
        if process.poll() is not None:
            return
        if into.exists():
            try:
                with Graph.open(into) as graph:
                    if graph.stats().statements:
                        return
            except KnowledgeError:
                continue
    raise AssertionError("nothing was written within half a minute")


def test_a_cycle_of_a_million_edges_is_written_and_searched(tmp_path: Path) -> None:
    """Nothing hangs on a ring."""
    from guardrail.evidence.query.closure import chain
    from guardrail.evidence.query.paths import paths

    count = 1_000_000
    here = np.arange(count)
    there = (here + 1) % count
    ids, column = [f"Q{i}" for i in range(count)], np.zeros(count, dtype=np.int64)
    with Graph.create(tmp_path / "g.db") as graph:
        with graph.write(settle=False) as batch:
            batch.add_packed(Packed(ids, ["P131"], ["entity"], here, column, there, there + 1, []))
            batch.settle()
        assert graph.stats().edges == count
        assert len(paths(graph, ["Q0", "Q3"])[0].triplets) == 3
        assert len(paths(graph, ["Q999999", "Q1"])[0].triplets) == 2
        assert paths(graph, ["Q0", "Q500000"]) == ()
        assert chain(graph, ["Q0"], ["Q500000"]) == ()


def test_a_file_that_is_imported_whole_is_all_there_or_not_at_all(graph: Graph, tmp_path: Path) -> None:
    """Whoever confirms it may still say no, and a break at its end undoes its beginning."""
    table, broken = tmp_path / "facts.csv", tmp_path / "facts.ttl"
    table.write_text("subject,predicate,object\nGull,berth,North\n,berth,South\nTern,berth,West\n")
    broken.write_text("<a:a> <a:b> <a:c> .\n<a:a> <a:b> .\n")
    before = graph.version, graph.stats()

    def refuse(_: Outcome) -> None:
        raise KnowledgeError("no")

    with pytest.raises(KnowledgeError, match="no"):
        Loader(graph).load_whole(table, reader_for(table), confirm=refuse)
    with pytest.raises(ImportFailed):
        Loader(graph).load_whole(broken, reader_for(broken))
    assert (graph.version, graph.stats()) == before
    outcome = Loader(graph, source="the log").load_whole(table, reader_for(table))
    assert (outcome.read, outcome.written, outcome.bad) == (3, 2, 1)
    assert [record.number for record in outcome.bad_records] == [3]
    assert {t.source for t in graph.statements("Gull")} == {"the log"}
    assert Loader(graph).load(table, reader_for(table)).already
