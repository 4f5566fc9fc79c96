"""What is read without a parser is what a parser would have read."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.apis.chat import ChatStream
from proxy.apis.completions import CompletionStream
from proxy.apis.messages import MessageStream
from proxy.stream.alike import Alike
from proxy.wire.sse import Decoder, Event
from proxy.wire.surface import EventPlace, Surface
from tests.fakes import chunk

KINDS = [ChatStream, CompletionStream, MessageStream]


def event(kind: type, text: str, **more: object) -> bytes:
    if kind is ChatStream:
        return chunk(text, **more)
    if kind is CompletionStream:
        body: dict[str, object] = {"id": "c", "choices": [{"index": 0, "text": text, "finish_reason": None}]}
    else:
        body = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
    return b"event: x\ndata: " + orjson.dumps({**body, **more}) + b"\n\n"


def parsed(surface: Surface, raw: bytes) -> Event:
    (one,) = Decoder().decode(raw)
    return one


def taught(kind: type, raw: bytes) -> tuple[Alike, Surface]:
    surface = kind()
    alike, one = Alike(surface), parsed(surface, raw)
    alike.learn(one, surface.read(one))
    return alike, surface


@pytest.mark.parametrize("kind", KINDS)
def test_events_that_differ_in_their_words_are_read_together(kind: type) -> None:
    """Up to the first that is written in another way; nothing before one was parsed."""
    alike, _ = taught(kind, event(kind, "Hello", usage=None))
    same = [event(kind, word, usage=None) for word in (" the", "re", ", 真", "🙂.")]
    data = b"".join(same)
    assert Alike(kind()).read(data) == ("", 0)
    assert alike.read(data) == (" there, 真🙂.", len(data))
    for other in ('say "yes"', "line\nline", "back\\slash", ""):
        assert alike.read(data + event(kind, other, usage=None) + data) == (" there, 真🙂.", len(data))
    assert alike.read(data[:-1]) == (" there, 真", len(data) - len(same[-1]))


@pytest.mark.parametrize(
    "raw",
    [
        chunk("content"),  # the word stands there more than once
        chunk("a", index=1)
        .replace(b'"a"', b'"\\u0061"')
        .replace(b"{", b'{"x":"a",', 1),  # it is another's word
        chunk("Hi", finish="stop"),
        chunk("Hi").replace(b"{", b'{"usage":{"prompt_tokens":1},', 1),
        chunk("Hi").replace(b"{", b'{"usage" : {"prompt_tokens":1},', 1),
        chunk("Hi").replace(b"\n\n", b"\r\n\r\n"),
        chunk('"'),
    ],
)
def test_what_could_say_more_than_words_is_no_form(raw: bytes) -> None:
    """Each event like it is parsed."""
    alike, _ = taught(ChatStream, raw)
    assert alike.read(raw) == ("", 0)


def test_another_kind_of_event_ends_the_form() -> None:
    """It may have changed what the words behind it belong to."""
    alike, surface = taught(ChatStream, chunk("Hello"))
    assert alike.read(chunk("you"))[0] == "you"
    one = parsed(surface, chunk(None, role="assistant"))
    reading = surface.read(one)
    assert reading.place is EventPlace.NOW
    alike.learn(one, reading)
    assert alike.read(chunk("you")) == ("", 0)


def test_bytes_that_are_no_text_are_left_to_the_parser() -> None:
    """Two halves of a letter in two events are two errors, and no letter."""
    alike, _ = taught(ChatStream, chunk("Hello"))
    wrong = chunk("XX").replace(b"XX", b"\xc3") + chunk("XX").replace(b"XX", b"\xa9")
    assert alike.read(wrong) == ("", 0)


def test_a_server_whose_events_never_fit_is_seldom_tried() -> None:
    """A field that changes with each event costs next to nothing."""
    surface = ChatStream()
    alike, tries = Alike(surface), 0
    for number in range(300):
        one = parsed(surface, event(ChatStream, "word", created=number))
        assert alike.read(one.raw) == ("", 0)
        tries += alike.learns
        alike.learn(one, surface.read(one))
    assert 3 < tries < 20


@settings(deadline=None, max_examples=150)
@given(
    first=st.text(min_size=1, max_size=6),
    texts=st.lists(st.text(max_size=6), max_size=8),
    kind=st.sampled_from(KINDS),
    usage=st.sampled_from([None, {"completion_tokens": 1}]),
)
def test_any_words_read_as_a_parser_reads_them(
    first: str, texts: list[str], kind: type, usage: object
) -> None:
    """What is taken is exactly what parsing those bytes says, from the first to the last."""
    alike, surface = taught(kind, event(kind, first, usage=usage))
    data = b"".join(event(kind, text, usage=usage) for text in texts)
    words, size = alike.read(data)
    readings = [surface.read(one) for one in Decoder().decode(data[:size])]
    assert "".join(text for one in readings for _, text in one.texts) == words
    assert all(one.place is EventPlace.TEXT and not one.stopped for one in readings)
