"""A graph at a SPARQL endpoint answers as one in a file does, as far as RDF can say it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.properties.completeness import mark
from guardrail.evidence.query.facts import answers
from guardrail.evidence.query.paths import paths
from guardrail.evidence.retrieve import GraphRetriever
from guardrail.evidence.sparql.graph import SparqlGraph
from guardrail.evidence.store.export import ntriples
from guardrail.evidence.store.graph import Graph
from guardrail.types import Argument, Claim, Fact, Node, Span
from tests.sparql_server import SparqlServer
from tests.world import node

NAMES = (
    '<http://www.wikidata.org/entity/P19> <http://www.w3.org/2000/01/rdf-schema#label> "place of birth"@en .\n',
    '<http://www.wikidata.org/entity/Q76> <http://schema.org/description> "44th president"@en .\n',
    '<http://www.wikidata.org/entity/Q76> <http://www.w3.org/2000/01/rdf-schema#label> "Барак Обама"@ru .\n',
    "<http://example.org/Zorbax> <http://example.org/madeIn> <http://www.wikidata.org/entity/Q114> .\n",
    '<http://example.org/width> <http://www.w3.org/2000/01/rdf-schema#label> "width in metres"@en .\n',
)


@pytest.fixture
def server(graph: Graph) -> Iterator[SparqlServer]:
    """The small world behind SPARQL."""
    with SparqlServer([*ntriples(graph), *NAMES]) as running:
        yield running


@pytest.fixture
def remote(server: SparqlServer) -> SparqlGraph:
    return SparqlGraph(server.url)


def test_entities_have_names_types_and_descriptions(remote: SparqlGraph, graph: Graph) -> None:
    """In the wanted language; strangers are none."""
    obama = remote.entity("Q76")
    assert obama is not None
    assert (obama.label, obama.description, obama.types) == ("Barack Obama", "44th president", ("Q5",))
    assert "USA" in remote.aliases("Q30")
    assert remote.aliases("Q30") == graph.aliases("Q30")
    assert remote.entity("Q404") is None
    assert remote.entity("not an iri") is remote.entity("http://evil/> } #") is None
    assert remote.entity("http://example.org/Zorbax").label == "Zorbax"  # type: ignore[union-attr]


def test_statements_are_those_of_the_file(remote: SparqlGraph, graph: Graph) -> None:
    """Subjects, predicates and objects; qualifiers RDF's direct form has not."""
    for subject in ("Q76", "Q30", "Q25188", "Q404"):
        mine = {
            (t.predicate.id, t.object.label) for t in remote.statements(subject) if isinstance(t.object, Node)
        }
        theirs = {
            (t.predicate.id, t.object.label) for t in graph.statements(subject) if isinstance(t.object, Node)
        }
        assert mine == theirs
    [born] = remote.statements("Q76", "P569")
    assert born.object.label == "4 August 1961"
    assert [t.subject.label for t in remote.incoming("Q25191", "P57")] == ["Inception"]
    assert remote.statements("Q76", "P404") == remote.incoming("Q404") == []
    [made] = remote.statements("http://example.org/Zorbax")
    assert made.predicate.label == "made in"


def test_the_name_of_a_property_gives_its_unit(remote: SparqlGraph) -> None:
    """As in a file: a bare number of the "width in metres" is one of metres."""
    width, made = remote.property("http://example.org/width"), remote.property("http://example.org/madeIn")
    assert [one.unit for one in (width, made) if one is not None] == [Node("Q11573", "metre"), None]


def test_linking_works_over_the_endpoint(remote: SparqlGraph) -> None:
    """By label and alternative label, as written."""
    found = AliasLinker(remote).link("Barack Obama was born in the USA, not in Zorbaxia.")
    assert {m.text: m.entity.id if m.entity else None for m in found} == {
        "Barack Obama": "Q76",
        "USA": "Q30",
        "Zorbaxia": None,
    }


def test_paths_are_those_of_the_file(remote: SparqlGraph, graph: Graph) -> None:
    """Both directions, three hops."""

    def shapes(which: Graph | SparqlGraph) -> set[tuple[str, ...]]:
        found = paths(which, ["Q76", "Q782", "Q25191"], max_paths=20)
        return {tuple(sorted(f"{t.subject.id} {t.predicate.id}" for t in path.triplets)) for path in found}

    assert shapes(remote) == shapes(graph) != set()


def test_one_hop_answers_with_the_hierarchy(remote: SparqlGraph) -> None:
    """Obama was born in the USA: Honolulu is there."""
    obama, usa = AliasLinker(remote).link("Barack Obama, USA")
    fact = Fact(
        Argument("x", mentions=(obama,)), "born in", Argument("y", mentions=(usa,)), relations=("P19",)
    )
    claim = Claim(0, Span(0, 5), "", "", (fact,))
    [answer] = answers(remote, claim)
    assert [t.object.label for t in answer.statements] == ["Honolulu"]
    assert [t.object.label for t in answer.broader] == ["Hawaii", "United States"]
    assert answer.property.label == "place of birth"
    assert GraphRetriever(remote).retrieve(claim).paths


def test_the_same_question_is_asked_once(remote: SparqlGraph, server: SparqlServer) -> None:
    """Answers are remembered for a while."""
    remote.entity("Q76")
    asked = server.asked
    remote.entity("Q76")
    assert server.asked == asked


def test_search_by_name_and_id(remote: SparqlGraph) -> None:
    """Exact names."""
    assert [e.id for e in remote.search("Barack Obama")] == ["Q76"]
    assert [e.id for e in remote.search("Q76")] == ["Q76"]
    assert remote.search("zorbaxia") == remote.search("!!") == []


def test_texts_in_names_are_no_query(remote: SparqlGraph) -> None:
    """Quotes, braces and newlines in a text are data."""
    assert remote.named({"x": ['a" } UNION { ?e ?p ?name . #', "back\\slash", "new\nline"]}) == []


def test_marks_of_complete_lists_are_read(graph: Graph) -> None:
    """All at once: the second question asks the endpoint nothing."""
    with graph.write() as batch:
        batch.add_statements([mark(node("Q25188"), "P161")])
    with SparqlServer(ntriples(graph)) as running:
        remote = SparqlGraph(running.url)
        assert remote.complete("Q25188", "P161")
        asked = running.asked
        assert not remote.complete("Q25188", "P57")
        assert not remote.complete("Q76", "P161")
        assert running.asked == asked
