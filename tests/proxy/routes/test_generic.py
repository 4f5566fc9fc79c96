"""LiteLLM's generic guardrail contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from proxy.routes.generic import PATH
from tests.fakes import FakeVerifier
from tests.proxy.servers import serving

TEXT = "It is true. It is wrong."


async def post(root: str, body: Any) -> tuple[int, Any]:
    async with aiohttp.ClientSession() as http:
        response = await http.post(root + PATH, json=body)
        return response.status, await response.json()


@pytest.mark.parametrize(
    ("policy", "answer"),
    [
        ("annotate", {"action": "NONE"}),
        ("shadow", {"action": "NONE"}),
        ("revise", {"action": "GUARDRAIL_INTERVENED", "texts": ["It is true. It is right."]}),
        ("block", {"action": "BLOCKED"}),
    ],
)
async def test_answers_are_checked(tmp_path: Path, policy: str, answer: dict[str, Any]) -> None:
    """The policy decides whether a text passes, is changed or is blocked; every check is on record."""
    with serving(tmp_path, policy=policy) as (root, services):
        status, told = await post(root, {"input_type": "response", "texts": [TEXT], "model": "m"})
        assert status == 200
        assert told.items() >= answer.items()
        if policy == "block":
            assert told["blocked_reason"]
        assert len(services.log.list()) == 1


async def test_the_request_leg_gives_question_and_references(tmp_path: Path) -> None:
    """What was asked is joined by the call's id; nothing is checked for it."""
    verifier = FakeVerifier()
    with serving(tmp_path, verifier=verifier) as (root, _):
        asked = {
            "input_type": "request",
            "texts": ["What?"],
            "litellm_call_id": "c1",
            "structured_messages": [{"role": "user", "content": "What is it?"}],
        }
        assert await post(root, asked) == (200, {"action": "NONE"})
        assert verifier.sessions == []
        await post(root, {"input_type": "response", "texts": [TEXT], "litellm_call_id": "c1"})
        await post(root, {"input_type": "response", "texts": [TEXT], "litellm_call_id": "c2"})
    assert [session.given["question"] for session in verifier.sessions] == ["What is it?", ""]


async def test_an_open_sentence_is_held_back(tmp_path: Path) -> None:
    """While a text is still growing, the characters of its open sentence are to be held."""
    with serving(tmp_path) as (root, _):
        _, told = await post(root, {"input_type": "response", "texts": ["It is true. And th"]})
    assert told["stream_holdback_chars"] == [6]


async def test_a_policy_can_be_named(tmp_path: Path) -> None:
    """`additional_provider_specific_params.policy` chooses among the allowed ones."""
    with serving(tmp_path) as (root, _):
        body = {
            "input_type": "response",
            "texts": [TEXT],
            "additional_provider_specific_params": {"policy": "block"},
        }
        assert (await post(root, body))[1]["action"] == "BLOCKED"


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"input_type": "x"},
        {"input_type": "response", "texts": "a"},
        {"input_type": "response", "texts": [1]},
    ],
)
async def test_bad_requests_are_told(tmp_path: Path, body: Any) -> None:
    """What does not fit the contract is a 400."""
    with serving(tmp_path) as (root, _):
        assert (await post(root, body))[0] == 400


async def test_nothing_to_check_passes(tmp_path: Path) -> None:
    """No texts, or none given, is no finding."""
    with serving(tmp_path) as (root, _):
        for texts in ([], None):
            assert (await post(root, {"input_type": "response", "texts": texts}))[1]["action"] == "NONE"


@pytest.mark.parametrize(("tools", "action"), [("check", "BLOCKED"), ("pass", "NONE")])
async def test_arguments_of_tool_calls_count_where_the_policy_says_so(
    tmp_path: Path, tools: str, action: str
) -> None:
    """A call that is blocked blocks the answer, and is on record; without the setting it is not looked at."""
    file = tmp_path / "p.yaml"
    file.write_text(f"extends: block\ntools: {tools}\n")
    call = {"id": "c", "type": "function", "function": {"name": "send", "arguments": '{"a": "It is wrong."}'}}
    body = {"input_type": "response", "texts": ["It is true."], "tool_calls": [call, 5, {}]}
    with serving(tmp_path, policy=str(file)) as (root, services):
        assert (await post(root, body))[1]["action"] == action
        tools_on_record = sorted(record.tool for record in services.log.list())
    assert tools_on_record == (["", "send", "unnamed"] if tools == "check" else [""])
