"""Wikidata's JSON dump: entities with all that is said of them."""

import bz2
from pathlib import Path
from typing import Any

import orjson
import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.load import Loader, Outcome, load
from guardrail.evidence.importers.source import Source
from guardrail.evidence.importers.wikidata import WikidataReader
from guardrail.evidence.store.graph import Graph
from guardrail.types import Node, Value


def snak(kind: str, value: Any, datatype: str) -> dict[str, Any]:
    return {"snaktype": "value", "datatype": datatype, "datavalue": {"type": kind, "value": value}}


def item(number: int) -> dict[str, Any]:
    return snak("wikibase-entityid", {"id": f"Q{number}", "numeric-id": number}, "wikibase-item")


def time(text: str, precision: int, calendar: str = "Q1985727") -> dict[str, Any]:
    model = f"http://www.wikidata.org/entity/{calendar}"
    return snak("time", {"time": text, "precision": precision, "calendarmodel": model}, "time")


def claim(mainsnak: dict[str, Any], rank: str = "normal", **qualifiers: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"Q937${abs(hash(str(mainsnak)))}",
        "mainsnak": mainsnak,
        "rank": rank,
        "qualifiers": {name: [value] for name, value in qualifiers.items()},
    }


EINSTEIN = {
    "type": "item",
    "id": "Q937",
    "labels": {"en": {"language": "en", "value": "Albert Einstein"}, "de": {"language": "de", "value": "A. Einstein"}},
    "descriptions": {"en": {"language": "en", "value": "physicist"}},
    "aliases": {"en": [{"language": "en", "value": "Einstein"}]},
    "sitelinks": {f"wiki{i}": {} for i in range(200)},
    "claims": {
        "P31": [claim(item(5))],
        "P21": [claim(item(6581097))],
        "P569": [claim(time("+1879-03-14T00:00:00Z", 11))],
        "P570": [claim({"snaktype": "somevalue", "datatype": "time"})],
        "P27": [claim(item(39), "preferred", P580=time("+1901-00-00T00:00:00Z", 9)), claim(item(43287), "deprecated")],
        "P2048": [claim(snak("quantity", {"amount": "+175", "unit": "http://www.wikidata.org/entity/Q174728", "upperBound": "+176", "lowerBound": "+174"}, "quantity"))],
        "P1559": [claim(snak("monolingualtext", {"text": "Albert Einstein", "language": "en"}, "monolingualtext"))],
        "P625": [claim(snak("globecoordinate", {"latitude": 48.4, "longitude": 10, "precision": 0.1}, "globe-coordinate"))],
        "P18": [claim(snak("string", "Einstein.jpg", "commonsMedia"))],
        "P214": [claim(snak("string", "75121530", "external-id"))],
    },
}  # fmt: skip
BORN_IN = {
    "type": "property",
    "id": "P19",
    "datatype": "wikibase-item",
    "labels": {"en": {"language": "en", "value": "place of birth"}},
    "aliases": {"en": [{"language": "en", "value": "born in"}]},
    "claims": {"P2302": [claim(item(19474404))], "P1696": [claim(item(1))]},
}


def dump(*records: Any) -> bytes:
    return b"[\n" + b",\n".join(orjson.dumps(r) if isinstance(r, dict) else r for r in records) + b"\n]\n"


def run(tmp_path: Path, content: bytes, reader: WikidataReader | None = None) -> tuple[Graph, Outcome]:
    path = tmp_path / "dump.json.bz2"
    path.write_bytes(bz2.compress(content))
    graph = Graph.create(tmp_path / "g.db")
    [outcome] = load([(path, reader or WikidataReader())], Loader(graph))
    return graph, outcome


def test_an_item_comes_with_all_that_is_said_of_it(tmp_path: Path) -> None:
    """Names, classes, dates, quantities with bounds, ranks, qualifiers, ids."""
    graph, outcome = run(tmp_path, dump(EINSTEIN, BORN_IN))
    einstein = graph.entity("Q937")
    assert einstein is not None
    assert (einstein.label, einstein.description, einstein.gender, einstein.types) == (
        "Albert Einstein",
        "physicist",
        "m",
        ("Q5",),
    )
    assert einstein.popularity > 5
    assert graph.aliases("Q937") == ("Einstein",)
    assert graph.statements("Q937", "P569")[0].object == Value(
        "14 March 1879", "1879-03-14", "date", 11, "gregorian"
    )
    [height] = graph.statements("Q937", "P2048")
    assert height.object == Value(
        "175 Q174728", "175", "quantity", unit=Node("Q174728", "Q174728"), lower="174", upper="176"
    )
    first, last = graph.statements("Q937", "P27")
    assert (first.rank, last.rank) == ("preferred", "deprecated")
    assert [q.object.label for q in first.qualifiers] == ["1901"]
    assert first.id.startswith("Q937$")
    assert {t.predicate.id for t in graph.statements("Q937")} == {
        "P31",
        "P21",
        "P569",
        "P27",
        "P2048",
        "P1559",
        "P625",
    }
    assert outcome.bad == 0


def test_a_property_comes_with_its_constraints(tmp_path: Path) -> None:
    """Single-value constraint and inverse."""
    graph, _ = run(tmp_path, dump(BORN_IN))
    known = graph.property("P19")
    assert known is not None
    assert (known.label, known.aliases, known.datatype, known.cardinality, known.inverse) == (
        "place of birth",
        ("born in",),
        "entity",
        "single",
        "Q1",
    )


def test_languages_in_order_of_preference(tmp_path: Path) -> None:
    """The first that exists is the label, the others are aliases."""
    graph, _ = run(tmp_path, dump(EINSTEIN), WikidataReader(("fr", "de", "en")))
    assert graph.entity("Q937").label == "A. Einstein"  # type: ignore[union-attr]
    assert "Albert Einstein" in graph.aliases("Q937")


def test_only_the_wanted_relations(tmp_path: Path) -> None:
    """The rest is left out."""
    graph, _ = run(tmp_path, dump(EINSTEIN), WikidataReader(("en",), ("P569",)))
    assert {t.predicate.id for t in graph.statements("Q937")} == {"P569"}


def test_bad_lines_are_counted(tmp_path: Path) -> None:
    """Cut lines, records without an id, values of the wrong shape."""
    broken = {**EINSTEIN, "claims": {"P569": [claim(time("yesterday", 11))]}}
    graph, outcome = run(tmp_path, dump(EINSTEIN, b'{"type": "item"', b'{"type": "item"}', b"17", broken))
    assert [bad.number for bad in outcome.bad_records] == [3, 4, 5, 6]
    assert graph.entity("Q937") is not None


def test_another_json_is_refused(tmp_path: Path) -> None:
    """It is no dump."""
    with pytest.raises(ImportFailed, match="not a Wikidata dump"):
        run(tmp_path, b"\n".join(b'{"some": "thing"}' for _ in range(200)))


def test_what_follows_many_bad_lines_is_read_where_an_import_goes_on(tmp_path: Path) -> None:
    """That it is a dump was seen in the lines before."""
    path = tmp_path / "dump.json"
    path.write_bytes(
        b"\n".join([b"[", *[b'{"some": "thing"},'] * 101, *[b" " * (1 << 20)] * 3, orjson.dumps(EINSTEIN)])
    )
    with Source.open(path) as source:
        chunks = list(WikidataReader(("en",)).chunks(source, skip=1))
    assert [one.entity.id for chunk in chunks for one in chunk.entities] == ["Q937"]
