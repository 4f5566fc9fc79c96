"""Which sources of evidence there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.config import corpus_place
from guardrail.evidence.configured import retrievers
from guardrail.evidence.corpus import Corpus
from guardrail.evidence.graph import Graph
from guardrail.types import Source


def test_the_graph_is_always_a_source(knowledge: Path) -> None:
    """Without a corpus and an endpoint it is the only one."""
    with Graph.open(knowledge) as graph:
        assert set(retrievers(graph)) == {Source.KG}


def test_a_corpus_and_a_search_endpoint_are_sources_too(
    knowledge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once documents are indexed and an endpoint is named."""
    Corpus.create(corpus_place()).close()
    monkeypatch.setenv("GUARDRAIL_WEB_URL", "http://127.0.0.1:1/search")
    with Graph.open(knowledge) as graph:
        assert set(retrievers(graph)) == {Source.KG, Source.CORPUS, Source.WEB}
