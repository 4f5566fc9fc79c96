"""What a property's record says beyond its row is written, read, kept and exported."""

from dataclasses import replace
from pathlib import Path

import orjson

from guardrail.evidence.importers import exported
from guardrail.evidence.importers.chunk import Chunk
from guardrail.evidence.store.export import jsonl
from guardrail.evidence.store.graph import Graph
from guardrail.types import Node, Property

FULL = Property(
    "urn:fare",
    "fare",
    datatype="quantity",
    roles=("figure of a year",),
    same_as=("urn:price",),
    unit=Node("Q4916", "euro"),
    domain=("urn:Crossing", "place"),
    range=("urn:Money",),
)


def test_a_record_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """Parts, what it is the same as, its unit and its kinds."""
    with Graph.create(tmp_path / "k.db") as graph:
        with graph.write() as batch:
            batch.add_properties([FULL])
        assert graph.property("urn:fare") == FULL
        assert graph.written_properties() == [FULL]


def test_what_is_not_said_again_stays(tmp_path: Path) -> None:
    """A later row of the same property adds to the record."""
    with Graph.create(tmp_path / "k.db") as graph:
        for known in (FULL, Property("urn:fare", "fare", datatype="quantity", domain=("place",))):
            with graph.write() as batch:
                batch.add_properties([known])
        assert graph.property("urn:fare") == replace(FULL, domain=("place",))


def test_an_export_holds_what_was_written_and_nothing_else(tmp_path: Path) -> None:
    """What is known of a property beforehand is not written down as if it had been said."""
    with Graph.create(tmp_path / "k.db") as graph:
        with graph.write() as batch:
            batch.add_properties([FULL, Property("urn:born", "born", datatype="date")])
        rows = [orjson.loads(line) for line in jsonl(graph)]
    chunk = Chunk()
    for row in rows:
        exported.add(row, chunk)
    assert chunk.properties == [FULL, Property("urn:born", "born", datatype="date")]
