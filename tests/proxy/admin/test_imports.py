"""Files that are imported into a graph over HTTP, beside the real checker that reads it."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guardrail.audit.events import Change
from guardrail.audit.store import Query
from guardrail.evidence.importers.mapping import read_mapping
from guardrail.evidence.store.graph import Graph
from guardrail.types import Property
from guardrail.verifier import Verifier
from proxy.admin import imports
from proxy.services import Services
from tests.proxy.asking import TOKEN, ask, label
from tests.proxy.servers import serving
from tests.world import triplet

SHIPS = """\
Ship,Also called,Built,Length,Home port
Aurora Star,The Star,1998,128 m,Ostmouth
Aurora Moon,,1999,128 m,Ostmouth
Petrel,,2011,74 m,Varrey
"""
Running = tuple[str, Services]


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A graph that is told that there is one flag, and knows that of one ship."""
    path = tmp_path / "company.db"
    with Graph.create(path) as made, made.write() as batch:
        batch.add_properties(
            [
                Property("flag", "flag", cardinality="single"),
                Property("part of", "part of", hierarchical=True),
            ]
        )
        batch.add_statements([triplet("Petrel", "flag", "Norway")])
        batch.settle()
    return path


@pytest.fixture
def running(tmp_path: Path, graph: Path) -> Iterator[Running]:
    verifier = Verifier.open(graph)
    verifier.warm()
    with serving(tmp_path, verifier=verifier, admin_token=TOKEN, max_body=100_000) as found:  # type: ignore[arg-type]
        yield found


async def hand_in(root: str, name: str, content: str | bytes, **more: Any) -> tuple[int, Any]:
    url = f"{root}/guardrail/knowledge/imports"
    return await ask("POST", url, params={"name": name, **more}, data=content)


def stored(path: Path) -> tuple[str, int]:
    with Graph.open(path) as graph:
        return graph.version, graph.stats().statements


async def test_a_table_is_understood_first_and_imported_on_a_second_word(
    running: Running, graph: Path
) -> None:
    """Then the next answer is checked against it, and it is on record who imported which file."""
    root, services = running
    before = stored(graph)
    status, told = await hand_in(root, "ships.csv", SHIPS)
    assert status == 201
    assert told["columns"] == ["Ship", "Also called", "Built", "Length", "Home port"]
    assert told["rows"][2] == ["Petrel", "", "2011", "74 m", "Varrey"]
    assert (told["mapping"]["id"], told["mapping"]["aliases"]) == ("Ship", "Also called")
    assert told["mapping"]["relations"]["Length"] == {"property": "length", "kind": "auto"}
    by_label = {one["label"]: one for one in told["trial"]["properties"]}
    assert (by_label["length"]["type"], by_label["length"]["values"]) == ("number", "one")
    assert (told["trial"]["bad"], told["trial"]["faults"], told["problem"]) == (0, [], "")
    assert stored(graph) == before
    url = f"{root}/guardrail/knowledge/imports/{told['id']}"
    status, done = await ask("POST", url, json={"source": "the register", "by": "Ada"})
    assert (status, done["bad"], done["faults"]) == (200, 0, [])
    assert await label(root, "The length of the Petrel is 128 m.") == "contradictory"
    [change] = [s.item for s in services.log.scan(query=Query(kind="knowledge"))]
    assert isinstance(change, Change)
    assert (change.change, change.source, change.by) == ("imported", "the register", "Ada")
    assert change.text.startswith("ships.csv: ")
    assert (await ask("POST", url, json={}))[0] == 404


