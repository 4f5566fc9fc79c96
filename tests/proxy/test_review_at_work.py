"""A checking model in a running server: `--checker-url` from the settings to the verdict in the client's answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from guardrail.review import ReviewerSettings, open_reviewer
from guardrail.verifier import Verifier
from tests import redis_server
from tests.proxy.servers import serving
from tests.scripted_llm import Reply, Request, ScriptedLlm, refusal

TEXT = "Australia exports a lot of wool. Vienna hosts a flower show in Austria."
REFERENCES = ["Australia is known for its wool.", "The opera ball is held in Vienna, Austria."]


def approve(request: Request) -> Reply:
    claims = request.prompt.rsplit("\nClaims:\n", 1)[1].strip().splitlines()
    entry = {"prediction": "Attributable", "evidence": ["P1", "P2"], "rationale": "It says so."}
    return Reply(json.dumps({"claims": [{"claim": n} | entry for n in range(1, len(claims) + 1)]}))


async def verified(verifier: Verifier, script: Any, folder: Path) -> tuple[list[Any], int]:
    with ScriptedLlm([script]) as model:
        reviewer = ReviewerSettings("m", model.url)
        reviewed = verifier.reviewed_by(open_reviewer(reviewer))
        with serving(folder, verifier=reviewed, reviewer=reviewer) as (root, _):
            body = {"text": TEXT, "references": REFERENCES}
            async with (
                aiohttp.ClientSession() as http,
                http.post(f"{root}/guardrail/verify", json=body) as answer,
            ):
                assert answer.status == 200
                report = await answer.json()
            async with aiohttp.ClientSession() as http, http.get(f"{root}/metrics") as metrics:
                assert f"guardrail_reviewer_calls {model.calls}\n" in await metrics.text()
        return report["claims"], model.calls


async def test_the_models_verdict_reaches_the_client(verifier: Verifier, tmp_path: Path) -> None:
    """Both claims that the graph leaves open carry the model's label, rationale and name."""
    claims, calls = await verified(verifier, approve, tmp_path)
    assert [(c["label"], c["checker"], c["rationale"]) for c in claims] == [
        ("attributable", "llm:m", "It says so.")
    ] * 2
    assert 1 <= calls <= 2


async def test_a_refusing_model_changes_no_label(verifier: Verifier, tmp_path: Path) -> None:
    """The embedded verdicts stand and say so."""
    claims, _ = await verified(verifier, refusal(), tmp_path)
    assert {c["label"] for c in claims} == {"extrapolatory"}
    assert all("The embedded one stands" in c["rationale"] for c in claims)


@pytest.mark.parametrize(("policy", "most"), [("annotate", 2), ("block", 1)])
async def test_a_streamed_answer_is_reviewed_while_it_comes(
    verifier: Verifier, tmp_path: Path, policy: str, most: int
) -> None:
    """One call per sentence where sentences go out, one per answer where it is held back; the report has the verdicts."""
    asked = {
        "model": "demo-fast",
        "stream": True,
        "messages": [{"role": "user", "content": f"verify: {TEXT}"}],
        "guardrail": {"references": REFERENCES},
    }
    with ScriptedLlm([approve]) as model:
        reviewer = ReviewerSettings("m", model.url)
        reviewed = verifier.reviewed_by(open_reviewer(reviewer))
        with serving(tmp_path, verifier=reviewed, reviewer=reviewer, policy=policy) as (root, _):
            async with (
                aiohttp.ClientSession() as http,
                http.post(f"{root}/v1/chat/completions", json=asked) as answer,
            ):
                assert answer.status == 200
                lines = (await answer.text()).splitlines()
        chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
        words = "".join(c["delta"].get("content") or "" for chunk in chunks for c in chunk["choices"])
        deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
        reports = [delta["guardrail"] for delta in deltas if "guardrail" in delta]
        assert words == TEXT
        assert [c["checker"] for c in reports[-1]["claims"]] == ["llm:m"] * 2
        assert model.calls == most


async def test_answers_are_kept_for_all_machines_and_a_lost_cache_is_told(
    verifier: Verifier, tmp_path: Path
) -> None:
    """A second server asks the model nothing that the first one did; without Redis both check as before, and /readyz and /metrics tell."""
    body = {"text": TEXT, "references": REFERENCES}
    verifier.check(TEXT, references=REFERENCES)  # what is loaded at the first check is no part of a deadline
    with ScriptedLlm([approve]) as model, redis_server.running(tmp_path) as redis:
        reviewer = ReviewerSettings("m", model.url, cache=redis.url)
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            reviewed = verifier.reviewed_by(open_reviewer(reviewer))
            with serving(tmp_path / name, verifier=reviewed, reviewer=reviewer) as (root, _):
                async with aiohttp.ClientSession() as http:
                    async with http.post(f"{root}/guardrail/verify", json=body) as answer:
                        before = [claim["label"] for claim in (await answer.json())["claims"]]
                    calls = model.calls
                    async with http.get(f"{root}/readyz") as answer:
                        assert (await answer.json())["status"] == "ready"
                    if name == "a":
                        continue
                    redis.kill()
                    async with http.post(f"{root}/guardrail/verify", json=body) as answer:
                        after = [claim["label"] for claim in (await answer.json())["claims"]]
                    async with http.get(f"{root}/readyz") as answer:
                        told = (await answer.json())["degraded"]
                    async with http.get(f"{root}/metrics") as answer:
                        assert "guardrail_reviewer_cache_away 1" in await answer.text()
    assert before == after == ["attributable"] * 2
    assert (calls, model.calls) == (1, 2)
    assert "checking model's cache: Redis is away" in told[0]


def test_the_settings_do_not_show_the_key() -> None:
    """A key given to the checking model stays out of logs."""
    assert "sk-1" not in repr(ReviewerSettings("m", key="sk-1"))


@pytest.mark.parametrize("method", ["systemone", "classify"])
def test_a_method_without_a_server_is_refused(method: Any) -> None:
    """At start, not at the first answer."""
    from guardrail.errors import ConfigError

    with pytest.raises(ConfigError, match="URL"):
        ReviewerSettings("m", method=method)
