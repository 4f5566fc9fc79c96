"""Readers of the natural claim-and-evidence sets: each yields `Example`s, its labels mapped to ours.

entailment / supports → Attributable; neutral / not enough information → Extrapolatory; contradiction / refutes →
Contradictory. A two-way "not supported" stays open between the last two.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TextIO

from eval.datasets.files import json_lines
from eval.train.example import (
    ATTRIBUTABLE,
    CONTRADICTORY,
    EXTRAPOLATORY,
    UNSUPPORTED,
    Example,
)

__all__ = ["READERS", "infobox", "spaced", "table", "text_file"]

_THREE_WAY = {
    "entailment": ATTRIBUTABLE,
    "neutral": EXTRAPOLATORY,
    "contradiction": CONTRADICTORY,
    "E": ATTRIBUTABLE,
    "N": EXTRAPOLATORY,
    "C": CONTRADICTORY,
    "SUPPORTS": ATTRIBUTABLE,
    "REFUTES": CONTRADICTORY,
    "supports": ATTRIBUTABLE,
    "refutes": CONTRADICTORY,
    "con": CONTRADICTORY,
    "not_entailment": UNSUPPORTED,
}


def text_file(path: Path) -> TextIO:
    """Opens `path` as UTF-8, through gzip where the name ends in .gz."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", errors="replace", newline="")
    return path.open(encoding="utf-8", errors="replace", newline="")


def table(path: Path, *, delimiter: str = ",", quoting: int = csv.QUOTE_MINIMAL) -> Iterator[dict[str, str]]:
    csv.field_size_limit(10_000_000)
    with text_file(path) as file:
        yield from csv.DictReader(file, delimiter=delimiter, quoting=quoting)  # type: ignore[call-overload]


def _pair(premise: str, hypothesis: str, label: str, source: str) -> Iterator[Example]:
    labels = _THREE_WAY.get(label)
    if labels and premise and hypothesis:
        yield Example(premise.strip(), hypothesis.strip(), labels, source, premise.strip())


def mnli(root: Path) -> Iterator[Example]:
    for row in table(root / "nli_collection/mnli/dev.csv.gz"):
        yield from _pair(row["premise"], row["hypothesis"], row["label"], "mnli")


def mnli_wrapped(root: Path) -> Iterator[Example]:
    """10,000 MNLI pairs wrapped in a prompt's words."""
    wrapped = re.compile(r'For the statement, "(.*)", does the hypothesis "(.*)" represent entailment', re.S)
    for row in table(root / "llmsknow_mnli/mnli_train.csv.gz"):
        if found := wrapped.match(row["Question"]):
            yield from _pair(found[1], found[2], row["Answer"], "mnli")


def snli(root: Path, *, part: str = "dev") -> Iterator[Example]:
    folder = root / "esnli_dev_test"
    with (
        text_file(folder / f"s1.{part}.gz") as premises,
        text_file(folder / f"s2.{part}.gz") as hypotheses,
        text_file(folder / f"labels.{part}") as labels,
    ):
        for premise, hypothesis, label in zip(premises, hypotheses, labels, strict=True):
            yield from _pair(premise, hypothesis, label.strip(), "snli")


def cad(root: Path, *, part: str = "train.tsv.gz") -> Iterator[Example]:
    for row in table(root / "cad_nli/all_combined" / part, delimiter="\t", quoting=csv.QUOTE_NONE):
        yield from _pair(row["sentence1"], row["sentence2"], row["gold_label"], "cad")


def conj(root: Path, *, part: str = "adversarial_train_15k.tsv.gz") -> Iterator[Example]:
    for row in table(root / "conjnli" / part, delimiter="\t", quoting=csv.QUOTE_NONE):
        yield from _pair(row["Premise"], row["Hypothesis"], (row["Label"] or "").strip(), "conj")


def breaking(root: Path) -> Iterator[Example]:
    for row in json_lines(root / "breaking_nli/dataset.jsonl.gz"):
        yield from _pair(str(row["sentence1"]), str(row["sentence2"]), str(row["gold_label"]), "breaking")


