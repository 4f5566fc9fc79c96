"""The inverted index: the same ranking as BM25 in memory, also where it has to choose candidates."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from guardrail.evidence.corpus import postings
from guardrail.evidence.corpus.bm25 import Bm25
from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.indexing import index_documents

WORDS = [f"word{i}" for i in range(400)]


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    chance = random.Random(7)
    texts = [" ".join(chance.choices(WORDS, weights=range(400, 0, -1), k=12)) + "." for _ in range(3000)]
    with Corpus.create(tmp_path_factory.mktemp("corpus") / "corpus.db") as corpus:
        index_documents(corpus, [Document(str(i), text) for i, text in enumerate(texts)], origin="x")
        yield corpus, texts


def ranking(corpus: Corpus, query: str, limit: int = 10) -> list[float]:
    return [hit.score for hit in corpus.search(query, limit=limit)]


@pytest.mark.parametrize(
    "query", ["word3 word250", "word399", "word0 word1 word2 word3 word200", "word17 word17"]
)
def test_scores_are_those_of_bm25(filled, query):
    """Read from disk or held in memory, the best ten score the same."""
    corpus, texts = filled
    expected = [score for _, score in Bm25(texts).search(query, 10)]
    assert ranking(corpus, query) == pytest.approx(expected)


def test_common_words_do_not_cost_the_best_passages(filled, monkeypatch):
    """Where postings are too many to read, the passage that has the rare word is still first."""
    corpus, _ = filled
    exact = corpus.search("word0 word1 word390 word395", limit=3)
    monkeypatch.setattr(postings, "_READ", 200)
    monkeypatch.setattr(postings, "_CANDIDATES", 50)
    assert corpus.search("word0 word1 word390 word395", limit=1)[0].passage in {hit.passage for hit in exact}


def test_packed_postings_clip_what_a_byte_cannot_hold():
    """Counts above 255 become 255."""
    item = np.frombuffer(postings.pack([(7, 300, 999)]), dtype=postings._ITEM)[0]
    assert tuple(int(x) for x in item) == (7, 255, 255)


def test_memory_for_postings_is_bounded(filled, monkeypatch):
    """However many terms are asked for, what is remembered stays under its limit."""
    corpus, _ = filled
    monkeypatch.setattr(postings, "_REMEMBERED", 5_000)
    for word in WORDS:
        corpus.search(word, limit=1)
    assert corpus._postings._bytes <= 5_000


def test_counts_are_kept(filled):
    """The corpus knows how many passages hold a term."""
    corpus, texts = filled
    held = Counter(word for text in texts for word in set(text.rstrip(".").split()))
    assert corpus.term_frequency(["word3", "absent"]) == {"word3": held["word3"]}
