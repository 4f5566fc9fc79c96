"""The best sentences of the references for a claim."""

from __future__ import annotations

import time

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.evidence.passages import PassageRetriever
from guardrail.types import Claim, Passage, Source, Span


def claim(text: str) -> Claim:
    return Claim(0, Span(0, len(text)), text, text)


def passage(text: str, number: int = 0, **options) -> Passage:
    return Passage(f"r{number}", text, Source.REQUEST, **options)


FILLER = " ".join(f"Line {i} tells of the weather in valley {i}." for i in range(200))
FACT = "The Eiffel Tower was opened on 31 March 1889."


def test_short_references_are_handed_on_whole():
    """Nothing is left out where nothing needs to be."""
    (found,) = PassageRetriever([passage(FACT)]).retrieve(claim("The tower opened in 1899.")).passages
    assert found.text == FACT
    assert "1889" in "".join(mark.of(FACT) for mark in found.marks)


def test_the_sentence_that_bears_on_the_claim_comes_first():
    """Out of a long reference the right sentence is picked, and it points into the message."""
    text = f"{FILLER} {FACT} {FILLER}"
    reference = passage(text, message=3, span=Span(10, 10 + len(text)))
    evidence = PassageRetriever([reference]).retrieve(claim("The Eiffel Tower opened in 1899."))
    first = evidence.passages[0]
    assert first.text == FACT
    assert first.message == 3
    assert first.span == Span(10 + len(FILLER) + 1, 10 + len(FILLER) + 1 + len(FACT))
    assert len(evidence.passages) <= 8


def test_a_sentence_that_says_he_is_found_through_the_one_before():
    """What stands right after a matching sentence is ranked with it."""
    text = f"{FILLER} Zorblax Quux was a painter. He died in Lisbon in 1702. {FILLER} Somebody died in 1702 in Oslo."
    found = PassageRetriever([passage(text)]).retrieve(claim("Zorblax Quux died in 1702.")).passages
    assert "He died in Lisbon in 1702." in [p.text for p in found[:2]]


def test_what_matches_as_well_and_was_left_out_is_said():
    """Twenty equal sentences do not fit; the evidence says that some were not handed on."""
    text = FILLER + " ".join(" The comet was seen again." for _ in range(20))
    evidence = PassageRetriever([passage(text)], keep=4).retrieve(claim("The comet was seen."))
    assert len(evidence.passages) == 4
    assert "match the claim as well" in evidence.unread[0]


def test_nothing_is_said_to_be_unread_when_the_rest_is_beside_the_point():
    """Weak matches that were left out do not spoil a verdict."""
    evidence = PassageRetriever([passage(f"{FILLER} {FACT}")]).retrieve(
        claim("The Eiffel Tower opened in March.")
    )
    assert evidence.unread == ()


def test_embeddings_are_fused_where_there_are_any():
    """A sentence that only the embedder ranks first gets among the kept ones."""

    embedded = []

    class Embedder:
        name = "fake"

        def embed(self, texts):
            embedded.extend(texts)
            return np.array([[1.0] if "Lisbon" in text or i == 0 else [0.0] for i, text in enumerate(texts)])

    text = (
        FILLER
        + " ".join(f" The ship sailed on day {i}." for i in range(5))
        + " The ship lay in Lisbon harbour then."
    )
    plain = PassageRetriever([passage(text)], keep=3).retrieve(claim("The ship sailed."))
    retriever = PassageRetriever([passage(text)], keep=3, embedder=Embedder())
    fused = retriever.retrieve(claim("The ship sailed."))
    assert "Lisbon" not in " ".join(p.text for p in plain.passages)
    assert "Lisbon" in " ".join(p.text for p in fused.passages)
    embedded.clear()
    retriever.retrieve(claim("The ship was lost."))
    assert embedded == ["The ship was lost."]  # the sentences are known by now


def test_a_hundred_thousand_tokens_are_read_once():
    """Long references cost one pass; every further claim costs a look-up."""
    references = [passage(f"{FILLER} {FACT}", number) for number in range(48)]
    assert sum(len(r.text) for r in references) > 400_000
    retriever = PassageRetriever(references)
    began = time.perf_counter()
    retriever.retrieve(claim("The Eiffel Tower opened in 1889."))
    first = time.perf_counter() - began
    began = time.perf_counter()
    retriever.retrieve(claim("The weather in valley 17 was fair."))
    assert time.perf_counter() - began < first / 4


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=300), max_size=20), st.text(max_size=60))
def test_any_references_and_any_claim_give_sentences_of_the_references(texts, wording):
    """Every passage handed on is a piece of a reference."""
    references = [passage(text * 8, number) for number, text in enumerate(texts)]
    for found in PassageRetriever(references).retrieve(claim(wording)).passages:
        assert any(found.text in reference.text for reference in references)


def test_a_sentence_that_says_he_tells_of_whom():
    """The name that the sentences before it open with goes along, over several that say "he"; a chance name does not."""
    told = "Zorblax Quux was a painter. He loved the sea. He died in Lisbon in 1702."
    untold = "Long ago Marv met Quux. He lies buried in Porto."
    found = PassageRetriever([passage(f"{FILLER} {told}"), passage(f"{untold} {FILLER}", 1)])
    about = {
        p.text: p.about for p in found.retrieve(claim("Quux died in Lisbon and lies in Porto.")).passages
    }
    assert about["He died in Lisbon in 1702."] == "Zorblax Quux"
    assert about["He lies buried in Porto."] == ""
