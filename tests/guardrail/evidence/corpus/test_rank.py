"""Our ranker: evidence in the order in which it should be read."""

from __future__ import annotations

import pytest

from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.indexing import index_documents
from guardrail.evidence.corpus.rank import Weights, rank

DOCUMENTS = [
    Document("b", "The Beatles were formed in Liverpool. They sang for years.", "The Beatles"),
    Document("l", "Liverpool is a city in Merseyside, England. It has a harbour.", "Liverpool"),
    Document("s", "Sussex is a county in England.", "Sussex"),
    *(
        Document(f"x{i}", f"Band {i} was formed in town {i}. They toured England.", f"Band {i}")
        for i in range(30)
    ),
]


@pytest.fixture
def corpus(place):
    with Corpus.create(place) as made:
        index_documents(made, DOCUMENTS, origin="x")
        yield made


def read(corpus: Corpus, claim: str, limit: int) -> list[str]:
    hits = rank(corpus, claim, limit=limit)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    passages = corpus.passages(hit.passage for hit in hits)
    return [passages[hit.passage].text for hit in hits]


def test_the_bridge_is_read_early(corpus):
    """The sentence that names Liverpool comes first, and Liverpool's own page soon after, among thirty other bands."""
    found = read(corpus, "The Beatles were formed in England.", 4)
    assert found[0] == "The Beatles were formed in Liverpool."
    assert "Liverpool is a city in Merseyside, England." in found


def test_the_cut_is_kept(corpus):
    """No more than asked for, each once."""
    found = rank(corpus, "The Beatles were formed in England.", limit=3)
    assert len({hit.passage for hit in found}) == len(found) == 3


def test_nothing_in_common_is_nothing_found(corpus, tmp_path):
    """A claim that shares no word with the corpus, or an empty corpus, has no evidence."""
    assert rank(corpus, "Zzyx qwrt.") == []
    assert rank(corpus, "") == []
    with Corpus.create(tmp_path / "empty.db") as empty:
        assert rank(empty, "The Beatles were formed in England.") == []


FILMS = [
    Document("f", "The Long Rain is a film of the year 1950 directed by Zorblax Quux.", "The Long Rain"),
    Document("q", "Quux was born in Porto.", "Zorblax Quux"),
    Document("m", "Marv was born in Porto.", "Marv"),
    *(Document(f"x{i}", f"Film {i} was shown in hall {i}.", f"Film {i}") for i in range(30)),
]


def test_a_frame_that_the_one_before_leads_to_gains(tmp_path):
    """Of two directors born in the same town the one is ahead whom the film's own sentence names, the more for being led to."""
    ahead = {}
    with Corpus.create(tmp_path / "films.db") as films:
        index_documents(films, FILMS, origin="x")
        for weight in (0.0, 0.2):
            claim = "The Long Rain is a film of the year 1950 by one who was born in Porto."
            hits = rank(films, claim, limit=10, weights=Weights(next=weight))
            assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
            passages = films.passages(hit.passage for hit in hits)
            assert [passages[hit.passage].title for hit in hits[:2]] == ["The Long Rain", "Zorblax Quux"]
            scores = {passages[hit.passage].title: hit.score for hit in hits}
            ahead[weight] = scores["Zorblax Quux"] - scores["Marv"]
    assert ahead[0.2] > ahead[0.0] > 0
