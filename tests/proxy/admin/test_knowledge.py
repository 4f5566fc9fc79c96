"""The knowledge graph over HTTP, beside the real checker that reads it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from guardrail.audit.events import Change
from guardrail.audit.store import Query
from guardrail.verifier import Verifier
from proxy.access.keys import KeyRing
from proxy.services import Services
from tests.proxy.asking import ADMIN, TOKEN, get, label, post
from tests.proxy.servers import serving


@pytest.fixture
def running(tmp_path: Path, knowledge: Path) -> Iterator[tuple[str, Services]]:
    """A proxy over a graph of its own, which may be changed."""
    own = tmp_path / "knowledge.db"
    shutil.copy(knowledge, own)
    with serving(tmp_path, verifier=Verifier.open(own), admin_token=TOKEN) as found:  # type: ignore[arg-type]
        yield found


async def test_an_entity_is_found_by_its_name_and_shown_with_its_facts(
    running: tuple[str, Services],
) -> None:
    """Each fact with qualifiers, source, state and the id by which it can be retracted."""
    root = f"{running[0]}/guardrail/knowledge"
    _, found = await get(f"{root}?q=marie cur")
    assert found["entities"][0]["label"] == "Marie Curie"
    _, told = await get(f"{root}/entities/{found['entities'][0]['id']}")
    born = next(fact for fact in told["facts"] if fact["predicate"]["id"] == "P569")
    assert born["object"]["label"] == "7 November 1867"
    assert born["source"]
    assert born["id"]
    assert told["facts_in_all"] == len(told["facts"])
    assert all(fact["object"]["id"] == told["id"] for fact in told["about"])
    _, properties = await get(f"{root}/properties")
    assert {"id": "P569", "label": "date of birth", "datatype": "date"} in properties["properties"]


async def test_a_fact_that_is_added_changes_the_next_verdict(running: tuple[str, Services]) -> None:
    """And back again when it is retracted; both are on record with their sources."""
    root, services = running
    text = "Marie Curie was a member of the Explorers Club."
    assert await label(root, text) != "attributable"
    fact = {
        "subject": "Marie Curie",
        "predicate": "member of",
        "object": "Explorers Club",
        "source": "the club's roll",
        "as_of": "2026-01-01",
        "qualifiers": [{"predicate": "start time", "object": "1910"}],
        "by": "Ada",
        "new": True,
    }
    status, made = await post(f"{root}/guardrail/knowledge/facts", fact)
    assert (status, made["state"]) == (201, "new")
    assert await label(root, text) == "attributable"
    _, told = await get(f"{root}/guardrail/knowledge/entities/Q7186")
    mine = next(fact for fact in told["facts"] if fact["source"] == "the club's roll")
    assert mine["qualifiers"][0]["object"]["label"] == "1910"
    gone = {"id": mine["id"], "source": "the roll was misread"}
    assert (await post(f"{root}/guardrail/knowledge/facts/retract", gone))[0] == 200
    assert await label(root, text) != "attributable"
    changes = [
        stored.item
        for stored in services.log.scan(query=Query(kind="knowledge"))
        if isinstance(stored.item, Change)
    ]
    assert [(one.change, one.source, one.by) for one in changes] == [
        ("added", "the club's roll", "Ada"),
        ("retracted", "the roll was misread", ""),
    ]
    assert "Marie Curie — member of → Explorers Club" in changes[0].text


async def test_a_fact_against_the_graph_needs_a_second_word(running: tuple[str, Services]) -> None:
    """The first try answers what the graph has, and writes nothing."""
    root = f"{running[0]}/guardrail/knowledge"
    fact = {"subject": "Q7186", "predicate": "P569", "object": "7 November 1870", "source": "a rumour"}
    status, told = await post(f"{root}/facts", fact)
    assert (status, told["error"]["code"]) == (409, "conflict")
    assert told["error"]["guardrail"]["known"][0]["object"]["label"] == "7 November 1867"
    _, before = await get(f"{root}/entities/Q7186")
    assert "a rumour" not in {one["source"] for one in before["facts"]}
    assert (await post(f"{root}/facts", fact | {"force": True}))[0] == 201


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"subject": "nobody at all"}, 400),
        ({"predicate": "no such property"}, 400),
        ({"predicate": "P569", "object": "purple"}, 400),
        ({"object": "nothing at all"}, 400),
        ({"qualifiers": [{"predicate": "no such property", "object": "1"}]}, 400),
        ({"source": ""}, 422),
        ({"source": "   "}, 422),
        ({"subject": "x" * 1001}, 422),
        ({"rank": "best"}, 422),
        ({"colour": "red"}, 422),
    ],
)
async def test_what_makes_no_fact_is_refused(
    running: tuple[str, Services], change: dict[str, object], status: int
) -> None:
    """Nothing is written, neither to the graph nor to the log."""
    root, services = running
    fact = {"subject": "Q7186", "predicate": "P463", "object": "Warsaw", "source": "s"}
    version = (await get(f"{root}/guardrail/knowledge?q=x"))[1]["version"]
    assert (await post(f"{root}/guardrail/knowledge/facts", fact | change))[0] == status
    assert (await get(f"{root}/guardrail/knowledge?q=x"))[1]["version"] == version
    head = services.log.head()
    assert head is not None
    assert head.seq == 0


async def test_only_the_admin_changes_anything(running: tuple[str, Services]) -> None:
    """Reading is open, as every verdict tells what the graph holds."""
    root = f"{running[0]}/guardrail/knowledge"
    for path in ("/facts", "/facts/retract"):
        assert (await post(root + path, {}, headers={}))[0] == 401
    assert (await get(f"{root}/entities/none"))[0] == 404
    assert (await post(f"{root}/facts/retract", {"id": "none", "source": "s"}))[0] == 404


async def test_a_change_that_cannot_be_recorded_is_not_made(running: tuple[str, Services]) -> None:
    """The graph stays as it was when the audit log is gone."""
    root, services = running
    services.log.close()
    fact = {"subject": "Q7186", "predicate": "P463", "object": "Warsaw", "source": "unrecorded"}
    assert (await post(f"{root}/guardrail/knowledge/facts", fact))[0] == 400
    _, told = await get(f"{root}/guardrail/knowledge/entities/Q7186")
    assert "unrecorded" not in {one["source"] for one in told["facts"]}


async def test_a_server_that_asks_for_keys_tells_nothing_without_one(tmp_path: Path, knowledge: Path) -> None:
    """A virtual key or the admin's token opens the looking up; a key does not open the changing."""
    ring = KeyRing(tmp_path / "keys.db")
    _, token = ring.create("alice")
    ring.close()
    holder = {"authorization": f"Bearer {token}"}
    verifier = Verifier.open(knowledge)
    options = {"admin_token": TOKEN, "require_key": True, "keys": tmp_path / "keys.db"}
    with serving(tmp_path, verifier=verifier, **options) as (root, _):  # type: ignore[arg-type]
        url = f"{root}/guardrail/knowledge/entities/Q7186"
        for headers, status in (
            ({}, 401),
            ({"authorization": "Bearer gk-none"}, 401),
            (holder, 200),
            (ADMIN, 200),
        ):
            async with aiohttp.ClientSession(headers=headers) as http, http.get(url) as response:
                assert response.status == status
        assert (await post(f"{root}/guardrail/knowledge/facts", {}, headers=holder))[0] == 401
