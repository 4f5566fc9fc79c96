"""What is exported can be read back."""

import tempfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import orjson
import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.load import Loader, Outcome, load
from guardrail.evidence.properties.literals import coordinate_value, date_value, plain_value, quantity_value
from guardrail.evidence.store.export import jsonl, ntriples
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity, Node, Object, Property, Qualifier, Triplet, Value
from tests.world import triplet

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=12)
IDS = st.sampled_from(
    ["Q1", "Q2", "Acme Corp", "http://x.org/a#b", "urn:x:1", "50% | a;b=c", "\u6771\u4eac", "P7"]
)
LANGUAGES = st.sampled_from(["en", "de", "pt-BR", "und"])
NODES = st.builds(Node, IDS, st.just(""))
DATES = st.sampled_from(["1961-08-04", "1961-08", "1961", "-0044-03-15", "-0044", "12000"]).map(
    date_value
) | (
    st.builds(date_value, st.just("+1985-00-00T00:00:00Z"), st.sampled_from([6, 7, 8, 9])).map(
        lambda value: replace(value, calendar="julian")
    )
)
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=3).map(lambda n: f"{n:f}")
QUANTITIES = st.builds(quantity_value, NUMBERS, st.sampled_from(["", "Q11573"]), NUMBERS, NUMBERS)
TEXTS = st.builds(
    lambda text, tag: Value(text, text, "string", language=tag), TEXT, st.sampled_from(["", "en", "fr"])
)
PLACES = st.builds(lambda x, y: coordinate_value(str(x), str(y)), st.floats(-90, 90), st.floats(-180, 180))
OBJECTS: st.SearchStrategy[Object] = st.one_of(NODES, DATES, QUANTITIES, TEXTS, PLACES)
PROPERTIES = st.sampled_from(["P1", "P2", "works for; since | until", "http://x.org/p"])
STATEMENTS = st.builds(
    Triplet,
    NODES,
    st.builds(Node, PROPERTIES, st.just("")),
    OBJECTS,
    st.lists(st.builds(Qualifier, st.builds(Node, PROPERTIES, st.just("")), OBJECTS), max_size=3).map(tuple),
    id=st.just(""),
    source=st.sampled_from(["", "register | of; firms"]),
    as_of=st.sampled_from(["", "2025-06"]),
    rank=st.sampled_from(["preferred", "normal", "deprecated"]),
)
ENTITIES = st.builds(
    NewEntity,
    st.builds(
        Entity,
        IDS,
        TEXT,
        st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=9),
        st.lists(IDS, max_size=2, unique=True).map(tuple),
        st.floats(0, 9),
        st.sampled_from(["", "m", "f"]),
        st.none() | st.just("https://x.org"),
    ),
    st.lists(TEXT, max_size=3).map(tuple),
    LANGUAGES,
    st.lists(st.tuples(TEXT, LANGUAGES), max_size=2).map(tuple),
)
RELATIONS = st.builds(
    Property,
    PROPERTIES,
    TEXT,
    st.lists(TEXT.filter(lambda text: "\n" not in text), max_size=2).map(tuple),
    st.sampled_from(["entity", "date", "string"]),
    st.sampled_from(["single", "list", "unknown"]),
    st.none() | PROPERTIES,
    *[st.booleans()] * 3,
    complete=st.booleans(),
)


def everything(graph: Graph) -> object:
    """All that a reader of the graph can see."""
    entities = [new for group in graph.everything() for new in group]
    ids = [new.entity.id for new in entities]
    by_id = [(graph.entity(i), graph.aliases(i), graph.statements(i)) for i in ids]
    return entities, by_id, graph.properties(), list(graph.subjects()), graph.degrees(list(range(1, 50)))


def back_from(path: Path, into: Path) -> tuple[Outcome, Graph]:
    graph = Graph.create(into)
    [outcome] = load([(path, reader_for(path, languages=()))], Loader(graph))
    return outcome, graph


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(RELATIONS, max_size=3), st.lists(ENTITIES, max_size=4), st.lists(STATEMENTS, max_size=8))
def test_jsonl_gives_the_very_same_graph(
    relations: list[Property], entities: list[NewEntity], statements: list[Triplet]
) -> None:
    """Names with their languages, qualifiers, dates, quantities with bounds, ranks, sources, ids: whatever they hold."""
    with tempfile.TemporaryDirectory() as folder, Graph.create(Path(folder) / "there.db") as graph:
        with graph.write() as batch:
            batch.add_properties(relations)
            batch.add_entities(entities)
            batch.add_statements(statements)
            batch.settle()
        path = Path(folder) / "out.jsonl"
        path.write_text("".join(jsonl(graph)), encoding="utf-8")
        outcome, back = back_from(path, Path(folder) / "back.db")
        with back:
            assert outcome.bad_records == ()
            assert everything(back) == everything(graph)
            assert list(jsonl(back)) == list(jsonl(graph))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ENTITIES, max_size=4), st.lists(STATEMENTS, max_size=8))
def test_ntriples_keep_what_rdf_can_say(entities: list[NewEntity], statements: list[Triplet]) -> None:
    """Names but for white space around them, links, days, months, years, numbers, texts and places."""
    with tempfile.TemporaryDirectory() as folder, Graph.create(Path(folder) / "there.db") as graph:
        with graph.write() as batch:
            batch.add_entities(entities)
            batch.add_statements(statements)
        path = Path(folder) / "out.nt"
        gone: list[Triplet] = []
        path.write_text("".join(ntriples(graph, gone.append)), encoding="utf-8")
        assert all(quad.subject for quad in ox.parse(path=path))
        outcome, back = back_from(path, Path(folder) / "back.db")
        with back:
            assert outcome.bad_records == ()
            assert links(back) == links(graph, {t.id for t in gone})
            for group in graph.everything():
                for new in group:
                    assert back.entity(new.entity.id) is None or named(back, new.entity.id) == named(
                        graph, new.entity.id
                    )


