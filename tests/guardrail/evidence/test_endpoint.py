"""An endpoint that does not answer as it should is a clear error, and in time."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from guardrail.errors import KnowledgeError
from guardrail.evidence.endpoint import Endpoint, Term, literal, value_of
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
    with pytest.raises(KnowledgeError, match="no SPARQL results"):
        Endpoint(server.url, timeout=10).select(QUERY)


def test_an_error_of_the_endpoint_is_passed_on(server: SparqlServer) -> None:
    """With its status and words."""
    with pytest.raises(KnowledgeError, match="answered 400: "):
        Endpoint(server.url, timeout=10).select("SELECT nonsense")


def test_an_endpoint_that_is_not_there() -> None:
    """A closed port, a name that is none, an address of something else."""
    with pytest.raises(KnowledgeError, match="cannot be reached"):
        Endpoint("http://127.0.0.1:9/sparql", timeout=2).select(QUERY)
    for odd in ("file:///etc/passwd", "ftp://x/y", "nonsense"):
        with pytest.raises(KnowledgeError, match="no address of a SPARQL endpoint"):
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
