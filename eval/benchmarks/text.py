"""Benchmark of evidence from text: indexing, re-indexing, search as the corpus grows, long prompts. `python -m eval.benchmarks.text`.

Synthetic passages are made of words drawn by Zipf's law with names among them, so that posting lists are as uneven as in
real text. Wall times depend on what else the machine does, CPU times less.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.indexing import index, index_documents
from guardrail.evidence.corpus.rank import rank
from guardrail.evidence.request.passages import PassageRetriever
from guardrail.models.embed import Embedder
from guardrail.types import Claim, Passage, Source, Span

SIZES = (10_000, 100_000, 1_000_000)
_VOCABULARY = 60_000
_NAMES = 40_000
_SENTENCE = 14
_PER_DOCUMENT = 5


def main(arguments: list[str]) -> int:
    """Prints a line per figure; `--quick` leaves out the million."""
    sizes = SIZES[:2] if "--quick" in arguments else SIZES
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    _files()
    medians = [_search(size) for size in sizes]
    growth = medians[-1] / medians[0]
    print(
        f"growth of the search median (CPU) from {sizes[0]:,} to {sizes[-1]:,} passages: {growth:.2f} (bar: under 3)"
    )
    _prompt()
    return 0


def synthetic(count: int, seed: int = 1) -> Iterator[Document]:
    """Documents with `count` sentences in all."""
    chance = np.random.default_rng(seed)
    words = [f"w{i:x}" for i in range(_VOCABULARY)]
    for number in range(count // _PER_DOCUMENT):
        ranks = np.minimum(chance.zipf(1.2, (_PER_DOCUMENT, _SENTENCE)), _VOCABULARY) - 1
        names = np.minimum(chance.zipf(1.3, (_PER_DOCUMENT, 2)), _NAMES)
        sentences = [
            f"Name{a} {' '.join(words[r] for r in row)} Name{b}."
            for row, (a, b) in zip(ranks, names, strict=True)
        ]
        yield Document(str(number), " ".join(sentences), f"Name{number % _NAMES}")


def _search(count: int) -> float:
    """Search and ranked retrieval over `count` passages; the median CPU time of the search in ms."""
    with tempfile.TemporaryDirectory() as folder, Corpus.create(Path(folder) / "corpus.db") as corpus:
        documents = list(synthetic(count))
        began, spent = time.perf_counter(), time.process_time()
        done = index_documents(corpus, documents, origin="synthetic")
        took, cpu = time.perf_counter() - began, time.process_time() - spent
        size = Path(corpus.name).stat().st_size / 1e6
        print(
            f"{count:>9,} passages: indexed {done.passages / took:,.0f} sentences/s,"
            f" {done.passages / cpu:,.0f} per second of CPU (bar: 2,000), {size:,.0f} MB"
        )
        chance = random.Random(3)
        claims = [chance.choice(documents).text.split(". ")[0] + "." for _ in range(300)]
        searched = _timed(lambda claim: corpus.search(claim, limit=10), claims)
        ranked = _timed(lambda claim: rank(corpus, claim, limit=10), claims[:100])
        _say("search", searched, bars=(10, 50))
        _say("ranked with the graph", ranked, bars=(10, 50))
        return float(np.percentile(searched, 50, axis=0)[1])


def _timed(action: Callable[[str], object], claims: list[str]) -> list[tuple[float, float]]:
    """Milliseconds of wall and of CPU time for each claim."""
    took = []
    for claim in claims:
        began, spent = time.perf_counter(), time.process_time()
        action(claim)
        took.append(((time.perf_counter() - began) * 1e3, (time.process_time() - spent) * 1e3))
    return took


def _say(what: str, took: list[tuple[float, float]], *, bars: tuple[int, int]) -> None:
    (p50, cpu50), (p99, cpu99) = (np.percentile(took, at, axis=0) for at in (50, 99))
    print(
        f"{'':20} {what}: p50 {p50:.1f} ms, p99 {p99:.1f} ms (bars: {bars[0]}, {bars[1]});"
        f" CPU {cpu50:.1f}, {cpu99:.1f} ms"
    )


def _files(count: int = 10_000) -> None:
    """A directory of files: first run, and a run over what has not changed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "documents"
        root.mkdir()
        for document in synthetic(count * _PER_DOCUMENT):
            (root / f"{document.id}.txt").write_text(document.text)
        with Corpus.create(Path(folder) / "corpus.db") as corpus:
            began = time.perf_counter()
            done = index(corpus, root)
            first = time.perf_counter() - began
            began = time.perf_counter()
            again = index(corpus, root)
            second = time.perf_counter() - began
        print(
            f"{done.files:,} files: {done.passages / first:,.0f} sentences/s; again, {again.unchanged:,} unchanged,"
            f" in {second:.2f} s (bars: 2,000/s; under 1 s)"
        )


def _prompt(characters: int = 420_000) -> None:
    """References of about 100,000 tokens in one request."""
    references, length = [], 0
    for document in synthetic(100_000):
        references.append(Passage(document.id, document.text, Source.REQUEST))
        length += len(document.text)
        if length > characters:
            break
    claims = [text.text.split(". ")[0] + "." for text in references[:100]]
    embedder = Embedder()
    embedder.embed(["the weights are loaded once for all requests"])
    retriever = PassageRetriever(references, embedder=embedder)
    began, spent = time.perf_counter(), time.process_time()
    retriever.retrieve(_claim("x"))
    first, cpu = time.perf_counter() - began, time.process_time() - spent
    print(f"prompt of {length:,} characters: one pass {first:.2f} s, {cpu:.2f} s of CPU (bar: 1.5 s)")
    _say(
        "then for each claim",
        _timed(lambda claim: retriever.retrieve(_claim(claim)), claims),
        bars=(100, 100),
    )


def _claim(text: str) -> Claim:
    return Claim(0, Span(0, len(text)), text, text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
