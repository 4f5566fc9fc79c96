"""RDF in each of its notations makes the same graph."""

from collections.abc import Callable
from pathlib import Path

import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.load import Loader, Outcome, load
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.store.graph import Graph
from guardrail.types import Node

Import = Callable[..., tuple[Graph, Outcome]]

NT = """\
<http://www.wikidata.org/entity/Q76> <http://www.w3.org/2000/01/rdf-schema#label> "Barack Obama"@en .
<http://www.wikidata.org/entity/Q76> <http://www.w3.org/2000/01/rdf-schema#label> "Барак Обама"@ru .
<http://www.wikidata.org/entity/Q76> <http://www.w3.org/2004/02/skos/core#altLabel> "Obama"@en .
<http://www.wikidata.org/entity/Q76> <http://schema.org/description> "44th president"@en .
<http://www.wikidata.org/entity/Q76> <http://www.wikidata.org/prop/direct/P19> <http://www.wikidata.org/entity/Q18094> .
<http://www.wikidata.org/entity/Q76> <http://www.wikidata.org/prop/direct/P569> "1961-08-04T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .
<http://www.wikidata.org/entity/P19> <http://www.w3.org/2000/01/rdf-schema#label> "place of birth"@en .
<http://example.org/HonoluluCity> <http://example.org/isPartOf> <http://www.wikidata.org/entity/Q18094> .
"""
TTL = """\
@prefix wd: <http://www.wikidata.org/entity/> . @prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> . @prefix ex: <http://example.org/> .
wd:Q76 rdfs:label "Barack Obama"@en, "Барак Обама"@ru ; skos:altLabel "Obama"@en ;
  schema:description "44th president"@en ; wdt:P19 wd:Q18094 ;
  wdt:P569 "1961-08-04T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .
wd:P19 rdfs:label "place of birth"@en .
ex:HonoluluCity ex:isPartOf wd:Q18094 .
"""
XML = """\
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
 xmlns:skos="http://www.w3.org/2004/02/skos/core#" xmlns:schema="http://schema.org/" xmlns:ex="http://example.org/"
 xmlns:wdt="http://www.wikidata.org/prop/direct/">
<rdf:Description rdf:about="http://www.wikidata.org/entity/Q76">
 <rdfs:label xml:lang="en">Barack Obama</rdfs:label><rdfs:label xml:lang="ru">Барак Обама</rdfs:label>
 <skos:altLabel xml:lang="en">Obama</skos:altLabel><schema:description xml:lang="en">44th president</schema:description>
 <wdt:P19 rdf:resource="http://www.wikidata.org/entity/Q18094"/>
 <wdt:P569 rdf:datatype="http://www.w3.org/2001/XMLSchema#dateTime">1961-08-04T00:00:00Z</wdt:P569>
</rdf:Description>
<rdf:Description rdf:about="http://www.wikidata.org/entity/P19">
 <rdfs:label xml:lang="en">place of birth</rdfs:label></rdf:Description>
<rdf:Description rdf:about="http://example.org/HonoluluCity">
 <ex:isPartOf rdf:resource="http://www.wikidata.org/entity/Q18094"/></rdf:Description>
</rdf:RDF>
"""
JSONLD = """\
{"@context": {"label": "http://www.w3.org/2000/01/rdf-schema#label", "alt": "http://www.w3.org/2004/02/skos/core#altLabel",
  "wd": "http://www.wikidata.org/entity/", "wdt": "http://www.wikidata.org/prop/direct/", "ex": "http://example.org/",
  "description": "http://schema.org/description"},
 "@graph": [
  {"@id": "wd:Q76", "label": [{"@value": "Barack Obama", "@language": "en"}, {"@value": "Барак Обама", "@language": "ru"}],
   "alt": {"@value": "Obama", "@language": "en"}, "description": {"@value": "44th president", "@language": "en"},
   "wdt:P19": {"@id": "wd:Q18094"},
   "wdt:P569": {"@value": "1961-08-04T00:00:00Z", "@type": "http://www.w3.org/2001/XMLSchema#dateTime"}},
  {"@id": "wd:P19", "label": {"@value": "place of birth", "@language": "en"}},
  {"@id": "ex:HonoluluCity", "ex:isPartOf": {"@id": "wd:Q18094"}}]}
"""


@pytest.fixture
def imported(tmp_path: Path) -> Import:
    """Writes content to a file of that name and imports it into a new graph."""

    def run(name: str, content: str | bytes, **options: object) -> tuple[Graph, Outcome]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        where = tmp_path / "rdf.db"
        graph = Graph.open(where, read_only=False) if where.exists() else Graph.create(where)
        reader = RdfReader(path.suffix, **options)  # type: ignore[arg-type]
        [outcome] = load([(path, reader)], Loader(graph))
        return graph, outcome

    return run


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.nt", NT), ("a.ttl", TTL), ("a.rdf", XML), ("a.jsonld", JSONLD)],
    ids=lambda x: x[:8],
)
def test_every_notation_gives_the_same_graph(imported: Import, name: str, content: str) -> None:
    """Names, dates, entities, and readable names where there are none."""
    graph, outcome = imported(name, content)
    obama = graph.entity("Q76")
    assert obama is not None
    assert (obama.label, obama.description, graph.aliases("Q76")) == (
        "Barack Obama",
        "44th president",
        ("Obama",),
    )
    [birth] = graph.statements("Q76", "P19")
    assert birth.predicate == Node("P19", "place of birth")
    assert [t.object.label for t in graph.statements("Q76", "P569")] == ["4 August 1961"]
    [part] = graph.incoming("Q18094", "http://example.org/isPartOf")
    assert (part.subject.label, part.predicate.label) == ("Honolulu City", "is part of")
    assert outcome.bad == 0
    assert graph.stats().statements == 3


