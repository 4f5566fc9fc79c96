"""vLLM inside this process: its AsyncLLM engine on an event loop of its own, as a backend like any other.

For a machine whose GPU serves the checker alone. vLLM pins other versions of fastapi and transformers than a fresh install of
ours would bring; where that is in the way, serve it in its own process and use its URL. Nothing of it is imported before the
first question.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

from guardrail.errors import ConfigError, ModelTimeout, ModelUnavailable
from guardrail.llm.question import Completion, Message, Schema

__all__ = ["Engine"]


class Engine:
    """Implements `Backend`. Thread-safe. `options` are vLLM's engine arguments (`max_model_len`, `quantization` …)."""

    def __init__(self, model: str, options: Mapping[str, Any] | None = None) -> None:
        self.name = f"vllm:{model}"
        self._model = model
        # Prefix caching reads the rules and the passages of a prompt once for all sentences of an answer.
        self._options = {"enable_prefix_caching": True, **(options or {})}
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._engine: Any = None
        self._numbers = itertools.count()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None,
        max_tokens: int,
        temperature: float,
        timeout_s: float,
    ) -> Completion:
        loop = self._started()
        work = asyncio.run_coroutine_threadsafe(
            self._generate(messages, schema, max_tokens, temperature), loop
        )
        try:
            return work.result(timeout_s)
        except FutureTimeout as error:
            work.cancel()
            raise ModelTimeout(f"no answer within {timeout_s:g} s") from error
        except (RuntimeError, ValueError) as error:  # a dead engine; a prompt longer than the model's window
            raise ModelUnavailable(f"vLLM: {error}") from error

    def close(self) -> None:
        """Stop engine and loop; harmless when they never started."""
        with self._lock:
            if self._loop is None:
                return
            self._engine.shutdown()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is not None:
                return self._loop
            try:
                from vllm import AsyncEngineArgs
                from vllm.v1.engine.async_llm import AsyncLLM
            except ImportError as error:
                raise ConfigError(
                    "vLLM in this process needs the extra `vllm`: pip install 'claim-guardrail[vllm]'"
                ) from error
            loop = asyncio.new_event_loop()
            threading.Thread(target=_run, args=(loop,), name="guardrail-vllm", daemon=True).start()
            arguments = AsyncEngineArgs(model=self._model, **self._options)

            async def start() -> Any:
                return AsyncLLM.from_engine_args(arguments)  # binds to the running loop

            self._engine = asyncio.run_coroutine_threadsafe(start(), loop).result()
            self._loop = loop
            return loop

    async def _generate(
        self, messages: Sequence[Message], schema: Schema | None, max_tokens: int, temperature: float
    ) -> Completion:
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        turns = [{"role": message.role, "content": message.content} for message in messages]
        prompt = self._engine.get_tokenizer().apply_chat_template(
            turns, tokenize=False, add_generation_prompt=True
        )
        guided = StructuredOutputsParams(json=dict(schema.body)) if schema else None
        sampling = SamplingParams(max_tokens=max_tokens, temperature=temperature, structured_outputs=guided)
        last: Any = None
        async for output in self._engine.generate(prompt, sampling, f"guardrail-{next(self._numbers)}"):
            last = output
        if last is None or not last.outputs:
            raise RuntimeError("the engine ended without an answer")
        answer = last.outputs[0]
        return Completion(
            text=answer.text,
            finish=answer.finish_reason or "stop",
            prompt_tokens=len(last.prompt_token_ids or ()),
            completion_tokens=len(answer.token_ids),
        )


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()
