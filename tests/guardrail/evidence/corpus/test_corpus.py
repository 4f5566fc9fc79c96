"""The corpus file: search, passages, the graph of names; and files that are none."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from guardrail.errors import KnowledgeDamaged, KnowledgeError, KnowledgeMissing
from guardrail.evidence.corpus.corpus import Corpus, CorpusStats, exists
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.frames import Granularity
from guardrail.evidence.corpus.indexing import index_documents
from guardrail.evidence.door import open_or_create
from guardrail.types import Source

DOCUMENTS = [
    Document("1", "The Beatles were formed in Liverpool. They sang.", "The Beatles", "https://b", "2024"),
    Document("2", "Liverpool is a city in Merseyside, England.", "Liverpool"),
    Document("3", "Oslo is the capital of Norway.", "Oslo"),
]


@pytest.fixture
def corpus(place):
    with Corpus.create(place) as made:
        index_documents(made, DOCUMENTS, origin="test")
        yield made


def texts(corpus: Corpus, query: str, limit: int = 10) -> list[str]:
    hits = corpus.search(query, limit=limit)
    passages = corpus.passages(hit.passage for hit in hits)
    return [passages[hit.passage].text for hit in hits]


def test_search_ranks_by_shared_terms(corpus):
    """The passage with the rare words comes first; the title counts as part of it."""
    assert texts(corpus, "capital of Norway")[0] == "Oslo is the capital of Norway."
    assert texts(corpus, "Did the Beatles sing or sang?")[0] in (
        "They sang.",
        "The Beatles were formed in Liverpool.",
    )
    assert len(texts(corpus, "Liverpool", 1)) == 1
    assert texts(corpus, "whales") == texts(corpus, "") == texts(corpus, "the of") == []


def test_passages_know_where_they_stand(corpus):
    """Id, title, link, as-of and the place in the document."""
    passage = corpus.passages([corpus.search("sang", limit=1)[0].passage]).popitem()[1]
    assert (passage.id, passage.title, passage.url, passage.as_of) == (
        "1@38",
        "The Beatles",
        "https://b",
        "2024",
    )
    assert passage.source is Source.CORPUS
    assert passage.span is not None
    assert passage.span.of(DOCUMENTS[0].text) == passage.text == "They sang."


def test_names_lead_to_passages_and_pages(corpus):
    """Nodes by name, the frames that mention them, the pages that are theirs."""
    nodes = corpus.nodes_in("Did the Beatles come from Liverpool or Atlantis?")
    assert set(nodes) >= {"liverpool"}
    liverpool = nodes["liverpool"]
    assert len(corpus.mentions(liverpool)) == corpus.frequency([liverpool])[liverpool] == 2
    (page,) = corpus.pages([liverpool])[liverpool]
    assert corpus.passages([page])[page].text.startswith("Liverpool is a city")
    assert liverpool in corpus.names_in([page])[page]
    assert corpus.title_nodes([page]) == {page: [liverpool]}
    assert list(corpus.around([page]).values()) == [[page]]


def test_an_empty_corpus_finds_nothing(tmp_path):
    """No documents, no hits and no error."""
    with Corpus.create(tmp_path / "corpus.db") as empty:
        assert empty.search("anything") == []
        assert empty.nodes_in("Liverpool") == {}
        assert empty.stats() == CorpusStats(0, 0, 0, 0, Granularity.SENTENCE, 0)


def test_many_threads_may_read(corpus):
    """A corpus is shared by the workers of a server."""
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: texts(corpus, "capital of Norway")[0], range(64)))
    assert set(found) == {"Oslo is the capital of Norway."}


def test_what_is_no_corpus_is_refused(tmp_path):
    """A missing file, another file, another application's file: each is named for what it is."""
    with pytest.raises(KnowledgeMissing):
        Corpus.open(tmp_path / "none.db")
    (tmp_path / "text.db").write_text("no database at all, only text " * 50)
    with pytest.raises(KnowledgeDamaged):
        Corpus.open(tmp_path / "text.db")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE meta (key, value)")
    other.close()
    with pytest.raises(KnowledgeDamaged, match="another application"):
        Corpus.open(tmp_path / "other.db")


def test_a_corpus_is_never_made_over_another(corpus, place):
    """Creating where there is one is an error."""
    with pytest.raises(KnowledgeError, match="exists already"):
        Corpus.create(place)


def test_a_corpus_that_is_read_only_is_not_written(corpus, place):
    """Opened for reading, a change is refused."""
    with (
        Corpus.open(place) as reading,
        pytest.raises(KnowledgeError, match="for reading only"),
        reading.transaction(),
    ):
        reading.rows("DELETE FROM passage")


def test_the_commonest_terms_are_left_out_where_they_cost_too_much(corpus, monkeypatch):
    """Two terms are always kept, the rarest first; terms that no passage holds tell nothing."""
    from guardrail.evidence.corpus import corpus as module

    query = ["liverpool", "norway", "absent", "oslo", "sang"]
    assert corpus.telling(query) == ["liverpool", "norway", "oslo", "sang"]
    monkeypatch.setattr(module, "_AFFORDED", 1)
    kept = corpus.telling(query)
    assert len(kept) == 2
    assert "liverpool" not in kept


def test_whether_there_is_a_corpus_is_known_before_it_is_opened(place):
    """There is none before it was made; opening it says so, too."""
    assert not exists(place)
    with pytest.raises(KnowledgeMissing):
        Corpus.open(place)
    Corpus.create(place).close()
    assert exists(place)


def test_a_corpus_may_stand_beside_the_graph_in_one_database(postgres):
    """Both are made at one address, and neither sees the other's tables."""
    url = postgres.new_database()
    with open_or_create(url) as graph, Corpus.create(url) as made:
        index_documents(made, DOCUMENTS, origin="test")
        assert made.stats().documents == len(DOCUMENTS)
        assert graph.search("Liverpool") == []
        assert "guard@" not in made.name
    with pytest.raises(KnowledgeError, match="does not exist"):
        exists(url + "no-such-database")
