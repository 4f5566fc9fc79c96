"""IRIs become ids and readable names."""

import pytest

from guardrail.evidence.properties.iris import is_name, readable, relation_name, short


@pytest.mark.parametrize(
    ("iri", "expected"),
    [
        ("http://www.wikidata.org/entity/Q42", "Q42"),
        ("http://www.wikidata.org/prop/direct/P31", "P31"),
        ("https://www.wikidata.org/wiki/Q42", "Q42"),
        ("http://www.wikidata.org/entity/statement/Q42-1", "http://www.wikidata.org/entity/statement/Q42-1"),
        ("http://evil.org/www.wikidata.org/entity/Q42", "http://evil.org/www.wikidata.org/entity/Q42"),
        ("http://dbpedia.org/resource/Ulm", "http://dbpedia.org/resource/Ulm"),
    ],
)
def test_wikidatas_iris_are_short(iri: str, expected: str) -> None:
    """Others stay whole."""
    assert short(iri) == expected


@pytest.mark.parametrize(
    ("entity_id", "name"),
    [
        ("http://dbpedia.org/resource/Barack_Obama", "Barack Obama"),
        ("http://x.org/onto#HonoluluCity", "Honolulu City"),
        ("http://x.org/caf%C3%A9/", "café"),
        ("Q42", "Q42"),
        ("Acme Corp", "Acme Corp"),
        ("urn:isbn:0451450523", "0451450523"),
    ],
)
def test_names_read_from_ids(entity_id: str, name: str) -> None:
    """The last part, as words."""
    assert readable(entity_id) == name


def test_relations_are_in_lower_case() -> None:
    """As they stand in a sentence."""
    assert relation_name("http://x.org/birthPlace") == "birth place"
    assert relation_name("P31") == "P31"


@pytest.mark.parametrize(
    ("entity_id", "expected"),
    [("Acme Corp", True), ("emp-7", True), ("Ōsaka", True), ("7 Eleven", True)]
    + [(i, False) for i in ("Q42", "P31", "1007", "2019-04-01", "_:b1", "http://x/Acme", "urn:x:acme", "--")],
)
def test_some_ids_are_names(entity_id: str, expected: bool) -> None:
    """Codes, numbers and IRIs are none."""
    assert is_name(entity_id) is expected
