"""An endpoint that does not answer as it should is a clear error, and in time."""

from __future__ import annotations

import socket
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest

from guardrail.errors import KnowledgeError
from guardrail.evidence.sparql import endpoint
from guardrail.evidence.sparql.endpoint import Endpoint, Term, literal, value_of
from tests.received import receive
from tests.sparql_server import SparqlServer

QUERY = "SELECT ?s ?o WHERE { ?s ?p ?o } ORDER BY ?s"


@pytest.fixture
def server() -> Iterator[SparqlServer]:
    lines = [f'<http://x/s{i}> <http://x/p> "Gabon {i}"@fr .\n' for i in range(20)]
    with SparqlServer(lines) as running:
        yield running


def test_rows_of_terms(server: SparqlServer) -> None:
    """URIs, literals, languages."""
    rows = Endpoint(server.url, timeout=10).select(QUERY)
    assert len(rows) == 20
    assert rows[0] == {"s": Term("uri", "http://x/s0"), "o": Term("literal", "Gabon 0", "fr")}


@pytest.mark.parametrize("how", ["delay", "drip"])
def test_an_endpoint_that_is_too_slow(server: SparqlServer, how: str) -> None:
    """Whether it says nothing or drips: the time is for the whole answer."""
    setattr(server, how, 3.0 if how == "delay" else True)
    began = time.monotonic()
    with pytest.raises(KnowledgeError, match=r"did not answer within 0\.3 s"):
        Endpoint(server.url, timeout=0.3).select(QUERY)
    assert time.monotonic() - began < 2.5


@pytest.mark.parametrize("body", [b"<html>busy</html>", b"{}", b"[1]", b'{"results": {"bindings": [7]}}'])
def test_an_answer_that_is_none(server: SparqlServer, body: bytes) -> None:
    """HTML from a proxy, other JSON."""
    server.garbage = body
    with pytest.raises(KnowledgeError, match="not answer with SPARQL results"):
        Endpoint(server.url, timeout=10).select(QUERY)


@pytest.fixture
def odd() -> Iterator[Callable[[bytes], str]]:
    """Serves raw bytes to whoever connects, slowly after the mark `|`; gives the address."""
    with ExitStack() as stack:

        def serve(told: bytes) -> str:
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            over = threading.Event()
            thread = threading.Thread(target=_say, args=(listener, told, over))
            thread.start()
            stack.callback(thread.join)
            stack.callback(over.set)
            return f"http://127.0.0.1:{listener.getsockname()[1]}/sparql"

        yield serve


def _say(listener: socket.socket, told: bytes, over: threading.Event) -> None:
    listener.settimeout(10)
    at_once, _, slowly = told.partition(b"|")
    with listener.accept()[0] as client, suppress(OSError):
        receive(client)
        client.sendall(at_once)
        for byte in slowly:
            if over.wait(0.05):
                return
            client.sendall(bytes([byte]))


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\n"


@pytest.mark.parametrize(
    ("told", "message"),
    [
        pytest.param(
            HEAD + b"X-Long: |" + b"x" * 200, r"did not answer within 0\.5 s", id="a head that drips"
        ),
        pytest.param(
            HEAD + b"Transfer-Encoding: chunked\r\n\r\n|" + b"0" * 200,
            r"within 0\.5 s",
            id="a chunk's size that drips",
        ),
        pytest.param(
            b"HTTP/1.1 500 no\r\nContent-Length: 900\r\n\r\n|" + b"x" * 200,
            "answered 500",
            id="an error that drips",
        ),
        pytest.param(HEAD + b'Content-Length: 90\r\n\r\n{"head": {', "broke off", id="half an answer"),
        pytest.param(
            HEAD + b'\r\n{"head": {', "not answer with SPARQL results", id="half an answer of no known length"
        ),
        pytest.param(
            HEAD + b'\r\n{"results": {"bindings": [' + b"[" * 5000,
            "not answer with SPARQL results",
            id="depth without end",
        ),
        pytest.param(b"", "cannot be reached", id="nothing"),
        pytest.param(b"SSH-2.0-OpenSSH\r\n", "cannot be reached", id="another protocol"),
        pytest.param(
            b"HTTP/1.1 500 no\r\nContent-Length: 4\r\n\r\nbusy", "answered 500: busy", id="an error"
        ),
    ],
)
def test_a_far_end_that_misbehaves(odd: Callable[[bytes], str], told: bytes, message: str) -> None:
    """One clear error, in time."""
    began = time.monotonic()
    with pytest.raises(KnowledgeError, match=message):
        Endpoint(odd(told), timeout=0.5 if b"|" in told else 10).select(QUERY)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(odd: Callable[[bytes], str], server: SparqlServer, code: int) -> None:
    """What is asked goes to the address that was named, and to no other; the error says where it would have gone."""
    told = f"HTTP/1.1 {code} Moved\r\nLocation: {server.url}\r\nContent-Length: 0\r\n\r\n".encode()
    with pytest.raises(KnowledgeError, match=f"answered {code}, a redirect to '{server.url}'"):
        Endpoint(odd(told), timeout=10).select(QUERY)
    assert server.asked == 0


def test_an_answer_without_end(monkeypatch: pytest.MonkeyPatch, odd: Callable[[bytes], str]) -> None:
    """Is read to a limit."""
    monkeypatch.setattr(endpoint, "_LARGEST", 10_000)
    with pytest.raises(KnowledgeError, match="more than 10,000 bytes"):
        Endpoint(odd(HEAD + b"\r\n" + b"x" * 20_000), timeout=10).select(QUERY)


def test_a_name_and_password_are_sent(server: SparqlServer) -> None:
    """As HTTP's basic authentication."""
    url = server.url.replace("http://", "http://me:se%3Acret@")
    assert len(Endpoint(url, timeout=10).select(QUERY)) == 20
    assert server.authorization == "Basic " + b64encode(b"me:se:cret").decode()


def test_an_error_of_the_endpoint_is_passed_on(server: SparqlServer) -> None:
    """With its status and words."""
    with pytest.raises(KnowledgeError, match="answered 400: "):
        Endpoint(server.url, timeout=10).select("SELECT nonsense")


def test_an_endpoint_that_is_not_there() -> None:
    """A closed port, a name that is none, an address of something else."""
    with pytest.raises(KnowledgeError, match="cannot be reached"):
        Endpoint("http://127.0.0.1:9/sparql", timeout=2).select(QUERY)
    for odd in ("file:///etc/passwd", "ftp://x/y", "nonsense"):
        with pytest.raises(KnowledgeError, match="not the address of a SPARQL endpoint"):
            Endpoint(odd, timeout=2)


def test_passwords_stay_out_of_the_name() -> None:
    """It is shown in errors."""
    assert Endpoint("https://me:secret@host:99/sparql?key=1", timeout=1).name == "https://host:99/sparql"


def test_literals_are_escaped() -> None:
    """Nothing in a text ends it."""
    assert literal('a"b\\c\nd', "en") == '"a\\"b\\\\c\\nd"@en'


def test_a_literal_that_is_none_of_its_type_is_text() -> None:
    """Real data are like that."""
    odd = Term("literal", "unknown", "", "http://www.w3.org/2001/XMLSchema#date")
    assert value_of(odd).datatype == "string"
