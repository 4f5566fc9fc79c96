"""What a schema declares of properties is known of them."""

from pathlib import Path

import pytest

from guardrail.evidence.importers.load import Loader, load
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.store.graph import Graph
from guardrail.types import Property

PREFIXES = """
@prefix ex: <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:a ex:glow ex:b .
"""


def glow(tmp_path: Path, axioms: str) -> Property:
    path = tmp_path / "a.ttl"
    path.write_text(PREFIXES + axioms)
    graph = Graph.create(tmp_path / "a.db")
    load([(path, RdfReader(".ttl"))], Loader(graph))
    known = graph.property("http://example.org/glow")
    assert known is not None
    return known


@pytest.mark.parametrize(
    ("axioms", "cardinality"),
    [
        (
            "ex:C rdfs:subClassOf [ a owl:Restriction ; owl:onProperty ex:glow ; owl:maxCardinality 1 ] .",
            "single",
        ),
        ("ex:C rdfs:subClassOf [ owl:cardinality 1 ; owl:onProperty ex:glow ] .", "single"),
        ("ex:S a sh:NodeShape ; sh:property [ sh:maxCount 1 ; sh:path ex:glow ] .", "single"),
        ("ex:S a sh:NodeShape ; sh:property [ sh:path ex:glow ; sh:maxCount 5 ] .", "list"),
        ("ex:S sh:property [ sh:path ( ex:glow ex:b ) ; sh:maxCount 1 ] .", "unknown"),
        ("ex:S sh:property [ sh:path ex:glow ; sh:minCount 1 ] .", "unknown"),
    ],
)
def test_restrictions_and_shapes_say_how_many_values_there_are(
    tmp_path: Path, axioms: str, cardinality: str
) -> None:
    """In any order; a path of several steps says nothing of its first property."""
    assert glow(tmp_path, axioms).cardinality == cardinality


def test_domain_range_and_what_means_the_same(tmp_path: Path) -> None:
    """Stand in the record of the property."""
    known = glow(
        tmp_path, "ex:glow rdfs:domain ex:Firm ; rdfs:range xsd:string ; owl:equivalentProperty ex:slogan ."
    )
    assert known.domain == ("http://example.org/Firm",)
    assert known.range == ("http://www.w3.org/2001/XMLSchema#string",)
    assert known.same_as == ("http://example.org/slogan",)
