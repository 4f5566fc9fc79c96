"""Headers and errors as clients see them: OpenAI's error shape, `x-guardrail-*` headers.

No text of an exception that we did not write ourselves reaches a client.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from guardrail.errors import BadRequest, UpstreamError, UpstreamUnreachable
from guardrail.types import Counts
from policies.decide import Decision
from policies.terms import Policy
from proxy.wire.lenient import loads

LONGEST = 500  # characters of a message

Headers = list[tuple[bytes, bytes]]
# Ours are what they say they are: no browser may take one for a page.
NOSNIFF = (b"x-content-type-options", b"nosniff")


@dataclass(frozen=True, slots=True)
class Failure:
    """An error in OpenAI's shape. Details go inside `error`: nothing beside it survives in the SDKs.

    Anthropic's clients look for `type` beside it.
    """

    status: int
    message: str
    type: str = "invalid_request_error"
    code: str | None = None
    param: str | None = None
    guardrail: dict[str, object] = field(default_factory=dict)
    retry: bool = False

    def json(self) -> bytes:
        error: dict[str, object] = {
            "message": self.message,
            "type": self.type,
            "param": self.param,
            "code": self.code,
        }
        if self.guardrail:
            error["guardrail"] = self.guardrail
        return orjson.dumps({"type": "error", "error": error})

    def headers(self) -> Headers:
        """SDKs retry 408, 409, 429 and 5xx by themselves: told not to where that cannot help."""
        ends: Headers = [(b"connection", b"close")] if self.status == 408 else []  # its body is still to come
        return ends if self.retry else [*ends, (b"x-should-retry", b"false")]


def json_object(raw: bytes, *, patient: bool = False) -> dict[str, Any]:
    """The body of a request. `patient`: as clients read JSON, not by the letter. Raises BadRequest where it is no JSON object."""
    try:
        body = (loads if patient else orjson.loads)(raw)
    except ValueError as error:
        raise BadRequest(f"the request body is not valid JSON: {error}", code="invalid_json") from error
    if not isinstance(body, dict):
        raise BadRequest("the request body must be a JSON object", code="invalid_json")
    return body


def shortened(message: str) -> str:
    """A message that may quote what a client sent."""
    return message if len(message) <= LONGEST else f"{message[:LONGEST]} …"


def bad_request(error: BadRequest) -> Failure:
    return Failure(error.status, str(error), code=error.code, param=error.param)


def upstream_failed(error: UpstreamError) -> Failure:
    """502, or 504 where the time ran out; the client may try again unless the answer had begun."""
    late = isinstance(error, UpstreamUnreachable) and "time" in str(error)
    code = "upstream_timeout" if late else "upstream_error"
    return Failure(504 if late else 502, str(error), "api_error", code, retry=not error.begun)


def audit_failed() -> Failure:
    message = "The answer is withheld because its audit record could not be written."
    return Failure(500, message, "api_error", "audit_failed")


def blocked(policy: Policy, decision: Decision) -> Failure:
    found: dict[str, object] = {
        "policy": policy.name,
        "action": decision.action.value,
        "flagged": list(decision.flagged),
    }
    return Failure(
        policy.block.status, decision.message, "guardrail_violation", "content_blocked", guardrail=found
    )


def overloaded(seconds: int) -> Failure:
    message = f"Too many answers are being checked at once; try again in {seconds} s."
    return Failure(429, message, "rate_limit_error", "overloaded", retry=True)


def limit_reached(message: str, kind: str) -> Failure:
    """As OpenAI tells it: `kind` is requests or tokens."""
    return Failure(429, message, kind, "rate_limit_exceeded", retry=True)


def unexpected(identifier: str) -> Failure:
    """An error of ours: the log has the rest, under this id."""
    return Failure(500, f"An internal error occurred; its id is {identifier}.", "api_error", "internal_error")


def share(counts: Iterable[Counts]) -> str:
    """How many of all claims are confirmed, such as 3/5."""
    found = sum(counts, Counts())
    return f"{found.attributable}/{found.claims}"


def named(pairs: Iterable[tuple[str, str]]) -> Headers:
    """`x-guardrail-…` headers; what is no latin-1 is replaced."""
    return [(f"x-guardrail-{name}".encode(), value.encode("latin-1", "replace")) for name, value in pairs]


class LimitReached(Exception):
    """A key's own limit. `kind`: requests or tokens, as OpenAI tells it; `retry_after`: whole seconds."""

    def __init__(self, message: str, kind: str, retry_after: int) -> None:
        super().__init__(message)
        self.kind, self.retry_after = kind, retry_after
