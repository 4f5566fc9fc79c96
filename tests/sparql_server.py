"""A real SPARQL engine behind a small HTTP server, for tests: pyoxigraph over the given N-Triples."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pyoxigraph as ox


class SparqlServer:
    """Answers SPARQL queries at `url`. `delay` seconds pass before each answer; `garbage` is sent in place of one."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.store = ox.Store()
        self.store.load("".join(lines).encode(), format=ox.RdfFormat.N_TRIPLES)
        self.delay, self.drip, self.garbage, self.asked = 0.0, False, b"", 0
        self.authorization = ""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/sparql"

    def __enter__(self) -> SparqlServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, query: str) -> tuple[int, bytes]:
        """Status and body."""
        self.asked += 1
        time.sleep(self.delay)
        if self.garbage:
            return 200, self.garbage
        try:
            found = self.store.query(query)
            assert isinstance(found, ox.QuerySolutions)
            return 200, found.serialize(format=ox.QueryResultsFormat.JSON) or b""
        except (SyntaxError, ValueError) as error:
            return 400, str(error).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                server.authorization = self.headers.get("Authorization", "")
                form = self.rfile.read(int(self.headers["Content-Length"])).decode()
                status, body = server.answer(parse_qs(form)["query"][0])
                self.send_response(status)
                self.send_header("Content-Type", "application/sparql-results+json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    if server.drip:
                        for byte in body:
                            self.wfile.write(bytes([byte]))
                            self.wfile.flush()
                            time.sleep(0.05)
                    else:
                        self.wfile.write(body)
                except (BrokenPipeError, ConnectionResetError):
                    return

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Keep quiet."""

        return Handler
