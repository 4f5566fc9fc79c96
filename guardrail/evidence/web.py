"""Evidence from the web, through a search endpoint of one's own: SearXNG-compatible, or Serper-like. Off by default.

    SearXNG   GET  {url}/search?q=…&format=json   → results: [{title, url, content, publishedDate}]
    Serper    POST {url} {"q": …, "num": 5}       → organic: [{title, link, snippet, date}]; X-API-KEY

What is sent is the claim, so nothing goes to an address that is not public unless that is allowed: the name is resolved
once, every address is looked at, and the connection is made to the address that was looked at. Redirects are not
followed. A search that fails is said to be unread evidence; it never turns into "nothing found".
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import ssl
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import Literal
from urllib.parse import SplitResult, urlencode, urlsplit

from guardrail.errors import ConfigError
from guardrail.evidence.corpus.localize import marks
from guardrail.evidence.sparql.deadline import Deadline
from guardrail.types import Claim, Evidence, Passage, Source

__all__ = ["WebRetriever", "WebSettings"]

_LARGEST = 2_000_000  # bytes of an answer
_LONGEST_QUERY = 400  # characters


@dataclass(frozen=True, slots=True)
class WebSettings:
    """`url`: of the endpoint. `private`: the endpoint may have an address that is not public. Seconds throughout."""

    url: str
    kind: Literal["searxng", "serper"] = "searxng"
    api_key: str = ""
    limit: int = 5
    timeout: float = 3.0
    private: bool = False
    keep: float = 3600.0
    remembered: int = 1024

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"the web search endpoint must be an http(s) address, not {self.url!r}")
        if parts.username or parts.password:
            raise ConfigError("the web search endpoint must not hold a password; use its API key")


class _Failed(Exception):
    """The search gave no answer; the message says why."""


class WebRetriever:
    """Implements `Retriever` over a search endpoint. Thread-safe."""

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._kept: OrderedDict[str, tuple[float, tuple[Passage, ...]]] = OrderedDict()
        self._lock = Lock()

    def retrieve(self, claim: Claim) -> Evidence:
        """The first passages of a search for the claim, each with title and link."""
        query = " ".join((claim.resolved or claim.text).split())[:_LONGEST_QUERY]
        if not query:
            return Evidence()
        try:
            found = self._remembered(query) or self._search(query)
        except _Failed as error:
            return Evidence(unread=(f"the web: {error}",))
        marked = (
            Passage(p.id, p.text, p.source, p.title, p.url, marks=marks(query, p.text), as_of=p.as_of)
            for p in found
        )
        return Evidence(passages=tuple(marked))

    def _remembered(self, query: str) -> tuple[Passage, ...]:
        with self._lock:
            until, found = self._kept.get(query, (0.0, ()))
            return found if time.monotonic() < until else ()

    def _search(self, query: str) -> tuple[Passage, ...]:
        found = _passages(self._answer(query), self._settings.limit)
        with self._lock:
            self._kept[query] = (time.monotonic() + self._settings.keep, found)
            while len(self._kept) > self._settings.remembered:
                self._kept.popitem(last=False)
        return found

    def _answer(self, query: str) -> object:
        settings, parts = self._settings, urlsplit(self._settings.url)
        headers = {"Accept": "application/json", "User-Agent": "guardrail", "Host": parts.netloc}
        path, body, method = parts.path or "/", None, "GET"
        if settings.kind == "serper":
            method, body = "POST", json.dumps({"q": query, "num": settings.limit}).encode()
            headers |= {"Content-Type": "application/json", "X-API-KEY": settings.api_key}
        else:
            path = path.rstrip("/").removesuffix("/search") + "/search"
            path += "?" + urlencode({"q": query, "format": "json"})
            if settings.api_key:
                headers["Authorization"] = f"Bearer {settings.api_key}"
        raw = _exchange(settings, parts, method, path, body=body, headers=headers)
        try:
            return json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise _Failed("the search endpoint did not send JSON") from error


def _exchange(
    settings: WebSettings,
    parts: SplitResult,
    method: str,
    path: str,
    *,
    body: bytes | None,
    headers: Mapping[str, str],
) -> bytes:
    """One request, over in `timeout` seconds whatever the far end does."""
    with Deadline(settings.timeout) as deadline:
        connection = _connect(settings, parts, deadline)
        try:
            connection.request(method, path, body=body, headers=dict(headers))
            raw = _read(connection.getresponse())
        except (OSError, http.client.HTTPException) as error:
            if deadline.passed or isinstance(error, TimeoutError):
                raise _Failed("the search took too long") from error
            raise _Failed(f"the search endpoint broke off ({type(error).__name__})") from error
        finally:
            connection.close()
        if deadline.passed:
            raise _Failed("the search took too long")
        return raw


def _read(response: http.client.HTTPResponse) -> bytes:
    if response.status != 200:
        raise _Failed(f"the search endpoint answered {response.status}")
    raw = bytearray()
    while chunk := response.read1(65536):
        raw += chunk
        if len(raw) > _LARGEST:
            raise _Failed(f"the search endpoint sent more than {_LARGEST:,} bytes")
    return bytes(raw)


def _connect(settings: WebSettings, parts: SplitResult, deadline: Deadline) -> http.client.HTTPConnection:
    """A connection to an address that was looked at: a second look-up of the name could give another."""
    host, port = str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)
    address = _address(host, port, private=settings.private)
    connection = http.client.HTTPConnection(host, port, timeout=settings.timeout)
    try:
        plain = socket.create_connection((address, port), timeout=settings.timeout)
        deadline.holds(plain)
        connection.sock = _encrypted(plain, host, deadline) if parts.scheme == "https" else plain
    except OSError as error:
        if deadline.passed or isinstance(error, TimeoutError):
            raise _Failed("the search took too long") from error
        raise _Failed(f"no connection to {host} ({type(error).__name__})") from error
    return connection


def _address(host: str, port: int, *, private: bool) -> str:
    """The first address of the host. One that is not public refuses them all, unless `private` ones are allowed."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise _Failed(f"no address for {host}") from error
    addresses = [str(info[4][0]) for info in found]
    if not private:
        for address in addresses:
            if not ipaddress.ip_address(address.partition("%")[0]).is_global:
                raise _Failed(f"{host} is not a public address, and private ones are not allowed")
    return addresses[0]


