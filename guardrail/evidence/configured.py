"""The sources of evidence that the settings name."""

from __future__ import annotations

from guardrail.config import corpus_place, web_search
from guardrail.evidence.corpus import Corpus, exists
from guardrail.evidence.corpus_retrieve import CorpusRetriever
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.retrieve import GraphRetriever
from guardrail.evidence.web import WebRetriever, WebSettings
from guardrail.types import Retriever, Source

__all__ = ["retrievers"]


def retrievers(graph: Knowledge) -> dict[Source, Retriever]:
    """The graph; a corpus of documents where one was indexed; the web where a search endpoint is configured."""
    found: dict[Source, Retriever] = {Source.KG: GraphRetriever(graph)}
    if exists(corpus_place()):
        found[Source.CORPUS] = CorpusRetriever(Corpus.open(corpus_place()))
    if (endpoint := web_search()) is not None:
        found[Source.WEB] = WebRetriever(WebSettings(**endpoint._asdict()))
    return found
