"""Properties have the names that a graph gives them."""

from pathlib import Path

from guardrail.evidence.importers.load import Loader, load
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.store.graph import Graph
from guardrail.types import Value

TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
ex:studentCount rdfs:label "number of students" ; skos:altLabel "enrolment" , "Intake"@en .
ex:heightInMetres rdfs:label "height in metres"@en .
ex:Tower ex:studentCount 12 ; ex:heightInMetres 61.5 .
"""


def test_labels_with_and_without_a_language_name_a_property(tmp_path: Path) -> None:
    """And alternative labels are its aliases; settling again changes nothing."""
    path = tmp_path / "a.ttl"
    path.write_text(TURTLE)
    graph = Graph.create(tmp_path / "a.db")
    load([(path, RdfReader(".ttl"))], Loader(graph))
    for _ in range(2):
        known = graph.property("http://example.org/studentCount")
        assert known is not None
        assert (known.label, set(known.aliases)) == ("number of students", {"enrolment", "Intake"})
        with graph.write() as batch:
            batch.settle()


def test_a_unit_in_the_name_is_that_of_the_values(tmp_path: Path) -> None:
    """As they are read from the graph."""
    path = tmp_path / "a.ttl"
    path.write_text(TURTLE)
    graph = Graph.create(tmp_path / "a.db")
    load([(path, RdfReader(".ttl"))], Loader(graph))
    [height] = graph.statements("http://example.org/Tower", "http://example.org/heightInMetres")
    assert isinstance(height.object, Value)
    assert height.object.unit is not None
    assert (height.object.value, height.object.unit.label) == ("61.5", "metre")
