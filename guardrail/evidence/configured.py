"""The sources of evidence that the settings name."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from guardrail.config import corpus_place, web_search
from guardrail.errors import KnowledgeError
from guardrail.evidence.corpus.corpus import Corpus, exists
from guardrail.evidence.corpus.retrieve import CorpusRetriever
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.retrieve import GraphRetriever
from guardrail.evidence.store.database import is_postgres
from guardrail.evidence.web import WebRetriever, WebSettings
from guardrail.types import Embedder, Retriever, Source

__all__ = ["retrievers"]

AGAIN_S = 1.0  # after which a corpus that could not be opened is tried again

log = logging.getLogger(__name__)


def retrievers(graph: Knowledge, embedder: Embedder | None = None) -> Mapping[Source, Retriever]:
    """The graph; a corpus of documents as soon as one is indexed; the web where a search endpoint is configured.

    A corpus in PostgreSQL has to be there from the beginning, as looking for it takes a connection. `embedder` finds statements of
    somebody's own graph by their meaning; without one they are found by what the claim names.
    """
    found: dict[Source, Retriever] = {Source.KG: GraphRetriever(graph, embedder=embedder)}
    place = corpus_place()
    there = exists(place)
    if there:
        found[Source.CORPUS] = CorpusRetriever(Corpus.open(place))
    if (endpoint := web_search()) is not None:
        found[Source.WEB] = WebRetriever(WebSettings(**endpoint._asdict()))
    return found if there or is_postgres(place) else _Awaiting(found, Path(place))


class _Awaiting(Mapping[Source, Retriever]):
    """Sources to which a corpus comes when its file does. Thread-safe."""

    def __init__(
        self, found: Mapping[Source, Retriever], corpus: Path, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._found, self._corpus, self._clock = dict(found), corpus, clock
        self._next = clock()
        self._lock = threading.Lock()

    def __getitem__(self, source: Source) -> Retriever:
        return self._now()[source]

    def __iter__(self) -> Iterator[Source]:
        return iter(tuple(self._now()))

    def __len__(self) -> int:
        return len(self._now())

    def _now(self) -> Mapping[Source, Retriever]:
        if Source.CORPUS not in self._found and self._corpus.exists() and self._clock() >= self._next:
            with self._lock:
                self._take_up()
        return self._found

    def _take_up(self) -> None:
        if Source.CORPUS in self._found:
            return
        try:
            self._found[Source.CORPUS] = CorpusRetriever(Corpus.open(self._corpus))
            log.warning("the corpus %s is evidence from now on", self._corpus)
        except KnowledgeError as error:  # it may be in the making
            self._next = self._clock() + AGAIN_S
            log.warning("the corpus is not used: %s", error)
