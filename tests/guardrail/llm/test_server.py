"""A server of one's own without litellm (test_model.py runs all of its cases over it)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from guardrail.errors import ConfigError, ModelUnavailable
from guardrail.llm import LlmSettings, Message
from guardrail.llm.server import Server
from tests.scripted_llm import Reply, ScriptedLlm


def ask(server: ScriptedLlm) -> str:
    backend = Server(LlmSettings("m", server.url))
    done = backend.complete([Message("user", "x")], schema=None, max_tokens=5, temperature=0.0, timeout_s=2.0)
    backend.close()
    return done.text


def test_litellm_is_not_needed_for_a_server_of_ones_own() -> None:
    """With litellm and openai out of reach the answer still comes."""
    with ScriptedLlm(["hello"]) as server:
        code = (
            "import sys; sys.modules['litellm'] = sys.modules['openai'] = None\n"
            "from guardrail.llm import LlmSettings, Message, Question, open_llm\n"
            f"llm = open_llm(LlmSettings('m', {server.url!r}))\n"
            "print(llm.ask(Question((Message('user', 'x'),), str)).value)\n"
            "llm.close()\n"
        )
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "hello"


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"choices": []},
        {"choices": [{}]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": "text"}]},
        None,
    ],
)
def test_what_is_no_completion_is_unavailable(body: object) -> None:
    """Never an empty answer out of a shape that is not understood."""
    reply = Reply(raw=b"null") if body is None else Reply(body=body)
    with ScriptedLlm([reply]) as server, pytest.raises(ModelUnavailable):
        ask(server)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None}])
def test_missing_usage_is_zero(usage: object) -> None:
    """Some servers do not count."""
    body = {"choices": [{"message": {"content": "x"}}], "usage": usage}
    with ScriptedLlm([Reply(body=body)]) as server:
        assert ask(server) == "x"


def test_without_a_url_there_is_no_server() -> None:
    """Said at once."""
    with pytest.raises(ConfigError):
        Server(LlmSettings("m"))
    with pytest.raises(ConfigError, match="URL"):
        LlmSettings("m", client="direct")
