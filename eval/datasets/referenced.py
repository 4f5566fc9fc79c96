"""Claims with the references that people judged them by: the natural sets, each reference with its title where it has one.

Every row says which half it falls in, by a hash of its reference: one is looked at while rules are written, the other only
counted.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from eval.datasets.files import json_lines, open_text
from eval.train import dev, sets
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, UNSUPPORTED, Example
from guardrail.types import Passage, Source

__all__ = ["SETS", "Row"]

_TITLED = re.compile(r"^(?P<title>[^:\n]{2,60}): (?=\S)")
_LINKED = re.compile(r"\[\[[^|\]]*\|([^\]]*)\]\]")


@dataclass(frozen=True, slots=True)
class Row:
    """`labels`: those that may be right, as bits (eval/train/example.py)."""

    claim: str
    references: tuple[Passage, ...]
    labels: int
    question: str = ""

    @property
    def unseen(self) -> bool:
        return zlib.crc32("".join(one.text for one in self.references).encode()) % 2 == 1


def _passage(text: str, title: str = "") -> Passage:
    return Passage("e", text.strip(), Source.REQUEST, title=title)


def _plain(examples: Iterator[Example]) -> Iterator[Row]:
    for one in examples:
        yield Row(one.hypothesis, (_passage(one.premise),), one.labels)


def _titled(examples: Iterator[Example]) -> Iterator[Row]:
    """Premises of one page, "Title: text"."""
    for one in examples:
        match = _TITLED.match(one.premise)
        title = match["title"] if match else ""
        yield Row(one.hypothesis, (_passage(one.premise[match.end() if match else 0 :], title),), one.labels)


def feverous(root: Path) -> Iterator[Row]:
    """A passage for each page that the evidence is from."""
    labels = {"supports": ATTRIBUTABLE, "refutes": CONTRADICTORY}
    for row in json.loads(open_text(root / "feverous_s_dev/dev_half.json.gz")):
        pages: dict[str, list[str]] = {}
        for line in row["evidence"].splitlines():
            title, _, text = line.partition("\t")
            if text:
                pages.setdefault(title, []).append(_LINKED.sub(r"\1", text))
        passages = tuple(_passage(" ".join(texts), title) for title, texts in pages.items())
        if passages and row["label"] in labels:
            yield Row(row["claim"], passages, labels[row["label"]])


def summedits(root: Path) -> Iterator[Row]:
    """Summaries of a document: as written, or with one edit that may have made them wrong."""
    for name in ("news", "podcast", "samsum"):
        for row in json.loads(open_text(root / f"summedits/summedits/summedits_{name}.json.gz")):
            label = ATTRIBUTABLE if str(row["label"]) == "1" else UNSUPPORTED
            yield Row(row["summary"].strip(), (_passage(row["doc"]),), label)


def summedits_edits(root: Path) -> Iterator[Row]:
    """The same edited summaries against the summary before the edit: what people change, and nothing else."""
    for name in ("news", "podcast", "samsum"):
        for row in json.loads(open_text(root / f"summedits/summedits/summedits_{name}.json.gz")):
            label = ATTRIBUTABLE if str(row["label"]) == "1" else UNSUPPORTED
            yield Row(row["summary"].strip(), (_passage(row["original_summary"]),), label)


def tabfact_pairs(root: Path) -> Iterator[Row]:
    """A false statement about a table against the true one that it was made from. Some exclude each other, some do not."""
    for row in json.loads(open_text(root / "tabfact/pairs_train_tables.json.gz")):
        yield Row(sets.spaced(row[2]), (_passage(sets.spaced(row[1])),), UNSUPPORTED)


def halueval(root: Path) -> Iterator[Row]:
    """The answer alone is the text that is checked; the question goes with it."""
    for turn in ("one", "multi"):
        for row in json_lines(root / f"halueval/generation/qa/qa_{turn}-turn_data.json.gz"):
            for key, label in (("right_answer", ATTRIBUTABLE), ("hallucinated_answer", UNSUPPORTED)):
                answer = str(row[key]).strip()
                yield Row(answer, (_passage(str(row["knowledge"])),), label, str(row["question"]))


def infotabs(root: Path) -> Iterator[Row]:
    """An infobox as a passage with its title, a line for each of its rows."""
    folder = root / "infotabs"
    tables = {str(row["table_id"]): row["table"] for row in json_lines(folder / "tables.jsonl.gz")}
    labels = {"E": ATTRIBUTABLE, "N": EXTRAPOLATORY, "C": CONTRADICTORY}
    for row in sets.table(folder / "maindata/infotabs_dev.tsv", delimiter="\t", quoting=3):
        if row["table_id"] in tables:
            rows = dict(tables[row["table_id"]])
            title = (rows.pop("title", None) or [""])[0]
            text = "\n".join(f"{key}: {', '.join(values)}" for key, values in rows.items())
            yield Row(row["hypothesis"].strip(), (_passage(text, title),), labels[row["label"]])


SETS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "q2": lambda root: _plain(dev.q2(root)),
    "fever_symmetric": lambda root: _plain(dev.fever_symmetric(root)),
    "fool_me_twice": lambda root: _titled(sets.fool_me_twice(root)),
    "feverous": feverous,
    "wice": lambda root: _plain(dev.wice(root)),
    "check_covid": lambda root: _plain(dev.check_covid(root)),
    "semi_auto_nli": lambda root: _plain(dev.semi_auto_nli(root)),
    "dialfact": lambda root: _plain(sets.dialfact(root)),
    "paws": lambda root: _plain(sets.paws(root)),
    "defacto": lambda root: _plain(sets.defacto(root)),
    "halueval qa": halueval,
    "infotabs": infotabs,
    "summedits": summedits,
    "summedits edits": summedits_edits,
    "tabfact pairs": tabfact_pairs,
}
