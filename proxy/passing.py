"""Requests that are not checked: through to the upstream and back, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass

from guardrail.errors import BadRequest
from proxy.admission import Staying, read_body
from proxy.asgi import Receive, Scope, Send
from proxy.lenient import loads
from proxy.services import Services
from proxy.upload import Upload, streams
from proxy.upstream import Answer, Call
from proxy.wire import Headers, named


def target(scope: Scope) -> str:
    """The path below /v1 as the client wrote it, with its query. Raises BadRequest for one that climbs out."""
    path: str = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0].decode("latin-1")
    segments = (
        path.lower().replace("%2e", ".").replace("%2f", "/").replace("%5c", "/").replace("\\", "/").split("/")
    )
    if ".." in segments or not path.startswith("/v1/"):
        raise BadRequest("this path is not passed on", status=404, code="not_found")
    query = scope.get("query_string", b"").decode("latin-1")
    return path.removeprefix("/v1") + (f"?{query}" if query else "")


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
        path, settings = target(scope), self.services.settings
        upload, body = None, b""
        if streams(scope["headers"]):
            upload = Upload(receive, scope["headers"], limit=settings.max_upload)
        else:
            body = await read_body(receive, limit=settings.max_body)
        with self.services.permits:
            model = _model(body)
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
