"""What a graph holds as a whole and what its properties are taken for, over HTTP, beside the real checker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from guardrail.audit.events import Change
from guardrail.audit.store import Query
from guardrail.evidence.store.graph import Graph
from guardrail.types import Property
from guardrail.verifier import Verifier
from proxy.services import Services
from tests.proxy.asking import TOKEN, get, label, post
from tests.proxy.servers import serving
from tests.world import triplet

Running = tuple[str, Services]


@pytest.fixture
def ships(tmp_path: Path) -> Path:
    """A company's own graph, in which each ship has one home port and some crew."""
    path = tmp_path / "ships.db"
    with Graph.create(path) as graph, graph.write() as batch:
        ports = (("Aurora Star", "Ostmouth"), ("Petrel", "Varrey"), ("Aurora Moon", "Ostmouth"))
        batch.add_statements(triplet(ship, "home port", port) for ship, port in ports)
        batch.add_statements(triplet("Petrel", "crew member", name) for name in ("Ann Lee", "Bo Ek"))
        batch.settle()
    return path


@pytest.fixture
def running(tmp_path: Path, ships: Path) -> Iterator[Running]:
    verifier = Verifier.open(ships)
    verifier.warm()
    with serving(tmp_path, verifier=verifier, admin_token=TOKEN) as found:  # type: ignore[arg-type]
        yield found


async def test_the_first_look_tells_how_much_there_is_and_some_of_it(running: Running) -> None:
    """By the file's name, never its folder; anew after a change."""
    root = f"{running[0]}/guardrail/knowledge"
    _, told = await get(f"{root}/overview")
    [graph] = told["graphs"]
    assert graph["name"] == "ships.db"
    assert graph["counts"]["statements"] == 5
    assert {one["label"] for one in graph["examples"]} == {"Aurora Star", "Petrel", "Aurora Moon"}
    assert {"predicate": "home port", "object": "Varrey"} in [one["fact"] for one in graph["examples"]]
    fact = {"subject": "Petrel", "predicate": "crew member", "object": "Cy Day", "source": "s", "new": True}
    assert (await post(f"{root}/facts", fact))[0] == 201
    assert (await get(f"{root}/overview"))[1]["graphs"][0]["counts"]["statements"] == 6


async def test_each_property_is_told_with_what_was_understood(running: Running) -> None:
    """Type, number of values, and who said so."""
    _, told = await get(f"{running[0]}/guardrail/knowledge/schema")
    by_label = {one["label"]: one for one in told["properties"]}
    port, crew = by_label["home port"], by_label["crew member"]
    assert (port["type"], port["values"], port["declared"], port["subjects"]) == ("thing", "one", False, 3)
    assert (crew["values"], crew["statements"]) == ("a list", 2)
    assert told["faults"] == []
    assert told["summary"].startswith("2 properties: 1 single-valued, 1 list")


async def test_what_is_said_of_a_property_changes_the_next_verdict(running: Running) -> None:
    """As `guardrail kg property` does, and it is on record who said so."""
    root, services = running
    text = "The home port of the Petrel is Ostmouth."
    assert await label(root, text) == "contradictory"
    url = f"{root}/guardrail/knowledge/properties"
    status, told = await post(url, {"id": "home port", "cardinality": "list", "by": "Ada"})
    assert (status, told["values"]) == (200, "a list")
    assert await label(root, text) == "extrapolatory"
    assert (await post(url, {"id": "home port", "cardinality": "single"}))[1]["values"] == "one"
    assert await label(root, text) == "contradictory"
    _, schema = await get(f"{root}/guardrail/knowledge/schema")
    assert next(p for p in schema["properties"] if p["id"] == "home port")["declared"]
    changes = [s.item for s in services.log.scan(query=Query(kind="knowledge"))]
    assert isinstance(changes[0], Change)
    assert (changes[0].change, changes[0].fact, changes[0].by) == ("declared", "home port", "Ada")
    assert changes[0].text == "home port: one → home port: a list"


