"""Errors as clients see them."""

from __future__ import annotations

import orjson
import pytest

from guardrail.errors import BadRequest, UpstreamBroken, UpstreamUnreachable
from policies.decide import Decision
from policies.policy import load
from proxy.wire.headers import (
    Failure,
    audit_failed,
    bad_request,
    blocked,
    named,
    overloaded,
    unexpected,
    upstream_failed,
)

SAID_NOT_TO_RETRY = [(b"x-should-retry", b"false")]


@pytest.mark.parametrize(
    ("failure", "status", "code", "retry"),
    [
        (bad_request(BadRequest("no", param="p", status=413, code="c")), 413, "c", False),
        (upstream_failed(UpstreamBroken("broke")), 502, "upstream_error", True),
        (upstream_failed(UpstreamBroken("broke", begun=True)), 502, "upstream_error", False),
        (upstream_failed(UpstreamUnreachable("did not answer in time")), 504, "upstream_timeout", True),
        (audit_failed(), 500, "audit_failed", False),
        (blocked(load("block"), Decision(message="m", flagged=(1,))), 403, "content_blocked", False),
        (overloaded(2), 429, "overloaded", True),
        (unexpected("abc"), 500, "internal_error", False),
    ],
)
def test_every_failure_has_openai_shape(failure: Failure, status: int, code: str, retry: bool) -> None:
    """message, type, param and code; SDKs are told where trying again is of no use."""
    error = orjson.loads(failure.json())["error"]
    assert error.keys() >= {"message", "type", "param", "code"}
    assert (failure.status, error["code"]) == (status, code)
    assert failure.headers() == ([] if retry else SAID_NOT_TO_RETRY)


def test_a_block_tells_its_details_inside_the_error() -> None:
    """Only what is inside `error` survives in the SDKs; a block is never 409 or 5xx."""
    error = orjson.loads(blocked(load("block"), Decision(message="m", flagged=(1,))).json())["error"]
    assert error["guardrail"] == {"policy": "block", "action": "pass", "flagged": [1]}
    assert error["message"] == "m"


def test_headers_survive_any_text() -> None:
    """A name beyond latin-1 does not break the response."""
    assert named([("policy", "política 政")]) == [(b"x-guardrail-policy", "política ?".encode("latin-1"))]
