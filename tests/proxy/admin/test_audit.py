"""The audit log over HTTP, for those who hold the token."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from guardrail.audit.chain import Head
from tests.proxy.servers import serving
from tests.records import record

TOKEN = "correct horse"


@pytest.fixture
def root(tmp_path: Path) -> Iterator[str]:
    """A running proxy whose log has three records."""
    with serving(tmp_path, admin_token=TOKEN) as (root, services):
        for number in (1, 2, 3):
            services.log.append_now(record(number, model="other" if number == 2 else "demo"))
        yield f"{root}/guardrail/audit"


async def ask(url: str, body: object = None, *, token: str | None = TOKEN) -> tuple[int, Any]:
    headers = {"authorization": f"Bearer {token}"} if token is not None else {}
    method = "GET" if body is None else "POST"
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    async with (
        aiohttp.ClientSession(headers=headers) as http,
        http.request(method, url, data=data) as response,
    ):
        return response.status, await response.json()


async def test_pages_follow_one_another(root: str) -> None:
    """Newest first, each once, and the last page says that it is the last."""
    status, first = await ask(f"{root}?limit=2")
    assert (status, [one["id"] for one in first["records"]], first["next"]) == (200, ["grd_3", "grd_2"], 2)
    _, second = await ask(f"{root}?limit=2&before={first['next']}")
    assert ([one["id"] for one in second["records"]], second["next"]) == (["grd_1"], None)


async def test_filters_are_those_of_the_command_line(root: str) -> None:
    """By equality, all together."""
    _, found = await ask(f"{root}?model=demo&outcome=flagged&until=2026-03-01T12:00:00.002Z")
    assert [one["id"] for one in found["records"]] == ["grd_1"]


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN + " "])
@pytest.mark.parametrize("path", ["", "/stats", "/head", "/grd_1", "/grd_1/reviews"])
async def test_without_the_token_nothing_is_told(root: str, path: str, token: str | None) -> None:
    """Every route is closed, with an error in OpenAI's shape."""
    body = {} if path.endswith("reviews") else None
    status, told = await ask(root + path, body, token=token)
    assert (status, told["error"]["code"]) == (401, "invalid_admin_token")


async def test_a_server_without_a_token_keeps_the_log_closed(tmp_path: Path) -> None:
    """Also to an empty one."""
    with serving(tmp_path) as (root, _):
        for token in (None, "", "x"):
            assert (await ask(f"{root}/guardrail/audit", token=token))[0] == 401


async def test_one_record_comes_with_its_reviews(root: str) -> None:
    """A review that is posted is part of the record's page, and of the statistics."""
    given = {
        "claim": 0,
        "judgement": "wrong_label",
        "label": "attributable",
        "reviewer": "ada",
        "comment": "p. 3",
    }
    status, made = await ask(f"{root}/grd_1/reviews", given)
    assert (status, made["record"], made["label"]) == (201, "grd_1", "attributable")
    _, found = await ask(f"{root}/grd_1")
    assert found["words"]["claims"]["0"]["known"] == "1815"
    assert [(one["reviewer"], one["comment"]) for one in found["reviews"]] == [("ada", "p. 3")]
    await ask(f"{root}/grd_1/reviews", given | {"reviewer": "bo"})
    _, numbers = await ask(f"{root}/stats")
    assert numbers["stats"]["answers"] == 3
    assert numbers["agreement"] == [{"reviewers": ["ada", "bo"], "claims": 1, "kappa": None}]


async def test_the_head_can_be_kept_as_an_anchor(root: str) -> None:
    """It is the line that `audit verify --anchor` reads."""
    _, found = await ask(f"{root}/head")
    assert Head.from_json(json.dumps(found).encode()).seq == 3


async def test_a_running_server_rotates_its_log(root: str) -> None:
    """The new log begins with the entry that names the old one's end."""
    status, told = await ask(f"{root}/rotate", {})
    assert status == 201
    assert told["closed"].startswith("audit-")
    assert (await ask(f"{root}/head"))[1]["seq"] == 1
    assert (await ask(root))[1]["records"] == []


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/none", None, 404),
        ("?limit=0", None, 422),
        ("?limit=x", None, 422),
        ("?before=0", None, 422),
        ("?colour=red", None, 400),
        ("/grd_1/reviews", b"nonsense", 400),
        ("/grd_1/reviews", [], 400),
        ("/grd_1/reviews", {"claim": "0", "judgement": "agree", "reviewer": "a"}, 400),
        ("/grd_1/reviews", {"claim": 0, "judgement": "agree", "reviewer": 1}, 400),
        ("/grd_1/reviews", {"claim": 0, "judgement": "meh", "reviewer": "a"}, 400),
        ("/grd_1/reviews", {"claim": 9, "judgement": "agree", "reviewer": "a"}, 400),
        ("/grd_1/reviews", {"claim": 0, "judgement": "agree", "reviewer": "a", "comment": "x" * 5000}, 400),
        ("/none/reviews", {"claim": 0, "judgement": "agree", "reviewer": "a"}, 400),
    ],
)
async def test_nonsense_is_refused(root: str, path: str, body: object, status: int) -> None:
    """With a status of the client's fault, and nothing is written."""
    assert (await ask(root + path, body))[0] == status
    assert (await ask(f"{root}/head"))[1]["seq"] == 3
