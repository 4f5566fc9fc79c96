"""A corpus as a source of evidence."""

from __future__ import annotations

from itertools import pairwise

from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.indexing import index_documents
from guardrail.evidence.corpus.retrieve import CorpusRetriever
from guardrail.types import Candidate, Claim, Entity, Mention, Source, Span


def test_frames_come_with_marks_source_and_locator(tmp_path):
    """The best window is first, the words that bear on the claim are marked, and its place is told."""
    text = "Oslo opened its new harbour on 3 May 1902. Bergen is rainy."
    with Corpus.create(tmp_path / "corpus.db") as corpus:
        index_documents(corpus, [Document("d", text, "Oslo", "https://o", "2020")], origin="x")
        claim = Claim(0, Span(0, 10), "it opened", "Oslo opened its harbour in 1903.")
        (first, *_) = CorpusRetriever(corpus).retrieve(claim).passages
    assert first.text == text
    assert (first.source, first.url, first.as_of) == (Source.CORPUS, "https://o", "2020")
    assert first.span is not None
    assert first.span.of(text) == first.text
    assert "3 May 1902" in " ".join(mark.of(first.text) for mark in first.marks)


def test_linked_entities_count_by_label(tmp_path):
    """A claim that says "the city" still finds the page of the entity it was linked to."""
    with Corpus.create(tmp_path / "corpus.db") as corpus:
        pages = [
            Document("o", "A harbour town of old.", "Oslo"),
            Document("b", "A harbour town too.", "Bergen"),
        ]
        index_documents(corpus, pages, origin="x")
        oslo = Mention(Span(0, 8), "the city", (Candidate(Entity("Q585", "Oslo"), 1.0),))
        claim = Claim(0, Span(0, 8), "the city", "the city has a harbour", mentions=(oslo,))
        first = CorpusRetriever(corpus).retrieve(claim).passages[0]
    assert first.title == "Oslo"


def test_a_sentence_that_leans_on_the_one_before_is_read_beside_it(tmp_path):
    """ "It seats forty" comes with whom it means; another document's sentences do not."""
    told = "The Blue Hall was built in 1950. It seats forty."
    with Corpus.create(tmp_path / "corpus.db") as corpus:
        pages = [Document("h", told, "Rooms"), Document("b", "It seats ninety.", "Boats")]
        index_documents(corpus, pages, origin="x")
        claim = Claim(0, Span(0, 25), "The Blue Hall seats sixty.", "The Blue Hall seats sixty.")
        first = CorpusRetriever(corpus).retrieve(claim).passages[0]
    assert first.text == told


def test_a_window_holds_no_more_than_it_may(tmp_path):
    """Of a long document the neighbours of the best frame, and no frame stands in two windows."""
    told = " ".join(f"The train to Ulm stops {n} times on its way there in summer." for n in range(80))
    with Corpus.create(tmp_path / "corpus.db") as corpus:
        index_documents(corpus, [Document("h", told, "Trains")], origin="x")
        text = "The train to Ulm stops 40 times."
        found = CorpusRetriever(corpus).retrieve(Claim(0, Span(0, len(text)), text, text)).passages
    assert 1 <= len(found) <= 3
    spans = sorted((one.span.start, one.span.end) for one in found if one.span)
    assert all(len(one.text) <= 1_200 and one.span and one.span.of(told) == one.text for one in found)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
