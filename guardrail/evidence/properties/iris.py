"""IRIs as ids and names: Wikidata's become their short ids, others stay whole and get a readable name."""

from __future__ import annotations

import re
from urllib.parse import unquote

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
OWN = "urn:guardrail:"
"""Before an id that is none of Wikidata's and no IRI, where `kg export` needs one."""

_WIKIDATA = re.compile(
    r"https?://www\.wikidata\.org/(?:entity|wiki|prop/direct|prop/direct-normalized|prop)/([QPL][1-9]\d*)\Z"
)
_ID = re.compile(r"[QPLG][1-9]\d*")
_CODE = re.compile(rf"{_ID.pattern}\Z|_:|urn:|\w+://|[\W\d_]*\Z")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\s]+")

_DC = ("http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/")
_SCHEMA_ORG = ("http://schema.org/", "https://schema.org/")
"""Both are in use, and mean the same."""
LABELS = frozenset(
    {RDFS + "label", SKOS + "prefLabel", "http://xmlns.com/foaf/0.1/name"}
    | {schema + "name" for schema in _SCHEMA_ORG}
    | {terms + "title" for terms in _DC}
)
ALIASES = frozenset(
    {SKOS + "altLabel", SKOS + "hiddenLabel", *(schema + "alternateName" for schema in _SCHEMA_ORG)}
)
DESCRIPTIONS = frozenset(
    {
        *(schema + "description" for schema in _SCHEMA_ORG),
        *(terms + "description" for terms in _DC),
        SKOS + "definition",
        RDFS + "comment",
    }
)
PLUMBING = frozenset(
    {
        "http://schema.org/version", "http://schema.org/dateModified", "http://schema.org/about",
        "http://schema.org/isPartOf", "http://schema.org/inLanguage", "http://wikiba.se/ontology#sitelinks",
        "http://wikiba.se/ontology#statements", "http://wikiba.se/ontology#identifiers",
    }
)  # fmt: skip
"""Predicates that speak of the record and not of the thing."""


def short(iri: str) -> str:
    """The id of an IRI: "Q42" for Wikidata's, what stands behind `OWN`, else the IRI itself."""
    if iri.startswith(OWN):
        return unquote(iri[len(OWN) :])
    if "wikidata.org/" in iri and (found := _WIKIDATA.match(iri)):
        return found.group(1)
    return iri


def is_name(entity_id: str) -> bool:
    """Whether people call the thing by its id, as in a table without labels: "Acme Corp", not "Q42", "1007" or "_:b1"."""
    return _CODE.match(entity_id) is None


def is_like_wikidatas(entity_id: str) -> bool:
    """Whether it looks like an id of Wikidata, or of ours, as some product codes do: "P1"."""
    return _ID.fullmatch(entity_id) is not None


def readable(entity_id: str) -> str:
    """A name for an id that came without one: the last part of an IRI, as words."""
    if "/" not in entity_id and "#" not in entity_id and not entity_id.startswith("urn:"):
        return entity_id
    last = re.split(r"[/#:]", entity_id.rstrip("/#"))[-1]
    return " ".join(part for part in _WORDS.split(unquote(last)) if part) or entity_id


def relation_name(property_id: str) -> str:
    """As `readable`, in lower case: "birthPlace" is "birth place"."""
    name = readable(property_id)
    return name if name == property_id else name.lower()
