"""Which sources of evidence there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.config import corpus_place
from guardrail.evidence import configured
from guardrail.evidence.configured import retrievers
from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.store.graph import Graph
from guardrail.types import Source


def test_the_graph_is_always_a_source(knowledge: Path) -> None:
    """Without a corpus and an endpoint it is the only one."""
    with Graph.open(knowledge) as graph:
        assert set(retrievers(graph)) == {Source.KG}


def test_a_corpus_and_a_search_endpoint_are_sources_too(
    knowledge: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once documents are indexed and an endpoint is named."""
    monkeypatch.setenv("GUARDRAIL_CORPUS", str(tmp_path / "corpus.db"))
    Corpus.create(corpus_place()).close()
    monkeypatch.setenv("GUARDRAIL_WEB_URL", "http://127.0.0.1:1/search")
    with Graph.open(knowledge) as graph:
        assert set(retrievers(graph)) == {Source.KG, Source.CORPUS, Source.WEB}


def test_a_corpus_that_is_indexed_later_becomes_a_source(
    knowledge: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that runs takes it up; a file that is no corpus is none, and is looked at again."""
    monkeypatch.setattr(configured, "AGAIN_S", 0.0)
    monkeypatch.setenv("GUARDRAIL_CORPUS", str(tmp_path / "corpus.db"))
    with Graph.open(knowledge) as graph:
        sources = retrievers(graph)
        assert set(sources) == {Source.KG}
        place = Path(corpus_place())
        place.write_text("no database")
        assert set(sources) == {Source.KG}
        place.unlink()
        Corpus.create(place).close()
        assert dict(sources).keys() == {Source.KG, Source.CORPUS}
        assert len(sources) == 2
        assert sources[Source.CORPUS] is dict(sources)[Source.CORPUS]
