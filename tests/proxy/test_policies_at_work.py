"""Policies in a running server: changed files, shadows beside the active one, what telemetry tells."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import aiohttp
import pytest

from guardrail.audit.events import PolicyText
from guardrail.audit.store import Query
from tests.proxy.servers import serving

ANNOTATE = "name: live\nextends: annotate\n"


def write(path: Path, text: str) -> None:
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 1_000_000, before + 1_000_000))


async def verify(root: str, text: str = "This is wrong.", **headers: str) -> dict[str, object]:
    url, body = f"{root}/guardrail/verify", {"text": text}
    async with aiohttp.ClientSession(headers=headers) as http, http.post(url, json=body) as response:
        assert response.status == 200
        found: dict[str, object] = await response.json()
        return found


async def read(url: str) -> str:
    async with aiohttp.ClientSession() as http, http.get(url) as response:
        return await response.text()


async def test_a_changed_file_is_taken_up_and_a_broken_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next answer is under the new policy, with its hash on record; a mistake is told by /readyz and /metrics."""
    path = tmp_path / "p.yaml"
    write(path, ANNOTATE)
    with serving(tmp_path, policy=str(path)) as (root, services):
        assert services.choice.watched is not None
        monkeypatch.setattr(services.choice.watched, "_interval", 0.0)
        services.choice.watched._next = 0.0
        assert (await verify(root))["action"] == "annotate"
        write(path, ANNOTATE + "on_flag: attach\n")
        assert (await verify(root))["action"] == "attach"
        write(path, ANNOTATE + "on_flag: blok\n")
        assert (await verify(root))["action"] == "attach"
        assert "did you mean `block`" in await read(f"{root}/readyz")
        assert '"status":"degraded"' in await read(f"{root}/readyz")
        write(path, ANNOTATE)
        assert (await verify(root))["action"] == "annotate"
        assert '"status":"ready"' in await read(f"{root}/readyz")
        metrics = await read(f"{root}/metrics")
        assert 'guardrail_policy_reloads_total{guardrail_outcome="refused"} 1' in metrics
        assert 'guardrail_policy_reloads_total{guardrail_outcome="taken"} 2' in metrics
        hashes = [found.policy_hash for found in services.log.list()]
        assert hashes[0] == hashes[3] != hashes[1] == hashes[2]
        kept = [one.item for one in services.log.scan(query=Query(kind="policy"))]
        assert {policy.hash for policy in kept if isinstance(policy, PolicyText)} == set(hashes)
        assert len(kept) == 2


async def test_shadow_policies_are_recorded_apart(tmp_path: Path) -> None:
    """What they would have done is in the record; the client sees the active policy alone."""
    path = tmp_path / "p.yaml"
    write(path, "name: strict\nextends: block\nshadow: true\n---\n" + ANNOTATE)
    with serving(tmp_path, policy=str(path)) as (root, services):
        async with aiohttp.ClientSession() as http:
            asked = {"model": "demo", "messages": [{"role": "user", "content": "verify: This is wrong."}]}
            async with http.post(f"{root}/v1/chat/completions", json=asked) as response:
                body = await response.json()
        assert body["guardrail"]["action"] == "annotate"
        (found,) = services.log.list()
        assert [(one.policy, one.action) for one in found.shadows] == [("strict", "block")]
        assert (found.policy, found.action) == ("live", "annotate")


async def test_the_request_chooses_its_policy_by_key_tenant_and_language(tmp_path: Path) -> None:
    """A key is on record by a hash only."""
    path = tmp_path / "p.yaml"
    write(
        path,
        "name: clinic\nmatch: {tenant: clinic}\n---\nname: german\nmatch: {language: 'de*'}\n---\nname: rest\n",
    )
    with serving(tmp_path, policy=str(path)) as (root, services):
        headers = {"openai-organization": "clinic", "authorization": "Bearer sk-secret"}
        assert (await verify(root, **headers))["policy"] == "clinic"
        assert (await verify(root, **{"accept-language": "de-AT,en;q=0.5"}))["policy"] == "german"
        assert (await verify(root, **{"accept-language": "*"}))["policy"] == "rest"
        first = services.log.list()[-1]
        assert (first.tenant, len(first.key)) == ("clinic", 12)
        assert b"sk-secret" not in first.body()


