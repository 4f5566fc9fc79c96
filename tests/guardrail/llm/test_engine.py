"""vLLM in process, against a stand-in for the package: there is no GPU here to run the real one.

The stand-in has the real one's signatures (tests/contracts/test_vllm.py holds them against vLLM where it is installed).
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from guardrail.errors import ModelTimeout, ModelUnavailable
from guardrail.llm import Llm, LlmSettings, Message, Question, Schema
from guardrail.llm.engine import Engine
from guardrail.llm.reply import closed, read_json

SCHEMA = Schema("s", closed(label={"type": "string"}))
ASKED = [Message("user", "Is it?")]


class StandIn:
    """vLLM's AsyncLLM, as far as it is used."""

    made: ClassVar[list[StandIn]] = []

    def __init__(self, arguments: SimpleNamespace) -> None:
        self.arguments = arguments
        self.seen: list[tuple[str, SimpleNamespace, str]] = []
        self.stopped = False
        asyncio.get_running_loop()  # the real one needs a running loop, too
        StandIn.made.append(self)

    @classmethod
    def from_engine_args(cls, engine_args: SimpleNamespace) -> StandIn:
        return cls(engine_args)

    def get_tokenizer(self) -> Any:
        def template(turns: list[dict[str, str]], *, tokenize: bool, add_generation_prompt: bool) -> str:
            assert not tokenize
            assert add_generation_prompt
            return "".join(f"<{turn['role']}>{turn['content']}" for turn in turns) + "<assistant>"

        return SimpleNamespace(apply_chat_template=template)

    async def generate(
        self, prompt: str, sampling_params: SimpleNamespace, request_id: str
    ) -> AsyncIterator[Any]:
        self.seen.append((prompt, sampling_params, request_id))
        if "slow" in prompt:
            await asyncio.sleep(5)
        if "too long" in prompt:
            raise ValueError("longer than the maximum model length")
        for text in ('{"label"', '{"label": "yes"}'):
            answer = SimpleNamespace(text=text, finish_reason="stop", token_ids=[1, 2, 3])
            yield SimpleNamespace(outputs=[answer], prompt_token_ids=[1] * 5)

    def shutdown(self) -> None:
        self.stopped = True


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> type[StandIn]:
    StandIn.made.clear()
    root: Any = ModuleType("vllm")
    root.AsyncEngineArgs = root.SamplingParams = SimpleNamespace
    sampling: Any = ModuleType("vllm.sampling_params")
    sampling.StructuredOutputsParams = SimpleNamespace
    engine: Any = ModuleType("vllm.v1.engine.async_llm")
    engine.AsyncLLM = StandIn
    for name, module in {
        "vllm": root,
        "vllm.sampling_params": sampling,
        "vllm.v1": ModuleType("vllm.v1"),
        "vllm.v1.engine": ModuleType("vllm.v1.engine"),
        "vllm.v1.engine.async_llm": engine,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    return StandIn


def complete(engine: Engine, text: str = "Is it?", timeout_s: float = 5.0) -> str:
    return engine.complete(
        [Message("user", text)], schema=SCHEMA, max_tokens=7, temperature=0.0, timeout_s=timeout_s
    ).text


def test_the_last_output_is_the_answer_and_the_schema_guides(vllm: type[StandIn]) -> None:
    """One engine serves all questions; prefix caching is on; the schema goes into guided decoding."""
    engine = Engine("m", {"max_model_len": 4096})
    assert complete(engine) == '{"label": "yes"}'
    assert complete(engine, "And this?") == '{"label": "yes"}'
    (made,) = vllm.made
    assert (made.arguments.model, made.arguments.enable_prefix_caching, made.arguments.max_model_len) == (
        "m",
        True,
        4096,
    )
    prompt, sampling, request = made.seen[0]
    assert prompt == "<user>Is it?<assistant>"
    assert (sampling.max_tokens, sampling.structured_outputs.json) == (7, SCHEMA.body)
    assert request != made.seen[1][2]
    engine.close()
    assert made.stopped


def test_it_is_a_backend_like_any_other(vllm: type[StandIn]) -> None:
    """Cache and counts come from `Llm`."""
    llm = Llm(Engine("m"), LlmSettings("m"))
    question = Question(tuple(ASKED), lambda reply: str(read_json(reply, SCHEMA.body)["label"]), SCHEMA)
    assert llm.ask(question).value == "yes"
    assert llm.ask(question).calls == 0
    assert llm.usage.tokens == 8
    llm.close()


def test_a_slow_answer_and_a_long_prompt_are_model_errors(vllm: type[StandIn]) -> None:
    """Neither a hang nor vLLM's own exceptions reach the caller."""
    engine = Engine("m")
    with pytest.raises(ModelTimeout):
        complete(engine, "slow", timeout_s=0.1)
    with pytest.raises(ModelUnavailable, match="maximum model length"):
        complete(engine, "too long")
    engine.close()


def test_closing_an_engine_that_never_started_is_harmless() -> None:
    """Nothing was imported, nothing is stopped."""
    Engine("m").close()


def test_without_vllm_the_message_names_the_extra() -> None:
    """A missing extra is a ConfigError that says what to install."""
    code = (
        "import sys; sys.modules['vllm'] = None\n"
        "from guardrail.llm.engine import Engine\n"
        "Engine('m').complete([], schema=None, max_tokens=1, temperature=0, timeout_s=1)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "claim-guardrail[vllm]" in shown.stderr
