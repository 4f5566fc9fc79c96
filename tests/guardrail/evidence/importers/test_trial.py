"""Files imported on trial."""

from pathlib import Path

import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.trial import tried
from guardrail.evidence.store.graph import Graph
from guardrail.types import Property
from tests.world import triplet


def test_a_trial_tells_what_would_come_of_an_import_and_writes_nothing(graph: Graph, tmp_path: Path) -> None:
    """What was declared of the graph's properties holds on trial as well."""
    with graph.write() as batch:
        batch.add_properties([Property("berth", "berth", cardinality="single")])
        batch.add_statements([triplet("Q76", "berth", "Q30")])
    before = graph.version, graph.stats()
    table = tmp_path / "berths.csv"
    table.write_text("subject,predicate,object\nGull,berth,North\nGull,berth,South\nQ76,berth,Q937\nx\n")
    found = tried(table, lambda: reader_for(table), graph, name="the graph")
    assert (found.outcome.written, found.outcome.bad) == (3, 1)
    assert [one.known.label for one in found.properties] == ["berth"]
    assert found.properties[0].said
    assert found.summary.startswith("1 property: 1 single-valued")
    assert [fault.partition(":")[0] for fault in found.faults] == [
        "berth is declared to have one value, and Gull has 2"
    ]
    assert found.conflicts == ("berth of Q76: Q937 in berths.csv, United States in the graph",)
    assert (graph.version, graph.stats()) == before


def test_a_file_that_cannot_be_read_to_its_end_fails(graph: Graph, tmp_path: Path) -> None:
    """With the line."""
    broken = tmp_path / "broken.ttl"
    broken.write_text("<a:a> <a:b> <a:c> .\n<a:a> <a:b> .\n")
    with pytest.raises(ImportFailed) as told:
        tried(broken, lambda: reader_for(broken), graph)
    assert told.value.line == 2
