"""What Python and JavaScript read as JSON is read, and no character is lost where an event cuts it in two."""

from __future__ import annotations

import json
from pathlib import Path

import aiohttp
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.wire.lenient import LARGEST, Events, loads
from tests.fakes import DONE, FakeModel, Script, chunk
from tests.proxy.servers import serving

GRIN = "\U0001f600"


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b'{"a": [NaN, Infinity, -Infinity]}', {"a": [None, None, None]}),
        (b'{"a": "NaN \\ud83d!"}', {"a": "NaN \ufffd!"}),
        (b'{"a": "\\uDE00\\ud83d"}', {"a": "\ufffd\ufffd"}),
        (b'{"a": "\\ud83d\\ude00 \\ud83d", "b": NaN}', {"a": GRIN + " \ufffd", "b": None}),
        (b'{"a": "\\\\ud83d", "b": NaN}', {"a": "\\ud83d", "b": None}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
    ],
)
def test_what_clients_read_is_read(raw: bytes, value: object) -> None:
    """And whatever came of it can be written as JSON again."""
    assert loads(raw) == value
    assert orjson.loads(orjson.dumps(loads(raw))) == value


@pytest.mark.parametrize(
    "raw", [b"", b"{", b'{"a": nan}', b"{'a': 1}", b'{"a": 1}}', b"[" * 100_000, b'"\\ud8"']
)
def test_what_nobody_reads_is_an_error(raw: bytes) -> None:
    """However it is broken."""
    with pytest.raises(ValueError):
        loads(raw)


def test_mending_has_a_size() -> None:
    """It is slow, and whoever sends nonsense must not have a server's time for it; what is right has no such limit."""
    long = b'{"a": "%s", "b": 1}' % (b"x" * LARGEST)
    assert loads(long)
    with pytest.raises(ValueError):
        loads(long.replace(b"1}", b"NaN}"))


def said(text: str, index: int = 0) -> bytes:
    body = {"choices": [{"index": index, "delta": {"content": text}, "finish_reason": None}]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def texts(events: Events, *raws: bytes) -> dict[int, str]:
    found: dict[int, str] = {}
    for raw in raws:
        for event in events.decode(raw):
            (choice,) = orjson.loads(event.data or b"")["choices"]
            found[choice["index"]] = found.get(choice["index"], "") + choice["delta"].get("content", "")
    return found


@given(st.text(), st.text(), st.lists(st.integers(1, 3), min_size=1))
def test_any_cut_between_code_units_gives_the_text(one: str, other: str, sizes: list[int]) -> None:
    """Two choices, whose events take turns, cut into UTF-16 as some servers and tokenizers do."""
    raws, units = [], [text.encode("utf-16-le") for text in (one, other)]
    while any(units):
        for index in (0, 1):
            size = 2 * sizes[len(raws) % len(sizes)]
            piece, units[index] = units[index][:size], units[index][size:]
            raws.append(said(piece.decode("utf-16-le", "surrogatepass"), index))
    found = texts(Events(reworded=False), *raws)
    assert (found.get(0, ""), found.get(1, "")) == (one, other)


def test_bytes_are_those_that_came_unless_they_are_to_be_reworded() -> None:
    """Who observes changes nothing; who lets text go writes whole characters."""
    raws = [said("a\ud83d"), said("\ude00b")]
    assert [event.raw for raw in raws for event in Events(reworded=False).decode(raw)] == raws
    events = Events(reworded=True)
    assert (
        b"".join(event.raw for raw in raws for event in events.decode(raw)).decode("utf-8").count(GRIN) == 1
    )


def test_half_a_character_that_stays_alone_is_told_as_unknown() -> None:
    """At its place, so that what is behind it keeps its own."""
    assert texts(Events(reworded=False), said("a\ud83d"), said("b"), said("\ude00")) == {0: "a\ufffdb\ufffd"}


def test_events_as_servers_send_them_are_not_touched() -> None:
    """Pairs, backslashes, pings and nonsense go by as they came."""
    for raw in (said(GRIN), said("\\ud83d"), b": ping\n\n", b"data: \\ud83d\n\n", b"data: [DONE]\n\n"):
        (event,) = Events(reworded=True).decode(raw)
        assert event.raw == raw


CUT = [
    chunk("", delta={"role": "assistant"}),
    *(
        b"data: " + piece + b"\n\n"
        for piece in (
            b'{"choices":[{"index":0,"delta":{"content":"It is true \\ud83d"},"logprobs":{"content":[{"logprob":-Infinity}]}}]}',
            b'{"choices":[{"index":0,"delta":{"content":"\\ude00. So "},"logprobs":{"content":[{"logprob":NaN}]}}]}',
            b'{"choices":[{"index":0,"delta":{"content":"it is."}}]}',
        )
    ),
    chunk(finish="stop"),
    b"data: [DONE] \n\n",
]


@pytest.mark.parametrize("policy", ["shadow", "annotate", "attach", "revise", "block"])
async def test_a_stream_that_clients_can_read_goes_through(tmp_path: Path, policy: str) -> None:
    """An emoji over two events and numbers that are none, under every policy."""
    async with FakeModel(Script(CUT)).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy=policy) as (root, services):
            asked = {"model": "m", "stream": True, "messages": []}
            response = await http.post(f"{root}/v1/chat/completions", json=asked)
            told = await response.read()
            (record,) = services.log.list()
    events = [line.removeprefix(b"data: ") for line in told.split(b"\n\n") if line.startswith(b"data: ")]
    assert events.pop().strip() == b"[DONE]"
    words = [
        choice.get("delta", {}).get("content") or ""
        for event in events
        for choice in json.loads(event).get("choices", [])
    ]
    shown = "".join(words).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    assert shown.startswith(f"It is true {GRIN}. So it is.")
    assert b'"error"' not in told
    assert record.outcome != "not_checked"
    if policy == "shadow":
        assert told == b"".join(CUT)


@pytest.mark.parametrize("policy", ["annotate", "revise", "block"])
async def test_a_whole_answer_that_clients_can_read_goes_through(tmp_path: Path, policy: str) -> None:
    """What is written anew is JSON for everybody."""
    body = b'{"choices":[{"index":0,"message":{"content":"It is true \\ud83d."},"logprobs":{"x":NaN}}]}'
    script = Script([body], headers=(("content-type", "application/json"),))
    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy=policy) as (root, _):
            response = await http.post(f"{root}/v1/chat/completions", json={"model": "m", "messages": []})
            assert response.status == 200
            told = orjson.loads(await response.read())
    assert told["choices"][0]["message"]["content"] == "It is true \ufffd."


async def test_a_request_goes_on_as_its_client_wrote_it(tmp_path: Path) -> None:
    """Byte for byte; only what nobody can read is refused."""
    bodies = [
        b'{"model":"m","stream":true,"seed":NaN,"messages":[{"role":"user","content":"hi \\ud83d"}]}',
        b'{"model":"m","stream":true,"messages":[{"role":"user","content":"\\ude00"}],"x":-Infinity}',
    ]
    async with FakeModel(Script([chunk("It is true."), chunk(finish="stop"), DONE])).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, _):
            async with aiohttp.ClientSession() as http:
                for body in bodies:
                    answer = await http.post(f"{root}/v1/chat/completions", data=body)
                    assert (answer.status, b"[DONE]" in await answer.read()) == (200, True)
                refused = await http.post(f"{root}/v1/chat/completions", data=b'{"model":')
                assert (refused.status, (await refused.json())["error"]["code"]) == (400, "invalid_json")
    assert [request.body for request in model.requests] == bodies
