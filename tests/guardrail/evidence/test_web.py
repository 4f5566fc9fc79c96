"""Web search against a local server: what is asked, what is made of the answer, and where nothing is sent."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from guardrail.errors import ConfigError
from guardrail.evidence.web import WebRetriever, WebSettings
from guardrail.types import Claim, Source, Span
from tests.search_server import searching

TEXT = "The Eiffel Tower opened in 1889."
CLAIM = Claim(0, Span(0, len(TEXT)), TEXT, TEXT)


@pytest.fixture
def endpoint():
    with searching() as server:
        yield server


def settings(server, **options) -> WebSettings:
    return WebSettings(f"http://127.0.0.1:{server.server_address[1]}", **{"private": True, **options})


def test_searxng_is_asked_for_the_claim_and_gives_five_passages(endpoint):
    """Title and link are kept, a link counts once, and what is no web address or has no text is left out."""
    evidence = WebRetriever(settings(endpoint)).retrieve(CLAIM)
    path, _ = endpoint.seen[0]
    assert urlsplit(path).path == "/search"
    assert parse_qs(urlsplit(path).query) == {"q": [TEXT], "format": ["json"]}
    assert [p.url for p in evidence.passages][:2] == ["https://example.org/a", "https://example.org/0"]
    assert len(evidence.passages) == 5
    first = evidence.passages[0]
    assert (first.source, first.title) == (Source.WEB, "Tower")
    assert "1889" in "".join(mark.of(first.text) for mark in first.marks)


def test_serper_is_asked_with_its_key(endpoint):
    """The query goes as JSON with the API key, and links and dates are read."""
    evidence = WebRetriever(settings(endpoint, kind="serper", api_key="secret")).retrieve(CLAIM)
    assert endpoint.bodies == [{"q": TEXT, "num": 5}]
    assert endpoint.seen[0][1]["X-API-KEY"] == "secret"
    assert [(p.url, p.as_of) for p in evidence.passages] == [("https://example.org/s", "2020")]


def test_the_same_claim_is_asked_once(endpoint):
    """A second look-up within the time is answered from memory."""
    retriever = WebRetriever(settings(endpoint))
    assert retriever.retrieve(CLAIM) == retriever.retrieve(CLAIM)
    assert len(endpoint.seen) == 1


def test_nothing_is_sent_to_a_private_address_unless_allowed(endpoint):
    """Loopback, and names that resolve to it, are refused before anything is sent."""
    port = endpoint.server_address[1]
    for host in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "169.254.169.254", "10.0.0.1"):
        evidence = WebRetriever(WebSettings(f"http://{host}:{port}", timeout=0.5)).retrieve(CLAIM)
        assert evidence.passages == ()
        assert "not a public address" in evidence.unread[0]
    assert endpoint.seen == []


@pytest.mark.parametrize(
    ("status", "raw", "said"),
    [
        (500, b"", "answered 500"),
        (302, b"", "answered 302"),
        (200, b"<html>", "did not send JSON"),
        (200, b"[]", "did not send an object"),
        (200, b"{}", "did not send a list of results"),
        (200, b"x" * 2_100_000, "more than 2,000,000 bytes"),
    ],
)
def test_a_search_that_fails_is_unread_evidence(endpoint, status, raw, said):
    """Whatever the endpoint does wrong is said, is no passage, and is tried again next time."""
    endpoint.status, endpoint.raw = status, raw
    retriever = WebRetriever(settings(endpoint))
    assert said in retriever.retrieve(CLAIM).unread[0]
    endpoint.status, endpoint.raw = 200, None
    assert retriever.retrieve(CLAIM).passages


def test_a_slow_endpoint_is_given_up(endpoint):
    """The claim does not wait longer than the timeout."""
    endpoint.delay = 3.0
    began = time.monotonic()
    evidence = WebRetriever(settings(endpoint, timeout=0.2)).retrieve(CLAIM)
    assert "too long" in evidence.unread[0]
    assert time.monotonic() - began < 2.5


@pytest.mark.parametrize(
    ("scheme", "at_once"),
    [
        ("http", b"HTTP/1.1 200 OK\r\nX-Long: "),
        ("http", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("http", b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"),
        ("https", b"\x16\x03\x03\x40\x00"),
    ],
    ids=["head", "size of a chunk", "body", "TLS handshake"],
)
def test_an_endpoint_that_drips_is_given_up(scheme: str, at_once: bytes):
    """The time is for the whole answer, not for each byte of it."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=_drip, args=(listener, at_once, over))
        thread.start()
        url = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"
        evidence = WebRetriever(WebSettings(url, private=True, timeout=0.3)).retrieve(CLAIM)
        over.set()
        thread.join()
    assert evidence.unread == ("the web: the search took too long",)
    assert not evidence.passages


def _drip(listener: socket.socket, at_once: bytes, over: threading.Event) -> None:
    with listener.accept()[0] as client, suppress(OSError):
        client.recv(65536)
        client.sendall(at_once)
        while not over.wait(0.05):
            client.sendall(b"0")


def test_nobody_there_is_said(endpoint):
    """A refused connection is unread evidence."""
    evidence = WebRetriever(WebSettings("http://127.0.0.1:1", private=True)).retrieve(CLAIM)
    assert "no connection" in evidence.unread[0]


@pytest.mark.parametrize(
    "url", ["ftp://example.org", "example.org", "http://", "http://user:pass@example.org"]
)
def test_an_address_that_is_none_is_refused(url):
    """A wrong endpoint is an error of the configuration."""
    with pytest.raises(ConfigError):
        WebSettings(url)


def test_a_result_without_a_date_is_as_of_today(endpoint):
    """What the web says is as of some day: the one that the result names, else the one on which it was asked."""
    endpoint.results = [
        {"title": "a", "url": "https://example.org/a", "content": "In 1889.", "publishedDate": "2020-01-02"},
        {"title": "b", "url": "https://example.org/b", "content": "In 1889."},
    ]
    before = datetime.now(tz=UTC).date().isoformat()
    dated, undated = WebRetriever(settings(endpoint)).retrieve(CLAIM).passages
    after = datetime.now(tz=UTC).date().isoformat()
    assert dated.as_of == "2020-01-02"
    assert before <= undated.as_of <= after
