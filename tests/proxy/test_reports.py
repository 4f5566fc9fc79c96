"""The last reports can be fetched by the id that the client saw."""

from __future__ import annotations

from pathlib import Path

import aiohttp
import orjson

from proxy.reports import Reports
from tests.proxy.servers import serving


def test_the_oldest_go_first() -> None:
    """Memory stays within its limit however many answers there are."""
    kept = Reports(limit=1000)
    for number in range(100):
        kept.add(f"grd_{number}", [b'{"x":"%s"}' % (b"y" * 100)])
    assert kept.get("grd_0") is None
    assert orjson.loads(kept.get("grd_99") or b"")["id"] == "grd_99"
    kept.add("grd_99", [b"{}"])
    assert orjson.loads(kept.get("grd_99") or b"") == {"id": "grd_99", "reports": [{}]}


async def test_a_report_is_fetched_by_its_id(tmp_path: Path) -> None:
    """GET /guardrail/reports/{id} gives the reports of all choices; an unknown id is a 404 in shape."""
    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:
            ask = {"model": "demo", "n": 2, "messages": [{"role": "user", "content": "verify: It is wrong."}]}
            answer = await http.post(f"{root}/v1/chat/completions", json=ask)
            body = await answer.json()
            found = await http.get(f"{root}/guardrail/reports/{answer.headers['x-guardrail-id']}")
            assert (await found.json())["reports"] == [c["message"]["guardrail"] for c in body["choices"]]
            missing = await http.get(f"{root}/guardrail/reports/grd_0")
            assert (missing.status, (await missing.json())["error"]["code"]) == (404, "not_found")
