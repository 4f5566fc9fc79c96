"""Readers of the natural sets that are for evaluation only: no shipped model was trained on any of them.

Three-way sets carry one label; two-way sets carry Attributable or the open pair "not supported". fever_symmetric knows
only supported and refuted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from eval.datasets.files import json_lines, open_text
from eval.train import sets
from eval.train.example import (
    ATTRIBUTABLE,
    CONTRADICTORY,
    EXTRAPOLATORY,
    UNSUPPORTED,
    Example,
    held_out,
)

__all__ = ["DEV"]

_LABELS = {
    "SUPPORT": ATTRIBUTABLE,
    "SUPPORTS": ATTRIBUTABLE,
    "REFUTE": CONTRADICTORY,
    "REFUTES": CONTRADICTORY,
    "NOTENOUGHINFO": EXTRAPOLATORY,
    "NOT_ENOUGH_INFO": EXTRAPOLATORY,
    "entailment": ATTRIBUTABLE,
    "neutral": EXTRAPOLATORY,
    "contradiction": CONTRADICTORY,
    "e": ATTRIBUTABLE,
    "n": EXTRAPOLATORY,
    "c": CONTRADICTORY,
    "supported": ATTRIBUTABLE,
    "partially_supported": UNSUPPORTED,
    "not_supported": UNSUPPORTED,
    "attributable": ATTRIBUTABLE,
    "not attributable": UNSUPPORTED,
    "Fully attributable": ATTRIBUTABLE,
    "Not fully attributable": UNSUPPORTED,
}


def _example(premise: str, hypothesis: str, label: str, source: str) -> Iterator[Example]:
    labels = _LABELS.get(label)
    if labels and premise.strip() and hypothesis.strip():
        yield Example(premise.strip(), hypothesis.strip(), labels, source, premise)


def mnli_aside(root: Path) -> Iterator[Example]:
    """The 4 % of MNLI's premises that training leaves out."""
    yield from held_out([*sets.mnli(root), *sets.mnli_wrapped(root)])[1]


def snli_test(root: Path) -> Iterator[Example]:
    yield from sets.snli(root, part="test")


def cad_test(root: Path) -> Iterator[Example]:
    yield from sets.cad(root, part="test.tsv.gz")


def conj_dev(root: Path) -> Iterator[Example]:
    yield from sets.conj(root, part="conj_dev.tsv")


def infotabs_dev(root: Path) -> Iterator[Example]:
    """Whole infoboxes, as they would come: no row is chosen by the hypothesis."""
    yield from sets.infotabs(root, part="infotabs_dev.tsv", limit=0)


def fever_symmetric(root: Path) -> Iterator[Example]:
    for row in json_lines(root / "fever_symmetric/symmetric_v0.2/fever_symmetric_dev.jsonl.gz"):
        evidence, claim = sets.spaced(row["evidence"]), sets.spaced(row["claim"])
        yield from _example(evidence, claim, row["gold_label"], "fever_symmetric")


def check_covid(root: Path) -> Iterator[Example]:
    """The annotated sentences of an abstract, its title before them."""
    papers = {row["cord_id"]: row for row in _rows(root / "check_covid/corpus.json.gz")}
    for row in _rows(root / "check_covid/Check-COVID_all.json.gz"):
        paper = papers[row["cord_id"]]
        chosen = [paper["abstract"][part["sent_index"]] for part in row["evidence_set"]]
        yield from _example(f"{paper['title']} {' '.join(chosen)}", row["claim"], row["label"], "check_covid")


def _rows(path: Path) -> list[Any]:
    """The objects of a file that is one list, or one object a line."""
    text = open_text(path)
    return list(json.loads(text)) if text.startswith("[") else list(json_lines(path))


def climate_fever(root: Path) -> Iterator[Example]:
    for row in json_lines(root / "climate_fever/climate-fever.jsonl.gz"):
        for part in row["evidences"]:
            premise = part["evidence"].strip('"')
            if part["article"] not in premise:
                premise = f"{part['article']}: {premise}"
            yield from _example(premise, row["claim"], part["evidence_label"], "climate_fever")


def ling_in_loop(root: Path) -> Iterator[Example]:
    for path in sorted((root / "ling_in_loop").glob("*/*.jsonl.gz")):
        for row in json_lines(path):
            yield from _example(row["premise"], row["hypothesis"], row["label"], "ling_in_loop")


def semi_auto_nli(root: Path) -> Iterator[Example]:
    for path in sorted((root / "semi_auto_nli").glob("*/test.jsonl")):
        for row in json_lines(path):
            yield from _example(row["premise"], row["hypothesis"], row["label"], "semi_auto_nli")


def monli(root: Path) -> Iterator[Example]:
    for name in ("nmonli_test.jsonl", "pmonli.jsonl.gz"):
        for row in json_lines(root / "monli" / name):
            yield from _example(row["sentence1"], row["sentence2"], row["gold_label"], "monli")


def wice(root: Path) -> Iterator[Example]:
    """Oracle chunks: the gold sentences among others of the page. Partly supported is not supported."""
    folder = root / "wice/code_and_resources/entailment_inputs/oracle_chunks/claim"
    for row in json_lines(folder / "dev.jsonl.gz"):
        yield from _example(" ".join(row["evidence"]), row["claim"], row["label"], "wice")


def begin(root: Path) -> Iterator[Example]:
    for path in sorted((root / "begin").glob("*/*.tsv*")):
        for row in sets.table(path, delimiter="\t"):
            yield from _example(row["knowledge"], row["response"], row["begin_label"], "begin")


def q2(root: Path) -> Iterator[Example]:
    yield from sets.dialfact(root, name="q2")


def attributionbench(root: Path) -> Iterator[Example]:
    for row in json_lines(root / "attributionbench/dev_all_subset_balanced.jsonl.gz"):
        premise = "\n".join(row["references"]).replace("Title: ", "")
        yield from _example(premise, row["claim"], row["attribution_label"], "attributionbench")


DEV: dict[str, Callable[[Path], Iterator[Example]]] = {
    "mnli (kept aside)": mnli_aside,
    "snli test": snli_test,
    "cad_nli test": cad_test,
    "conjnli dev": conj_dev,
    "infotabs dev": infotabs_dev,
    "fever_symmetric": fever_symmetric,
    "check_covid": check_covid,
    "climate_fever": climate_fever,
    "ling_in_loop": ling_in_loop,
    "semi_auto_nli": semi_auto_nli,
    "monli": monli,
    "wice": wice,
    "begin": begin,
    "q2": q2,
    "attributionbench": attributionbench,
}
