"""`python -m eval.train verdicts [--of records] [--model FOLDER] [--out FILE]`: grows the trees by which a claim's signals become a verdict.

Boosted trees over `guardrail.check.text.signals`, on the sentences that people labelled (`eval.train.labelled`) and the model was not
trained on, with the shipped model or the one in the folder that `--model` names. `--of records`: over `guardrail.check.nli.signals`, on sentences about
graphs (`eval.train.records`). The thresholds are the least shares at which few enough sentences get a wrong label, each judged by
trees that were grown without its passage or graph.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path

from eval.datasets.claims import claims_of
from eval.datasets.files import json_lines
from eval.train import records
from eval.train.growing import LABELS, Allowed, Row, grown, write
from eval.train.labelled import Labelled, labelled
from guardrail.check.text.checker import TextChecker
from guardrail.check.text.reading import NEAR
from guardrail.check.weighing import PASSAGES, RECORDS
from guardrail.models.embed import Embedder
from guardrail.models.encoder import MODELS
from guardrail.models.nli import Embedded
from guardrail.models.opened import open_statement_reader
from guardrail.types import Claim, Evidence, Span
from guardrail.verifier import Verifier

_OPEN = 3.0  # how often an open sentence counts of those that are an answer each: answers have more of them
_KINDS = {"passages": PASSAGES, "records": RECORDS}
_ANSWERS = ("plain", "paraphrased", "listed")
_ALLOWED = {
    # Of the contradicted, of the supported sentences of answers: fewer where the evidence has most of the words, as it mostly has.
    "passages": (
        Allowed(_ANSWERS, green=0.08, red=0.04),
        Allowed(_ANSWERS, green=0.04, red=0.02, covered=NEAR),
    ),
    # Of all that are not supported, not refuted: a user's own graph is trusted.
    "records": (
        Allowed(("graphs", "answers"), green=0.01, red=0.0075, unsupported=(1, 2), unrefuted=(0, 1)),
    ),
}


def rows(folder: Path, every: int = 1) -> Iterator[Row]:
    """With the model of `folder`, of each `every`th answer or passage; a process for each core."""
    given = (*labelled("answers"), *labelled("altered_sentences"))[::every]
    with ProcessPoolExecutor(initializer=_open, initargs=(folder,)) as processes:
        for found in processes.map(_rows_of, given, chunksize=4):
            yield from found


_opened: tuple[TextChecker, Verifier]  # of this process


def _open(folder: Path) -> None:
    global _opened
    checker = TextChecker(Embedded(folder, threads=1), embedder=Embedder(threads=1))
    _opened = checker, Verifier.open(threads=1)


def _rows_of(one: Labelled) -> list[Row]:
    return list(_rows(one, *_opened))


def _rows(one: Labelled, checker: TextChecker, verifier: Verifier) -> Iterator[Row]:
    """A sentence and its claims as the verifier cuts them. Where one has several and is not supported, which is at fault is not known."""
    evidence = Evidence(passages=one.passages)
    for text, bits, claims in _cut(one, verifier):
        if not bits:
            continue
        label = LABELS[bits]
        certain = claims if label == 0 or len(claims) == 1 else []
        in_other_words = one.kind == "short" or any(claim.pair for claim in claims)
        whole = [] if in_other_words else [_whole(text)]
        read = {claim.resolved: claim for claim in (*certain, *whole)}.values()
        weight = (_OPEN if label == 1 and not one.together else 1.0) / max(len(read), 1)
        yield from (Row(one.id, one.kind, label, checker.signals(claim, evidence), weight) for claim in read)


def _cut(one: Labelled, verifier: Verifier) -> Iterator[tuple[str, int, list[Claim]]]:
    """Each sentence with its label and its claims, which in an answer may speak of what the sentences before it name."""
    if not one.together:
        for text, bits in one.sentences:
            yield text, bits, list(claims_of(verifier, text, one.question))
        return
    found = list(claims_of(verifier, one.answer, one.question))
    at = 0
    for text, bits in one.sentences:
        start = one.answer.index(text, at)
        at = start + len(text)
        place = Span(start, at)
        yield text, bits, [claim for claim in found if place.contains(claim.span)]


def _whole(text: str) -> Claim:
    return Claim(0, Span(0, len(text)), text, text)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m eval.train verdicts", description=__doc__)
    parser.add_argument("--of", choices=list(_KINDS), default="passages", help="what is read beside a claim")
    parser.add_argument("--model", type=Path, default=MODELS, help="folder of the model that reads")
    parser.add_argument("--out", type=Path, default=None, help="the file in that folder unless given")
    parser.add_argument(
        "--rows", type=Path, help="where the signals are kept, to fit again without the model"
    )
    parser.add_argument(
        "--every",
        type=int,
        default=1,
        help="of the passages only each of this number: a large model reads slowly",
    )
    given = parser.parse_args(arguments)
    of_passages = given.of == "passages"
    found = _kept(given.rows, rows(given.model, given.every) if of_passages else records.rows(given.model))
    reads = Embedded(given.model) if of_passages else open_statement_reader(given.model)
    told = grown(found, reads.name, _ALLOWED[given.of])
    write(told, given.out or given.model / _KINDS[given.of])


def _kept(path: Path | None, made: Iterator[Row]) -> list[Row]:
    if path is not None and path.exists():
        return [Row(**one) for one in json_lines(path)]
    found = [row for row in made if row.signals]
    if path is not None:
        lines = (json.dumps(asdict(r)) for r in found)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return found
