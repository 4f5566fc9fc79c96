"""Lists that name all their members."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.load import Loader
from guardrail.evidence.properties.completeness import COMPLETE_LIST, mark, names_all
from guardrail.evidence.store.export import jsonl, ntriples
from guardrail.evidence.store.graph import Graph
from tests.world import node, triplet


def test_a_list_may_go_on_until_it_is_marked(graph: Graph) -> None:
    """The mark is for one subject and one property, and gives the graph another version."""
    assert not graph.complete("Q25188", "P161")
    before = graph.version
    with graph.write() as batch:
        batch.add_statements([mark(node("Q25188"), "P161", label="cast member", source="credits")])
    assert graph.version != before
    assert graph.complete("Q25188", "P161")
    assert not graph.complete("Q25188", "P57")
    assert not graph.complete("Q25188", "^P161")
    assert not graph.complete("Q132689", "P161")
    assert not graph.complete("nobody", "P161")


def test_a_mark_has_a_source_and_can_be_retracted(graph: Graph) -> None:
    """It is a statement like any other."""
    with graph.write() as batch:
        batch.add_statements([mark(node("Q25188"), "P161", source="credits", as_of="2010-07")])
    [found] = graph.statements("Q25188", COMPLETE_LIST.id)
    assert (found.source, found.as_of) == ("credits", "2010-07")
    with graph.write() as batch:
        assert batch.retract([found.id]) == 1
    assert not graph.complete("Q25188", "P161")


def test_a_deprecated_mark_says_nothing() -> None:
    """As deprecated statements do."""
    told = mark(node("Q25188"), "P161")
    former = triplet("Q25188", COMPLETE_LIST.id, told.object, rank="deprecated")
    assert names_all([former, told], "P161")
    assert not names_all([former], "P161")


@pytest.mark.parametrize("ending", ["jsonl", "nt"])
def test_marks_are_exported_and_imported(graph: Graph, tmp_path: Path, ending: str) -> None:
    """By both formats, from both ends of a relation."""
    with graph.write() as batch:
        batch.add_statements([mark(node("Q25188"), "P161"), mark(node("Q25191"), "^P57")])
    path = tmp_path / f"all.{ending}"
    path.write_text("".join(jsonl(graph) if ending == "jsonl" else ntriples(graph)), "utf-8")
    with Graph.create(tmp_path / "copy.db") as copy:
        Loader(copy).load(path, reader_for(path))
        assert copy.complete("Q25188", "P161")
        assert copy.complete("Q25191", "^P57")
        assert not copy.complete("Q25191", "P57")
