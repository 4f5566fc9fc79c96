"""Multi-hop questions with their supporting sentences, as claims over a corpus: HotpotQA, 2WikiMultihop, MuSiQue."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from eval.datasets.files import find, open_text
from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.frames import Granularity
from guardrail.evidence.corpus.indexing import index_documents
from guardrail.types import Passage, Source

SETS = ("hotpot", "2wiki", "musique")


@dataclass(frozen=True, slots=True)
class Question:
    """A claim: question and answer. `gold`: frames that support it, all of one line of evidence."""

    claim: str
    gold: frozenset[int]


@dataclass(slots=True)
class _Raw:
    texts: dict[str, list[str]]
    asked: list[tuple[str, list[tuple[str, int]]]]


def load(name: str) -> tuple[Corpus, list[Question]]:
    """The corpus of a set and its questions. Frames are sentences; MuSiQue marks paragraphs, so there they are these."""
    raw = {"hotpot": _hotpot, "2wiki": _2wiki, "musique": _musique}[name]()
    whole = name == "musique"
    corpus = Corpus.create(
        Path(tempfile.mkdtemp(prefix="multihop-")) / "corpus.db",
        granularity=Granularity.DOCUMENT if whole else Granularity.SENTENCE,
    )
    documents, starts = _documents(raw.texts)
    index_documents(corpus, documents, origin=name)
    frames: dict[str, list[tuple[int, int]]] = {}
    for number, title, start in corpus.rows(
        "SELECT p.n, d.id, p.start FROM passage p JOIN document d ON d.n = p.document"
    ):
        frames.setdefault(title, []).append((start, number))
    questions = []
    for claim, support in raw.asked:
        gold = {
            number
            for title, at in support
            if title in starts and at + 1 < len(starts[title])
            for start, number in frames.get(title, ())
            if starts[title][at] <= start < starts[title][at + 1]
        }
        if gold and all(title in starts for title, _ in support):
            questions.append(Question(claim, frozenset(gold)))
    return corpus, questions


def _documents(texts: Mapping[str, Sequence[str]]) -> tuple[list[Document], dict[str, list[int]]]:
    """With the places where their sentences start, and where the text ends."""
    documents, starts = [], {}
    for title, sentences in texts.items():
        text, places = "", []
        for sentence in sentences:
            places.append(len(text))
            text += sentence.strip() + "\n\n"
        documents.append(Document(title, text, title.partition("\t")[0]))
        starts[title] = [*places, len(text)]
    return documents, starts


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the references that an application would have put beside it, of which most are beside the point.

    `gold`: titles and sentences that support it.
    """

    claim: str
    references: tuple[Passage, ...]
    gold: frozenset[tuple[str, str]]


def in_context(name: str, *, limit: int) -> list[Asked]:
    """The first `limit` questions of "hotpot" or "2wiki", each with its ten pages."""
    file = {"hotpot": "migres/hotpot.json.gz", "2wiki": "migres/wikihop_train_preprocess.json.gz"}[name]
    found = []
    for row in islice(_lines(file), limit):
        support = {tuple(place) for place in row["supporting_facts"]}
        pages = [(title, [one.strip() for one in sentences]) for title, sentences in row["context"]]
        found.append(
            Asked(
                _claim(row["question"], row["answer"]),
                tuple(Passage(t, " ".join(sentences), Source.REQUEST, title=t) for t, sentences in pages),
                frozenset((t, s) for t, found in pages for i, s in enumerate(found) if (t, i) in support),
            )
        )
    return found


def _claim(question: str, answer: str) -> str:
    return question if answer.lower() in ("yes", "no", "") else f"{question} {answer}"


def _json(name: str) -> Any:
    return json.loads(open_text(find(f"multihop/{name}")))


def _lines(name: str) -> Iterator[Any]:
    text = open_text(find(f"multihop/{name}"))
    yield from (
        json.loads(text) if text.lstrip().startswith("[") else (json.loads(x) for x in text.splitlines() if x)
    )


def _hotpot() -> _Raw:
    raw = _Raw({}, [])
    for title, sentences in _json("hipporag/hotpotqa_train_corpus.json.gz").items():
        raw.texts.setdefault(title, sentences)
    for row in (*_json("hipporag/hotpotqa_train.json.gz"), *_lines("migres/hotpot.json.gz")):
        for title, sentences in row["context"]:
            raw.texts.setdefault(title, sentences)
        raw.asked.append(
            (_claim(row["question"], row["answer"]), [tuple(x) for x in row["supporting_facts"]])
        )
    return raw


def _2wiki() -> _Raw:
    raw = _Raw({}, [])
    for row in _lines("migres/wikihop_train_preprocess.json.gz"):
        for title, sentences in row["context"]:
            raw.texts.setdefault(title, sentences)
        raw.asked.append(
            (_claim(row["question"], row["answer"]), [tuple(x) for x in row["supporting_facts"]])
        )
    for page in _json("hipporag/2wikimultihopqa_corpus.json.gz"):
        raw.texts.setdefault(page["title"], [page["text"]])
    return raw


def _musique() -> _Raw:
    """Titles recur with other paragraphs: the id is the title and a number, the title what stands before the tab."""
    raw = _Raw({}, [])
    ids: dict[tuple[str, str], str] = {}

    def place(title: str, text: str) -> str:
        return ids.setdefault((title, text), f"{title}\t{len(ids)}")

    for page in _json("hipporag/musique_train_corpus.json.gz"):
        raw.texts.setdefault(place(page["title"], page["text"]), [page["text"]])
    for row in (*_json("hipporag/musique_train.json.gz"), *_lines("migres/musique.json.gz")):
        support = []
        for paragraph in row["paragraphs"]:
            id = place(paragraph["title"], paragraph["paragraph_text"])  # noqa: A001
            raw.texts.setdefault(id, [paragraph["paragraph_text"]])
            if paragraph["is_supporting"]:
                support.append((id, 0))
        raw.asked.append((_claim(row["question"], row["answer"]), support))
    return raw
