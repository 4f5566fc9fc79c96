"""Whatever a route raises becomes an answer in OpenAI's shape."""

from __future__ import annotations

import orjson
import pytest

from guardrail.errors import AuditError, BadRequest, UpstreamUnreachable
from proxy.server.admission import ClientGone, Overloaded
from proxy.server.asgi import guarded, header, reply_json


async def call(app) -> list[dict]:
    sent: list[dict] = []

    async def send(message: dict) -> None:
        sent.append(message)

    await guarded(app)({"type": "http", "headers": []}, None, send)  # type: ignore[arg-type]
    return sent


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (BadRequest("no", code="x"), 400, "x"),
        (UpstreamUnreachable("away"), 502, "upstream_error"),
        (AuditError("disk /secret/path full"), 500, "audit_failed"),
        (Overloaded(4), 429, "overloaded"),
        (ValueError("a secret"), 500, "internal_error"),
    ],
)
async def test_errors_are_answers(error: Exception, status: int, code: str) -> None:
    """Each error of ours has its status; others are told by an id only."""

    async def app(*_: object) -> None:
        raise error

    start, body = await call(app)
    told = orjson.loads(body["body"])["error"]
    assert (start["status"], told["code"]) == (status, code)
    assert "secret" not in told["message"]
    if status == 429:
        assert (b"retry-after", b"4") in start["headers"]


async def test_a_client_that_has_gone_gets_nothing() -> None:
    """Nobody is there to be answered."""

    async def app(*_: object) -> None:
        raise ClientGone

    assert await call(app) == []


async def test_an_error_in_mid_answer_sends_no_second_start() -> None:
    """What has begun is not begun again."""

    async def app(_: object, __: object, send) -> None:
        await reply_json(send, {"a": 1})
        raise ValueError("late")

    assert [message["type"] for message in await call(app)] == ["http.response.start", "http.response.body"]


def test_headers_are_found_by_name() -> None:
    """The first value counts; an absent header is None."""
    scope = {"headers": [(b"x", b"1"), (b"x", b"2")]}
    assert (header(scope, b"x"), header(scope, b"y")) == ("1", None)
