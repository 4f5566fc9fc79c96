"""Sentences about graphs beside the statements that are nearest to them, as rows of signals: what the trees for statements grow on.

The graphs (`graph_sentences`) and some of the chat answers (`graph_answers`) were written for this alone; of the small tables only those
count that the model does not learn from.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from eval.train import graph_answers
from eval.train.example import BITS
from eval.train.growing import LABELS, Row
from eval.train.tables import Table, kept_aside, tables
from guardrail.check.nli.records import RecordsChecker
from guardrail.evidence.query.nearest import divided
from guardrail.models.embed import Embedder
from guardrail.models.opened import open_statement_reader
from guardrail.types import Evidence, Node, Triplet
from guardrail.verifier import Verifier

__all__ = ["graphs", "nearest", "rows"]


def graphs() -> list[Table]:
    """Larger tables, with ten pairs of twins and four open sentences each."""
    return tables("graph_sentences")


def rows(folder: Path) -> Iterator[Row]:
    """With the model of `folder`; a process for each core."""
    given = [("graphs", one) for one in graphs()]
    given += [("tables", one) for one in tables() if kept_aside(one)]
    with ProcessPoolExecutor(initializer=_open, initargs=(folder,)) as processes:
        for found in processes.map(_rows_of_answer, graph_answers.answers("trees"), chunksize=4):
            yield from found
        for found in processes.map(_rows_of, given, chunksize=4):
            yield from found


_opened: RecordsChecker  # of this process
_verifier: Verifier


def _open(folder: Path) -> None:
    global _opened, _verifier
    _opened = RecordsChecker(open_statement_reader(folder, threads=1))
    _verifier = Verifier.open(threads=1)


def _rows_of(given: tuple[str, Table]) -> list[Row]:
    kind, table = given
    return [
        Row(table.id, kind, LABELS[label], dict(_opened.signals(text, evidence)))
        for text, label, evidence in nearest(table)
    ]


def _rows_of_answer(given: graph_answers.Given) -> list[Row]:
    return [
        Row(
            one.answer,
            "answers",
            LABELS[BITS[one.label]],
            dict(_opened.signals(one.claim.resolved, one.evidence)),
        )
        for one in graph_answers.left_open([given], _verifier)
        if one.claim.reason is None
    ]


def nearest(table: Table) -> Iterator[tuple[str, int, Evidence]]:
    """Each sentence with its label and what the product finds near it in the table."""
    statements = [
        Triplet(Node("", thing), Node("", name), Node("", value)) for thing, name, value in table.rows
    ]
    texts = [text for text, _ in table.sentences]
    likeness = _embedder().similarities(texts, [": ".join(row) for row in table.rows])
    for (text, label), order in zip(table.sentences, (-likeness).argsort(axis=1).tolist(), strict=True):
        near, peers = divided([statements[at] for at in order])
        yield text, label, Evidence(nearest=near, peers=peers)


@cache
def _embedder() -> Embedder:
    return Embedder(threads=1)
