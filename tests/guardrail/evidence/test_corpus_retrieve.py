"""A corpus as a source of evidence."""

from __future__ import annotations

from guardrail.evidence.corpus import Corpus
from guardrail.evidence.corpus_retrieve import CorpusRetriever
from guardrail.evidence.documents import Document
from guardrail.evidence.indexing import index_documents
from guardrail.types import Candidate, Claim, Entity, Mention, Source, Span


def test_frames_come_with_marks_source_and_locator(tmp_path):
    """The best frame is first, the words that bear on the claim are marked, and its place is told."""
    text = "Oslo opened its new harbour on 3 May 1902. Bergen is rainy."
    with Corpus.create(tmp_path / "corpus.db") as corpus:
        index_documents(corpus, [Document("d", text, "Oslo", "https://o", "2020")], origin="x")
        claim = Claim(0, Span(0, 10), "it opened", "Oslo opened its harbour in 1903.")
        (first, *_) = CorpusRetriever(corpus).retrieve(claim).passages
    assert first.text == "Oslo opened its new harbour on 3 May 1902."
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
