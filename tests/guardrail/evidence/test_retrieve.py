"""Evidence of a claim from the graph: answers, paths and literals in one ranked list."""

from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.retrieve import GraphRetriever
from guardrail.evidence.store.graph import Graph
from guardrail.models.embed import Embedder
from guardrail.types import Argument, Claim, Evidence, Fact, Span, Value


def claim(
    graph: Graph, subject: str, predicate: str, item: str, *relations: str, value: Value | None = None
) -> Claim:
    link = AliasLinker(graph).link
    text = f"{subject} {predicate} {item}"
    fact = Fact(
        Argument(subject, mentions=tuple(link(f"saw {subject}"))),
        predicate,
        Argument(item, mentions=tuple(link(f"saw {item}")), value=value),
        relations=relations,
    )
    return Claim(0, Span(0, len(text)), text, text, (fact,))


def test_answers_and_paths_are_joined(graph: Graph) -> None:
    """The answer to the claim's question comes first, then how its entities hang together."""
    evidence = GraphRetriever(graph).retrieve(claim(graph, "Barack Obama", "was born in", "Hawaii", "P19"))
    assert evidence.triplets[0].object.label == "Honolulu"
    assert {p.hops for p in evidence.paths} >= {2}
    assert len({t.id for t in evidence.triplets}) == len(evidence.triplets)
    assert {t.id for p in evidence.paths for t in p.triplets} <= {t.id for t in evidence.triplets}


def test_every_triplet_is_really_in_the_graph(graph: Graph) -> None:
    """Evidence can be looked up again by its id."""
    for triplet in GraphRetriever(graph).retrieve(claim(graph, "Barack Obama", "knows", "Paris")).triplets:
        assert graph.statement(triplet.id) == triplet


def test_literals_that_say_the_claims_value_are_evidence(graph: Graph) -> None:
    """Though no relation was understood."""
    born = claim(graph, "Barack Obama", "xyzzy", "1961", value=Value("1961", "1961", "date", 9))
    assert [t.predicate.id for t in GraphRetriever(graph).retrieve(born).triplets] == ["P569"]


def test_strangers_give_no_evidence(graph: Graph) -> None:
    """Empty, and falsy."""
    evidence = GraphRetriever(graph).retrieve(claim(graph, "Ada Zorbax", "was born in", "Zorbaxia", "P19"))
    assert evidence == Evidence()
    assert not evidence


def test_an_inherited_subject_counts(graph: Graph) -> None:
    """The claim's own words may name nobody: the fact's subject came from the sentence before."""
    whole = claim(graph, "Barack Obama", "was born in", "Kenya", "P19")
    bare = Claim(0, whole.span, whole.text, whole.resolved, whole.facts, mentions=())
    assert GraphRetriever(graph).retrieve(bare).triplets[0].object.label == "Honolulu"


def test_what_the_text_speaks_of_around_a_claim_is_near_it_too(graph: Graph) -> None:
    """ "Was born in 1961." may be said of whom the sentence before names; nothing is compared with it."""
    (subject,) = claim(graph, "Barack Obama", "was born in", "x").facts[0].subject.mentions
    assert subject.entity is not None
    text = "Was born in 1961."
    bare = Claim(0, Span(0, len(text)), text, text, focus=(subject.entity,))
    evidence = GraphRetriever(graph, embedder=Embedder()).retrieve(bare)
    assert "date of birth" in {one.predicate.label for one in evidence.nearest}
    assert not evidence.triplets
    assert not evidence.profiles
