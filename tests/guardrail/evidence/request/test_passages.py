"""The best sentences of the references for a claim."""

from __future__ import annotations

import itertools
import time

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.evidence.request.passages import PassageRetriever
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
    """Out of a long reference the right window is picked, and it points into the message."""
    text = f"{FILLER} {FACT} {FILLER}"
    reference = passage(text, message=3, span=Span(10, 10 + len(text)))
    evidence = PassageRetriever([reference]).retrieve(claim("The Eiffel Tower opened in 1899."))
    first = evidence.passages[0]
    assert FACT in first.text
    assert first.message == 3
    assert first.span is not None
    assert first.span.shift(-10).of(text) == first.text
    assert len(evidence.passages) <= 3


def test_a_sentence_that_says_he_is_found_through_the_one_before():
    """What stands right after a matching sentence is ranked with it."""
    text = f"{FILLER} Zorblax Quux was a painter. He died in Lisbon in 1702. {FILLER} Somebody died in 1702 in Oslo."
    found = PassageRetriever([passage(text)]).retrieve(claim("Zorblax Quux died in 1702.")).passages
    assert "Zorblax Quux was a painter. He died in Lisbon in 1702." in found[0].text


def test_a_window_is_of_neighbours_and_of_one_reference():
    """It grows around the best sentence, in both directions, as far as a window goes, and no window holds another's."""
    texts = [f"{FILLER} {FACT} {FILLER}", f"Bread is sold. {FACT} It rains."]
    found = (
        PassageRetriever([passage(text, n) for n, text in enumerate(texts)]).retrieve(claim(FACT)).passages
    )
    assert texts[1] in [one.text for one in found]
    assert all(len(one.text) <= 1_100 for one in found)
    long = next(one for one in found if FACT in one.text and one.text != texts[1])
    before, _, behind = long.text.partition(FACT)
    assert len(before) > 300
    assert len(behind) > 300
    spans = sorted((one.span.start, one.span.end) for one in found if one.id.startswith("r0#") and one.span)
    assert all(left[1] <= right[0] for left, right in itertools.pairwise(spans))


def test_a_short_reference_is_a_window_among_others():
    """Of many references those are handed on, whole, that speak of the claim; with few sentences always some."""
    texts = [f"Line {n} tells of valley {n}. It rains there." for n in range(9)]
    retriever = PassageRetriever([passage(text, n) for n, text in enumerate(texts)])
    found = retriever.retrieve(claim("It rains in valley 7.")).passages
    assert found[0].text == texts[7]
    assert len(retriever.retrieve(claim("Quux!")).passages) == 3


def test_what_matches_as_well_and_was_left_out_is_said():
    """Of a hundred equal sentences far apart most are not handed on; the evidence says so."""
    text = " ".join(f"{FILLER} The comet was seen again." for _ in range(20))
    evidence = PassageRetriever([passage(text)], keep=2).retrieve(claim("The comet was seen."))
    assert len(evidence.passages) == 2
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
        " ".join(f"{FILLER} The ship sailed on day {i}." for i in range(5))
        + f" {FILLER} The ship lay in Lisbon harbour then."
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
    """The sentences before it go along in its window."""
    told = "Zorblax Quux was a painter. He loved the sea. He died in Lisbon in 1702."
    untold = "Long ago Marv met Quux. He lies buried in Porto."
    found = PassageRetriever([passage(f"{FILLER} {told}"), passage(f"{untold} {FILLER}", 1)])
    passages = found.retrieve(claim("Quux died in Lisbon and lies in Porto.")).passages
    assert {p.about for p in passages if p.text.startswith("He")} <= {"Zorblax Quux", ""}
    assert any("Zorblax Quux was a painter" in p.text and "He died in Lisbon" in p.text for p in passages)
    assert any(untold in p.text for p in passages)