async def test_the_mapping_may_be_corrected(running: Running, graph: Path) -> None:
    """As an object or as the text of a mapping file; what comes of it is told anew, and saved beside the graph for the next time."""
    root, _ = running
    _, told = await hand_in(root, "ships.csv", SHIPS)
    url = f"{root}/guardrail/knowledge/imports/{told['id']}"
    mapping = told["mapping"]
    mapping["relations"]["Home port"]["property"] = "registered at"
    del mapping["relations"]["Built"]
    status, now = await ask("POST", f"{url}/mapping", json={"mapping": mapping})
    assert status == 200
    assert {one["label"] for one in now["trial"]["properties"]} == {"registered at", "length"}
    text = now["mapping_text"].replace("registered at", "moored at")
    _, now = await ask("POST", f"{url}/mapping", json={"mapping": text})
    assert {one["label"] for one in now["trial"]["properties"]} == {"moored at", "length"}
    status, done = await ask("POST", url, json={})
    assert (status, done["mapping_file"]) == (200, "company.mapping.yaml")
    now = read_mapping(graph.with_suffix(".mapping.yaml"), "ships.csv")
    assert now.relations["Home port"].property == "moored at"
    _, again = await hand_in(root, "ships.csv", SHIPS)
    assert again["mapping"]["relations"]["Home port"]["property"] == "moored at"
    _, petrel = await ask("GET", f"{root}/guardrail/knowledge/entities/Petrel")
    assert "moored at" in {one["predicate"]["label"] for one in petrel["facts"]}


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({"rows": "entities", "id": "Vessel"}, "has no column Vessel; it has Ship, Also called"),
        ({"rows": "things"}, "rows is one of"),
        ({"rows": "entities"}, "no column for id"),
        ("rows: [", "not valid YAML"),
        ("a: &x [1]\nb: *x\n", "aliases"),
        ("just words", "is a YAML mapping"),
    ],
)
async def test_a_mapping_that_does_not_fit_is_refused(running: Running, mapping: object, words: str) -> None:
    """With what is wrong; the mapping before it stays."""
    root, _ = running
    _, told = await hand_in(root, "ships.csv", SHIPS)
    url = f"{root}/guardrail/knowledge/imports/{told['id']}"
    status, error = await ask("POST", f"{url}/mapping", json={"mapping": mapping})
    assert (status, error["error"]["param"]) == (400, "mapping")
    assert words in error["error"]["message"]
    assert "/tmp" not in error["error"]["message"]
    assert (await ask("POST", url, json={}))[0] == 200


async def test_a_workbook_is_a_table_like_any_other(running: Running) -> None:
    """A spreadsheet's cells are read as they are shown; one that unpacks to too much is refused."""
    root, _ = running
    status, told = await hand_in(root, "ships.xlsx", sheet([["Ship", "Length"], ["Gull", (74, '0 "m"')]]))
    assert (status, told["rows"], told["question"]) == (201, [["Gull", "74 m"]], "")
    assert (await ask("POST", f"{root}/guardrail/knowledge/imports/{told['id']}", json={}))[0] == 200
    assert await label(root, "The length of the Gull is 128 m.") == "contradictory"
    large = io.BytesIO()
    with zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/sharedStrings.xml", bytes(imports.MOST_GROWTH + 1))
    status, error = await hand_in(root, "bomb.xlsx", large.getvalue())
    assert (status, error["error"]["message"]) == (400, "bomb.xlsx: its sheets come to more than 64 MB")
    _, told = await hand_in(root, "none.xlsx", b"name,size")
    assert told["problem"].startswith("none.xlsx: not an Excel workbook")


def sheet(rows: list[list[Any]]) -> bytes:
    """A workbook of one sheet; a cell that is a pair is a value and how it is shown."""
    openpyxl = pytest.importorskip("openpyxl", reason="the extra `xlsx` is not installed")
    book, file = openpyxl.Workbook(), io.BytesIO()
    for at, row in enumerate(rows, start=1):
        for column, given in enumerate(row, start=1):
            value, shown = given if isinstance(given, tuple) else (given, "General")
            book.active.cell(at, column, value).number_format = shown
    book.save(file)
    return file.getvalue()


