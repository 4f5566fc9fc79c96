"""Reads a request whose answer is to be checked: what policies are chosen by, our own field, and the evidence that it brings."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

import orjson

from guardrail.errors import BadRequest
from guardrail.evidence.request import prompt
from guardrail.given import given_setting, given_sources, given_triplets
from guardrail.types import Setting
from policies.languages import accepted
from policies.terms import Policy, Request
from proxy.access.callers import key_of
from proxy.server.asgi import Scope, header
from proxy.server.bodies import FOUND_S
from proxy.server.paths import path_of
from proxy.stream.exchange import Exchange, mode_of
from proxy.wire.headers import shortened

Json = dict[str, Any]
FIELDS = frozenset(("policy", "question", "references", "triplets", "sources", "setting", "report"))
REPORTS = ("full", "compact", "none")


class Asking(Protocol):
    """How one API's requests are read."""

    def question(self, body: Json) -> str:
        """The user's last words."""
        ...

    def asks_json(self, body: Json) -> bool:
        """The answer is to be JSON: JSON mode or a schema."""
        ...


def asked_of(scope: Scope, body: Mapping[str, Any]) -> Request:
    """What policies are chosen by. A virtual key is known by its id, a client's own by a hash; the tenant is what the client
    says its organization is.
    """
    virtual, key = key_of(scope), header(scope, b"authorization")
    own = hashlib.sha256(key.encode()).hexdigest()[:12] if key else ""
    return Request(
        model=str(body.get("model", "")),
        route=scope["path"],
        key=virtual.id if virtual else own,
        tenant=header(scope, b"openai-organization") or "",
        language=accepted(header(scope, b"accept-language") or ""),
    )


def requests_of(scope: Scope, body: Mapping[str, Any]) -> tuple[Request, ...]:
    """As whom policies may see it: by the model in the body, and by the one in the path where that is another."""
    request, path = asked_of(scope, body), path_of(scope)
    request = replace(request, route=path.route)
    if not path.model or path.model == request.model:
        return (replace(request, model=path.model or request.model),)
    return (replace(request, model=path.model), *((request,) if request.model else ()))


def given_in(body: Json) -> Json:
    """What the client hands in for us: `guardrail: {policy?, question?, references?, triplets?, sources?, setting?, report?}`."""
    given = body.get("guardrail", {})
    if not isinstance(given, dict):
        raise BadRequest("guardrail must be an object", param="guardrail")
    if unknown := sorted(given.keys() - FIELDS):
        allowed = ", ".join(sorted(FIELDS))
        raise BadRequest(f"guardrail has no field {unknown[0]!r}; allowed: {allowed}", param="guardrail")
    return given


def reporting(policy: Policy, given: Json) -> Policy:
    """The policy, with as much of the report as the request wants. Raises BadRequest."""
    wanted = given.get("report", policy.report)
    if wanted not in REPORTS:
        raise BadRequest(f"report must be one of {', '.join(REPORTS)}", param="guardrail")
    return replace(policy, report=wanted)


def without_ours(raw: bytes, body: Json) -> bytes:
    """The body for the upstream: byte for byte, unless our own field, or a report that comes back with an earlier answer,
    has to be taken out: providers refuse what they do not know.
    """
    if "guardrail" not in body and b'"guardrail"' not in raw:
        return raw
    kept = _unreported(body)
    for name in ("messages", "input"):
        if isinstance(given := kept.get(name), list):
            kept[name] = [_unreported(one) for one in given]
    try:
        return raw if kept == body else orjson.dumps(kept)
    except (TypeError, RecursionError) as error:  # it is read four times as deep as it is written
        raise BadRequest("the request body is nested too deeply", code="invalid_json") from error


def _unreported(told: Any) -> Any:
    """Without a report on it, or on the parts of its content."""
    if not isinstance(told, dict):
        return told
    kept = {name: value for name, value in told.items() if name != "guardrail"}
    if isinstance(parts := kept.get("content"), list):
        kept["content"] = [_unreported(one) for one in parts]
    return kept


def exchange_of(policy: Policy, request: Request, body: Json, api: Asking) -> Exchange:
    """The request as one object, with the evidence that stands in it. Takes time where it is long. Raises BadRequest."""
    given, json = given_in(body), api.asks_json(body)
    try:
        _no_less(policy, given)
        found = prompt.read(body, setting=policy.setting, until=time.monotonic() + FOUND_S)
        return Exchange(
            policy=policy,
            request=request,
            mode=mode_of(policy, json=json),
            stream=body.get("stream") is True,
            json=json,
            question=found.question or api.question(body),
            references=found.passages,
            unread="; ".join(found.unread),
            triplets=given_triplets(given.get("triplets", ())),
            sources=given_sources(given.get("sources")),
            setting=found.setting,
            user=str(body.get("user") or ""),
        )
    except (ValueError, TypeError) as error:
        raise BadRequest(shortened(str(error)), param="guardrail") from error


def _no_less(policy: Policy, given: Json) -> None:
    """Raises BadRequest where a request would have less looked at than a policy that guards does."""
    if not policy.guards:
        return
    wanted = given_sources(given.get("sources"))
    left_out = [source.value for source in policy.sources if wanted is not None and source not in wanted]
    if left_out:
        message = (
            f"sources: under the policy {policy.name!r} a request may not leave out {', '.join(left_out)}"
        )
        raise BadRequest(message, param="guardrail")
    if given_setting(given.get("setting")) is Setting.ZERO and policy.setting is None:
        message = f"setting: under the policy {policy.name!r} a request may not leave its references out"
        raise BadRequest(message, param="guardrail")
