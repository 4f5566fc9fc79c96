"""LiteLLM's generic guardrail contract: any LiteLLM deployment can use this server as a guardrail.

    POST /beta/litellm_basic_guardrail_api
    {input_type: request|response, texts, structured_messages?, litellm_call_id?, additional_provider_specific_params?, …}
    → {action: NONE|BLOCKED|GUARDRAIL_INTERVENED, blocked_reason?, texts?, stream_holdback_chars?}

The response leg carries no prompt, so question and references are kept from the request leg under `litellm_call_id`.
`additional_provider_specific_params.policy` names a policy.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from guardrail.errors import BadRequest
from guardrail.evidence.request import prompt
from guardrail.segment import Segmenter
from guardrail.types import Passage
from policies.decide import Action
from policies.edit import apply
from policies.terms import Mode, Policy, Request
from proxy.access.callers import key_of
from proxy.routes.checking import check
from proxy.routes.verify import must_fit
from proxy.server.admission import Staying
from proxy.server.asgi import Receive, Scope, Send, reply_json
from proxy.server.bodies import FOUND_S
from proxy.services import Services
from proxy.stream.events import Audit, Reported
from proxy.stream.exchange import Exchange
from proxy.wire.calls import ToolCall, chat_calls
from proxy.wire.surface import user_text

Json = dict[str, Any]
PATH = "/beta/litellm_basic_guardrail_api"
REMEMBERED = 1000  # calls whose answer is still awaited
HELD = 64_000_000  # characters that are remembered of them
LONGEST_ID = 200  # characters
MOST = 1000  # texts and calls of one request


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str = ""
    references: tuple[Passage, ...] = ()
    unread: str = ""

    @property
    def size(self) -> int:
        return len(self.question) + sum(len(passage.text) for passage in self.references)


@dataclass(frozen=True, slots=True)
class Generic:
    """The ASGI app of the contract."""

    services: Services
    asked: OrderedDict[str, _Asked] = field(default_factory=OrderedDict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        services = self.services
        services.permits.ask()
        raw = await services.bodies.read(receive, limit=services.settings.max_body)
        with services.permits:
            body = _parse(await services.reader.json(raw))
            if body["input_type"] == "request":
                self._remember(body, await services.reader.run(lambda: _asked(body), size=len(raw)))
                await reply_json(send, {"action": "NONE"})
                return
            async with Staying(receive):
                answer = await self._answer(scope, body)
            await reply_json(send, answer)

    def _remember(self, body: Json, asked: _Asked) -> None:
        if call := str(body.get("litellm_call_id") or ""):
            self.asked[call] = asked
            held = sum(one.size for one in self.asked.values())
            while len(self.asked) > REMEMBERED or held > HELD:
                held -= self.asked.popitem(last=False)[1].size

    async def _answer(self, scope: Scope, body: Json) -> Json:
        key = key_of(scope)
        model = str(body.get("model") or "")
        request = Request(model=model, route=scope["path"], key=key.id if key else "")
        params = body.get("additional_provider_specific_params")
        name = params.get("policy") if isinstance(params, dict) else None
        policy = self.services.choice.policy_of_text(request, name, key=key)
        if policy is None:
            return {"action": "NONE"}
        asked = self.asked.get(str(body.get("litellm_call_id") or ""), _Asked())
        found = {"tool_calls": body.get("tool_calls")} if policy.tools == "check" else {}
        told = list(chat_calls(found, 0))
        self._must_fit([*body["texts"], *(text for _, text in told)])
        reports = [await self._check(policy, request, asked, text) for text in body["texts"]]
        calls = [await self._check(policy, request, asked, text, call) for call, text in told]
        blocked = next((one for one in [*reports, *calls] if one.decision.visible is Action.BLOCK), None)
        if blocked:
            return {"action": "BLOCKED", "blocked_reason": blocked.decision.message}
        texts = [apply(r.report.text, r.edits) + r.section for r in reports]
        held = await self.services.reader.run(
            lambda: [_open_end(text) for text in body["texts"]], size=sum(map(len, texts))
        )
        if texts == body["texts"]:
            return {"action": "NONE", "stream_holdback_chars": held}
        return {"action": "GUARDRAIL_INTERVENED", "texts": texts, "stream_holdback_chars": held}

    def _must_fit(self, texts: list[str]) -> None:
        if len(texts) > MOST:
            message = f"a request may have up to {MOST} texts and calls"
            raise BadRequest(message, status=413, code="too_many_texts", param="texts")
        must_fit("".join(texts), self.services.settings.max_text)

    async def _check(
        self, policy: Policy, request: Request, asked: _Asked, text: str, call: ToolCall | None = None
    ) -> Reported:
        exchange = Exchange(
            policy=policy,
            request=request,
            mode=Mode.BUFFER,
            question=asked.question,
            references=asked.references,
            unread=asked.unread,
        )
        reported = await check(self.services, exchange, text, call=call)
        await self.services.recorder.record(exchange, Audit(reports=(reported,)))
        return reported


def _asked(body: Json) -> _Asked:
    messages = body.get("structured_messages")
    found = prompt.read({"messages": messages}, until=time.monotonic() + FOUND_S)
    question = user_text(messages) or (str(body["texts"][-1]) if body["texts"] else "")
    return _Asked(question, found.passages, "; ".join(found.unread))


def _open_end(text: str) -> int:
    """How many characters at the end belong to a sentence that may still change."""
    segmenter = Segmenter()
    segmenter.feed(text)
    return len(text) - segmenter.committed


def _parse(body: Json) -> Json:
    if body.get("input_type") not in ("request", "response"):
        raise BadRequest("input_type must be request or response", param="input_type")
    if len(str(body.get("litellm_call_id") or "")) > LONGEST_ID:
        raise BadRequest(f"litellm_call_id has more than {LONGEST_ID} characters", param="litellm_call_id")
    texts = body.get("texts") or []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadRequest("texts must be a list of strings", param="texts")
    return body | {"texts": texts}
