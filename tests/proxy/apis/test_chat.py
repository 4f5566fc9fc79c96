"""Where text stands in a chat completion, and what ours look like."""

from __future__ import annotations

import orjson
import pytest

from guardrail.errors import UpstreamBroken
from proxy.apis.chat import Chat, ChatStream, ChatWhole
from proxy.wire.sse import Event
from proxy.wire.surface import Delivered, EventPlace
from tests.fakes import DONE, chunk


def event(wire: bytes) -> Event:
    return Event(wire, wire[6:-2])


def data(wire: bytes) -> dict:
    return orjson.loads(wire[6:-2])


@pytest.mark.parametrize(
    ("wire", "place", "texts", "stopped"),
    [
        (chunk("a"), EventPlace.TEXT, ((0, "a"),), ()),
        (chunk("a", index=3), EventPlace.TEXT, ((3, "a"),), ()),
        (chunk("a", finish="stop"), EventPlace.TEXT, ((0, "a"),), (0,)),
        (chunk(""), EventPlace.NOW, (), ()),
        (chunk(delta={"role": "assistant", "content": None}), EventPlace.NOW, (), ()),
        (chunk(delta={"reasoning_content": "hm"}), EventPlace.NOW, (), ()),
        (chunk(delta={"refusal": "no"}), EventPlace.TEXT, ((0, "no"),), ()),
        (chunk(finish="tool_calls"), EventPlace.TAIL, (), (0,)),
        (b'data: {"choices":[],"usage":{"total_tokens":1}}\n\n', EventPlace.LAST, (), ()),
        (b'data: {"choices":[],"prompt_filter_results":[]}\n\n', EventPlace.NOW, (), ()),
        (b'data: {"object":"ping"}\n\n', EventPlace.NOW, (), ()),
        (b'data: {"choices":[{"delta":null}]}\n\n', EventPlace.NOW, (), ()),
        (b'data: {"choices":[{"index":"0","delta":{"content":"a"}}]}\n\n', EventPlace.TEXT, ((0, "a"),), ()),
    ],
)
def test_reading(wire: bytes, place: EventPlace, texts: tuple, stopped: tuple) -> None:
    """Text, ends and everything else are told apart."""
    reading = ChatStream().read(event(wire))
    assert (reading.place, reading.texts, reading.stopped) == (place, texts, stopped)


def test_the_end_mark_and_errors_end_a_stream() -> None:
    """[DONE] and an error object come last."""
    assert ChatStream().read(event(DONE)).place is EventPlace.END
    for told in (b'{"message":"x"}', b'"x"'):
        reading = ChatStream().read(event(b'data: {"error":' + told + b"}\n\n"))
        assert (reading.place, reading.failed) == (EventPlace.END, "x")


@pytest.mark.parametrize("bad", [b"", b"x", b"5", b"[]", b'{"choices":[1,2]}'])
def test_what_is_no_chunk_is_broken(bad: bytes) -> None:
    """Anything else than a chunk of this API is said to be one upstream's fault."""
    with pytest.raises(UpstreamBroken):
        ChatStream().read(Event(b"", bad))


def test_ours_look_like_the_stream_they_stand_in() -> None:
    """Our chunks carry id, model and time of the stream, one choice, and no finish reason."""
    surface = ChatStream()
    surface.read(event(chunk("a")))
    ours = [
        surface.words(2, "x"),
        surface.progress(2, 5, b"[1]"),
        surface.report(2, b'{"a":1}', b'[{"type":"t"}]', head=b"{}"),
    ]
    for one in map(data, ours):
        assert (one["id"], one["model"], one["object"], one["created"]) == (
            "c1",
            "m",
            "chat.completion.chunk",
            1,
        )
        assert [c["index"] for c in one["choices"]] == [2]
    assert data(ours[0])["choices"][0]["delta"] == {"content": "x"}
    assert data(ours[1])["guardrail"] == {"choice_index": 2, "check_offset": 5, "claims": [1]}
    assert data(ours[2])["choices"][0]["delta"] == {"guardrail": {"a": 1}, "annotations": [{"type": "t"}]}


def test_annotations_of_the_upstream_are_not_mixed_with_ours() -> None:
    """Where the upstream cites by itself, we do not: SDKs cannot add up two lists of citations."""
    surface = ChatStream()
    surface.read(event(chunk(delta={"annotations": [{"type": "url_citation"}]})))
    assert "annotations" not in data(surface.report(0, b"{}", b"[1]", head=b"{}"))["choices"][0]["delta"]


def test_the_end_of_a_blocked_choice_has_its_own_reason() -> None:
    """The finish reason of a blocked choice is the policy's; others keep theirs, to the byte."""
    surface, wire = ChatStream(), chunk(finish="stop")
    reading = surface.read(event(wire))
    assert surface.tail(event(wire), reading, {0: Delivered("x")}) == wire
    changed = surface.tail(event(wire), reading, {0: Delivered("x", True, "content_filter")})
    assert data(changed)["choices"][0]["finish_reason"] == "content_filter"


@pytest.mark.parametrize(
    ("messages", "question"),
    [
        (
            [
                {"role": "user", "content": "a"},
                {"role": "assistant", "content": "b"},
                {"role": "user", "content": "c"},
            ],
            "c",
        ),
        (
            [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "a"},
                        {"type": "image_url"},
                        {"type": "text", "text": "b"},
                    ],
                }
            ],
            "a\nb",
        ),
        ([{"role": "system", "content": "a"}], ""),
        ([{"role": "user", "content": None}], ""),
        (["x"], ""),
        ("x", ""),
        (None, ""),
    ],
)
def test_the_question_is_what_the_user_said_last(messages: object, question: str) -> None:
    """The last user message is the question; strange messages have none."""
    assert Chat().question({"messages": messages}) == question


def test_choices_without_an_index_are_all_read() -> None:
    """A server that forgets the index of its choices hides none of them."""
    body = {"choices": [{"message": {"content": "a"}}, {"message": {"content": "b"}}]}
    assert ChatWhole().choices(body) == (0, 1)
    assert ChatWhole().texts(body) == {0: "a", 1: "b"}
