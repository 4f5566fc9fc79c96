"""`POST /guardrail/verify` and `/guardrail/revise`: check or correct a text that the request contains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from guardrail.errors import BadRequest
from guardrail.given import given_references, given_setting, given_sources, given_triplets
from policies.policy import Policy
from policies.terms import Mode, Request
from proxy.access.callers import key_of
from proxy.relay.request import asked_of
from proxy.routes.checking import check
from proxy.server.admission import Staying
from proxy.server.asgi import Receive, Scope, Send, header, reply_json
from proxy.services import Services
from proxy.stream.events import Audit, Reported
from proxy.stream.exchange import Exchange
from proxy.wire.headers import named, share, shortened

Json = dict[str, Any]
FIELDS = frozenset(("text", "question", "references", "triplets", "sources", "setting", "policy", "model"))


@dataclass(frozen=True, slots=True)
class Text:
    """`POST /guardrail/verify` answers the report; with `revise`, `POST /guardrail/revise` answers {text, edits, report}."""

    services: Services
    revise: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        services = self.services
        services.permits.ask()
        raw = await services.bodies.read(receive, limit=services.settings.max_body)
        with services.permits:
            body = await read(services, raw)
            exchange = self._exchange(scope, body)
            async with Staying(receive):
                reported = await check(services, exchange, body["text"])
            await services.recorder.record(exchange, Audit(reports=(reported,)))
        decision = reported.decision
        headers = named(
            [
                ("id", exchange.id),
                ("policy", exchange.policy.name),
                ("action", decision.action.value),
                ("kas", f"{reported.report.kas:.3f}"),
                ("outcome", decision.outcome.value),
                ("confirmed", share([reported.report.counts])),
            ]
        )
        await reply_json(
            send, revised(body["text"], reported) if self.revise else reported.body, headers=headers
        )

    def _exchange(self, scope: Scope, body: Json) -> Exchange:
        request = asked_of(scope, body)
        name = header(scope, b"x-guardrail-policy") or body.get("policy")
        key = key_of(scope)
        if self.revise and not name and not (key and key.policies):
            name = "revise"
        policy = self.services.choice.policy_of_text(request, name, key=key)
        return given_exchange(policy or self.services.choice.presets["annotate"], request, body)


async def read(services: Services, raw: bytes) -> Json:
    """The request of a door. Raises BadRequest that names the field at fault, 413 where its text is too long."""
    body = asked(await services.reader.json(raw))
    must_fit(body["text"], services.settings.max_text)
    return body


def must_fit(text: str, limit: int) -> None:
    """Raises BadRequest for a text of more than `limit` characters."""
    if len(text) > limit:
        message = (
            f"the text has {len(text)} characters; this server checks up to {limit} at once (--max-text)"
        )
        raise BadRequest(message, status=413, code="text_too_long", param="text")


def asked(body: Json) -> Json:
    """The request of a door, as it is. Raises BadRequest that names the field at fault."""
    if unknown := sorted(body.keys() - FIELDS):
        allowed = ", ".join(sorted(FIELDS))
        raise BadRequest(f"unknown field {unknown[0]!r}; allowed: {allowed}", param=unknown[0])
    for name, kind in (
        ("text", str),
        ("question", str),
        ("references", list),
        ("triplets", list),
        ("sources", list),
    ):
        if body.get(name) is not None and not isinstance(body[name], kind):
            raise BadRequest(f"{name} must be a {'string' if kind is str else 'list'}", param=name)
    if body.get("text") is None:
        raise BadRequest("text is missing", param="text")
    return body


def given_exchange(policy: Policy, request: Request, body: Mapping[str, Any]) -> Exchange:
    try:
        return Exchange(
            policy=policy,
            request=request,
            mode=Mode.BUFFER,
            question=body.get("question") or "",
            references=given_references(body.get("references") or ()),
            triplets=given_triplets(body.get("triplets") or ()),
            sources=given_sources(body.get("sources")),
            setting=given_setting(body.get("setting")),
        )
    except (ValueError, TypeError) as error:
        raise BadRequest(shortened(str(error)), param=_at_fault(str(error))) from error


def _at_fault(message: str) -> str | None:
    """The field that an error begins with."""
    return next(
        (name for name in ("references", "triplets", "sources", "setting") if message.startswith(name)), None
    )


def revised(text: str, reported: Reported) -> Json:
    """The text with the verified revisions made; nothing else about it is changed."""
    parts, at = [], 0
    made = reported.decision.edits
    for edit in made:
        parts += [text[at : edit.span.start], edit.replacement]
        at = edit.span.end
    return {
        "text": "".join([*parts, text[at:]]),
        "edits": [{"start": e.span.start, "end": e.span.end, "replacement": e.replacement} for e in made],
        "report": orjson.Fragment(reported.body),
    }
