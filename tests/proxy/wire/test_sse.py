"""The decoder gives the same events for every way of cutting the bytes, and passes them on unchanged."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.wire.sse import Decoder, Event, EventTooLarge, comment, encode

CASES = {
    "plain": (b"data: a\n\ndata: b\n\n", [b"a", b"b"]),
    "crlf": (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"a", b"b"]),
    "cr": (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
    "mixed line ends": (b"data: a\n\r\ndata: b\r\n\n", [b"a", b"b"]),
    "two data lines": (b"data: a\ndata: b\n\n", [b"a\nb"]),
    "no space": (b"data:a\n\n", [b"a"]),
    "two spaces": (b"data:  a\n\n", [b" a"]),
    "comment": (b": ping\n\ndata: a\n\n", [None, b"a"]),
    "comment inside": (b": ping\ndata: a\n\n", [b"a"]),
    "id and retry": (b"id: 7\nretry: 10\ndata: a\n\n", [b"a"]),
    "empty data": (b"data\n\ndata:\n\n", [b"", b""]),
    "no blank line at the end": (b"data: a\n\ndata: b", [b"a", b"b"]),
    "one line end at the end": (b"data: a\n\ndata: b\n", [b"a", b"b"]),
    "three line ends": (b"data: a\n\n\ndata: b\n\n", [b"a", b"b"]),
    "byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
    "utf-8": ("data: né🙂\n\n".encode(), ["né🙂".encode()]),
    "nothing": (b"", []),
}


def decode(pieces: list[bytes]) -> list[Event]:
    decoder = Decoder()
    return [event for piece in pieces for event in decoder.decode(piece)] + decoder.flush()


@pytest.mark.parametrize("name", CASES)
def test_reads_every_legal_form(name: str) -> None:
    """Each form of line end, comment and field gives the data it stands for."""
    wire, data = CASES[name]
    assert [event.data for event in decode([wire])] == data


@pytest.mark.parametrize("name", CASES)
def test_byte_by_byte_is_the_same(name: str) -> None:
    """One byte at a time gives the same events as all at once."""
    wire, _ = CASES[name]
    assert decode([wire[i : i + 1] for i in range(len(wire))]) == decode([wire])


@given(
    parts=st.lists(
        st.sampled_from(
            [b"data: x", b"data:y", b": c", b"event: e", b"\n", b"\r\n", b"\r", b"\n\n", "é".encode()]
        )
    ),
    cuts=st.lists(st.integers(0, 200)),
)
def test_any_chunking_gives_the_batch_result(parts: list[bytes], cuts: list[int]) -> None:
    """However the bytes are cut, the events are those of the whole, and their raw bytes add up to it."""
    wire = b"".join(parts)
    edges = sorted({0, len(wire), *(cut for cut in cuts if cut < len(wire))})
    pieces = [wire[a:b] for a, b in itertools.pairwise(edges)]
    assert decode(pieces) == decode([wire])
    assert b"".join(event.raw for event in decode(pieces)) == wire


def test_name_of_an_event() -> None:
    """The event field is the event's name."""
    assert decode([b"event: error\ndata: {}\n\n"]) == [Event(b"event: error\ndata: {}\n\n", b"{}", "error")]


@pytest.mark.parametrize(
    ("raw", "foreign"),
    [
        (b"<html>\n<body>id: 7</body>\n\n", True),
        (b"<html>", True),
        (b"event\n\n", False),
        (b"<p>\n: ping\n\n", False),
        (b"\xef\xbb\xbfid: 7\n\n", False),
        (b"retry: 10\r\n\r\n", False),
        (b"\n\n", False),
        (b"<p>\ndata: a\n\n", False),
    ],
)
def test_a_page_is_no_event(raw: bytes, foreign: bool) -> None:
    """Nor is what has words and none of the lines of an event; blank lines, comments and lone fields are passed over by clients."""
    (event,) = decode([raw])
    assert event.foreign is foreign


def test_an_endless_event_is_refused() -> None:
    """An upstream that never ends an event cannot fill the memory."""
    decoder = Decoder(limit=100)
    decoder.decode(b"data: " + b"x" * 90)
    with pytest.raises(EventTooLarge):
        decoder.decode(b"x" * 10)


def test_what_is_encoded_can_be_decoded() -> None:
    """encode and comment write what the decoder reads."""
    assert decode([encode(b"{}", name="e") + comment("wait") + encode(b"x")]) == [
        Event(b"event: e\ndata: {}\n\n", b"{}", "e"),
        Event(b": wait\n\n", None),
        Event(b"data: x\n\n", b"x"),
    ]


@pytest.mark.parametrize(
    "raw", [b"data: [DONE] \n\n", b"data:[DONE]\n\n", b"data:  [DONE]\r\n\r\n", b"data: [DONE]x\n\n"]
)
def test_the_mark_of_the_end_is_what_clients_take_for_it(raw: bytes) -> None:
    """Blanks around it, or words behind it, do not make it another event; its bytes stay."""
    decoder = Decoder()
    (event,) = [*decoder.decode(raw), *decoder.flush()]
    assert (event.raw, event.data) == (raw, b"[DONE]")