async def test_requests_that_match_no_policy_are_told_of(tmp_path: Path) -> None:
    """/readyz says that there may be some; a language that the header lists in any place, of any country, is one that matches."""
    path = tmp_path / "p.yaml"
    write(path, "name: english\nmatch: {language: [en]}\n")
    with serving(tmp_path, policy=str(path)) as (root, _):
        assert "leaves no record" in json.loads(await read(f"{root}/readyz"))["unmatched"]
        for header in ("en-GB", "en-US,en;q=0.9", "de, en;q=0.5"):
            assert (await verify(root, **{"accept-language": header}))["policy"] == "english"
        assert (await verify(root, **{"accept-language": "de"}))["policy"] == "annotate"
        write(path, "name: english\n")
    with serving(tmp_path, policy=str(path)) as (root, _):
        assert "unmatched" not in json.loads(await read(f"{root}/readyz"))


async def test_metrics_tell_of_answers_without_their_content(tmp_path: Path) -> None:
    """Outcome, action, labels and stages; not a word of text."""
    with serving(tmp_path) as (root, _):
        await verify(root, "This is wrong. This is true. This must fail.")
        metrics = await read(f"{root}/metrics")
        assert (
            'guardrail_answers_total{guardrail_policy_name="annotate",guardrail_outcome="flagged"' in metrics
        )
        assert 'guardrail_claim_label="contradictory"} 1' in metrics
        assert (
            'guardrail_claims_not_checked_total{guardrail_policy_name="annotate",guardrail_reason="error"} 1'
            in metrics
        )
        assert 'guardrail_stage_duration_seconds_count{guardrail_stage="audit"} 1' in metrics
        assert "wrong" not in metrics


@pytest.mark.parametrize("stream", [True, False])
async def test_the_time_of_an_answer_is_laid_at_the_door_of_each_stage(tmp_path: Path, stream: bool) -> None:
    """Upstream, queue, check, hold and audit are measured apart, in metrics and in the record."""
    body = {
        "model": "demo",
        "stream": stream,
        "messages": [{"role": "user", "content": "verify: This is wrong."}],
    }
    with serving(tmp_path, pace=0.02) as (root, services):
        async with (
            aiohttp.ClientSession() as http,
            http.post(f"{root}/v1/chat/completions", json=body) as response,
        ):
            await response.read()
        metrics = await read(f"{root}/metrics")
        for stage in ("upstream", "queue", "verify", "hold", "audit"):
            assert f'guardrail_stage_duration_seconds_count{{guardrail_stage="{stage}"}} 1' in metrics
        assert "gen_ai_client_operation_time_to_first_chunk_seconds_count" in metrics
        (found,) = services.log.list()
        assert 0 < found.timing_ms["first byte"] <= found.timing_ms["upstream"] <= found.timing_ms["response"]
        assert found.timing_ms["queue"] >= 0


@pytest.mark.parametrize(("on_failure", "status"), [("continue", 200), ("closed", 503)])
async def test_a_log_that_cannot_be_written_is_seen_everywhere(
    tmp_path: Path, on_failure: str, status: int
) -> None:
    """The policy decides whether the answer goes out; readiness and metrics tell; afterwards all is well again."""
    path = tmp_path / "p.yaml"
    write(path, f"{ANNOTATE}audit: {{on_failure: {on_failure}}}\n")
    body = {"model": "demo", "messages": [{"role": "user", "content": "verify: This is wrong."}]}
    with serving(tmp_path, policy=str(path)) as (root, services):
        services.log.database._writer.execute("PRAGMA busy_timeout = 50")  # type: ignore[attr-defined]
        holder = sqlite3.connect(tmp_path / "audit.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        url = f"{root}/v1/chat/completions"
        async with aiohttp.ClientSession() as http, http.post(url, json=body) as response:
            told = await response.json()
        assert response.status == status or (status == 503 and response.status >= 500)
        assert ("guardrail" in told) is (on_failure == "continue")
        assert (told.get("guardrail") or {}).get("not_audited", on_failure == "closed") is True
        assert "audit log: cannot write" in await read(f"{root}/readyz")
        assert 'guardrail_audit_not_audited_total{guardrail_policy_name="live"} 1' in await read(
            f"{root}/metrics"
        )
        holder.execute("ROLLBACK")
        holder.close()
        async with aiohttp.ClientSession() as http, http.post(url, json=body) as response:
            assert "not_audited" not in (await response.json())["guardrail"]
        assert '"status":"ready"' in await read(f"{root}/readyz")
        assert len(services.log.list()) == 1