async def test_bad_rows_are_told_with_their_lines_and_imported_only_without_them(
    running: Running, graph: Path
) -> None:
    """Where nobody allows them, nothing is written."""
    root, _ = running
    before = stored(graph)
    _, told = await hand_in(root, "ships.csv", SHIPS + "Gull,,1,2,3,4,5\nTern,a,b,c,d,e\n")
    assert told["trial"]["bad_records"] == [
        {"line": 5, "cause": "7 cells in 5 columns"},
        {"line": 6, "cause": "6 cells in 5 columns"},
    ]
    url = f"{root}/guardrail/knowledge/imports/{told['id']}"
    status, error = await ask("POST", url, json={})
    assert (status, error["error"]["code"]) == (409, "bad_records")
    assert error["error"]["guardrail"]["bad_records"][0]["line"] == 5
    assert stored(graph) == before
    status, done = await ask("POST", url, json={"allow_bad": True})
    assert (status, done["bad"]) == (200, 2)


async def test_a_file_that_says_something_against_the_graph_needs_a_second_word(
    running: Running, graph: Path
) -> None:
    """Both values are told; so are two values of what is declared to have one, and a circle, after an import at the latest."""
    root, _ = running
    table = "subject,predicate,object\nPetrel,flag,Sweden\nGull,flag,Norway\nGull,flag,Sweden\nA,part of,B\nB,part of,A\n"
    _, told = await hand_in(root, "flags.csv", table)
    assert told["trial"]["conflicts"] == ["flag of Petrel: Sweden in flags.csv, Norway in company.db"]
    assert any("flag is declared to have one value, and Gull has 2" in one for one in told["trial"]["faults"])
    assert any("part of goes round in a circle" in fault for fault in told["trial"]["faults"])
    url = f"{root}/guardrail/knowledge/imports/{told['id']}"
    before = stored(graph)
    status, error = await ask("POST", url, json={})
    assert (status, error["error"]["code"]) == (409, "conflict")
    assert error["error"]["guardrail"]["conflicts"] == told["trial"]["conflicts"]
    assert stored(graph) == before
    status, done = await ask("POST", url, json={"force": True})
    assert status == 200
    assert any("flag is declared to have one value, and Petrel has 2" in fault for fault in done["faults"])


async def test_a_new_version_of_a_file_takes_the_place_of_the_former(running: Running, graph: Path) -> None:
    """What it says otherwise is no conflict, and the former value is refuted from then on."""
    root, _ = running
    table = "subject,predicate,object\nHeron,flag,Sweden\nCrane,flag,Norway\n"
    replaced = []
    for text in (table, table.replace("Sweden", "Denmark")):
        _, told = await hand_in(root, "flags.csv", text)
        assert told["trial"]["conflicts"] == []
        status, done = await ask("POST", f"{root}/guardrail/knowledge/imports/{told['id']}", json={})
        assert status == 200
        replaced.append(done["replaced"])
    assert replaced == [0, 2]
    with Graph.open(graph) as held:
        assert [t.object.label for t in held.statements("Heron", "flag")] == ["Denmark"]


async def test_units_that_clash_are_told_with_their_rows(running: Running) -> None:
    """A mass in a column of lengths is kept as it is, and said."""
    root, _ = running
    rows = "".join(f"Ship {i},{i} m\n" for i in range(1, 40))
    _, told = await hand_in(root, "sizes.csv", f"Ship,Length\n{rows}Gull,12 kg\n")
    assert told["trial"]["odd"] == 1
    assert told["trial"]["odd_records"][0]["line"] == 41
    assert "'12 kg' is in another unit than the others (length)" in told["trial"]["odd_records"][0]["cause"]


async def test_rdf_is_understood_with_its_ontology(running: Running) -> None:
    """A syntax error is told with its line, and then there is nothing to import."""
    root, _ = running
    turtle = '@prefix ex: <http://example.org/> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\nex:serial a owl:FunctionalProperty .\nex:Pump7 ex:serial "A-113" .\n'
    _, told = await hand_in(root, "plant.ttl", turtle)
    assert told["mapping"] is None
    serial = next(one for one in told["trial"]["properties"] if one["label"] == "serial")
    assert (serial["values"], serial["declared"]) == ("one", True)
    _, broken = await hand_in(root, "plant.ttl", turtle + "ex:Pump8 ex:serial .\n")
    assert broken["trial"] is None
    assert broken["problem"].startswith("plant.ttl:5: ")
    url = f"{root}/guardrail/knowledge/imports/{broken['id']}"
    status, error = await ask("POST", url, json={"force": True, "allow_bad": True})
    assert (status, error["error"]["message"]) == (400, broken["problem"])
    assert (await ask("POST", f"{url}/mapping", json={"mapping": {"rows": "entities", "id": "a"}}))[0] == 400


