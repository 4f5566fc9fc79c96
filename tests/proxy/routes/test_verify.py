"""Verify and revise a text without generating one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.fakes import FakeVerifier
from tests.proxy.servers import given_back, serving

TEXT = "It is true. It is wrong 🙂."


async def post(root: str, path: str, body: Any, **headers: str) -> tuple[int, Any, Any]:
    async with aiohttp.ClientSession() as http:
        data = {"data": body} if isinstance(body, bytes) else {"json": body}
        response = await http.post(root + path, headers=headers, **data)
        return response.status, await response.json(), response.headers


async def test_verify_answers_the_report_and_records_it(tmp_path: Path) -> None:
    """POST /guardrail/verify gives the report of the text, with policy and action, and leaves a record."""
    verifier = FakeVerifier()
    with serving(tmp_path, verifier=verifier) as (root, services):
        given = {
            "text": TEXT,
            "question": "Is it?",
            "references": [{"text": "r", "url": "https://example.org"}],
            "triplets": [["a", "b", "c"]],
            "sources": ["request"],
        }
        status, report, headers = await post(root, "/guardrail/verify", given)
        (record,) = services.log.list()
    assert status == 200
    assert [(c["text"], c["label"]) for c in report["claims"]] == [
        ("It is true.", "attributable"),
        ("It is wrong 🙂.", "contradictory"),
    ]
    assert (report["policy"], report["action"], report["outcome"]) == ("annotate", "annotate", "flagged")
    assert headers["x-guardrail-id"] == report["id"] == record.response
    assert verifier.sessions[0].given["question"] == "Is it?"


async def test_a_long_report_is_bounded_and_its_record_is_whole(tmp_path: Path) -> None:
    """Of 1,100 passages that were not checked a thousand are told, all are counted, and all are in the audit log."""
    with serving(tmp_path) as (root, services):
        _, report, headers = await post(
            root, "/guardrail/verify", {"text": "It did fail. " * 1100 + "It is true."}
        )
        (record,) = services.log.list()
    assert (len(report["unchecked"]), report["left_out"]) == (1000, {"unchecked": 100})
    assert report["counts"]["unchecked"] == len(record.unchecked) == 1100
    assert (report["outcome"], headers["x-guardrail-confirmed"]) == ("not_checked", "1/1")


async def test_revise_answers_the_corrected_text(tmp_path: Path) -> None:
    """POST /guardrail/revise gives the text with verified revisions, and where they were made."""
    with serving(tmp_path) as (root, _):
        status, answer, _ = await post(root, "/guardrail/revise", {"text": TEXT})
    assert status == 200
    assert answer["text"] == "It is true. It is right 🙂."
    assert answer["edits"] == [{"start": 18, "end": 23, "replacement": "right"}]
    assert answer["report"]["text"] == TEXT


async def test_a_policy_can_be_named(tmp_path: Path) -> None:
    """The body's policy or the header choose; what is not allowed is refused."""
    with serving(tmp_path) as (root, _):
        assert (await post(root, "/guardrail/verify", {"text": TEXT, "policy": "block"}))[1][
            "action"
        ] == "block"
        assert (await post(root, "/guardrail/verify", {"text": TEXT}, **{"x-guardrail-policy": "shadow"}))[1][
            "policy"
        ] == "shadow"
        assert (await post(root, "/guardrail/verify", {"text": TEXT, "policy": "x"}))[0] == 400


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"{", None),
        (b"[]", None),
        ({}, "text"),
        ({"text": 5}, "text"),
        ({"text": None}, "text"),
        ({"text": "a", "txt": "b"}, "txt"),
        ({"text": "a", "references": "b"}, "references"),
        ({"text": "a", "references": [5]}, "references"),
        ({"text": "a", "triplets": [["s"]]}, None),
        ({"text": "a", "triplets": [[[], {}, None]]}, None),
        ({"text": "a", "sources": ["moon"]}, None),
        ({"text": "a", "policy": 7}, "policy"),
        ({"text": "a", "policy": ["block"]}, "policy"),
    ],
)
async def test_bad_requests_name_the_field(tmp_path: Path, body: Any, param: str | None) -> None:
    """What is wrong with a request is said in OpenAI's error shape, with the field at fault."""
    with serving(tmp_path) as (root, _):
        status, answer, _ = await post(root, "/guardrail/verify", body)
    assert status == 400
    assert answer["error"]["message"]
    if param:
        assert answer["error"]["param"] == param


async def test_empty_and_strange_texts_are_answered(tmp_path: Path) -> None:
    """Nothing, white space and lone surrogates are texts too."""
    with serving(tmp_path) as (root, _):
        for text in ("", "  \n", "\x00", "a" * 5000):
            status, report, _ = await post(root, "/guardrail/verify", {"text": text})
            assert (status, report["text"]) == (200, text)
        assert (await post(root, "/guardrail/verify", b'{"text": "\\ud800"}'))[0] == 400


DOORS = ["/guardrail/verify", "/guardrail/revise", "/guardrail/extract", "/beta/litellm_basic_guardrail_api"]


@pytest.mark.parametrize("path", DOORS)
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "invalid_json"),
        (b"\xff\xfe{}", 400, "invalid_json"),
        (b'{"text": "\xff", "input_type": "request"}', 400, "invalid_json"),
        (b'{"text": "\\ud800", "input_type": "request"}', 400, "invalid_json"),
        (b"[" * 20_000, 400, "invalid_json"),
        (b"null", 400, "invalid_json"),
        (b"NaN", 400, "invalid_json"),
        (b'{"text": "' + b"a" * 60_000 + b'"}', 413, "body_too_large"),
    ],
)
async def test_what_is_no_request_is_told_in_openais_shape(
    tmp_path: Path, path: str, body: bytes, status: int, code: str
) -> None:
    """Every door refuses nothing, noise, deep nesting and what is too large alike, and gives its permit back."""
    with serving(tmp_path, max_body=50_000) as (root, services):
        found, answer, headers = await post(root, path, body)
        await given_back(services)
    assert (found, answer["error"]["code"]) == (status, code)
    assert answer["error"].keys() == {"message", "type", "param", "code"}
    assert headers["x-should-retry"] == "false"
