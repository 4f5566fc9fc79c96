"""`python -m eval.benchmarks.tables`: what it costs that an import reads the types of a table's columns and the cardinality of its
properties, against an import of the same table that is told its types and measures nothing.

`--rows 1000000` for the large one. The two take turns, and the ratio is of processor time: 1.3 is the bar.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from guardrail.evidence.importers.load import Loader, load
from guardrail.evidence.importers.mapping import Relation, TableMapping
from guardrail.evidence.importers.table import TableReader
from guardrail.evidence.store.graph import Graph

BAR = 1.3
_COLUMNS = ("sku", "name", "maker", "length", "price", "launched", "stock", "colours", "in stock")
_KINDS = ("entity", "string", "string", "date", "quantity", "entity", "string")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as home:
        table = Path(home) / "products.csv"
        table.write_text("\n".join(_lines(given.rows)) + "\n", "utf-8")
        pairs = [(_plain(table, at), _inferred(table, at)) for at in range(given.rounds)]
    ratio = statistics.median(inferred / plain for plain, inferred in pairs)
    plain, inferred = (min(one) for one in zip(*pairs, strict=True))
    print(
        f"{given.rows:,} rows: {plain:.1f} s without, {inferred:.1f} s with inference, ratio {ratio:.2f} (bar {BAR})"
    )
    return int(ratio > BAR)


def _lines(rows: int) -> Iterator[str]:
    dice = random.Random(7)
    yield ",".join(_COLUMNS)
    for n in range(rows):
        day = f"20{dice.randrange(10, 25)}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}"
        cells = (
            f"A{n}",
            f"Lamp {n}",
            f"Maker {n % 997}",
            f"{dice.randrange(5000)} mm",
            f"€{dice.randrange(9999) / 100}",
            day,
        )
        yield ",".join(
            (
                *cells,
                str(dice.randrange(900)),
                f"red|{dice.choice(('oak', 'blue'))}",
                dice.choice(("yes", "no")),
            )
        )


def _mapping(*, told: bool) -> TableMapping:
    kinds = _KINDS if told else ("auto",) * len(_KINDS)
    relations = {c: Relation(c, kind) for c, kind in zip(_COLUMNS[2:], kinds, strict=True)}  # type: ignore[arg-type]
    return TableMapping("entities", {"id": "sku", "label": "name"}, relations)


def _plain(table: Path, at: int) -> float:
    with _unmeasured():
        return _timed(table, _mapping(told=True), f"plain{at}.db")


def _inferred(table: Path, at: int) -> float:
    return _timed(table, _mapping(told=False), f"inferred{at}.db")


@contextmanager
def _unmeasured() -> Iterator[None]:
    names = ("infer", "retype", "name_properties")
    patches = [patch(f"guardrail.evidence.store.settle.{name}", lambda *_: None) for name in names]
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in patches:
            one.stop()


def _timed(table: Path, mapping: TableMapping, name: str) -> float:
    """Seconds of processor time for the import of the table."""
    with Graph.create(table.with_name(name)) as graph:
        began = time.process_time()
        load([(table, TableReader(mapping))], Loader(graph))
        return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
