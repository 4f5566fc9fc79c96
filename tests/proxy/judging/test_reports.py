"""The last reports can be fetched by the id that the client saw."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import openai
import orjson
import pytest

from guardrail.verifier import Verifier
from policies.policy import load, parse
from proxy.judging.reports import Reports
from tests.fakes import Script, completion, spoken
from tests.proxy.called import APIS
from tests.proxy.proxied import ASK, JSON, TEXT, proxied
from tests.proxy.servers import serving
from tests.proxy.streams import chunks, reports_of

HUNDRED = (
    "Marie Curie was born in Warsaw in 1870. The capital of Australia is Sydney. She died on 4 July 1934."
)


def reports_in(value: Any) -> list[dict[str, Any]]:
    """All reports with claims, wherever they stand in an answer."""
    if isinstance(value, dict):
        mine = [value] if "claims" in value and "outcome" in value else []
        return mine + [one for inner in value.values() for one in reports_in(inner)]
    return [one for inner in value for one in reports_in(inner)] if isinstance(value, list) else []


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


@pytest.mark.parametrize("api", APIS.values(), ids=APIS)
@pytest.mark.parametrize("level", ["full", "compact", "none"])
def test_a_report_comes_once_and_as_long_as_it_is_wanted(api: Any, level: Any) -> None:
    """In every API, streamed and whole: once beside its text; a client that wants none gets an answer without a trace of ours."""
    policy = replace(load("revise"), report=level)
    streamed = api.streamed(policy, said="This is true. It is wrong.").wire
    whole = api.at_once(policy, said="This is true. It is wrong.").wire
    assert b"It is right." in whole
    for told in (chunks(streamed), [orjson.loads(whole)]):
        found = reports_in(told)
        assert [one.get("report", "full") for one in found] == ([] if level == "none" else [level])
        assert [one["counts"]["claims"] for one in found] == [2] * len(found)
    for wire in (streamed, whole):
        assert (b"guardrail" in wire) is (level != "none")


async def test_a_compact_report_is_short(tmp_path: Path, verifier: Verifier) -> None:
    """Of an answer of a hundred characters less than 1,500 bytes, with places, labels and a line of the reason; the rest is where it says."""
    asked = {**ASK, "stream": True, "guardrail": {"report": "compact"}}
    async with (
        proxied(tmp_path, Script(spoken(HUNDRED)), verifier=verifier) as (_, _, _, root),
        aiohttp.ClientSession() as http,
    ):
        answer = await http.post(f"{root}/v1/chat/completions", json=asked)
        (report,) = reports_of(await answer.read()).values()
        (full,) = (await (await http.get(root + report["more"])).json())["reports"]
    assert len(orjson.dumps(report)) < 1500
    assert [one["label"] for one in report["claims"]].count("contradictory") == 2
    for short, long in zip(report["claims"], full["claims"], strict=True):
        assert short.items() <= long.items()
        assert short["rationale"]
        assert long["facts"]
        assert "evidence" not in short


@pytest.mark.parametrize("stream", [True, False])
async def test_the_policy_says_how_much_unless_the_request_does(tmp_path: Path, stream: bool) -> None:
    """Its key `report` holds for requests that say nothing; the SDK's helper keeps a report of any length."""
    file = tmp_path / "short.yaml"
    file.write_text("extends: annotate\nreport: compact\n")
    script = Script(spoken(TEXT)) if stream else Script([completion(TEXT)], headers=JSON)

    async def report(client: openai.AsyncOpenAI, **given: str) -> Any:
        more = {"extra_body": {"guardrail": given}} if given else {}
        if not stream:
            answer: Any = await client.chat.completions.create(**ASK, **more)
        else:
            async with client.chat.completions.stream(**ASK, **more) as helper:
                answer = await helper.get_final_completion()
        assert answer.choices[0].message.content == TEXT
        return getattr(answer.choices[0].message, "guardrail", None)

    async with proxied(tmp_path, script, policy=str(file)) as (client, _, _, _):
        assert (await report(client))["report"] == "compact"
        assert (await report(client, report="full"))["claims"][0]["evidence"]
        assert await report(client, report="none") is None
        with pytest.raises(openai.BadRequestError, match="one of full, compact, none"):
            await report(client, report="long")


async def test_without_a_report_the_headers_and_the_id_are_left(tmp_path: Path) -> None:
    """The whole of it can be fetched by the id, and the record is the same."""
    async with proxied(tmp_path, Script([completion(TEXT)], headers=JSON)) as (_, _, services, root):
        async with aiohttp.ClientSession() as http:
            answer = await http.post(
                f"{root}/v1/chat/completions", json={**ASK, "guardrail": {"report": "none"}}
            )
            assert b"guardrail" not in await answer.read()
            identifier = answer.headers["x-guardrail-id"]
            (report,) = (await (await http.get(f"{root}/guardrail/reports/{identifier}")).json())["reports"]
        (record,) = services.log.list()
    assert answer.headers["x-guardrail-outcome"] == report["outcome"] == record.outcome == "flagged"
    assert len(report["claims"]) == len(record.claims) == 2


def test_how_much_is_told_is_no_part_of_what_is_decided() -> None:
    """Two policies that differ in nothing else have the same hash."""
    same, other = (
        parse(f"extends: revise\nreport: {level}", "mine.yaml")[0][0] for level in ("full", "none")
    )
    assert same.hash == other.hash