def negation(root: Path) -> Iterator[Example]:
    for name in ("MNLI", "SNLI", "RTE"):
        for row in table(root / f"negation_nli/{name}.txt.gz", delimiter="\t", quoting=csv.QUOTE_NONE):
            yield from _pair(row["Text"], row["Hypothesis"], row["gold_label"], "negation")


def med(root: Path) -> Iterator[Example]:
    for row in table(root / "med/MED.tsv.gz", delimiter="\t", quoting=csv.QUOTE_NONE):
        yield from _pair(row["sentence1"], row["sentence2"], row["gold_label"], "med")


def monotonicity(root: Path) -> Iterator[Example]:
    for name in ("leskexppmb_and.tsv.gz", "leskexppmb_or.tsv"):
        path = root / "help_monotonicity/output_en" / name
        for row in table(path, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield from _pair(row["ori_sentence"], row["new_sentence"], row["gold_label"], "help")


def fool_me_twice(root: Path) -> Iterator[Example]:
    for row in json_lines(root / "fool_me_twice/dev.jsonl.gz"):
        gold, page = [str(part["text"]).strip() for part in row["gold_evidence"]], str(row["wikipedia_page"])
        premise, claim = _titled(page.replace("_", " "), " ".join(gold)), str(row["text"])
        yield from _pair(premise, claim, str(row["label"]), "fool_me_twice")
        rest = [str(part["text"]).strip() for part in row["retrieved_evidence"]]
        if row["label"] == "SUPPORTS" and (
            other := _silent(claim, [text for text in rest if text not in gold])
        ):
            yield Example(
                _titled(page.replace("_", " "), other), claim, EXTRAPOLATORY, "fool_me_twice", premise
            )


def _silent(claim: str, found: list[str]) -> str:
    """The first sentence that holds under half of the claim's words: of the same page, and no evidence for it."""
    words = set(re.findall(r"\w{4,}", claim.lower()))
    return next((t for t in found if 2 * len(words & set(re.findall(r"\w{4,}", t.lower()))) < len(words)), "")


def feverous(root: Path) -> Iterator[Example]:
    linked = re.compile(r"\[\[[^|\]]*\|([^\]]*)\]\]")
    with text_file(root / "feverous_s_dev/dev_half.json.gz") as file:
        for row in json.load(file):
            lines = [line.partition("\t") for line in row["evidence"].splitlines()]
            premise = " ".join(_titled(title, linked.sub(r"\1", text)) for title, _, text in lines if text)
            yield from _pair(premise, row["claim"], row["label"], "feverous")


def _titled(title: str, text: str) -> str:
    return text if not title or title in text else f"{title}: {text}"


def paws(root: Path) -> Iterator[Example]:
    """Paraphrases and word swaps: not a paraphrase is not supported, but which way stays open."""
    for row in table(root / "true_subset/paws.csv.gz"):
        label = ATTRIBUTABLE if row["label"] == "1" else UNSUPPORTED
        yield Example(
            spaced(row["grounding"]), spaced(row["generated_text"]), label, "paws", row["grounding"]
        )


def spaced(text: str) -> str:
    """Undoes the spaces that tokenisers put before punctuation."""
    text = re.sub(r"\s+([.,;:!?%)'’])", r"\1", text)
    return re.sub(r"``\s*|\s*''", '"', re.sub(r"([(])\s+", r"\1", text)).replace(" n't", "n't").strip()


def dialfact(root: Path, *, name: str = "dialfact") -> Iterator[Example]:
    for row in table(root / f"true_subset/{name}.csv.gz"):
        label = ATTRIBUTABLE if row["label"] == "1" else UNSUPPORTED
        premise = row["grounding"].strip()
        yield Example(premise, spaced(row["generated_text"]), label, name, premise)


def samsum(root: Path) -> Iterator[Example]:
    with text_file(root / "summedits/summedits/summedits_samsum.json.gz") as file:
        for row in json.load(file):
            label = ATTRIBUTABLE if str(row["label"]) == "1" else UNSUPPORTED
            yield Example(row["doc"].strip(), row["summary"].strip(), label, "samsum", row["doc"])


def faithdial(root: Path) -> Iterator[Example]:
    """BEGIN labels; a reply that is only partly entailed is not attributable."""
    labels = {"entailment": ATTRIBUTABLE, "hallucination": UNSUPPORTED, "partial hallucination": UNSUPPORTED}
    folder = root / "faithdial_audit"
    for path in sorted(folder.glob("*/*wow*.csv")):
        for row in table(path):
            premise = _filled(row, "evidence", "knowledge")
            reply = _filled(row, "response", "ctrl", "doha", "gpt2")
            label = labels.get(_filled(row, "BEGIN", "begin_label").strip().lower())
            if premise and reply and label:
                yield Example(spaced(premise), spaced(reply), label, "faithdial", premise)


def _filled(row: Mapping[str, str], *names: str) -> str:
    """The first of these cells that holds something."""
    return next((row[name] for name in names if row.get(name)), "")


def halueval(root: Path) -> Iterator[Example]:
    """Question and answer together are the claim, once with the right and once with the made-up answer."""
    for turn in ("one", "multi"):
        for row in json_lines(root / f"halueval/generation/qa/qa_{turn}-turn_data.json.gz"):
            premise = str(row["knowledge"]).strip()
            for key, label in (("right_answer", ATTRIBUTABLE), ("hallucinated_answer", UNSUPPORTED)):
                yield Example(premise, f"{row['question']} {row[key]}", label, "halueval", premise)


def defacto(root: Path) -> Iterator[Example]:
    """Evidence sentences that an annotator chose, with the summary they bear on."""
    for row in json_lines(root / "defacto/train.jsonl.gz"):
        feedback = row["feedback"]
        evidence = str(feedback["evidence"]).strip()
        if not evidence or (row["has_error"] and row["intrinsic_error"] and row["extrinsic_error"]):
            continue
        wrong = CONTRADICTORY if row["intrinsic_error"] else EXTRAPOLATORY
        label = wrong if row["has_error"] else ATTRIBUTABLE
        yield Example(evidence, str(row["candidate"]), label, "defacto", str(row["doc_id"]))
        if row["has_error"] and feedback["summary"]:
            yield Example(evidence, str(feedback["summary"]), ATTRIBUTABLE, "defacto", str(row["doc_id"]))


def infobox(rows: dict[str, list[str]], *, hypothesis: str = "", limit: int = 0) -> str:
    """An infobox in the wire form of triplets; with `limit`, the rows nearest to the hypothesis in table order."""
    title = (rows.get("title") or [""])[0]
    lines = [
        (key, ", ".join(re.sub(r"[\s\ufeff]+", " ", value).strip() for value in values)[:160])
        for key, values in rows.items()
        if key not in {"title", "coordinates", "Coordinates"}
    ]
    if limit and len(lines) > limit:
        words = set(re.findall(r"\w{3,}", hypothesis.lower()))

        def overlap(line: tuple[str, str]) -> int:
            return len(words & set(re.findall(r"\w{3,}", f"{line[0]} {line[1]}".lower())))

        chosen = set(sorted(range(len(lines)), key=lambda at: -overlap(lines[at]))[:limit])
        lines = [line for at, line in enumerate(lines) if at in chosen]
    return f"{title}: " + "; ".join(f"{key.lower()}: {value}" for key, value in lines) + "."


def infotabs(root: Path, *, part: str = "infotabs_train.tsv.gz", limit: int = 7) -> Iterator[Example]:
    folder = root / "infotabs"
    tables = {str(row["table_id"]): row["table"] for row in json_lines(folder / "tables.jsonl.gz")}
    for row in table(folder / "maindata" / part, delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["table_id"] in tables:
            premise = infobox(tables[row["table_id"]], hypothesis=row["hypothesis"], limit=limit)
            yield Example(
                premise, row["hypothesis"].strip(), _THREE_WAY[row["label"]], "infotabs", row["table_id"]
            )


READERS: dict[str, Callable[[Path], Iterator[Example]]] = {
    "mnli": mnli,
    "mnli_wrapped": mnli_wrapped,
    "snli": snli,
    "cad": cad,
    "conj": conj,
    "breaking": breaking,
    "negation": negation,
    "med": med,
    "help": monotonicity,
    "fool_me_twice": fool_me_twice,
    "feverous": feverous,
    "paws": paws,
    "dialfact": dialfact,
    "samsum": samsum,
    "faithdial": faithdial,
    "halueval": halueval,
    "defacto": defacto,
    "infotabs": infotabs,
}
