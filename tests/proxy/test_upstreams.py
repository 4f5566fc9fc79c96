"""Servers from options and from a file: every setting arrives, every mistake is told with its place."""

from __future__ import annotations

from pathlib import Path

import openai
import pytest
import yaml

from guardrail.errors import ConfigError
from proxy.demo import DemoUpstream
from proxy.settings import Settings
from proxy.upstream.routing import Routed
from proxy.upstreams import open_upstream, split
from tests.fakes import FakeModel, Script, completion
from tests.proxy.servers import serving
from tests.proxy.sockets import listening, silent

JSON = (("content-type", "application/json"),)
ASK = {"messages": [{"role": "user", "content": "What is it?"}]}


def told(tmp_path: Path, *entries: object) -> Path:
    file = tmp_path / "upstreams.yaml"
    file.write_text(yaml.safe_dump({"upstreams": list(entries)}))
    return file


def test_without_a_server_the_demo_model_answers() -> None:
    """Nothing named is the demo model; anything named is not."""
    assert isinstance(open_upstream(Settings()), DemoUpstream)
    assert isinstance(open_upstream(Settings(upstream="https://a.invalid/v1")), Routed)
    assert isinstance(open_upstream(Settings(routes=("gpt-*=https://a.invalid/v1",))), Routed)


async def test_each_server_of_a_file_has_models_and_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Models find their server, and its key goes there only; the client's own goes to a server without one."""
    monkeypatch.setenv("A_KEY", "sk-a")
    script = Script([completion("It is true.")], headers=JSON)
    async with FakeModel(script).running() as a, FakeModel(script).running() as b:
        file = told(tmp_path, {"url": a.url, "models": ["gpt-*", "o3"], "key_env": "A_KEY"}, {"url": b.url})
        with serving(tmp_path, upstreams=file) as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="sk-mine", max_retries=0) as client:
                for model in ("gpt-5", "o3", "llama3:8b"):
                    await client.chat.completions.create(model=model, **ASK)  # type: ignore[call-overload]
        assert [one.json["model"] for one in a.requests] == ["gpt-5", "o3"]
        assert {one.headers["authorization"] for one in a.requests} == {"Bearer sk-a"}
        assert [one.headers["authorization"] for one in b.requests] == ["Bearer sk-mine"]


async def test_a_server_that_is_slow_to_begin_is_passed_over(tmp_path: Path) -> None:
    """The time-out until the answer begins is its own; the next server answers instead."""
    script = Script([completion("It is true.")], headers=JSON)
    async with (
        FakeModel(script).running() as good,
        listening(silent) as port,
    ):
        dead = f"http://127.0.0.1:{port}/v1"
        file = told(tmp_path, {"url": dead, "timeouts": {"first": 0.1}}, {"url": good.url})
        with serving(tmp_path, upstreams=file) as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="k", max_retries=0) as client:
                answer = await client.chat.completions.create(model="m", **ASK)  # type: ignore[call-overload]
    assert answer.choices[0].message.content == "It is true."


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "not an http"),
        ({"url": "ftp://a"}, "not an http"),
        ({"url": "http://a.invalid", "modles": []}, "unknown key modles"),
        ({"url": "http://a.invalid", "models": "gpt"}, "list of patterns"),
        ({"url": "http://a.invalid", "models": []}, "list of patterns"),
        ({"url": "http://a.invalid", "key_env": "NOT_SET_ANYWHERE"}, "NOT_SET_ANYWHERE is not set"),
        ({"url": "http://a.invalid", "timeouts": {"frist": 1}}, "unknown key frist"),
        ({"url": "http://a.invalid", "timeouts": {"first": "1s"}}, "must be a number of seconds"),
        ({"url": "http://a.invalid", "timeouts": {"first": 0}}, "must be a number of seconds"),
        ({"url": "http://a.invalid", "attempts": 0}, "attempts"),
        ({"url": "http://a.invalid", "tls": {"ca": "missing.pem"}}, "tls"),
        ({"url": "http://a.invalid", "tls": "no"}, "must have keys"),
        ({"url": ["a"]}, "url must be a string"),
        ("http://a.invalid", "must have keys"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, entry: object, message: str) -> None:
    """File, number of the server and what is wrong stand in one line."""
    file = told(tmp_path, {"url": "http://good.invalid/v1"}, entry)
    with pytest.raises(ConfigError, match=rf"upstreams\.yaml: upstream 2: .*{message}") as caught:
        open_upstream(Settings(upstreams=file))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "upstreams: []", "upstreams: {}", "a: ["])
def test_a_file_without_servers_is_refused(tmp_path: Path, text: str) -> None:
    """Nothing, no list, no YAML."""
    file = tmp_path / "u.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"u\.yaml"):
        open_upstream(Settings(upstreams=file))
    with pytest.raises(ConfigError, match="nowhere"):
        open_upstream(Settings(upstreams=tmp_path / "nowhere.yaml"))


@pytest.mark.parametrize(
    ("option", "parts"),
    [
        ("https://a/v1", ("*", "https://a/v1")),
        ("gpt-*=https://a/v1", ("gpt-*", "https://a/v1")),
        ("https://a/v1?x=y", ("*", "https://a/v1?x=y")),
        ("llama3:8b=http://a/v1", ("llama3:8b", "http://a/v1")),
        ("claude-*=litellm:anthropic", ("claude-*", "litellm:anthropic")),
        ("litellm:anthropic", ("*", "litellm:anthropic")),
    ],
)
def test_an_option_is_a_server_with_or_without_a_pattern(option: str, parts: tuple[str, str]) -> None:
    """The first `=` before a scheme parts pattern and server."""
    assert split(option) == parts
