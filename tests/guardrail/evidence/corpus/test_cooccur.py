"""GraphRetrieve on a graph that can be drawn: which frames the paper's definition picks."""

from __future__ import annotations

import pytest

from guardrail.evidence.corpus.cooccur import (
    entity_and_mention_retrieve,
    entity_retrieve,
    graph_retrieve,
    mention_retrieve,
    neighbourhood,
)
from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.indexing import index_documents

TEXTS = {
    "The Beatles": "The Beatles were formed in Liverpool. The Beatles sang in Hamburg. Their hair was long.",
    "Liverpool": "Liverpool lies in England. Liverpool has a harbour.",
    "Hamburg": "Hamburg is a port.",
    "England": "England is green. It rains.",
    "Oslo": "Oslo met Bergen.",
}
NAMES = ("Beatles", "Liverpool", "Hamburg", "England", "Oslo", "Bergen")


def names(text: str) -> list[str]:
    return [name.lower() for name in NAMES if name in text]


@pytest.fixture
def corpus(place):
    documents = [Document(title, text, title.removeprefix("The ")) for title, text in TEXTS.items()]
    with Corpus.create(place) as made:
        index_documents(made, documents, origin="x", names=names)
        yield made


@pytest.fixture
def asked(corpus):
    return list(corpus.nodes(["beatles", "england"]).values())


def texts(corpus: Corpus, frames) -> set[str]:
    return {passage.text for passage in corpus.passages(frames).values()}


def test_the_bridge_is_found(corpus, asked):
    """The Beatles, Liverpool, England: the frames of both edges are evidence, and the pages of both ends."""
    found = texts(corpus, graph_retrieve(corpus, asked))
    assert "Liverpool lies in England." in found
    assert found == {
        "The Beatles were formed in Liverpool.",
        "The Beatles sang in Hamburg.",
        "Their hair was long.",
        "Liverpool lies in England.",
        "England is green.",
        "It rains.",
    }


def test_only_nodes_between_two_mentioned_ones_are_kept(corpus, asked):
    """Liverpool lies between; Hamburg has one end only and is unrelated."""
    around = neighbourhood(corpus, asked)
    between = {key for key, n in corpus.nodes(NAME.lower() for NAME in NAMES).items() if n in around.between}
    assert between == {"liverpool"}
    assert around.nodes == set(asked) | around.between.keys()


def test_entities_that_are_too_general_are_cut(corpus, asked):
    """Above the limit an entity is neither mentioned nor between."""
    around = neighbourhood(corpus, asked, too_general=1)
    assert around.between == {}
    assert len(around.mentioned) < 2


def test_the_baselines(corpus, asked):
    """Pages, mentions, and both."""
    assert texts(corpus, entity_retrieve(corpus, asked)) == {
        "The Beatles were formed in Liverpool.",
        "The Beatles sang in Hamburg.",
        "Their hair was long.",
        "England is green.",
        "It rains.",
    }
    assert texts(corpus, mention_retrieve(corpus, asked)) == {
        "The Beatles were formed in Liverpool.",
        "The Beatles sang in Hamburg.",
        "Liverpool lies in England.",
        "England is green.",
    }
    both = entity_and_mention_retrieve(corpus, asked)
    assert both == entity_retrieve(corpus, asked) | mention_retrieve(corpus, asked)
    assert graph_retrieve(corpus, asked) <= both


def test_a_claim_without_entities_has_no_evidence(corpus):
    """Nothing mentioned, nothing retrieved."""
    for retrieve in (graph_retrieve, entity_retrieve, mention_retrieve, entity_and_mention_retrieve):
        assert retrieve(corpus, []) == set()
