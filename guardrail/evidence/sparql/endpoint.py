"""One SPARQL endpoint over HTTP: a query out, rows of terms in (SPARQL 1.1 Protocol, JSON results)."""

from __future__ import annotations

import http.client
import ssl
import urllib.error
import urllib.request
from base64 import b64encode
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode, urlsplit

import orjson

from guardrail.errors import KnowledgeError
from guardrail.evidence.properties.literals import rdf_value
from guardrail.evidence.sparql.deadline import Deadline
from guardrail.types import Value

_LARGEST = 64_000_000
"""Bytes of an answer that are read."""


class Term(NamedTuple):
    """An RDF term: `kind` is uri, literal or bnode."""

    kind: str
    value: str
    language: str = ""
    datatype: str = ""


Binding = dict[str, Term]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An endpoint may not send this program, and what it asks, to another address."""

    def redirect_request(self, *_: object) -> None:
        return None


class _Http(urllib.request.HTTPHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(self._deadline.watch, http.client.HTTPConnection), request)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, deadline: Deadline, context: ssl.SSLContext) -> None:
        super().__init__(context=context)
        self._deadline, self._tls = deadline, context

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        made = partial(self._deadline.watch, http.client.HTTPSConnection)
        return self.do_open(made, request, context=self._tls)


class Endpoint:
    """Asks SELECT queries. Raises KnowledgeError for every way in which no answer comes.

    A name and password in the address are sent as HTTP's basic authentication, and shown nowhere.
    """

    def __init__(self, url: str, *, timeout: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise KnowledgeError(f"{url} is not the address of a SPARQL endpoint")
        where = parts.netloc.rpartition("@")[2]
        self._url, self._timeout = parts._replace(netloc=where, fragment="").geturl(), timeout
        self.name = f"{parts.scheme}://{where}{parts.path}"
        self._context = ssl.create_default_context()
        self._headers = {
            "Accept": "application/sparql-results+json",
            "Content-Type": "application/x-www-form-urlencoded",
            "User-Agent": "claim-guardrail (fact checking; SPARQL client)",
        }
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"

    def select(self, query: str) -> list[Binding]:
        request = urllib.request.Request(
            self._url, data=urlencode({"query": query}).encode(), headers=self._headers
        )
        with Deadline(self._timeout) as deadline:
            opener = urllib.request.build_opener(
                _NoRedirect(), _Http(deadline), _Https(deadline, self._context)
            )
            try:
                with opener.open(request, timeout=self._timeout) as response:
                    body = self._read(response)
                if deadline.passed:
                    raise TimeoutError
            except (OSError, http.client.HTTPException) as error:
                raise KnowledgeError(f"{self.name} {self._failed(error, deadline)}") from error
        return self._rows(body)

    def _failed(self, error: Exception, deadline: Deadline) -> str:
        """What became of the question, in words."""
        reason = getattr(error, "reason", None)
        if deadline.passed or isinstance(error, TimeoutError) or isinstance(reason, TimeoutError):
            return f"did not answer within {self._timeout:g} s"
        if isinstance(error, http.client.IncompleteRead):
            return "broke off in the middle of its answer"
        if not isinstance(error, urllib.error.HTTPError):
            return f"cannot be reached: {reason or error}"
        with error:
            target = error.headers.get("Location")
            if 300 <= error.code < 400 and target:
                return f"answered {error.code}, a redirect to {target[:200]!r}, which is not followed"
            with suppress(OSError, http.client.HTTPException):
                said = error.read(300).decode("utf-8", "replace")
                return f"answered {error.code}: {' '.join(said.split())[:200]}"
        return f"answered {error.code}"

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        body = bytearray()
        while piece := response.read1(65536):
            body += piece
            if len(body) > _LARGEST:
                raise KnowledgeError(f"{self.name} answered with more than {_LARGEST:,} bytes")
        if response.length:
            raise http.client.IncompleteRead(bytes(body), response.length)
        return bytes(body)

    def _rows(self, body: bytes) -> list[Binding]:
        try:
            bindings: list[dict[str, Any]] = orjson.loads(body)["results"]["bindings"]
            return [{name: _term(term) for name, term in row.items()} for row in bindings]
        except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            raise KnowledgeError(f"{self.name} did not answer with SPARQL results: {body[:80]!r}") from error


def _term(term: dict[str, Any]) -> Term:
    kind = "literal" if term["type"] == "typed-literal" else term["type"]
    return Term(kind, term["value"], term.get("xml:lang", ""), term.get("datatype", ""))


def value_of(term: Term) -> Value:
    """A literal; one that is none of its datatype is text."""
    try:
        return rdf_value(term.value, term.datatype, term.language)
    except ValueError:
        return Value(term.value, term.value, "string")


def literal(text: str, language: str) -> str:
    """A literal as a query writes it."""
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f'"{text}"@{language}' if language else f'"{text}"'
