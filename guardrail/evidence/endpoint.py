"""One SPARQL endpoint over HTTP: a query out, rows of terms in (SPARQL 1.1 Protocol, JSON results)."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import orjson

from guardrail.errors import KnowledgeError
from guardrail.evidence.importers.literals import rdf_value
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


class Endpoint:
    """Asks SELECT queries. Raises KnowledgeError for every way in which no answer comes."""

    def __init__(self, url: str, *, timeout: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise KnowledgeError(f"{url} is no address of a SPARQL endpoint")
        self._url, self._timeout = url, timeout
        port = f":{parts.port}" if parts.port else ""
        self.name = f"{parts.scheme}://{parts.hostname}{port}{parts.path}"

    def select(self, query: str) -> list[Binding]:
        request = urllib.request.Request(
            self._url,
            data=urlencode({"query": query}).encode(),
            headers={
                "Accept": "application/sparql-results+json",
                "Content-Type": "application/x-www-form-urlencoded",
                "User-Agent": "claim-guardrail (fact checking; SPARQL client)",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                body = self._read(response)
        except urllib.error.HTTPError as error:
            with error:
                said = error.read(300).decode("utf-8", "replace").strip()
            raise KnowledgeError(
                f"{self.name} answered {error.code}: {' '.join(said.split())[:200]}"
            ) from error
        except TimeoutError as error:
            raise KnowledgeError(f"{self.name} did not answer within {self._timeout:g} s") from error
        except (urllib.error.URLError, OSError, http.client.HTTPException) as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                raise KnowledgeError(f"{self.name} did not answer within {self._timeout:g} s") from error
            raise KnowledgeError(
                f"{self.name} cannot be reached: {getattr(error, 'reason', error)}"
            ) from error
        return self._rows(body)

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        """The body; the time allowed is for all of it, however slowly it drips."""
        until, body = time.monotonic() + self._timeout, bytearray()
        while piece := response.read1(65536):
            body += piece
            if time.monotonic() > until:
                raise TimeoutError
            if len(body) > _LARGEST:
                raise KnowledgeError(f"{self.name} answered with more than {_LARGEST:,} bytes")
        return bytes(body)

    def _rows(self, body: bytes) -> list[Binding]:
        try:
            bindings: list[dict[str, Any]] = orjson.loads(body)["results"]["bindings"]
            return [{name: _term(term) for name, term in row.items()} for row in bindings]
        except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            raise KnowledgeError(f"{self.name} gave no SPARQL results: {body[:80]!r}") from error


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
