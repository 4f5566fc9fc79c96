"""Two events are put in order by their dates, or by the life of the one who made a work."""

from collections.abc import Callable, Sequence

import pytest

from guardrail.evidence.query.sequence import sequences
from guardrail.evidence.store.graph import Graph
from guardrail.types import Candidate, Claim, Entity, Mention, Span, Triplet
from tests.world import day, triplet

NAMES = ("Hamlet", "Apple", "Sonata", "Guild")


@pytest.fixture
def works(make_graph: Callable[[Sequence[Triplet]], Graph]) -> Graph:
    return make_graph(
        [
            triplet("Hamlet", "P50", "Will"),
            triplet("Will", "P569", day("1564")),
            triplet("Will", "P570", day("1616")),
            triplet("Apple", "P571", day("1976-04-01")),
            triplet("Guild", "P571", day("1600")),
            triplet("Sonata", "P86", "Unknown"),
        ]
    )


def claim(text: str) -> Claim:
    places = [(name, text.find(name)) for name in NAMES if name in text]
    mentions = [
        Mention(Span(at, at + len(name)), name, (Candidate(Entity(name, name), 0.0),))
        for name, at in sorted(places, key=lambda place: place[1])
    ]
    return Claim(0, Span(0, len(text)), text, text, mentions=tuple(mentions))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Hamlet was written before Apple was founded.", True),
        ("Hamlet was written long before Apple was founded.", True),
        ("Apple was founded before Hamlet was written.", False),
        ("Apple was founded after the Guild was established.", True),
        ("Hamlet was written after the Guild was founded.", None),  # within its author's life
        ("Sonata was composed before Apple was founded.", None),  # nobody knows when its composer lived
        ("Hamlet was written ten years before Apple was founded.", None),  # says how long before
        ("Critics say that Hamlet was written before Apple was founded.", None),
        ("Hamlet was not written before Apple was founded.", None),
    ],
)
def test_dates_decide_the_order(works: Graph, text: str, holds: bool | None) -> None:
    """What overlaps, or is said with more words, is left alone."""
    found = list(sequences(works, claim(text)))
    assert [not ranking.ahead for ranking in found] == ([] if holds is None else [holds])


def test_the_proof_names_the_dates(works: Graph) -> None:
    """The death of the author, that he is the author, and the other date."""
    (ranking,) = sequences(works, claim("Hamlet was written before Apple was founded."))
    assert {t.predicate.id for t in (ranking.own, *ranking.beside)} == {"P570", "P50", "P569", "P571"}
