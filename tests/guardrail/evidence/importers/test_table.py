"""Tables become knowledge by a mapping of their columns."""

from pathlib import Path

import orjson
import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.load import Loader, Outcome, load
from guardrail.evidence.importers.mapping import PLAIN, TableMapping, section_mapping
from guardrail.evidence.importers.table import TableReader
from guardrail.evidence.store.graph import Graph
from guardrail.types import Node, Value


def run(
    tmp_path: Path, name: str, content: str | bytes, mapping: TableMapping = PLAIN
) -> tuple[Graph, Outcome]:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    graph = Graph.create(tmp_path / f"{name}.db")
    [outcome] = load([(path, TableReader(mapping))], Loader(graph))
    return graph, outcome


CSV = """\
subject,predicate,object,start,source
Acme Corp,chief executive,Ann Lee,2019-04-01,register
Acme Corp,founded,1999,,
"Lee, Ann",works for,Acme Corp,,
"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", CSV),
        ("a.csv", "\ufeff" + CSV.replace("\n", "\r\n")),
        ("a.tsv", CSV.replace('"Lee, Ann"', "Lee; Ann").replace(",", "\t").replace("; ", ", ")),
        (
            "a.jsonl",
            b"\n".join(
                orjson.dumps(
                    dict(zip(("subject", "predicate", "object", "start", "source"), row, strict=True))
                )
                for row in [
                    ("Acme Corp", "chief executive", "Ann Lee", "2019-04-01", "register"),
                    ("Acme Corp", "founded", 1999, None, None),
                    ("Lee, Ann", "works for", "Acme Corp", "", ""),
                ]
            ),
        ),
    ],
    ids=["csv", "csv of Windows", "tsv", "jsonl"],
)
def test_triples_by_column_names(tmp_path: Path, name: str, content: str | bytes) -> None:
    """Names are ids, numbers are literals, start and end are qualifiers."""
    graph, outcome = run(tmp_path, name, content)
    [chief] = graph.statements("Acme Corp", "chief executive")
    assert chief.object == Node("Ann Lee", "Ann Lee")
    assert [q.object.label for q in chief.qualifiers] == ["1 April 2019"]
    assert chief.source == "register"
    [founded] = graph.statements("Acme Corp", "founded")
    assert founded.object.label == "1999"
    assert founded.source == name
    assert graph.statements("Lee, Ann", "works for")
    assert outcome.bad == 0


def test_an_enterprise_table_by_a_mapping(tmp_path: Path) -> None:
    """A row is a thing, its columns are relations."""
    content = "no;name;nick;boss;hired;skills\n7;Ann Lee;Annie|Lee;3;2019-04-01;Python|Go\n3;Bo Ek;;;;\n"
    mapping = section_mapping(
        {
            "rows": "entities",
            "id": "no",
            "label": "name",
            "aliases": "nick",
            "delimiter": ";",
            "relations": {
                "boss": "reports to",
                "hired": {"property": "hired on", "kind": "date"},
                "skills": {"property": "skill", "kind": "string"},
            },
        },
        where="test",
    )
    graph, _ = run(tmp_path, "staff.csv", content, mapping)
    assert graph.search("annie")[0].id == "7"
    assert graph.statements("7", "reports to")[0].object == Node("3", "Bo Ek")
    assert graph.statements("7", "hired on")[0].object.label == "1 April 2019"
    assert {t.object.label for t in graph.statements("7", "skill")} == {"Python", "Go"}


def test_kgtk_tables_with_qualifiers(tmp_path: Path) -> None:
    """The shape of the benchmark graph: ids, KGTK literals, qualifier sets."""
    content = "s\tp\to\tq\nQ1\tP6\tQ2\tP580=^1990-00-00T00:00:00Z/9;P805=Q7|P805=Q8\nQ1\tP569\t^1822-01-07T00:00:00Z/11\t\n"
    mapping = section_mapping(
        {"subject": "s", "predicate": "p", "object": "o", "qualifiers": "q", "values": "kgtk"}, where="test"
    )
    graph, _ = run(tmp_path, "edges.tsv", content, mapping)
    assert sorted(len(t.qualifiers) for t in graph.statements("Q1", "P6")) == [1, 2]
    assert graph.statements("Q1", "P569")[0].object.label == "7 January 1822"


def test_properties_by_a_table(tmp_path: Path) -> None:
    """Labels, aliases, inverse, flags."""
    content = "id,label,aliases,datatype,symmetric\nP26,spouse,wife|husband,item,yes\nP569,born,,time,\n"
    columns = {name: name for name in ("id", "label", "aliases", "datatype", "symmetric")}
    graph, _ = run(
        tmp_path, "p.csv", content, section_mapping({"rows": "properties", **columns}, where="test")
    )
    spouse, born = graph.property("P26"), graph.property("P569")
    assert spouse is not None
    assert born is not None
    assert (spouse.aliases, spouse.symmetric, spouse.datatype) == (("wife", "husband"), True, "entity")
    assert born.datatype == "date"


def test_rows_can_be_left_out(tmp_path: Path) -> None:
    """By the value of a column."""
    content = "subject,predicate,object,kind\na,p,b,entity\na,p,1933.75,fbnum\n"
    mapping = section_mapping(
        {
            "subject": "subject",
            "predicate": "predicate",
            "object": "object",
            "leave_out": {"kind": ["fbnum"]},
        },
        where="test",
    )
    graph, outcome = run(tmp_path, "a.csv", content, mapping)
    assert graph.stats().statements == 1
    assert outcome.bad == 0


def test_bad_rows_are_counted_with_their_lines(tmp_path: Path) -> None:
    """Too many cells, nothing where something is needed, dates that are none, unknown ranks."""
    content = (
        "subject,predicate,object,start,rank,qualifiers\n"
        "a,p,b,,,\n"
        "a,p,b,c,d,e,f,g\n"
        ",p,b,,,\n"
        "a,p,,,,\n"
        "a,p,b,someday,,\n"
        "a,p,b,,best,\n"
        "a,p,b,,,nonsense\n"
        "a,p,c,,,\n"
    )
    graph, outcome = run(tmp_path, "a.csv", content)
    assert [bad.number for bad in outcome.bad_records] == [3, 4, 5, 6, 7, 8]
    assert graph.stats().statements == 2


def test_rows_in_another_encoding_are_bad_rows(tmp_path: Path) -> None:
    """With their lines; the others come in, whatever letters they have."""
    content = "subject,predicate,object\na,p,ü\n".encode() + "b,p,Müller\n".encode("latin-1") + b"c,p,d\n"
    graph, outcome = run(tmp_path, "a.csv", content)
    assert [(bad.number, bad.cause) for bad in outcome.bad_records] == [(3, "not UTF-8 text")]
    assert [t.object.label for t in graph.statements("a")] == ["ü"]
    assert graph.stats().statements == 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", "is empty"),
        ("a.csv", "who,what\na,b\n", "has no column subject, predicate, object; it has who, what"),
        ("a.csv", "subject,predicate,object\na,b,c\n".encode("utf-16"), "a.csv:1: not UTF-8"),
    ],
)
def test_a_table_that_cannot_be_read_says_why(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    """File, line and cause."""
    with pytest.raises(ImportFailed, match=message):
        run(tmp_path, name, content)


def test_jsonl_that_is_none(tmp_path: Path) -> None:
    """Lines that are no JSON are bad records; a file of nothing else is refused."""
    graph, outcome = run(tmp_path, "a.jsonl", '{"subject":"a","predicate":"p","object":"b"}\n[1]\nnonsense\n')
    assert graph.stats().statements == 1
    assert [bad.number for bad in outcome.bad_records] == [2, 3]
    with pytest.raises(ImportFailed, match="not JSONL"):
        run(tmp_path, "b.jsonl", "nonsense\n" * 200)


def test_a_cell_of_ten_kilobytes_is_a_text_or_a_bad_record(tmp_path: Path) -> None:
    """No thing is called that; the other rows come in."""
    long = "long words " * 1000
    content = (
        f"subject,predicate,object\nAcme,motto,{long}\n{long},motto,hey\nAcme,{long},hey\nAcme,owner,Ann\n"
    )
    graph, outcome = run(tmp_path, "a.csv", content)
    assert [bad.number for bad in outcome.bad_records] == [3, 4]
    [motto] = graph.statements("Acme", "motto")
    assert motto.object == Value(long.strip(), long.strip(), "string")
    assert [t.object.label for t in graph.statements("Acme", "owner")] == ["Ann"]


def test_rows_say_that_their_list_is_complete(tmp_path: Path) -> None:
    """One of them is enough; other lists of the subject may go on."""
    rows = "Acme,board member,Ann,\nAcme,board member,Bo,yes\nAcme,supplier,Cy,no\n"
    graph, outcome = run(tmp_path, "a.csv", "subject,predicate,object,complete\n" + rows)
    assert outcome.bad == 0
    assert graph.complete("Acme", "board member")
    assert not graph.complete("Acme", "supplier")


def test_ids_that_are_names_are_found_by_them(tmp_path: Path) -> None:
    """A table without labels; numbers and codes are not what people call a thing."""
    graph, _ = run(tmp_path, "a.csv", "subject,predicate,object\nAcme Corp,owner,Ann Lee\nQ42,part of,_:b1\n")
    assert [entity.id for entity in graph.search("acme corp")] == ["Acme Corp"]
    assert [entity.id for entity in graph.search("ann")] == ["Ann Lee"]
    assert graph.stats().aliases == 2


def test_a_long_table_gives_things_other_names(tmp_path: Path) -> None:
    """By properties such as "also known as"; the name of the thing is not changed by them, nor is another thing made."""
    rows = "acme,Also known as,The Acme\nacme,abbreviation,AC\nacme,owner,Ann Lee\nBolt Ltd,aka,Bolt\n"
    graph, outcome = run(tmp_path, "a.csv", "subject,predicate,object\n" + rows)
    assert (outcome.bad, outcome.written) == (0, 4)
    assert [e.label for e in graph.search("the acme")] == [e.label for e in graph.search("ac")] == ["acme"]
    assert [e.label for e in graph.search("bolt")] == ["Bolt Ltd"]
    assert {p.id for p in graph.properties()} == {"owner"}
    assert graph.stats().entities == 3


def test_a_relation_that_ends_changes_with_time(tmp_path: Path) -> None:
    """A table cannot say so otherwise."""
    rows = "Acme,chief executive,Ann,2019,2021\nAcme,founder,Bo,1999,\n"
    graph, _ = run(tmp_path, "a.csv", "subject,predicate,object,start,end\n" + rows)
    assert {p.id for p in graph.properties() if p.temporal} == {"chief executive"}


def test_impossible_dates_are_reported(tmp_path: Path) -> None:
    """None of them is a date of the graph."""
    rows = "A,founded,31/02/2001\nB,founded,2001-02-31\nC,founded,30 February 2001\n"
    graph, outcome = run(tmp_path, "a.csv", "subject,predicate,object\n" + rows)
    assert [record.number for record in outcome.odd_records] == [2, 3, 4]
    founded = [t.object for thing in "ABC" for t in graph.statements(thing, "founded")]
    assert all(isinstance(one, Value) and one.datatype == "string" for one in founded)
    _, outcome = run(tmp_path, "b.csv", "subject,predicate,object,start\nA,chief,Ann,31/02/2001\n")
    assert [record.cause for record in outcome.bad_records] == [
        "not a date: '31/02/2001' (is no day of the calendar)"
    ]


def test_a_term_that_ends_before_it_starts_is_a_bad_row(tmp_path: Path) -> None:
    """One of its dates is wrong. A year covers its months, so that a term may start in May and end in the same year."""
    dates = ["2020,2015", "2020-05,2020", "2020,2020-01-31", "2020-05-02,2020-05-01", "2020-05-01,2020-05-01"]
    rows = "".join(f"Acme,chief,Ann{n},{one}\n" for n, one in enumerate(dates))
    graph, outcome = run(tmp_path, "a.csv", "subject,predicate,object,start,end\n" + rows)
    assert [(bad.number, bad.cause) for bad in outcome.bad_records] == [
        (2, "ends before it starts: '2020' to '2015'"),
        (5, "ends before it starts: '2020-05-02' to '2020-05-01'"),
    ]
    assert {t.object.label for t in graph.statements("Acme", "chief")} == {"Ann1", "Ann2", "Ann4"}
    chief = {"property": "chief", "start": "since", "end": "until"}
    mapping = section_mapping({"rows": "entities", "id": "id", "relations": {"chief": chief}}, where="")
    graph, outcome = run(tmp_path, "b.csv", "id,chief,since,until\nA,Ann,2020,2015\nB,Bo,2020,n/a\n", mapping)
    assert [bad.number for bad in outcome.bad_records] == [2]
    assert len(graph.statements("B", "chief")) == 1


def test_columns_of_dates_tell_what_stands_first_in_them(tmp_path: Path) -> None:
    """Those that begin and end something, and those that a mapping calls dates."""
    rows = "A,chief,Ann,03/04/2021,\nB,chief,Bo,15/06/2022,02/03/2023\n"
    graph, outcome = run(tmp_path, "a.csv", "subject,predicate,object,start,end\n" + rows)
    [[ann]] = [t.qualifiers for t in graph.statements("A", "chief")]
    assert ann.object.label == "3 April 2021"
    assert [record.cause for record in outcome.bad_records] == [
        "not a date: '02/03/2023' (may be 2023-03-02 or 2023-02-03: write one of these)"
    ]
    mapping = section_mapping(
        {"rows": "entities", "id": "id", "relations": {"built": {"property": "built", "kind": "date"}}},
        where="",
    )
    graph, outcome = run(tmp_path, "b.csv", "id,built\nA,03/04/2021\nB,06/15/2022\nC,\n", mapping)
    assert [t.object.label for t in graph.statements("A", "built")] == ["4 March 2021"]
    assert outcome.bad == 0