def links(graph: Graph, without: Collection[str] = ()) -> set[tuple[str, str, str, str]]:
    """Subject, property, and the object as far as RDF tells it.

    A year among texts comes back as a date where the property's name speaks of time.
    """
    found = set()
    for statements in graph.subjects():
        for t in statements:
            if t.id in without:
                continue
            item = t.object
            kind = "entity" if isinstance(item, Node) else item.datatype
            value = item.id if isinstance(item, Node) else item.value
            if isinstance(item, Value) and kind == "quantity":
                value = f"{float(value) + 0.0} {item.unit.id if item.unit else ''}"
            if isinstance(item, Value) and kind == "date" and (item.precision or 0) < 9:
                value = item.label
            if kind in ("string", "date") and value.isascii() and value.isdigit():
                kind = "string or year"
            found.add((t.subject.id, t.predicate.id, value, kind))
    return found


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("1–18 GHz", '"1–18 GHz"'),
        ("210 tonnes", '"210 tonnes"'),
        ("€4.2 million", '"€4.2 million"'),
        ("38", '"38"^^<http://www.w3.org/2001/XMLSchema#decimal>'),
        ("1990s", '"1990s"'),
        ("2-3 million", ""),  # bare numbers that come as text stay text
        ("14 telescopes", ""),
    ],
)
def test_ntriples_write_no_value_that_would_be_read_as_another(
    tmp_path: Path, value: str, written: str
) -> None:
    """Units and ranges are kept, or the value is left out and told of."""
    known = plain_value(value, "auto")
    assert known is not None
    gone: list[Triplet] = []
    with Graph.create(tmp_path / "a.db") as graph:
        with graph.write() as batch:
            batch.add_statements([triplet("Q1", "P1", known)])
        lines = list(ntriples(graph, gone.append))
    assert [written in line for line in lines] == ([True] if written else [])
    assert len(gone) == (not written)
    (tmp_path / "a.nt").write_text("".join(lines), encoding="utf-8")
    with back_from(tmp_path / "a.nt", tmp_path / "b.db")[1] as back:
        assert [t.object for t in back.statements("Q1")] == ([known] if written else [])


def named(graph: Graph, entity_id: str) -> set[str]:
    entity = graph.entity(entity_id)
    assert entity is not None
    names = {text.strip() for text in (entity.label, *graph.aliases(entity_id))}
    return names - {"", entity_id}  # white space alone is no name: where there is none, the id stands in


def test_rows_of_the_older_form_are_still_read(tmp_path: Path) -> None:
    """The plural is for rows that people write: cells as they are meant."""
    path = tmp_path / "old.jsonl"
    path.write_text(
        '{"rows": "entities", "id": "a", "label": "A", "aliases": "x|y"}\n'
        '{"subject": "a", "predicate": "p", "object": "^1990-00-00T00:00:00Z/9", "kind": "kgtk", "qualifiers": "q=b"}\n'
    )
    _, graph = back_from(path, tmp_path / "g.db")
    with graph:
        assert graph.aliases("a") == ("x", "y")
        [found] = graph.statements("a")
        assert found.object == date_value("1990")
        assert [q.object for q in found.qualifiers] == [Node("b", "b")]


@pytest.mark.parametrize(
    "row",
    [
        '{"rows": "statement", "subject": "a", "predicate": "p"}',
        '{"rows": "statement", "subject": "a", "predicate": "p", "object": "b"}',
        '{"rows": "statement", "subject": 5, "predicate": "p", "object": {"id": "b"}}',
        '{"rows": "statement", "subject": "a", "predicate": "p", "object": {"datatype": "thing", "value": "x", "label": ""}}',
        '{"rows": "statement", "subject": "a", "predicate": "p", "object": {"id": "b"}, "rank": "best"}',
        '{"rows": "statement", "subject": "a", "predicate": "p", "object": {"id": "b"}, "qualifiers": [1]}',
        '{"rows": "entity", "label": "nameless"}',
        '{"rows": "entity", "id": "x", "label": ["y"]}',
        '{"rows": "property", "id": "x", "colour": "red"}',
    ],
)
def test_a_row_that_export_never_wrote_is_a_bad_record(tmp_path: Path, row: str) -> None:
    """It is counted and told; the rest comes in."""
    path = tmp_path / "a.jsonl"
    good = triplet("Q1", "P1", "Q2")
    with Graph.create(tmp_path / "g.db") as graph, graph.write() as batch:
        batch.add_statements([good])
    with Graph.open(tmp_path / "g.db") as graph:
        path.write_text("".join(jsonl(graph)) + row + "\n")
    outcome, back = back_from(path, tmp_path / "back.db")
    with back:
        assert outcome.bad == 1
        assert [t.object.label for t in back.statements("Q1")] == [good.object.label]


def test_a_cardinality_that_nobody_said_is_not_exported(graph: Graph) -> None:
    """Whoever imports it infers it anew."""
    with graph.write() as batch:
        batch.add_properties([Property("motto", "motto", cardinality="single")])
        batch.add_statements(
            triplet(f"S{i}", relation, "Q30") for i in range(3) for relation in ("moored at", "motto")
        )
        batch.settle()
    rows = [orjson.loads(line) for line in jsonl(graph)]
    told = {row["id"]: row.get("cardinality") for row in rows if row["rows"] == "property"}
    assert (told["moored at"], told["motto"]) == ("unknown", "single") or told["moored at"] is None
