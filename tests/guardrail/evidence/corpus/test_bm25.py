"""BM25 in memory."""

from __future__ import annotations

from guardrail.evidence.corpus.bm25 import Bm25, idf
from guardrail.evidence.corpus.terms import terms

TEXTS = ["The tower opened in 1889.", "The river flows.", "Tower of London, a tower.", "", "A tower."]


def test_the_text_with_the_rare_words_comes_first():
    """Rare terms weigh more than common ones."""
    assert Bm25(TEXTS).search("tower opened", 2)[0][0] == 0


def test_texts_without_a_shared_term_are_not_found():
    """Only what shares a term is a hit; the scores fall."""
    found = Bm25(TEXTS).search("tower", 10)
    assert {place for place, _ in found} == {0, 2, 4}
    assert [s for _, s in found] == sorted((s for _, s in found), reverse=True)


def test_nothing_to_search_finds_nothing():
    """No texts, empty texts, no query: no hits and no error."""
    assert Bm25([]).search("tower", 3) == []
    assert Bm25([""]).search("tower", 3) == []
    assert Bm25(TEXTS).search("the of", 3) == []
    assert len(Bm25(TEXTS)) == 5


def test_rarer_terms_have_the_higher_idf():
    """Inverse document frequency falls with frequency and is never negative."""
    assert idf(1, 100) > idf(50, 100) > idf(100, 100) > 0
    assert Bm25(TEXTS).idf(terms("river")[0]) > Bm25(TEXTS).idf(terms("tower")[0])