async def test_several_values_of_what_is_declared_to_have_one_are_told(running: Running) -> None:
    """Nothing is taken out of the graph for it; a circle in a hierarchy likewise."""
    root = f"{running[0]}/guardrail/knowledge"
    await post(f"{root}/properties", {"id": "crew member", "cardinality": "single"})
    _, told = await get(f"{root}/schema")
    assert told["faults"] == [
        "crew member is declared to have one value, and Petrel has 2: Ann Lee, Bo Ek"
    ] or told["faults"] == ["crew member is declared to have one value, and Petrel has 2: Bo Ek, Ann Lee"]
    for lower, upper in (("Ostmouth", "Varrey"), ("Varrey", "Ostmouth")):
        fact = {"subject": lower, "predicate": "home port", "object": upper, "source": "s"}
        assert (await post(f"{root}/facts", fact))[0] == 201
    await post(f"{root}/properties", {"id": "home port", "hierarchical": True})
    assert any("goes round in a circle" in fault for fault in (await get(f"{root}/schema"))[1]["faults"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"id": "no such thing", "cardinality": "list"}, 400),
        ({"id": "home port"}, 400),
        ({"id": "home port", "cardinality": "many"}, 422),
        ({"id": "home port", "colour": "red"}, 422),
        ({"id": "home port", "cardinality": "list", "graph": 1}, 404),
        ({"id": "home port", "cardinality": "list", "graph": -1}, 404),
    ],
)
async def test_what_says_nothing_of_a_property_is_refused(
    running: Running, body: dict[str, object], status: int
) -> None:
    """With the reason; nothing is changed."""
    root = f"{running[0]}/guardrail/knowledge"
    before = (await get(f"{root}/schema"))[1]
    found, told = await post(f"{root}/properties", body)
    assert found == status
    assert told["error"]["message"]
    assert (await get(f"{root}/schema"))[1] == before


async def test_only_the_admin_says_what_a_property_is(running: Running) -> None:
    """And nothing changes that cannot be recorded."""
    root, services = running
    url = f"{root}/guardrail/knowledge/properties"
    assert (await post(url, {"id": "home port", "cardinality": "list"}, headers={}))[0] == 401
    services.log.close()
    assert (await post(url, {"id": "home port", "cardinality": "list"}))[0] == 400
    _, schema = await get(f"{root}/guardrail/knowledge/schema")
    assert next(p for p in schema["properties"] if p["id"] == "home port")["values"] == "one"


async def test_of_several_graphs_each_is_told_and_what_they_say_against_each_other(
    tmp_path: Path, ships: Path
) -> None:
    """A change goes to the graph that is named, the first where none is."""
    other = tmp_path / "register.db"
    with Graph.create(other) as graph, graph.write() as batch:
        batch.add_properties([Property("home port", "home port", cardinality="single")])
        batch.add_statements(
            [triplet("Petrel", "home port", "Ostmouth"), triplet("Petrel", "flag", "Norway")]
        )
    with serving(tmp_path, verifier=Verifier.open([ships, other]), admin_token=TOKEN) as (root, _):  # type: ignore[arg-type]
        url = f"{root}/guardrail/knowledge"
        _, told = await get(f"{url}/overview")
        assert [one["name"] for one in told["graphs"]] == ["ships.db", "register.db"]
        _, schema = await get(f"{url}/schema?graph=1")
        assert schema["name"] == "register.db"
        assert schema["faults"] == ["home port of Petrel: Ostmouth in register.db, Varrey in ships.db"]
        fact = {"subject": "Petrel", "predicate": "flag", "object": "Sweden", "source": "s", "new": True}
        assert (await post(f"{url}/facts", {**fact, "graph": 1, "force": True}))[0] == 201
        assert (await get(f"{url}/overview"))[1]["graphs"][1]["counts"]["statements"] == 3
        _, petrel = await get(f"{url}/entities/Petrel")
        mine = next(one for one in petrel["facts"] if one["object"]["label"] == "Sweden")
        assert (await post(f"{url}/facts/retract", {"id": mine["id"], "source": "s"}))[0] == 200
        assert (await get(f"{url}/overview"))[1]["graphs"][1]["counts"]["statements"] == 2
