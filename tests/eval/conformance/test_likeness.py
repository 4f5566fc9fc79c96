"""What counts as the same on the wire."""

from __future__ import annotations

import pytest

from eval.conformance.exchanges import Reads
from eval.conformance.likeness import difference, of_answers, of_requests, said, split
from eval.conformance.raw import Message, parse, written


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ('{"a":1e-7}', '{ "a" : 0.0000001 }'),
        ('{"a":"caf\\u00e9\\/"}', '{"a":"café/"}'),
        ('{"a":1}', '{"guardrail":{},"a":1}'),
        ('{"annotations":[1]}', '{"annotations":[1,{"type":"url_citation"}]}'),
        ("{}", '{"annotations":[]}'),
    ],
)
def test_what_says_the_same(theirs: str, ours: str) -> None:
    """Blanks, escapes, ways to write a number and documented additions make no difference."""
    assert difference(said(theirs.encode()), said(ours.encode())) == ""


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ('{"a":1.0}', '{"a":1}'),
        ('{"a":-0.0}', '{"a":0.0}'),
        ('{"a":9007199254740993}', '{"a":9007199254740992}'),
        ('{"a":0.1234567890123456789}', '{"a":0.12345678901234568}'),
        ('{"a":1,"b":2}', '{"b":2,"a":1}'),
        ('{"a":null}', "{}"),
        ('{"a":true}', '{"a":1}'),
        ('{"a":[]}', '{"a":[null]}'),
        ('{"annotations":[1]}', '{"annotations":[]}'),
        ('{"guardrail":1}', "{}"),
    ],
)
def test_what_says_something_else(theirs: str, ours: str) -> None:
    """Kind, sign and every digit of a number, order and presence of fields, and what the server itself said count."""
    assert difference(said(theirs.encode()), said(ours.encode())) != ""


def request(*fields: tuple[bytes, bytes], start: bytes = b"POST /v1/files HTTP/1.1") -> Message:
    return Message(start, ((b"host", b"h"), *fields), b"body", complete=True)


def test_header_fields_are_compared_in_order_with_repetitions() -> None:
    """What a proxy must set is not compared; everything else is, its order included."""
    one, other, again = (b"x-a", b"1"), (b"x-b", b"2"), (b"x-a", b"3")
    sent = request(one, other, again, (b"connection", b"close"))
    assert list(of_requests(sent, request(one, other, again), host=b"h", read=False)) == []
    for fields in ((one, other), (other, one, again), (one, other, again, again)):
        assert len(list(of_requests(sent, request(*fields), host=b"h", read=False))) == 1
    assert len(list(of_requests(sent, request(one, other, again), host=b"else", read=False))) == 1


def test_our_own_fields_are_ours_alone() -> None:
    """A field of ours that the server sends must not come through; one that stands twice is told."""
    direct = Message(b"HTTP/1.1 200 OK", ((b"x-guardrail-outcome", b"forged"),), b"", complete=True)
    ours = ((b"x-guardrail-outcome", b"not_checked"),)
    told = [
        list(
            of_answers(
                direct,
                Message(b"HTTP/1.1 200 OK", fields, b"", complete=True),
                Reads.NOTHING,
                "annotate",
                read=False,
            )
        )
        for fields in (ours, direct.fields, (*direct.fields, *ours))
    ]
    assert [len(one) for one in told] == [0, 1, 2]


def test_events_are_cut_where_they_end() -> None:
    """Blank lines of every kind end an event, and the pieces are the whole."""
    body = b": a\n\ndata: 1\r\n\r\nid: 2\ndata: 2\n\ndata: torn"
    assert [len(event) for event in split(body)] == [5, 11, 15, 10]
    assert b"".join(split(body)) == body


def test_messages_are_read_as_they_are_framed() -> None:
    """Length, chunks with trailers, no body, or the end of the connection; what stands behind the end is kept."""
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nabc\r\n2\r\nde\r\n0\r\nX-T: 1\r\n\r\nmore"
    found = parse(chunked)
    assert (found.body, found.trailers, found.rest, found.complete) == (b"abcde", b"X-T: 1", b"more", True)
    for cut in range(len(chunked) - len(b"more")):
        assert not parse(chunked[:cut]).complete
    assert parse(written(found)).body == b"abcde"
    assert parse(b"HTTP/1.1 204 No Content\r\n\r\nmore").rest == b"more"
    unframed = b"HTTP/1.1 200 OK\r\n\r\nabc"
    assert not parse(unframed).complete
    assert parse(unframed, ended=True).body == b"abc"
    assert parse(b"HEAD / HTTP/1.1\r\n\r\n").complete