LAUGHS = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 9))
XML = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "ha">%s]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/a"><e:p>%s</e:p></rdf:Description></rdf:RDF>'


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("ships.csv", b"", 400),
        ("", SHIPS.encode(), 400),
        ("..", SHIPS.encode(), 400),
        ("ships.exe", SHIPS.encode(), 201),
        ("ships.csv", b"x" * 100_001, 413),
        ("ships.csv", gzip.compress(SHIPS.encode()), 400),
        ("laughs.rdf", (XML % (LAUGHS, "&a8;")).encode(), 400),
        ("ships.csv", b"\xff\xfe\x00,b\n\xff,c\n", 201),
        ("x" * 300 + ".csv", SHIPS.encode(), 400),
    ],
)
async def test_what_is_no_file_to_import_is_refused_or_told(
    running: Running, graph: Path, name: str, content: bytes, status: int
) -> None:
    """With the cause, never with a path of the server; the graph stays as it was."""
    root, services = running
    before = stored(graph)
    found, told = await hand_in(root, name, content)
    assert found == status
    told_of = told["problem"] if status == 201 else told["error"]["message"]
    assert told_of
    assert "/tmp" not in told_of
    assert stored(graph) == before
    if status != 201:
        assert services.uploads.count == 0


async def test_xml_with_entities_that_stay_small_is_read(running: Running) -> None:
    """As ontologies shorten their addresses."""
    _, told = await hand_in(running[0], "small.rdf", XML % ("", "&a0;"))
    assert told["problem"] == ""
    assert told["trial"]["written"] > 0


async def test_a_name_that_leads_elsewhere_is_cut_to_its_last_part(running: Running, tmp_path: Path) -> None:
    """Nothing is written outside the file's own folder."""
    status, told = await hand_in(running[0], "../../../etc/ships.csv", SHIPS)
    assert (status, told["name"]) == (201, "ships.csv")
    assert not (tmp_path / "ships.csv").exists()


async def test_only_the_admin_hands_files_in(running: Running) -> None:
    """A file that is given up, or that cannot be put on record, leaves nothing behind."""
    root, services = running
    url = f"{root}/guardrail/knowledge/imports"
    assert (await ask("POST", url, params={"name": "a.csv"}, data=SHIPS, headers={}))[0] == 401
    assert (await ask("POST", f"{url}/none", json={}, headers={}))[0] == 401
    _, told = await hand_in(root, "ships.csv", SHIPS)
    folder = services.uploads.get(told["id"]).path.parent
    assert folder.exists()
    assert (await ask("DELETE", f"{url}/{told['id']}"))[0] == 204
    assert not folder.exists()
    _, told = await hand_in(root, "ships.csv", SHIPS)
    folder = services.uploads.get(told["id"]).path.parent
    services.log.close()
    status, _ = await ask("POST", f"{url}/{told['id']}", json={})
    assert status == 400
    _, found = await ask("GET", f"{root}/guardrail/knowledge?q=Petrel")
    _, petrel = await ask("GET", f"{root}/guardrail/knowledge/entities/{found['entities'][0]['id']}")
    assert [one["predicate"]["label"] for one in petrel["facts"]] == ["flag"]


async def test_files_that_wait_go_when_the_server_stops(tmp_path: Path, graph: Path) -> None:
    """Their folders too."""
    with serving(tmp_path, verifier=Verifier.open(graph), admin_token=TOKEN) as (root, services):  # type: ignore[arg-type]
        _, told = await hand_in(root, "ships.csv", SHIPS)
        folder = services.uploads.get(told["id"]).path.parent
    assert not folder.exists()