def _encrypted(plain: socket.socket, host: str, deadline: Deadline) -> ssl.SSLSocket:
    """The handshake comes when the deadline holds what it is made on: `plain` is empty from then on."""
    context = ssl.create_default_context()
    wrapped = context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
    deadline.holds(wrapped)
    try:
        wrapped.do_handshake()
    except BaseException:
        wrapped.close()
        raise
    return wrapped


def _passages(answer: object, limit: int) -> tuple[Passage, ...]:
    """Results of either kind, the same link once; one without a date is as of today."""
    found: dict[str, Passage] = {}
    today = datetime.now(tz=UTC).date().isoformat()
    for item in _results(answer):
        url, text = _text(item, "url", "link"), _text(item, "content", "snippet")
        if not text or urlsplit(url).scheme not in ("http", "https") or url in found:
            continue
        as_of = _text(item, "publishedDate", "date") or today
        found[url] = Passage(f"web:{url}", text, Source.WEB, _text(item, "title"), url, as_of=as_of)
        if len(found) == limit:
            break
    return tuple(found.values())


def _results(answer: object) -> list[Mapping[str, object]]:
    if not isinstance(answer, Mapping):
        raise _Failed("the search endpoint did not send an object")
    listed = answer.get("results", answer.get("organic"))
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise _Failed("the search endpoint did not send a list of results")
    return [item for item in listed if isinstance(item, Mapping)]


def _text(item: Mapping[str, object], *names: str) -> str:
    return next((value.strip() for name in names if isinstance(value := item.get(name), str)), "")
