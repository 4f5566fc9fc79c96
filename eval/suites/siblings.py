"""Claims beside a passage about a like thing: another office, line or person, or the same one under another name."""

from __future__ import annotations

from collections import Counter

from eval.datasets.files import json_lines
from eval.suites.own_graph import HERE as OWN_GRAPH
from eval.suites.own_graph import judged
from guardrail.verifier import Verifier

HERE = OWN_GRAPH.parent / "siblings"
PARTS = ("open", "sealed")
_COLUMNS = ("attributable", "extrapolatory", "contradictory")
_BAR = 0.05


def run() -> int:
    """Bar: of the claims about a thing that the passage does not mention at most one in twenty is decided, in either half."""
    verifier = Verifier.open()
    print(f"{'':32}" + "".join(f"{name:>15}" for name in _COLUMNS))
    decided = [_shown(part, counted(verifier, part)) for part in PARTS]
    return int(max(decided) > _BAR)


def counted(verifier: Verifier, part: str) -> Counter[tuple[str, str, str]]:
    """How many claims of each kind and label get which label."""
    return Counter(
        (one["kind"], one["label"], judged(verifier, one["claim"], references=[one["reference"]]))
        for one in json_lines(HERE / f"{part}.jsonl")
    )


def _shown(part: str, found: Counter[tuple[str, str, str]]) -> float:
    """Prints a line for each kind; the share that is decided of what is open."""
    for kind, label in sorted({key[:2] for key in found}):
        print(
            f"{f'{part}: {kind}':32}" + "".join(f"{found[kind, label, name]:15}" for name in _COLUMNS),
            flush=True,
        )
    unmentioned = {key: n for key, n in found.items() if key[1] == "extrapolatory"}
    decided = sum(n for key, n in unmentioned.items() if key[2] != "extrapolatory")
    return decided / max(sum(unmentioned.values()), 1)
