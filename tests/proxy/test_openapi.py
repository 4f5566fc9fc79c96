"""The OpenAPI page tells the truth: its paths exist, and what fits it is never answered by a 5xx."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.app import APIS
from proxy.openapi import PATHS
from tests.proxy.servers import serving

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
                    await asyncio.wait_for(response.read(), 10)
                    found.append((path, body, response.status))
        return found

    with serving(tmp_path) as (root, services):
        found = asyncio.run(send_all(root))
        assert [one for one in found if one[2] == 500] == []
        assert services.permits.taken == 0
