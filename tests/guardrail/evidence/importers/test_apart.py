"""A large file is read in a process of its own, with the same outcome."""

from pathlib import Path

import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.importers import apart
from guardrail.evidence.importers.load import Loader, load
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.store.graph import Graph


def graph_of(path: Path, into: Path) -> tuple[object, ...]:
    with Graph.create(into) as graph:
        [outcome] = load([(path, RdfReader(".nt"))], Loader(graph))
        stats = graph.stats()
        return outcome, stats.statements, stats.edges, stats.entities, stats.aliases


def test_both_ways_make_the_same_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements, literals, names, bad lines."""
    path = tmp_path / "a.nt"
    made = [f"<http://x/e{i}> <http://x/p{i % 3}> <http://x/e{i * 7 % 50}> .\n" for i in range(500)]
    made += [f'<http://x/e{i}> <http://x/says> "word {i % 9}" .\n' for i in range(100)]
    path.write_text("".join([*made, "nonsense\n", *made]))
    here = graph_of(path, tmp_path / "here.db")
    monkeypatch.setattr(apart, "WORTH_A_PROCESS", 0)
    there = graph_of(path, tmp_path / "there.db")
    assert here[1:] == there[1:]
    assert there[0].bad == 1  # type: ignore[attr-defined]


def test_a_failure_over_there_is_a_failure_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its cause."""
    monkeypatch.setattr(apart, "WORTH_A_PROCESS", 0)
    path = tmp_path / "a.nt"
    path.write_text("no triples here\n")
    with (
        Graph.create(tmp_path / "g.db") as graph,
        pytest.raises(ImportFailed, match=r"a\.nt:1: this is not N-Triples"),
    ):
        load([(path, RdfReader(".nt"))], Loader(graph))


def test_a_process_that_dies_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when memory is out: nothing hangs."""
    monkeypatch.setattr(apart, "WORTH_A_PROCESS", 0)
    monkeypatch.setattr(apart.sys, "executable", "/bin/false")
    path = tmp_path / "a.nt"
    path.write_text("<http://x/a> <http://x/b> <http://x/c> .\n")
    with Graph.create(tmp_path / "g.db") as graph, pytest.raises(ImportFailed, match="ended too early"):
        load([(path, RdfReader(".nt"))], Loader(graph))
