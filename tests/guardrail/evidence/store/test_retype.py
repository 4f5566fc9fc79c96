"""Texts that are all values of one type are values."""

from pathlib import Path

import orjson

from guardrail.evidence.importers.load import Loader, load
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.store.graph import Graph
from guardrail.types import Value

PAINTINGS = {
    "@context": {"@vocab": "https://schema.org/"},
    "@graph": [
        {
            "@id": "urn:x:salt",
            "name": "The Salt Gatherers",
            "boughtIn": "1986",
            "technique": "oil",
            "version": "4.10",
            "foundingDate": "1871",
            "duration": "PT75M",
        },
        {
            "@id": "urn:x:heron",
            "name": "Heron at Dusk",
            "boughtIn": "1999",
            "technique": "pencil",
            "version": "4.1",
        },
    ],
}


def test_years_in_plain_text_are_dates_and_versions_stay_text(tmp_path: Path) -> None:
    """However often it is settled; both spellings of schema.org name a thing."""
    path = tmp_path / "a.jsonld"
    path.write_bytes(orjson.dumps(PAINTINGS))
    graph = Graph.create(tmp_path / "a.db")
    load([(path, RdfReader(".jsonld"))], Loader(graph))
    [salt] = graph.search("The Salt Gatherers")
    for _ in range(2):
        found = {t.predicate.label: t.object for t in graph.statements(salt.id)}
        kinds = {name: (item.datatype, item.value) for name, item in found.items() if isinstance(item, Value)}
        assert kinds["bought in"] == ("date", "1986")
        assert kinds["founding date"] == ("date", "1871")
        assert kinds["duration"] == ("quantity", "75")
        assert kinds["technique"] == ("string", "oil")
        assert kinds["version"] == ("string", "4.10")
        with graph.write() as batch:
            batch.settle()