def test_languages_are_chosen(imported: Import) -> None:
    """The label is of the wanted language."""
    graph, _ = imported("a.nt", NT, languages=("ru",))
    assert graph.entity("Q76").label == "Барак Обама"  # type: ignore[union-attr]


def test_properties_are_chosen(imported: Import) -> None:
    """Only the wanted relations come in."""
    graph, _ = imported("a.nt", NT, properties=("P569",))
    assert {t.predicate.id for t in graph.statements("Q76")} == {"P569"}


def test_bad_lines_are_counted_with_their_numbers(imported: Import) -> None:
    """The good ones around them are kept."""
    lines = NT.splitlines()
    lines.insert(2, "this is no triple")
    lines.insert(5, '<http://a> <http://b> "1989-99-99"^^<http://www.w3.org/2001/XMLSchema#date> .')
    graph, outcome = imported("a.nt", "\n".join(lines))
    assert [bad.number for bad in outcome.bad_records] == [3, 6]
    assert outcome.bad == 2
    assert graph.stats().statements == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.nt", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40),
        ("a.nt", "just some words\nand more\n"),
        ("a.ttl", "just some words"),
        ("a.rdf", "<html><body>hello</body></html"),
        ("a.jsonld", "{not json"),
    ],
)
def test_what_is_no_rdf_is_refused(imported: Import, name: str, content: str | bytes) -> None:
    """With the file's name and where it went wrong."""
    with pytest.raises(ImportFailed, match=name):
        imported(name, content)


def test_turtle_that_breaks_keeps_what_came_before(imported: Import, tmp_path: Path) -> None:
    """The line of the error is named."""
    with pytest.raises(ImportFailed, match=r"a\.ttl:9"):
        imported("a.ttl", TTL + "wd:Q1 wdt:P31 [[ .\n")
    with Graph.open(tmp_path / "rdf.db") as graph:
        assert graph.statements("Q76", "P19")


def test_blank_nodes_stay_in_their_file_and_keep_their_names(imported: Import) -> None:
    """The same file again gives the same blank nodes; another file others."""
    content = "@prefix ex: <http://example.org/> . ex:a ex:p [ ex:q ex:b ] ."
    graph, _ = imported("a.ttl", content)
    before = graph.stats().statements
    graph.close()
    graph, _ = imported("a.ttl", content)
    assert graph.stats().statements == before == 2
    graph.close()
    graph, _ = imported("b.ttl", content)
    assert graph.stats().statements == 4


def test_an_ontology_marks_its_properties(imported: Import) -> None:
    """Functional, symmetric, transitive, inverse."""
    owl = "http://www.w3.org/2002/07/owl#"
    content = f"""@prefix ex: <http://example.org/> . @prefix owl: <{owl}> .
    ex:hasId a owl:FunctionalProperty . ex:marriedTo a owl:SymmetricProperty . ex:inside a owl:TransitiveProperty .
    ex:owns owl:inverseOf ex:ownedBy . ex:marriedTo a owl:FunctionalProperty . """
    graph, _ = imported("a.ttl", content)
    flags = {p.label: p for p in graph.properties()}
    assert flags["has id"].cardinality == flags["married to"].cardinality == "single"
    assert flags["married to"].symmetric
    assert flags["inside"].hierarchical
    assert flags["owns"].inverse == "http://example.org/ownedBy"


def test_what_only_names_a_class_of_properties_marks_nothing(imported: Import) -> None:
    """A statement marks its subject only if it says what that is."""
    content = """@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    ex:likes ex:unlike owl:SymmetricProperty . ex:ada ex:likes ex:bob ."""
    graph, _ = imported("a.ttl", content)
    assert not {p.label: p.symmetric for p in graph.properties()}["likes"]


def test_an_equivalent_property_is_the_same(imported: Import) -> None:
    """What an ontology maps to a known property is asked with the words for that, whatever it is called."""
    content = """@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    ex:geboren owl:equivalentProperty <http://www.wikidata.org/entity/P569> . ex:ada ex:geboren "1961" ."""
    graph, _ = imported("a.ttl", content)
    assert [known.label for known in graph.alike("P569")] == ["geboren"]


def test_types_of_rdf_are_types(imported: Import) -> None:
    """rdf:type fills the entity's classes."""
    graph, _ = imported("a.ttl", "@prefix ex: <http://example.org/> . ex:rex a ex:Dog .")
    assert graph.entity("http://example.org/rex").types == ("http://example.org/Dog",)  # type: ignore[union-attr]
