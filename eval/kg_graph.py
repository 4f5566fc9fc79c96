"""The benchmark graph as a knowledge file: imported once, kept in the system's folder for temporary files."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

import guardrail.evidence
from eval.datasets import find
from guardrail.evidence.graph import Graph
from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.load import Loader, load

MAPPING = Path(__file__).with_name("kg_mapping.yaml")
FILES = ("props.tsv", "nodes.jsonl.gz", "edges.tsv.gz", "literals.tsv.gz")


def benchmark_graph() -> Path:
    """The path of the knowledge file. Raises DataMissing where the data is not there."""
    folder = find("kg")
    digest = hashlib.sha256(MAPPING.read_bytes())
    digest.update(Path(guardrail.evidence.__file__).with_name("schema.sql").read_bytes())
    digest.update("".join(f"{name}{(folder / name).stat().st_size}" for name in FILES).encode())
    path = Path(tempfile.gettempdir()) / f"guardrail-benchmark-{digest.hexdigest()[:12]}.db"
    if not path.exists():
        building = path.with_suffix(".building")
        for left in (building, *(building.with_name(building.name + end) for end in ("-wal", "-shm"))):
            left.unlink(missing_ok=True)
        print(f"importing the benchmark graph into {path} …")
        with Graph.create(building) as graph:
            readers = [(folder / name, reader_for(folder / name, mapping=MAPPING)) for name in FILES]
            load(readers, Loader(graph, source="Wikidata", as_of="2021"))
        building.rename(path)
    return path
