"""A real HTTP server on a real port that serves a classifier as text-embeddings-inference and vLLM do.

    with ModelServer() as server:
        … f"tei+{server.root}", f"minicheck+{server.root}/v1?model=mini" …
        server.fault = Fault(status=503)

A premise with the hypothesis' last word supports it, one with "not" refutes it, anything else is silent. `fault` is what it does
instead, as long as it is set. `stop` and `start` take the server away and bring it back on the same port.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

NAMES = ("contradiction", "entailment", "neutral")


@dataclass(frozen=True)
class Fault:
    """Status, delay or body in the place of an answer. `path`: of which requests; None: of all that are posted."""

    status: int = 200
    delay_s: float = 0.0
    body: Any = None
    raw: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    path: str | None = None
    longer_than: int = 0  # characters of the request


@dataclass
class ModelServer:
    """`names`: what the classifier's outputs are called, in the order contradiction, entailment, neutral."""

    names: Sequence[str] = NAMES
    model: str = "test/nli"
    most: int = 32
    key: str = ""
    fault: Fault | None = None
    info: dict[str, Any] | None = None
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    port: int = 0
    under_way: int = 0
    most_under_way: int = 0

    def __enter__(self) -> ModelServer:
        self._lock = threading.Lock()
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self.stop()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def asked(self) -> list[list[str]]:
        """The pairs that came in by /predict."""
        return [pair for path, body in self.requests if path == "/predict" for pair in body["inputs"]]

    def start(self) -> ModelServer:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # one packet per answer, or Nagle's algorithm adds 40 ms
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                owner._serve(self)

            def do_GET(self) -> None:
                owner._serve(self)

            def log_message(self, *args: object) -> None:
                """Silent."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that left is no error."""

        self._server: ThreadingHTTPServer | None = Server(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server = None

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        raw = handler.rfile.read(int(handler.headers.get("content-length", "0")))
        body = json.loads(raw or b"{}")
        with self._lock:
            self.requests.append((handler.path, body))
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            if self._server is None:  # a connection that was kept: the whole server is gone
                handler.close_connection = True
                return
            self._reply(handler, body, len(raw))
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True  # the client did not wait
        finally:
            with self._lock:
                self.under_way -= 1

    def _reply(self, handler: BaseHTTPRequestHandler, body: dict[str, Any], size: int) -> None:
        fault = self.fault
        if fault and (
            size <= fault.longer_than
            or (handler.path != fault.path if fault.path else handler.command == "GET")
        ):
            fault = None
        if fault and fault.delay_s:
            time.sleep(fault.delay_s)
        if self.key and handler.headers.get("authorization") != f"Bearer {self.key}":
            self._send(handler, 401, {"error": "wrong key"})
        elif fault and (fault.status != 200 or fault.body is not None or fault.raw is not None):
            self._send(handler, fault.status, fault.body, fault.raw, fault.headers)
        elif handler.path == "/info":
            self._send(handler, 200, self.info or self._info())
        elif handler.path == "/predict":
            self._predict(handler, body)
        elif handler.path == "/v1/chat/completions":
            self._send(handler, 200, self._completion(body))
        else:
            self._send(handler, 404, {"error": "not found"})

    def _info(self) -> dict[str, Any]:
        named = {str(at): name for at, name in enumerate(self.names)}
        return {
            "model_id": self.model,
            "model_dtype": "float16",
            "model_type": {"classifier": {"id2label": named, "label2id": {n: int(a) for a, n in named.items()}}},
            "max_input_length": 512,
            "max_client_batch_size": self.most,
            "max_batch_tokens": 16384,
            "auto_truncate": False,
            "version": "1.8.0",
        }  # fmt: skip

    def _predict(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        pairs = body["inputs"]
        if len(pairs) > self.most:
            error = f"batch size {len(pairs)} > maximum allowed batch size {self.most}"
            self._send(handler, 422, {"error": error, "error_type": "Validation"})
            return
        answer = []
        for premise, hypothesis in pairs:
            scores = zip(self.names, _scores(premise, hypothesis), strict=True)
            row = [{"score": score, "label": name} for name, score in scores]
            answer.append(sorted(row, key=lambda one: -float(one["score"])))
        self._send(handler, 200, answer)

    def _completion(self, body: dict[str, Any]) -> dict[str, Any]:
        document, _, claim = body["messages"][-1]["content"].partition("\nClaim: ")
        supported = _scores(document, claim)[1]
        likely = {"Yes": supported * 0.96, " yes": supported * 0.02, "No": (1 - supported) * 0.96}
        told = [{"token": token, "logprob": math.log(share)} for token, share in likely.items()]
        told.sort(key=lambda one: -float(str(one["logprob"])))
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "length",
                    "message": {"role": "assistant", "content": told[0]["token"]},
                    "logprobs": {"content": [{**told[0], "top_logprobs": told}]},
                }
            ],
        }

    def _send(
        self,
        handler: BaseHTTPRequestHandler,
        status: int,
        body: Any,
        raw: bytes | None = None,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        data = raw if raw is not None else json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(data)))
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)
        handler.wfile.flush()


def _scores(premise: str, hypothesis: str) -> tuple[float, float, float]:
    """Contradiction, entailment, neutral."""
    last = hypothesis.rstrip(".").split()[-1]
    if last not in re.findall(r"\w+", premise):
        return (0.01, 0.02, 0.97)
    return (0.95, 0.02, 0.03) if " not " in premise else (0.01, 0.96, 0.03)
