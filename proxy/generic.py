"""LiteLLM's generic guardrail contract: any LiteLLM deployment can use this engine as a guardrail.

    POST /beta/litellm_basic_guardrail_api
    {input_type: request|response, texts, structured_messages?, litellm_call_id?, additional_provider_specific_params?, …}
    → {action: NONE|BLOCKED|GUARDRAIL_INTERVENED, blocked_reason?, texts?, stream_holdback_chars?}

The response leg carries no prompt, so question and references are kept from the request leg under `litellm_call_id`.
`additional_provider_specific_params.policy` names a policy.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from guardrail.errors import BadRequest
from guardrail.evidence import prompt
from guardrail.segment import Segmenter
from guardrail.types import Passage
from policies.decide import Action
from policies.edit import apply
from policies.terms import Mode, Policy, Request
from proxy.access import key_of
from proxy.admission import read_body
from proxy.asgi import Receive, Scope, Send, reply_json
from proxy.calls import ToolCall, chat_calls
from proxy.doors import check
from proxy.events import Audit, Reported
from proxy.exchange import Exchange
from proxy.services import Services
from proxy.surface import user_text
from proxy.wire import json_object

Json = dict[str, Any]
PATH = "/beta/litellm_basic_guardrail_api"
REMEMBERED = 10_000  # calls whose answer is still awaited


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str
    references: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Generic:
    """The ASGI app of the contract."""

    services: Services
    asked: OrderedDict[str, _Asked] = field(default_factory=OrderedDict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = _parse(await read_body(receive, limit=self.services.settings.max_body))
        if body["input_type"] == "request":
            self._remember(body)
            await reply_json(send, {"action": "NONE"})
            return
        with self.services.permits:
            await reply_json(send, await self._answer(scope, body))

    def _remember(self, body: Json) -> None:
        messages = body.get("structured_messages")
        asked = _Asked(user_text(messages), prompt.read({"messages": messages}).passages if messages else ())
        if not asked.question and body["texts"]:
            asked = _Asked(str(body["texts"][-1]), asked.references)
        if call := str(body.get("litellm_call_id") or ""):
            self.asked[call] = asked
            while len(self.asked) > REMEMBERED:
                self.asked.popitem(last=False)

    async def _answer(self, scope: Scope, body: Json) -> Json:
        key = key_of(scope)
        model = str(body.get("model") or "")
        request = Request(model=model, route=scope["path"], key=key.id if key else "")
        params = body.get("additional_provider_specific_params")
        name = params.get("policy") if isinstance(params, dict) else None
        policy = self.services.policy(request, name, key=key)
        if policy is None:
            return {"action": "NONE"}
        asked = self.asked.get(str(body.get("litellm_call_id") or ""), _Asked("", ()))
        reports = [await self._check(policy, request, asked, text) for text in body["texts"]]
        found = {"tool_calls": body.get("tool_calls")} if policy.tools == "check" else {}
        calls = [await self._check(policy, request, asked, text, call) for call, text in chat_calls(found, 0)]
        blocked = next((one for one in [*reports, *calls] if one.decision.visible is Action.BLOCK), None)
        if blocked:
            return {"action": "BLOCKED", "blocked_reason": blocked.decision.message}
        texts = [apply(r.report.text, r.edits) + r.section for r in reports]
        held = [_open_end(text) for text in body["texts"]]
        if texts == body["texts"]:
            return {"action": "NONE", "stream_holdback_chars": held}
        return {"action": "GUARDRAIL_INTERVENED", "texts": texts, "stream_holdback_chars": held}

    async def _check(
        self, policy: Policy, request: Request, asked: _Asked, text: str, call: ToolCall | None = None
    ) -> Reported:
        exchange = Exchange(
            policy=policy,
            request=request,
            mode=Mode.BUFFER,
            question=asked.question,
            references=asked.references,
        )
        reported = await self.services.pool.run(
            functools.partial(check, self.services, exchange, text, call=call)
        )
        await self.services.recorder.record(exchange, Audit(reports=(reported,)))
        return reported


def _open_end(text: str) -> int:
    """How many characters at the end belong to a sentence that may still change."""
    segmenter = Segmenter()
    segmenter.feed(text)
    return len(text) - segmenter.committed


def _parse(raw: bytes) -> Json:
    body = json_object(raw)
    if body.get("input_type") not in ("request", "response"):
        raise BadRequest("input_type must be request or response", param="input_type")
    texts = body.get("texts") or []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadRequest("texts must be a list of strings", param="texts")
    return body | {"texts": texts}
