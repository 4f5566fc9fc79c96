"""Sentences with references in the dress that chat models give them: whether the verdict stays what it is without.

Counted are sentences of the plain answers that are confirmed, or contradicted, by themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from eval.datasets.files import json_lines
from eval.suites.answers import HERE, PARTS
from guardrail.types import Label
from guardrail.verifier import Verifier

MOST = int(os.environ.get("DRESSED_MOST", "40"))  # sentences of each part
_DRESSINGS = Path(HERE / "dressings.yaml")
_BAR = 0.95
_LONGEST = 160  # characters
# Words that begin a sentence and have no capital inside one.
_SMALL = frozenset(
    "a all an after at before both by each employees for from if in it no on staff the there this to under with you your".split()
)


def run() -> int:
    """Bar: nineteen of twenty keep their label in every dress."""
    dressings: dict[str, str] = yaml.safe_load(_DRESSINGS.read_text("utf-8"))
    verifier = Verifier.open()
    kept = {
        part: [one for one in _plain(part) if _label(verifier, *one) is not Label.EXTRAPOLATORY][:MOST]
        for part in PARTS
    }
    print(f"{'dress':30}" + "".join(f"{f'{part}, of {len(found)}':>18}" for part, found in kept.items()))
    least = 1.0
    for name, dress in dressings.items():
        shares = [_share(verifier, dress, found) for found in kept.values()]
        print(f"{name:30}" + "".join(f"{share:18.0%}" for share in shares), flush=True)
        least = min(least, *shares)
    return int(least < _BAR)


def _share(verifier: Verifier, dress: str, found: list[tuple[dict[str, Any], str]]) -> float:
    same = [
        _label(verifier, one, text) is _label(verifier, one, _dressed(dress, text)) for one, text in found
    ]
    return sum(same) / len(same)


def _dressed(dress: str, text: str) -> str:
    small = text[:1].lower() + text[1:] if text.split()[0].lower() in _SMALL else text
    return dress.format(text=text, rest=text.removesuffix("."), small=small)


def _plain(part: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Whole sentences that tell something, with what they belong to."""
    for exchange in json_lines(HERE / f"{part}.jsonl"):
        for sentence in exchange["sentences"] if exchange["kind"] == "plain" else ():
            text = sentence["text"]
            if (
                sentence["label"] in ("attributable", "contradictory")
                and text.endswith(".")
                and len(text) < _LONGEST
            ):
                yield exchange, text


def _label(verifier: Verifier, exchange: dict[str, Any], text: str) -> Label:
    """The worst label of its claims."""
    report = verifier.check(text, question=exchange["question"], references=exchange["references"])
    labels = {one.label for one in report.verdicts}
    if Label.CONTRADICTORY in labels:
        return Label.CONTRADICTORY
    return Label.ATTRIBUTABLE if labels == {Label.ATTRIBUTABLE} else Label.EXTRAPOLATORY
