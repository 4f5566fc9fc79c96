"""The HTTP client for servers of one's own: kept connections, stale ones, dripping ones, and its limits."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from guardrail.errors import ConfigError, ModelTimeout, ModelUnavailable
from guardrail.llm.http import JsonClient
from tests.model_server import ModelServer
from tests.received import receive
from tests.scripted_llm import Reply, ScriptedLlm, error, overloaded


@contextmanager
def raw(*turns: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server of sockets: each connection is handed to the next function."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            for turn in turns:
                connection, _ = listener.accept()
                with connection:
                    receive(connection)
                    turn(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def answer(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")


def drip(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{")
    for _ in range(50):
        time.sleep(0.05)
        try:
            connection.sendall(b" ")
        except OSError:
            return


def test_a_connection_is_kept() -> None:
    """Three requests of one thread go over one connection."""
    with ScriptedLlm(["x"]) as server:
        client = JsonClient(server.url)
        for number in range(3):
            client.post("/v1/chat/completions", {"n": number}, 2.0)
        assert len(client._all) == 1
        client.close()
        assert server.calls == 3


def test_a_connection_that_the_server_closed_meanwhile_is_replaced() -> None:
    """A stale kept connection costs a new one and no error."""
    with raw(answer, answer) as url:
        client = JsonClient(url)
        assert client.post("/x", {}, 2.0) == {}
        time.sleep(0.05)
        assert client.post("/x", {}, 2.0) == {}


def test_a_dripping_server_cannot_outlast_the_time_limit() -> None:
    """A byte now and then does not count as an answer."""
    with raw(drip) as url:
        started = time.monotonic()
        with pytest.raises(ModelTimeout):
            JsonClient(url).post("/x", {}, 0.3)
        assert time.monotonic() - started < 1.0


def test_after_a_timeout_the_next_request_reads_its_own_answer() -> None:
    """Half an exchange is thrown away with its connection."""
    late = Reply(body={"late": True}, delay_s=0.4)
    with ScriptedLlm([late, Reply(body={"on": "time"})]) as server:
        client = JsonClient(server.url)
        with pytest.raises(ModelTimeout):
            client.post("/x", {}, 0.1)
        assert client.post("/x", {}, 2.0) == {"on": "time"}


def test_closing_wakes_whoever_waits() -> None:
    """A server that shuts down does not wait for a model; nothing can be asked afterwards."""
    with ScriptedLlm([Reply(body={}), Reply(body={}, delay_s=3.0)]) as server:
        client = JsonClient(server.url)
        errors: list[Exception] = []

        def work() -> None:
            client.post("/x", {}, 5.0)
            try:
                client.post("/x", {}, 5.0)
            except ModelUnavailable as found:
                errors.append(found)

        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.3)
        started = time.monotonic()
        client.close()
        thread.join()
        assert time.monotonic() - started < 1.0
        assert len(errors) == 1
        with pytest.raises(ModelUnavailable, match="closed"):
            client.post("/x", {}, 5.0)


def test_an_error_says_what_the_server_says() -> None:
    """OpenAI's error shape is unpacked, a page is cut to a line, retry-after is kept."""
    page = Reply(status=502, raw=b"<html>\n" + b"x" * 1000)
    with ScriptedLlm([error(404, "no such model"), page, overloaded("7")]) as server:
        client = JsonClient(server.url)
        with pytest.raises(ModelUnavailable, match="404: no such model") as first:
            client.post("/x", {}, 2.0)
        with pytest.raises(ModelUnavailable) as second:
            client.post("/x", {}, 2.0)
        with pytest.raises(ModelUnavailable) as third:
            client.post("/x", {}, 2.0)
    assert (first.value.transient, second.value.transient, third.value.transient) == (False, True, True)
    assert len(str(second.value)) < 300
    assert third.value.retry_after == 7.0


def test_the_body_is_json_with_every_script() -> None:
    """Text of any script, half a surrogate pair included, arrives as JSON."""
    with ScriptedLlm([Reply(body={})]) as server:
        JsonClient(server.url).post("/x", {"text": "ünï \U0001f642 \ud800"}, 2.0)
        assert server.requests[0].body["text"] == "ünï \U0001f642 \ud800"
        assert json.dumps(server.requests[0].body)


@pytest.mark.parametrize("url", ["", "localhost", "ftp://x", "http://", "//x"])
def test_what_is_no_http_url_is_refused(url: str) -> None:
    """At once."""
    with pytest.raises(ConfigError):
        JsonClient(url)


def test_a_refusal_carries_its_status() -> None:
    """Who asked can tell what was wrong with the request from a server that is overloaded."""
    with ScriptedLlm([error(422, "too long"), overloaded()]) as server:
        client = JsonClient(server.url)
        for status, about in ((422, True), (429, False)):
            with pytest.raises(ModelUnavailable) as raised:
                client.post("/predict", {}, 2.0)
            assert (raised.value.status, raised.value.about_the_request) == (status, about)


def test_a_get_has_no_body() -> None:
    """What a server tells of itself is read over the same kind of connection."""
    with ModelServer() as server:
        client = JsonClient(server.root)
        assert client.get("/info", 2.0)["model_id"] == "test/nli"
        assert server.requests == [("/info", {})]
        client.close()


def test_connections_of_threads_that_ended_are_closed() -> None:
    """Thirty threads that come and go leave no more than the last one's connection behind."""
    with ScriptedLlm(["x"]) as server:
        client = JsonClient(server.url)
        for _ in range(30):
            thread = threading.Thread(target=client.post, args=("/v1/chat/completions", {}, 2.0))
            thread.start()
            thread.join()
        assert server.calls == 30
        assert len(client._all) == 1
        client.close()
