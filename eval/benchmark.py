"""The benchmark graph of the data sets as a knowledge file, whole or a slice of it, made once and kept.

The graph's own README says what is in it and what is wrong with it.
"""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
from collections.abc import Collection, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from eval.datasets import find, open_text
from guardrail.evidence.graph import Graph, NewEntity
from guardrail.evidence.importers.literals import kgtk_value
from guardrail.types import Entity, Node, Object, Property, Qualifier, Triplet, Value

__all__ = ["benchmark_graph", "labels", "property_labels"]

_DATATYPES = {
    "item": "entity",
    "time": "date",
    "quantity": "quantity",
    "string": "string",
    "monolingualtext": "string",
}
_FREEBASE_NUMBERS = {"P569": "year", "P570": "year", "P571": "year", "P577": "year"}
# Containment is kept for every node of a slice, so that coarser and finer can be told.
_CLIMBING = frozenset({"P131", "P17", "P279", "P361", "P30", "P31"})


def benchmark_graph(*, without: Collection[tuple[str, str, str]] = (), around: Collection[str] = ()) -> Path:
    """A knowledge file of the benchmark graph. Raises DataMissing.

    `without`: statements (s, p, o) to leave out, for held-out tests. `around`: only statements whose subject or object is one
    of these ids, and the hierarchy above them; empty means the whole graph.
    """
    source = find("kg")
    schema = files("guardrail.evidence").joinpath("schema.sql").read_text(encoding="utf-8")
    key = hashlib.sha256(repr((sorted(without), sorted(around), schema)).encode()).hexdigest()[:16]
    path = Path(tempfile.gettempdir()) / "guardrail-eval" / f"benchmark-{key}.db"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    names = labels(source)
    statements = list(_statements(source, names, frozenset(without), frozenset(around)))
    used = {n.id for t in statements for n in (t.subject, t.object) if isinstance(n, Node)}
    with Graph.create(unfinished) as graph, graph.write() as batch:
        batch.add_properties(_properties(source))
        batch.add_entities(_entities(source, used))
        batch.add_statements(statements)
    return unfinished.rename(path)


def labels(source: Path | None = None) -> dict[str, str]:
    """Label of every node. Raises DataMissing."""
    rows = _nodes(source or find("kg"))
    return {row["id"]: row["label"] for row in rows}


def property_labels() -> dict[str, str]:
    """Label of every property. Raises DataMissing."""
    return {row[0]: row[1] for row in _rows(find("kg") / "props.tsv")}


def _nodes(source: Path) -> Iterator[dict[str, Any]]:
    for line in open_text(source / "nodes.jsonl.gz").splitlines():
        yield json.loads(line)


def _rows(path: Path) -> Iterator[list[str]]:
    for line in open_text(path).split("\n")[1:]:
        if line:
            yield line.split("\t")


def _properties(source: Path) -> Iterator[Property]:
    for id_, label, _, aliases, datatype, inverse, *_, ratio in _rows(source / "props.tsv"):
        yield Property(
            id_,
            label,
            tuple(filter(None, aliases.split("|"))),
            datatype=_DATATYPES.get(datatype, "string"),  # type: ignore[arg-type]
            inverse=inverse or None,
            single_ratio=float(ratio) if ratio else None,
        )


def _entities(source: Path, used: Collection[str]) -> Iterator[NewEntity]:
    for row in _nodes(source):
        if row["id"] not in used or not row["label"]:
            continue
        rank = row.get("pagerank")
        known = (
            math.log(rank * 1e6 + 1) if isinstance(rank, float) else math.log1p(int(str(row["degree"]))) / 2
        )
        entity = Entity(
            str(row["id"]),
            str(row["label"]),
            str(row.get("description") or ""),
            tuple(row["types"]),
            popularity=known,
        )
        yield NewEntity(entity, tuple(a for a in row["aliases"] if 0 < len(a) < 200))


def _statements(
    source: Path, names: dict[str, str], without: Collection[tuple[str, str, str]], around: Collection[str]
) -> Iterator[Triplet]:
    relations = property_labels()
    edges = [row for row in _rows(source / "edges.tsv.gz") if (row[0], row[1], row[2]) not in without]
    wanted = _closure(edges, around)
    for s, p, o, qualifiers, _ in edges:
        if wanted and not (s in around or o in around or (s in wanted and p in _CLIMBING)):
            continue
        end = Node(o, names.get(o, o))
        yield Triplet(
            Node(s, names.get(s, s)),
            Node(p, relations.get(p, p)),
            end,
            _qualifiers(qualifiers, names, relations),
        )
    for s, p, text, kind in _rows(source / "literals.tsv.gz"):
        value = _literal(p, text, kind) if not around or s in around else None
        if value is not None:
            yield Triplet(Node(s, names.get(s, s)), Node(p, relations.get(p, p)), value)


def _closure(edges: Iterable[list[str]], around: Collection[str]) -> set[str]:
    """`around`, its neighbours, and what lies above them."""
    wanted = set(around)
    if not wanted:
        return wanted
    rows = list(edges)
    wanted |= {o for s, _, o, *_ in rows if s in around} | {s for s, _, o, *_ in rows if o in around}
    for _ in range(3):
        wanted |= {o for s, p, o, *_ in rows if p in _CLIMBING and s in wanted}
    return wanted


def _qualifiers(text: str, names: dict[str, str], relations: dict[str, str]) -> tuple[Qualifier, ...]:
    found = []
    for pair in text.split("|")[0].split(";"):
        p, _, o = pair.partition("=")
        if o:
            end: Object = Node(o, names.get(o, o))
            found.append(Qualifier(Node(p, relations.get(p, p)), end))
    return tuple(found)


def _literal(property_: str, text: str, kind: str) -> Value | None:
    if kind == "fbnum":
        # Freebase's decimal years: 1933.75 is about October 1933; the year is all that is kept
        year = int(float(text)) if _FREEBASE_NUMBERS.get(property_) else 0
        return Value(str(year), f"{year:04d}", "date", 9) if year > 0 else None
    try:
        found = kgtk_value(text)
    except ValueError:
        return None
    return found if isinstance(found, Value) else None
