"""A web search endpoint on a real port: SearXNG's dialect for GET, Serper's for POST."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RESULTS = [
    {
        "title": "Tower",
        "url": "https://example.org/a",
        "content": "The Eiffel Tower was opened on 31 March 1889.",
    },
    {"title": "Same", "url": "https://example.org/a", "content": "Again."},
    {"title": "Script", "url": "javascript:alert(1)", "content": "Never a link."},
    {"title": "Empty", "url": "https://example.org/b"},
    *({"title": str(i), "url": f"https://example.org/{i}", "content": f"Result {i}."} for i in range(9)),
]


class _Endpoint(BaseHTTPRequestHandler):
    server: SearchServer

    def do_GET(self) -> None:
        self._reply({"results": self.server.results})

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.bodies.append(json.loads(self.rfile.read(length)))
        self._reply(
            {
                "organic": [
                    {"title": "T", "link": "https://example.org/s", "snippet": "In 1889.", "date": "2020"}
                ]
            }
        )

    def _reply(self, found: object) -> None:
        self.server.seen.append((self.path, dict(self.headers)))
        raw = self.server.raw if self.server.raw is not None else json.dumps(found).encode()
        time.sleep(self.server.delay)
        self.send_response(self.server.status)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(raw)

    def log_message(self, *args: object) -> None:
        pass


class SearchServer(ThreadingHTTPServer):
    """`seen`: paths and headers of the requests, `bodies` of those by POST. `raw` replaces the answer, `results` its hits."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Endpoint)
        self.seen: list[tuple[str, dict[str, str]]] = []
        self.bodies: list[dict[str, object]] = []
        self.results: list[dict[str, str]] = RESULTS
        self.raw: bytes | None = None
        self.delay, self.status = 0.0, 200

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextlib.contextmanager
def searching() -> Iterator[SearchServer]:
    """The running server."""
    server = SearchServer()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
