"""The examples of the API are real calls, and every operation has one."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from proxy.manual.sample_calls import Call, fits, sample_calls
from proxy.services import Services
from proxy.settings import Settings
from tests.proxy.servers import serving

TOKEN = "secret"  # pragma: allowlist secret


async def made(http: aiohttp.ClientSession, root: str, call: Call, kept: dict[str, str]) -> tuple[int, Any]:
    """The status and the answer of a call, with names in its path filled in."""
    data = None
    if call.body is not None:
        data = call.body if isinstance(call.body, str) else json.dumps(call.body)
    headers = {**call.headers, **({"content-type": call.type} if data is not None else {})}
    async with http.request(
        call.method, root + call.target.format(**kept), data=data, headers=headers
    ) as response:
        text = (await response.text()).replace("\n\n", "\n")
        return response.status, json.loads(text) if response.content_type == "application/json" else text


async def test_the_examples_of_the_api_are_real_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each gets the status and the answer that are shown."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    verifier = Services.open(Settings(audit=str(tmp_path / "other.db"))).verifier
    kept: dict[str, str] = {}
    with serving(tmp_path, verifier=verifier, admin_token=TOKEN) as (root, _):  # type: ignore[arg-type]
        async with aiohttp.ClientSession(headers={"authorization": f"Bearer {TOKEN}"}) as http:
            for call in sample_calls():
                status, answer = await made(http, root, call, kept)
                assert (status, fits(answer, call.answer)) == (call.status, True), (
                    call.operation,
                    call.title,
                    answer,
                )
                for name, where in call.keep.items():
                    steps = (int(step) if step.isdigit() else step for step in where.split("."))
                    kept[name] = reduce(lambda found, step: found[step], steps, answer)


@pytest.mark.parametrize(
    ("found", "shown", "same"),
    [
        ("grd_12ab", "grd_…", True),
        ("grd_12ab", "rev_…", False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": 1, "b": 2}, {"a": 1, "…": "…"}, True),
        ([1, 2, 3], [1, "…"], True),
        ([1, 2, 3], [1], False),
        ([], [1, "…"], False),
        (0.6523, 0.65, True),
        (0.1, 0.9, False),
        (True, 1, False),
        (None, None, True),
        (None, "…", False),
    ],
)
def test_what_is_left_out_is_marked(found: object, shown: object, same: bool) -> None:
    """`…` stands for text, fields or entries; everything else is compared."""
    assert fits(found, shown) is same
