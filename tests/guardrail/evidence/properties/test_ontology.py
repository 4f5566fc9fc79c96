"""What is curated for Wikidata's properties holds together."""

from guardrail.evidence.properties import ontology
from guardrail.types import Property


def test_places_of_birth_are_single_and_spouses_are_not() -> None:
    """The examples that decide between wrong and unknown."""
    assert ontology.with_curation(Property("P19", "x")).cardinality == "single"
    assert ontology.with_curation(Property("P26", "x")).cardinality == "list"
    assert ontology.with_curation(Property("P26", "x")).symmetric
    assert ontology.with_curation(Property("P35", "x")).temporal


def test_what_is_given_is_kept() -> None:
    """Curation adds, and does not overrule what a source says."""
    given = Property("P19", "x", cardinality="list", inverse="P1", temporal=True)
    assert ontology.with_curation(given) == given


def test_other_vocabularies_are_left_alone() -> None:
    """Only Wikidata's ids mean Wikidata's properties."""
    for name in ("http://example.org/P19", "P19x", "p19", "P0"):
        assert ontology.with_curation(Property(name, "x")) == Property(name, "x")
