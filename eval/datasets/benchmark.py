"""The benchmark graph of the data sets as a knowledge file, whole or a slice of it, imported once and kept.

The graph's own README says what is in it and what is wrong with it; kg_mapping.yaml says how its files are read.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from collections.abc import Collection, Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from eval.datasets.files import find, open_text
from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.load import Loader, load
from guardrail.evidence.store.graph import Graph

__all__ = ["benchmark_graph", "labels", "property_labels"]

MAPPING = Path(__file__).with_name("kg_mapping.yaml")
FILES = ("props.tsv", "nodes.jsonl.gz", "edges.tsv.gz", "literals.tsv.gz")
# Containment is kept for every node of a slice, so that coarser and finer can be told.
_CLIMBING = frozenset({"P131", "P17", "P279", "P361", "P30", "P31"})

Held = Collection[tuple[str, str, str]]


def benchmark_graph(*, without: Held = (), around: Collection[str] = ()) -> Path:
    """A knowledge file of the benchmark graph. Raises DataMissing.

    `without`: statements (s, p, o) to leave out, for held-out tests. `around`: only statements whose subject or object is one
    of these ids, and the hierarchy above them; empty means the whole graph.
    """
    source = find("kg")
    path = Path(tempfile.gettempdir()) / f"guardrail-benchmark-{_digest(source, without, around)}.db"
    if path.exists():
        return path
    building = path.with_suffix(".building")
    for left in (building, *(building.with_name(building.name + end) for end in ("-wal", "-shm"))):
        left.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder, Graph.create(building) as graph:
        if without or around:
            source = _slice(source, Path(folder), frozenset(without), frozenset(around))
        readers = [(source / name, reader_for(source / name, mapping=MAPPING)) for name in FILES]
        load(readers, Loader(graph, source="Wikidata", as_of="2021"))
    return building.rename(path)


def labels() -> dict[str, str]:
    """Label of every node. Raises DataMissing."""
    lines = open_text(find("kg") / "nodes.jsonl.gz").splitlines()
    return {row["id"]: row["label"] for row in map(json.loads, lines)}


def property_labels() -> dict[str, str]:
    """Label of every property. Raises DataMissing."""
    return {row[0]: row[1] for row in _rows(find("kg") / "props.tsv")}


def _digest(source: Path, without: Held, around: Collection[str]) -> str:
    """Changes with the files, with how they are read and written, and with the slice."""
    digest = hashlib.sha256(MAPPING.read_bytes())
    digest.update((files("guardrail.evidence") / "store" / "schema.sql").read_bytes())
    digest.update("".join(f"{name}{(source / name).stat().st_size}" for name in FILES).encode())
    if without or around:
        digest.update(repr((sorted(without), sorted(around))).encode())
    return digest.hexdigest()[:12]


def _slice(source: Path, into: Path, without: Held, around: Collection[str]) -> Path:
    """The four files, with the rows of the slice only."""
    edges = [row for row in _rows(source / "edges.tsv.gz") if (row[0], row[1], row[2]) not in without]
    wanted = _closure(edges, around)
    kept = [row for row in edges if not wanted or _within(row, wanted, around)]
    literals = [row for row in _rows(source / "literals.tsv.gz") if not around or row[0] in around]
    used = {end for row in kept for end in (row[0], row[2])} | {row[0] for row in literals}
    nodes = open_text(source / "nodes.jsonl.gz").splitlines(keepends=True)
    (into / "props.tsv").write_bytes((source / "props.tsv").read_bytes())
    _write(into / "nodes.jsonl.gz", (line for line in nodes if json.loads(line)["id"] in used))
    for name, rows in (("edges.tsv.gz", kept), ("literals.tsv.gz", literals)):
        header = open_text(source / name).split("\n", 1)[0]
        _write(into / name, (line + "\n" for line in (header, *map("\t".join, rows))))
    return into


def _within(row: list[str], wanted: Collection[str], around: Collection[str]) -> bool:
    """Whether an edge touches what the slice is around, or climbs from what is wanted."""
    touches = row[0] in around or row[2] in around
    return touches or (row[0] in wanted and row[1] in _CLIMBING)


def _rows(path: Path) -> Iterator[list[str]]:
    for line in open_text(path).split("\n")[1:]:
        if line:
            yield line.split("\t")


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_bytes(gzip.compress("".join(lines).encode(), compresslevel=1))


def _closure(edges: Collection[list[str]], around: Collection[str]) -> set[str]:
    """`around`, its neighbours, and what lies above them."""
    wanted = set(around)
    if not wanted:
        return wanted
    wanted |= {o for s, _, o, *_ in edges if s in around} | {s for s, _, o, *_ in edges if o in around}
    for _ in range(3):
        wanted |= {o for s, p, o, *_ in edges if p in _CLIMBING and s in wanted}
    return wanted
