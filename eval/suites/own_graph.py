"""A user's own graphs, imported by the commands of the manual alone: true statements supported, false ones contradicted."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from guardrail.types import Label
from guardrail.verifier import Verifier

HERE = Path(__file__).parents[1] / "own_graph"
PARTS = ("open", "sealed")
TOLD = os.environ.get("OWN_GRAPH_TOLD", "") == "yes"  # print what went wrong; not of the sealed part
_BESIDE = ("README", "statements.tsv", "mapping.yaml")
RIGHT = {"true": Label.ATTRIBUTABLE, "false": Label.CONTRADICTORY, "open": Label.EXTRAPOLATORY}


class Attack(NamedTuple):
    """A sentence about a graph of the open half that was written to get a wrong verdict, and got `wrong`; `mended`: no more."""

    graph: str
    wrong: Label
    mended: bool
    text: str


@cache
def attacks() -> tuple[Attack, ...]:
    """All of them (`attacks.tsv`)."""
    rows = (line.split("\t") for line in (HERE / "attacks.tsv").read_text(encoding="utf-8").splitlines())
    return tuple(Attack(graph, Label(wrong), state == "mended", text) for graph, wrong, state, text in rows)


def statements(folder: Path) -> Iterator[tuple[str, str]]:
    """Label and text of each."""
    for line in (folder / "statements.tsv").read_text(encoding="utf-8").splitlines():
        label, _, text = line.partition("\t")
        yield label, text


def imported(folder: Path, target: Path) -> None:
    """All tables or documents of a folder in one knowledge file. Raises CalledProcessError with what the command said."""
    mapping = folder / "mapping.yaml"
    more = ["--mapping", str(mapping)] if mapping.exists() else []
    files = sorted(str(path) for path in folder.iterdir() if path.name not in _BESIDE)
    program = [sys.executable, "-c", "from guardrail.cli.main import main; main()"]
    command = [*program, "kg", "import", *files, *more, "--into", str(target), "--quiet"]
    subprocess.run(command, check=True, capture_output=True, text=True)


def judged(verifier: Verifier, text: str, **given: Any) -> Label:
    """What is said of a statement: contradicted where one of its claims is, supported where all are. `given`: with it."""
    labels = {verdict.label for verdict in verifier.check(text, **given).verdicts}
    if Label.CONTRADICTORY in labels:
        return Label.CONTRADICTORY
    return Label.ATTRIBUTABLE if labels == {Label.ATTRIBUTABLE} else Label.EXTRAPOLATORY


def counted(folder: Path) -> Counter[tuple[str, Label]]:
    """How often a label of the data met one of ours."""
    found: Counter[tuple[str, Label]] = Counter()
    with tempfile.TemporaryDirectory() as home:
        target = Path(home) / "knowledge.db"
        imported(folder, target)
        verifier = Verifier.open(target)
        for label, text in statements(folder):
            got = judged(verifier, text)
            found[label, got] += 1
            if TOLD and folder.parent.name != "sealed" and got is not RIGHT[label]:
                print(f"    {label:6}{got.value:15}{text}")
    return found


def run() -> int:
    """Bars: 90 and 85 % of the open half, 85 and 75 % of the sealed one, nothing wrong in either."""
    print(f"{'graph':20}{'true supported':>16}{'false contradicted':>20}{'wrong red':>11}{'wrong green':>13}")
    missed = False
    for part, bars in zip(PARTS, ((0.9, 0.85), (0.85, 0.75)), strict=True):
        whole: Counter[tuple[str, Label]] = Counter()
        for folder in sorted((HERE / part).iterdir()):
            found = counted(folder)
            whole += found
            _print(f"{part} {folder.name if part == 'open' else ''}", found)
        good, bad = _print(f"{part}, all", whole)
        missed |= good < bars[0] or bad < bars[1]
    _print("traps", trapped())
    print(
        f"attacks: {sum(map(still_wrong, {one.graph for one in attacks()}))} of {len(attacks())} still get a wrong verdict"
    )
    return int(missed)


def still_wrong(graph: str) -> int:
    """How many attacks on a graph get the verdict that they were written to get."""
    with tempfile.TemporaryDirectory() as home:
        target = Path(home) / "knowledge.db"
        imported(HERE / "open" / graph, target)
        verifier = Verifier.open(target)
        return sum(judged(verifier, one.text) is one.wrong for one in attacks() if one.graph == graph)


def trapped() -> Counter[tuple[str, Label]]:
    """How often a label of `traps.tsv` met one of ours: hard sentences about five open graphs, written before any was tried."""
    rows = [line.split("\t") for line in (HERE / "traps.tsv").read_text(encoding="utf-8").splitlines()]
    found: Counter[tuple[str, Label]] = Counter()
    for graph in sorted({row[0] for row in rows}):
        with tempfile.TemporaryDirectory() as home:
            target = Path(home) / "knowledge.db"
            imported(HERE / "open" / graph, target)
            verifier = Verifier.open(target)
            found.update((label, judged(verifier, text)) for name, label, text in rows if name == graph)
    return found


def _print(name: str, found: Counter[tuple[str, Label]]) -> tuple[float, float]:
    of = {label: sum(n for (given, _), n in found.items() if given == label) for label in RIGHT}
    supported = found["true", Label.ATTRIBUTABLE] / of["true"]
    refuted = found["false", Label.CONTRADICTORY] / of["false"]
    red = found["true", Label.CONTRADICTORY] + found["open", Label.CONTRADICTORY]
    green = found["false", Label.ATTRIBUTABLE] + found["open", Label.ATTRIBUTABLE]
    print(f"{name:20}{supported:16.0%}{refuted:20.0%}{red:11}{green:13}", flush=True)
    return supported, refuted
