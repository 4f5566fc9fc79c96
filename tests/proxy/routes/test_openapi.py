"""The OpenAPI page tells the truth: its paths exist, and what fits it is never answered by a 5xx."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardrail.verifier import Verifier
from proxy.app import APIS
from proxy.routes.openapi import PATHS
from tests.proxy.servers import serving
from tests.waiting import PATIENCE_S, eventually

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "text",
                    "references",
                    "triplets",
                    "sources",
                    "question",
                    "policy",
                    "model",
                    "messages",
                    "role",
                    "content",
                    "stream",
                    "n",
                    "guardrail",
                    "input",
                    "prompt",
                    "input_type",
                    "texts",
                ]
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=12,
)


async def test_every_path_that_is_told_exists(tmp_path: Path) -> None:
    """/openapi.json lists the guarded paths and the doors; none of them is a 404 or 405."""
    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:
            told = await (await http.get(f"{root}/openapi.json")).json()
            assert told["paths"].keys() >= {*PATHS, *APIS, "/healthz", "/readyz"}
            for path in PATHS:
                body = {"text": "It is true.", "model": "demo", "messages": []}
                async with http.post(root + path, json=body) as response:
                    await response.read()
                    assert response.status not in (405, 500, 502)


@settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck))
@given(bodies=st.lists(JSON, min_size=150, max_size=150))
def test_no_json_is_answered_by_an_internal_error(tmp_path: Path, bodies: list[object]) -> None:
    """Whatever JSON comes to whatever path, the answer is not a 500, and nothing is left running."""

    async def send_all(root: str) -> list[tuple[str, object, int]]:
        found = []
        async with aiohttp.ClientSession() as http:
            for number, body in enumerate(bodies):
                path = list(PATHS)[number % len(PATHS)]
                async with http.post(root + path, json=body) as response:
                    await asyncio.wait_for(response.read(), PATIENCE_S)
                    found.append((path, body, response.status))
        return found

    with serving(tmp_path) as (root, services):
        found = asyncio.run(send_all(root))
        assert [one for one in found if one[2] == 500] == []
        eventually(lambda: services.permits.taken == 0)


TEXTS = [
    "It is true. It is wrong. Is it? Nobody knows. It may fail.",
    "",
    '{"a": ["It is wrong."]}',
    "\u0000 🙂",
]
ASKED: list[tuple[str, str, object]] = [
    *(
        ("post", path, {"text": text, "policy": policy})
        for text in TEXTS
        for policy in ("annotate", "revise", "block", "shadow")
        for path in ("/guardrail/verify", "/guardrail/revise")
    ),
    *(("post", path, body) for path in PATHS for body in ({}, [], {"text": 5}, {"guardrail": 7})),
    *(
        ("post", "/beta/litellm_basic_guardrail_api", {"input_type": kind, "texts": [TEXTS[0]], **more})
        for kind in ("request", "response")
        for more in ({}, {"additional_provider_specific_params": {"policy": "block"}}, {"texts": 5})
    ),
    *(
        ("get", path, None)
        for path in (
            "/guardrail/reports/none",
            "/guardrail/knowledge?q=a&limit=x",
            "/guardrail/knowledge",
            "/guardrail/audit?limit=0",
            "/guardrail/insight/trends",
            "/guardrail/policies",
            "/healthz",
            "/readyz",
        )
    ),
    ("post", "/guardrail/policies/lint", {}),
    ("post", "/guardrail/knowledge/facts", {"subject": 5}),
]


async def test_answers_are_as_the_page_declares_them(tmp_path: Path) -> None:
    """Status, media type and every field that is declared, for good and bad requests at each of our own doors."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    with serving(tmp_path, admin_token="t") as (root, _):
        async with aiohttp.ClientSession(headers={"authorization": "Bearer t"}) as http:
            page = await (await http.get(f"{root}/openapi.json")).json()
            for method, path, body in ASKED:
                async with http.request(method, root + path, json=body) as response:
                    answer = await response.json()
                    status, declared = str(response.status), declared_of(page, method, path)
                    told = declared.get(status) or declared.get(f"{status[0]}XX") or declared.get("default")
                    assert told is not None, (path, body, status)
                    if "content" in told:
                        jsonschema.validate(answer, told["content"][response.content_type].get("schema", {}))
                    if status[0] == "4":
                        assert answer["error"]["message"], (path, body)
                if path == "/guardrail/verify" and status == "200":
                    async with http.get(f"{root}/guardrail/reports/{answer['id']}") as kept:
                        found = declared_of(page, "get", "/guardrail/reports/x")["200"]["content"]
                        jsonschema.validate(await kept.json(), found["application/json"]["schema"])


def declared_of(page: dict, method: str, path: str) -> dict:
    """The declared responses of an operation; a template stands for one segment."""
    path = path.partition("?")[0]
    known = page["paths"]
    if path not in known:
        path = next(one for one in known if "{" in one and one.rsplit("/", 1)[0] == path.rsplit("/", 1)[0])
    return known[path][method]["responses"]


async def test_what_does_not_fit_a_parameter_is_told_in_openais_shape(tmp_path: Path) -> None:
    """The parameter is named, its value is not repeated."""
    with serving(tmp_path, admin_token="t") as (root, _):
        async with aiohttp.ClientSession(headers={"authorization": "Bearer t"}) as http:
            response = await http.get(f"{root}/guardrail/audit?limit=sk-secret")
            error = (await response.json())["error"]
    assert (response.status, error["param"], error["code"]) == (422, "limit", "invalid_request")
    assert "sk-secret" not in error["message"]


async def test_extracted_claims_are_as_the_page_declares_them(tmp_path: Path, verifier: Verifier) -> None:
    """Claims of the real extractor fit the schema of the page."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    with serving(tmp_path, verifier=verifier) as (root, _):  # type: ignore[arg-type]
        async with aiohttp.ClientSession() as http:
            page = await (await http.get(f"{root}/openapi.json")).json()
            told = declared_of(page, "post", "/guardrail/extract")["200"]["content"]["application/json"]
            body = {"text": "Canberra is the capital of Australia. It is a city."}
            answer = await (await http.post(f"{root}/guardrail/extract", json=body)).json()
    assert len(answer["claims"]) == 2
    jsonschema.validate(answer, told["schema"])


async def test_what_the_framework_refuses_is_told_in_openais_shape(tmp_path: Path) -> None:
    """Bodies of noise, and the errors of routes that are not ours, have `error` with message, type, param and code."""
    with serving(tmp_path, admin_token="t") as (root, _):
        async with aiohttp.ClientSession(headers={"authorization": "Bearer t"}) as http:
            headers = {"content-type": "application/json"}
            for path, data in (
                ("/guardrail/policies/lint", b"\xff\xfe"),
                ("/guardrail/knowledge/facts", b"{"),
                ("/guardrail/knowledge/facts/retract", b"[5]"),
            ):
                response = await http.post(root + path, data=data, headers=headers)
                error = (await response.json())["error"]
                assert 400 <= response.status < 500
                assert error.keys() == {"message", "type", "param", "code"}
