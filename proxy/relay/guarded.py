"""Handles a request whose answer is checked: read it, choose the policy, take a permit, call the upstream, relay the answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any, Protocol
from urllib.parse import parse_qs

import orjson

from guardrail.errors import BadRequest, UpstreamBroken, UpstreamError
from policies.terms import Mode, Policy
from proxy.access.callers import key_of
from proxy.apis.again import NoAnswer, note
from proxy.relay.loop import Attempt, Relay
from proxy.relay.passing import pass_on
from proxy.relay.request import Asking, exchange_of, given_in, reporting, requests_of, without_ours
from proxy.server.admission import ClientGone, Staying
from proxy.server.asgi import Receive, Scope, Send, fail, header
from proxy.server.logs import REQUEST_ID
from proxy.server.paths import path_of, target_of
from proxy.services import Services
from proxy.stream.events import Again, Audit
from proxy.stream.exchange import Exchange, mode_of, new_id
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer, Whole
from proxy.upstream.http import Answer, Call
from proxy.wire.headers import Headers, json_object, named, upstream_failed
from proxy.wire.surface import Surface
from proxy.wire.usage import Usage

Json = dict[str, Any]


class Api(Asking, Protocol):
    """One API: how its requests are read and its answers guarded."""

    def again(self, body: Json, note: str) -> Json:
        """The request for a second answer: with a note behind it. Raises UpstreamError where there is no place for one."""
        ...

    def stream(self, *, calls: bool = False) -> Surface:
        """`calls`: those of tools are checked."""
        ...

    def whole(self) -> Whole: ...


@dataclass(frozen=True, slots=True)
class Guard:
    """The ASGI app of one guarded path."""

    services: Services
    api: Api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        services = self.services
        services.permits.ask()
        raw = await services.bodies.read(receive, limit=services.settings.max_body)
        with services.permits:
            body = await services.reader.json(raw, patient=True)
            name = header(scope, b"x-guardrail-policy") or given_in(body).get("policy")
            # A server may go by the model in the path, or by the one in the body: the policy is the stricter one's.
            first, *others = requests_of(scope, body)
            policy = services.choice.policy(first, name, key=key_of(scope), others=others)
            model = path_of(scope).model or first.model
            sent = await services.reader.run(lambda: without_ours(raw, body), size=len(raw))
            call = Call(
                "POST", target_of(scope), scope["headers"], sent, decode=policy is not None, model=model
            )
            if policy is None:
                await self._unchecked(call, receive, send)
                return
            told = reporting(policy, given_in(body))
            exchange = replace(
                await services.reader.run(lambda: exchange_of(told, first, body, self.api), size=len(raw)),
                beside=services.choice.beside(first),
                traceparent=header(scope, b"traceparent") or "",
            )
            await self._serve(exchange, call, receive, send)

    async def stored(self, policy: Policy, scope: Scope, receive: Receive, send: Send) -> None:
        """An answer that was given before or in the background is checked as it is fetched, under a policy that guards; there is
        no model that could be asked once more.
        """
        services = self.services
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if query.get("starting_after", ["0"]) != ["0"]:
            message = f"under the policy {policy.name!r} a stream must be fetched from its beginning"
            raise BadRequest(message, param="starting_after")
        services.permits.ask()
        raw = await services.bodies.read(receive, limit=services.settings.max_body)
        with services.permits:
            (request,) = requests_of(scope, {})
            call = Call(scope["method"], target_of(scope), scope["headers"], raw)
            exchange = Exchange(
                policy=policy,
                request=request,
                mode=mode_of(policy),
                stream="true" in query.get("stream", ()),
                attempt=2,
                beside=services.choice.beside(request),
                traceparent=header(scope, b"traceparent") or "",
            )
            await self._serve(exchange, call, receive, send)

    async def _unchecked(self, call: Call, receive: Receive, send: Send) -> None:
        found = named([("id", new_id()), ("policy", "off"), ("outcome", "not_checked")])
        async with Staying(receive):
            await pass_on(await self.services.upstream.send(call), send, headers=found)

    async def _serve(self, exchange: Exchange, call: Call, receive: Receive, send: Send) -> None:
        """Answers the exchange, which counts as active meanwhile."""
        REQUEST_ID.set(exchange.id)
        self.services.telemetry.active(1)
        try:
            await self._answer(*self._begun(exchange, call), receive, send)
        finally:
            self.services.telemetry.active(-1)

    def _begun(self, exchange: Exchange, call: Call) -> tuple[Exchange, Call]:
        """With an open span; where spans are sent somewhere, the model's server is told of it."""
        begun = self.services.telemetry.begin(call.model, traceparent=exchange.traceparent)
        if begun.traceparent:
            kept = [pair for pair in call.headers if pair[0] != b"traceparent"]
            call = replace(call, headers=[*kept, (b"traceparent", begun.traceparent.encode())])
        return replace(exchange, begun=begun), call

    async def _answer(self, exchange: Exchange, call: Call, receive: Receive, send: Send) -> None:
        services, policy = self.services, exchange.policy
        headers = named([("id", exchange.id), ("policy", policy.name), ("mode", policy.mode.value)])
        try:
            async with Staying(receive):
                answer = await services.upstream.send(call)
        except ClientGone:
            await services.recorder.record(exchange, Audit(error="the client left before the answer began"))
            raise
        except UpstreamError as error:
            await services.recorder.record(exchange, Audit(error=str(error)))
            failure = upstream_failed(error)
            await fail(send, failure, headers=[*headers, *named([("outcome", "not_checked")])])
            return
        try:
            if not 200 <= answer.status < 300:
                told = f"the model server answered with status {answer.status}"
                await services.recorder.record(exchange, Audit(error=told))
                async with Staying(receive):
                    await pass_on(answer, send, headers=[*headers, *named([("outcome", "not_checked")])])
                return
            await self._relay(exchange, call, answer, receive, send, headers)
        finally:
            answer.close()

    async def _relay(
        self, exchange: Exchange, call: Call, answer: Answer, receive: Receive, send: Send, headers: Headers
    ) -> None:
        async def ask_again(first: Exchange, command: Again) -> Attempt:
            return await self._second(first, command, call, headers)

        first = self._attempt(exchange, answer, headers, Usage())
        relay = Relay(self.services.desk, first, receive=receive, send=send, ask_again=ask_again)
        self.services.relays.add(relay)
        try:
            await relay.run()
        finally:
            self.services.relays.discard(relay)

    def _attempt(self, exchange: Exchange, answer: Answer, headers: Headers, usage: Usage) -> Attempt:
        """Whatever a success is said to be, it is read as an answer of this API: there is no way past the check."""
        kind = _kind(answer)
        streamed = kind == b"text/event-stream" or (exchange.stream and kind != b"application/json")
        mode = exchange.mode if streamed else Mode.BUFFER
        exchange = replace(exchange, stream=streamed, mode=mode, server=answer.server)
        policy, json = exchange.policy, exchange.json
        keeps = self.services.settings.upstream_reports == "keep"
        machine: GuardedStream | GuardedAnswer
        if streamed:
            surface = self.api.stream(calls=policy.tools == "check")
            surface.keeps_reports = keeps
            machine = GuardedStream(surface, policy, json=json, usage=usage)
        else:
            whole = self.api.whole()
            whole.keeps_reports = keeps
            machine = GuardedAnswer(whole, policy, json=json, usage=usage)
        return Attempt(exchange, machine, answer, [*_kept(answer), *headers])

    async def _second(self, first: Exchange, command: Again, call: Call, headers: Headers) -> Attempt:
        """The model is asked once more, with the evidence; a second answer is never asked for again."""
        exchange, call = self._begun(replace(first, attempt=first.attempt + 1), call)
        usage = Usage(command.usage)
        try:
            body = await self.services.reader.run(
                lambda: orjson.dumps(
                    self.api.again(json_object(call.body, patient=True), note(command.reports))
                ),
                size=len(call.body),
            )
            answer = await self.services.upstream.send(replace(call, body=body))
        except UpstreamError as error:
            return self._attempt(exchange, NoAnswer(error), headers, usage)
        except asyncio.CancelledError:
            gone = "the client left before the second answer began"
            await self.services.recorder.record(exchange, Audit(error=gone))
            raise
        attempt = self._attempt(exchange, answer, headers, usage)
        if 200 <= answer.status < 300 and attempt.exchange.stream is first.stream:
            return attempt
        answer.close()
        broken = UpstreamBroken("the model server did not give a second answer", begun=False)
        return self._attempt(exchange, NoAnswer(broken), headers, usage)


def _kind(answer: Answer) -> bytes:
    kind = next((value for name, value in answer.headers if name == b"content-type"), b"")
    return kind.partition(b";")[0].strip().lower()


def _kept(answer: Answer) -> Headers:
    return [(name, value) for name, value in answer.headers if name != b"content-length"]
