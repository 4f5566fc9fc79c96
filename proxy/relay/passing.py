"""Requests that are not checked: passed to the upstream and back, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass

from proxy.server.admission import Staying
from proxy.server.asgi import Receive, Scope, Send
from proxy.server.paths import path_of, target_of
from proxy.services import Services
from proxy.upstream.http import Answer, Call
from proxy.upstream.upload import Upload, streams
from proxy.wire.headers import Headers, named
from proxy.wire.lenient import loads


async def pass_on(answer: Answer, send: Send, *, headers: Headers) -> None:
    """Sends an upstream's answer as it comes."""
    try:
        await send(
            {"type": "http.response.start", "status": answer.status, "headers": [*answer.headers, *headers]}
        )
        async for data in answer.body():
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        answer.close()


@dataclass(frozen=True, slots=True)
class Pass:
    """The ASGI app for every path of the API that holds no answer text."""

    services: Services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, services = target_of(scope), self.services
        upload, body = None, b""
        services.permits.ask()
        if streams(scope["headers"]):
            upload = Upload(receive, scope["headers"], limit=services.settings.max_upload)
            await upload.opened()
        else:
            body = await services.bodies.read(receive, limit=services.settings.max_body)
        with services.permits:
            model = path_of(scope).model or await services.reader.run(lambda: _model(body), size=len(body))
            call = Call(
                scope["method"], path, scope["headers"], body, decode=False, model=model, upload=upload
            )
            async with Staying(upload.behind if upload else receive):
                answer = await self.services.upstream.send(call)
                await pass_on(answer, send, headers=named([("outcome", "not_checked")]))


def _model(body: bytes) -> str:
    """The model that a JSON body asks for; empty where it is no such body."""
    if not body.startswith(b"{"):
        return ""
    try:
        asked = loads(body)
    except ValueError:
        return ""
    return str(asked.get("model", "")) if isinstance(asked, dict) else ""
