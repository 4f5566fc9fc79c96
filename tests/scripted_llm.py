"""A real HTTP server on a real port that plays a language model from a script.

    with ScriptedLlm([Reply('{"claims": []}'), Reply(status=503), refusal()]) as model:
        … model.url, model.requests …

Each request takes the next reply; the last one is repeated. A reply may be a function of the request. Replies that models
and gateways are known for have names: `refusal`, `filtered`, `cut`, `broken`, `slow`, `overloaded`, `not_json`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One scripted answer. `body` replaces the whole chat completion; `hang_up` closes the socket instead of answering."""

    text: str = ""
    status: int = 200
    finish: str = "stop"
    refusal: str | None = None
    delay_s: float = 0.0
    headers: tuple[tuple[str, str], ...] = ()
    body: Any = None
    raw: bytes | None = None
    hang_up: bool = False


@dataclass(frozen=True)
class Request:
    """What came in."""

    path: str
    body: dict[str, Any]
    authorization: str = ""

    @property
    def prompt(self) -> str:
        """All messages as one text."""
        return "\n".join(message["content"] for message in self.body.get("messages", ()))


Script = Sequence["Reply | str | Callable[[Request], Reply | str]"]


def refusal() -> Reply:
    """A model that declines, as prose."""
    return Reply("I'm sorry, but I can't help with that request.")


def declined() -> Reply:
    """A model that declines, in OpenAI's field for it."""
    return Reply("", refusal="I cannot assist with this.")


def filtered() -> Reply:
    """A provider's filter that cut the answer out."""
    return Reply("", finish="content_filter")


def cut(text: str, keep: float = 0.6) -> Reply:
    """A reply that ran into its length limit."""
    return Reply(text[: int(len(text) * keep)], finish="length")


def slow(text: str, seconds: float) -> Reply:
    """A good reply that comes late."""
    return Reply(text, delay_s=seconds)


def overloaded(retry_after: str = "0") -> Reply:
    """A server that asks to come back."""
    return Reply(
        status=429, body={"error": {"message": "slow down"}}, headers=(("retry-after", retry_after),)
    )


def not_json() -> Reply:
    """A gateway's error page with status 200."""
    return Reply(raw=b"<html>upstream connect error</html>")


def error(status: int, message: str) -> Reply:
    """OpenAI's error shape."""
    return Reply(status=status, body={"error": {"message": message, "type": "invalid_request_error"}})


@dataclass
class ScriptedLlm:
    """The server. `requests` holds what it was asked, in the order of arrival."""

    script: Script
    requests: list[Request] = field(default_factory=list)

    def __enter__(self) -> ScriptedLlm:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # one packet per answer, or Nagle's algorithm adds 40 ms
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                owner._serve(self)

            def log_message(self, *args: object) -> None:
                """Silent."""

        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    @property
    def calls(self) -> int:
        return len(self.requests)

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers.get("content-length", "0"))) or b"{}")
        request = Request(handler.path, body, handler.headers.get("authorization", ""))
        with self._lock:
            step = self.script[min(len(self.requests), len(self.script) - 1)]
            self.requests.append(request)
        reply = step(request) if callable(step) else step
        if isinstance(reply, str):
            reply = Reply(reply)
        if reply.delay_s:
            time.sleep(reply.delay_s)
        if reply.hang_up:
            handler.close_connection = True
            return
        try:
            self._send(handler, reply, request)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True  # the client did not wait

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply, request: Request) -> None:
        data = reply.raw if reply.raw is not None else json.dumps(_body(reply, request)).encode()
        handler.send_response(reply.status)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(data)))
        for name, value in reply.headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)
        handler.wfile.flush()


def _body(reply: Reply, request: Request) -> Any:
    if reply.body is not None:
        return reply.body
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    prompt = len(request.prompt) // 4
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1,
        "model": request.body.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": len(reply.text) // 4,
            "total_tokens": prompt + len(reply.text) // 4,
        },
    }
