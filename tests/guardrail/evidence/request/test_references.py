"""Evidence that came with the request."""

from __future__ import annotations

from dataclasses import replace

from guardrail.evidence.request.references import RequestRetriever
from guardrail.models.embed import Embedder
from guardrail.types import Claim, Mention, Node, Passage, Setting, Source, Span, Triplet

TEXT = "Crater Lake is the main feature of Crater Lake National Park"
CLAIM = Claim(0, Span(0, len(TEXT)), TEXT, TEXT)


def _triplet(subject: str, predicate: str, obj: str) -> Triplet:
    return Triplet(Node("", subject), Node("", predicate), Node("", obj))


def test_a_claim_sees_the_triplets_that_share_its_words_closest_first() -> None:
    """Unrelated triplets stay out; the one that shares most words comes first."""
    park = _triplet("Crater Lake", "located in protected area", "Crater Lake National Park")
    lake = _triplet("Lake Tahoe", "country", "United States of America")
    other = _triplet("Airbus", "headquarters location", "Toulouse")
    assert RequestRetriever(triplets=[lake, other, park]).retrieve(CLAIM).triplets == (park, lake)


def test_function_words_relate_nothing() -> None:
    """Sharing only words such as "of" and "the" is no relation."""
    assert RequestRetriever(triplets=[_triplet("the", "is", "of")]).retrieve(CLAIM).triplets == ()


def test_triplets_that_are_near_in_meaning_are_found_without_a_shared_word() -> None:
    """The nearest first; without an embedder none are."""
    given = [_triplet("Mara", "employer", "Osprey"), _triplet("Mara", "birthplace", "Leeds")]
    asked = replace(CLAIM, resolved="She came into the world in a city of the north.")
    found = RequestRetriever(triplets=given, embedder=Embedder()).retrieve(asked)
    assert found.triplets == ()
    assert found.nearest == (given[1], given[0])
    assert RequestRetriever(triplets=given).retrieve(asked).nearest == ()


def test_references_are_handed_on() -> None:
    """Every reference of the request reaches the checker."""
    passage = Passage("1", "The lake is deep and blue.", Source.REQUEST)
    (found,) = RequestRetriever([passage]).retrieve(CLAIM).passages
    assert (found.id, found.text, found.source) == (passage.id, passage.text, passage.source)


def test_the_document_that_the_answer_is_about_speaks_of_its_subject() -> None:
    """In the accurate setting "it" with no name before it is what the claim is about; among noisy references it is nobody."""
    lake = Claim(0, Span(0, len(TEXT)), TEXT, TEXT, mentions=(Mention(Span(0, 11), "Crater Lake"),))
    passage = Passage("1", "It is deep and blue.", Source.REQUEST)
    abouts = {}
    for setting in (Setting.ACCURATE, Setting.NOISY):
        (found,) = RequestRetriever([passage], setting=setting).retrieve(lake).passages
        abouts[setting] = found.about
    assert abouts == {Setting.ACCURATE: "Crater Lake", Setting.NOISY: ""}
    titled = replace(passage, title="Lake Tahoe")
    (found,) = RequestRetriever([titled], setting=Setting.ACCURATE).retrieve(lake).passages
    assert found.about == ""
