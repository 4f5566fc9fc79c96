"""Requests are read beside the event loop, with limits."""

from __future__ import annotations

import asyncio
import threading

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.errors import BadRequest
from proxy.server import bodies as reading
from proxy.server.admission import Overloaded
from proxy.server.bodies import BodyReader, countable
from tests.growth import grows_linearly

JSON = st.recursive(
    st.none() | st.booleans() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)
)


@pytest.fixture
def reader():
    opened = BodyReader()
    yield opened
    opened.close()


async def test_what_is_long_is_read_in_a_thread(reader: BodyReader) -> None:
    """A short request is read where it is, a long one elsewhere; what its reading raises comes through."""
    here = threading.get_ident()
    assert await reader.run(threading.get_ident, size=100) == here
    assert await reader.run(threading.get_ident, size=100_000) != here
    for size in (10, 100_000):
        with pytest.raises(BadRequest):
            await reader.json(b"[" * size)
        assert await reader.json(orjson.dumps({"a": "b" * size})) == {"a": "b" * size}


async def test_what_does_not_end_is_given_up(reader: BodyReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client is told to come again, and the next one is served by another thread."""
    monkeypatch.setattr(reading, "LONGEST_S", 0.1)
    gate = threading.Event()
    with pytest.raises(Overloaded):
        await reader.run(gate.wait, size=100_000)
    monkeypatch.setattr(reading, "LONGEST_S", 5.0)
    assert await reader.run(lambda: 5, size=100_000) == 5
    gate.set()


async def test_the_loop_goes_on_meanwhile(reader: BodyReader) -> None:
    """Long work in the thread keeps no coroutine from running."""

    enough = threading.Event()

    def work() -> None:
        while not enough.is_set():
            pass

    working = asyncio.create_task(reader.run(work, size=100_000))
    await asyncio.sleep(0.01)
    assert not working.done()
    enough.set()
    await working


@pytest.mark.parametrize("piece", [b"[],", b'{"a":1},', b"1,", b'"\\\\",', b'"a",', b'"[,{\\"",'])
def test_too_many_values_are_refused(piece: bytes) -> None:
    """Few bytes can be many objects, which take seconds to make: the body is counted before."""
    body = b'{"a":[' + piece * (reading.VALUES + 1) + b"1]}"
    with pytest.raises(BadRequest) as caught:
        countable(body)
    assert (caught.value.status, caught.value.code) == (413, "body_too_large")


@given(JSON)
def test_what_is_within_the_limit_is_let_in(value: object) -> None:
    """Marks within strings do not count; no value is refused that has no more than the limit."""
    raw = orjson.dumps({"a": value, "text": '[,{"\\' * 3})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "VALUES", 2 + _commas(value))
        assert countable(raw)["a"] == value
        patch.setattr(reading, "VALUES", 1 + _commas(value))
        with pytest.raises(BadRequest):
            countable(raw)


def _commas(value: object) -> int:
    """Commas and opening brackets outside strings."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(0, len(inner) - 1) + sum(map(_commas, inner))


@pytest.mark.parametrize("piece", [b"\\", b'\\"', b'"', b",", b"[", b'",'])
def test_counting_takes_time_in_proportion(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the bytes are."""
    monkeypatch.setattr(reading, "VALUES", 0)

    def counted(text: str) -> None:
        with pytest.raises(BadRequest):
            countable(b'{"' + piece * len(text))

    assert grows_linearly(counted, lambda size: "x" * size, 100_000)
