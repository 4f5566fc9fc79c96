"""litellm behind a real port: what is not a matter of one question (see test_model.py for those)."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import pytest

from guardrail.errors import ConfigError, ModelUnavailable
from guardrail.llm import LlmSettings, Message
from guardrail.llm.provider import Provider
from guardrail.llm.question import Completion
from tests.scripted_llm import ScriptedLlm

needs_litellm = pytest.mark.skipif(find_spec("litellm") is None, reason="the extra `llm` is not installed")


def ask(provider: Provider) -> Completion:
    """On a thread, as `Llm` does it."""
    with ThreadPoolExecutor(1) as threads:
        question = [Message("user", "hi")]
        work = threads.submit(
            provider.complete, question, schema=None, max_tokens=5, temperature=0.0, timeout_s=5.0
        )
        return work.result()


def test_without_litellm_the_message_names_the_extra() -> None:
    """A missing extra is a ConfigError that says what to install."""
    code = (
        "import sys; sys.modules['litellm'] = None\n"
        "from guardrail.llm import LlmSettings\n"
        "from guardrail.llm.provider import Provider\n"
        "Provider(LlmSettings('m'))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ConfigError.__name__ in shown.stderr
    assert "claim-guardrail[llm]" in shown.stderr


@needs_litellm
def test_no_price_list_is_fetched() -> None:
    """litellm is told to use the list that it carries before it is imported."""
    with ScriptedLlm(["hello"]) as server:
        provider = Provider(LlmSettings("m", server.url))
        assert ask(provider).text == "hello"
        provider.close()
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


@needs_litellm
def test_a_bug_in_an_adapter_is_a_model_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever litellm raises, the answer under check goes on without the model."""

    def broken(**_: object) -> None:
        raise KeyError("choices")

    with ScriptedLlm(["x"]) as server:
        provider = Provider(LlmSettings("m", server.url))
        ask(provider)
        monkeypatch.setattr("litellm.completion", broken)
        with pytest.raises(ModelUnavailable, match="KeyError"):
            ask(provider)
        provider.close()


@needs_litellm
def test_the_name_tells_servers_apart() -> None:
    """Two servers with the same model do not share cache entries."""
    assert Provider(LlmSettings("m", "http://a/v1")).name != Provider(LlmSettings("m", "http://b/v1")).name
