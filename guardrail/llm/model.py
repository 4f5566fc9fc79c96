"""A model with the care around it: cache, budget, time limit, retries and one repair.

Calls run on the `Llm`'s own threads, so that a caller with a deadline can leave on time while the answer still arrives,
is cached, and can be used as an amendment.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from guardrail.cache import Cache, MemoryCache, key_of
from guardrail.errors import ModelError, ModelMalformed, ModelRefused, ModelTimeout, ModelUnavailable
from guardrail.llm.provider import Provider
from guardrail.llm.question import Answer, Backend, Completion, Message, Question
from guardrail.llm.server import Server
from guardrail.llm.settings import LlmSettings
from guardrail.llm.usage import Meter, Usage

__all__ = ["Llm", "open_llm"]

T = TypeVar("T")
_REFUSAL = re.compile(
    r"\W*(i(’|'| a)?m (very )?sorry|sorry\b|i (can(’|')?t|cannot|am unable|won(’|')t)\b)", re.IGNORECASE
)
_LONGEST_REPLY = 200_000  # characters; ten times what the longest answer asked for can have
_LONGEST_WAIT = 20.0  # seconds between two attempts, whatever the server asks for


class Llm:
    """Thread-safe. Close it when done: its threads end with it."""

    def __init__(self, backend: Backend, settings: LlmSettings, *, cache: Cache | None = None) -> None:
        self.name = backend.name  # with the server's URL: for keys, not for readers
        self.model = settings.model
        self._backend = backend
        self._settings = settings
        self._cache = cache if cache is not None else MemoryCache()
        self._meter = Meter(settings.budget)
        self._threads = ThreadPoolExecutor(settings.concurrency, thread_name_prefix="guardrail-llm")

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._meter.usage

    @property
    def trouble(self) -> str:
        """Why answers are not kept where they should be; empty when they are."""
        return self._cache.trouble

    def ask(self, question: Question[T], *, deadline: float | None = None) -> Answer[T]:
        """The answer, or a ModelError. `deadline` is a `time.monotonic()` value; the call itself goes on after it."""
        return wait(self.submit(question), deadline)

    def submit(self, question: Question[T]) -> Future[Answer[T]]:
        """Ask without waiting. At most `concurrency` calls are under way; the others queue."""
        key = self._key(question)
        cached = self._cached(key, question)
        if cached is None:
            return self._threads.submit(self._answer, key, question)
        done: Future[Answer[T]] = Future()
        done.set_result(cached)
        return done

    def close(self) -> None:
        """End the threads; calls under way are left to finish, those still queued are dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._backend.close()

    def _key(self, question: Question[T]) -> str:
        messages = [[message.role, message.content] for message in question.messages]
        schema = question.schema.body if question.schema else None
        return key_of("llm-1", self.name, messages, schema, question.sample)

    def _cached(self, key: str, question: Question[T]) -> Answer[T] | None:
        reply = self._cache.get(key)
        if not isinstance(reply, str):
            return None
        try:
            value = question.read(reply)
        except ValueError:
            return None  # written by another version of the reader
        self._meter.hit()
        return Answer(value, calls=0)

    def _answer(self, key: str, question: Question[T]) -> Answer[T]:
        try:
            work = _Work(self._backend, self._settings, self._meter)
            value, reply = work.answer(question)
        except ModelError:
            self._meter.fail()
            raise
        self._cache.put(key, reply)
        return Answer(value, work.calls, work.prompt_tokens, work.completion_tokens, work.cost)


def wait(future: Future[Answer[T]], deadline: float | None) -> Answer[T]:
    """The future's answer by `deadline`. Raises ModelTimeout when it is not there yet; the future runs on."""
    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    try:
        return future.result(left)
    except FutureTimeout as error:
        raise ModelTimeout("no answer before the deadline") from error


@dataclass(slots=True)
class _Work:
    """One question on its way: attempts, and one repair."""

    backend: Backend
    settings: LlmSettings
    meter: Meter
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    def answer(self, question: Question[T]) -> tuple[T, str]:
        """Value and raw reply. Raises ModelError."""
        completion = self.call(question)
        try:
            return _read(question.read, completion), completion.text
        except ModelMalformed as first:
            completion = self.call(_repaired(question, completion, first, self.settings), repair=True)
        return _read(question.read, completion), completion.text

    def call(self, question: Question[T], *, repair: bool = False) -> Completion:
        retrying = Retrying(
            stop=stop_after_attempt(self.settings.attempts),
            wait=self._pause,
            retry=retry_if_exception(lambda error: isinstance(error, ModelUnavailable) and error.transient),
            reraise=True,
        )
        for attempt in retrying:
            with attempt:
                return self._once(question, retry=attempt.retry_state.attempt_number > 1, repair=repair)
        raise AssertionError("tenacity either returns or raises")

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, ModelUnavailable) else 0.0
        return min(max(asked, self.settings.backoff_s * 2.0 ** (state.attempt_number - 1)), _LONGEST_WAIT)

    def _once(self, question: Question[T], *, retry: bool, repair: bool) -> Completion:
        self.meter.admit(retry=retry, repair=repair and not retry)
        self.calls += 1
        completion = self.backend.complete(
            question.messages,
            schema=question.schema,
            max_tokens=question.max_tokens or self.settings.max_tokens,
            temperature=self.settings.temperature if question.sample else 0.0,
            timeout_s=self.settings.timeout_s,
        )
        self.meter.spend(completion)
        self.prompt_tokens += completion.prompt_tokens
        self.completion_tokens += completion.completion_tokens
        self.cost += completion.cost
        if completion.refusal or completion.finish == "content_filter":
            raise ModelRefused(completion.refusal[:200] or "the provider's content filter stopped the answer")
        return completion


def _read(read: Callable[[str], T], completion: Completion) -> T:
    if len(completion.text) > _LONGEST_REPLY:
        raise ModelMalformed(f"the reply has {len(completion.text)} characters")
    try:
        return read(completion.text)
    except ValueError as error:
        if _REFUSAL.match(completion.text):
            raise ModelRefused(" ".join(completion.text.split())[:200]) from error
        cut = " (cut at its length limit)" if completion.finish == "length" else ""
        raise ModelMalformed(f"{error}{cut}") from error


def _repaired(
    question: Question[T], completion: Completion, error: ModelMalformed, settings: LlmSettings
) -> Question[T]:
    """The question again: with room where the reply was cut, with the reason where it was wrong."""
    room = question.max_tokens or settings.max_tokens
    if completion.finish == "length":
        return replace(question, max_tokens=room * 2)
    complaint = (
        f"Your reply could not be used: {error}. Answer the same question again, in exactly the form asked for, "
        "and write nothing else."
    )
    turns = (Message("assistant", completion.text[:4000]), Message("user", complaint))
    return replace(question, messages=(*question.messages, *turns), max_tokens=room)


def open_llm(settings: LlmSettings, *, cache: Cache | None = None) -> Llm:
    """The model that the settings name. Nothing is imported or sent before the first question.

    A server of one's own is asked directly, a provider through litellm, unless `settings.client` says otherwise.
    """
    direct = settings.client == "direct" or (settings.client == "auto" and settings.base_url is not None)
    return Llm(Server(settings) if direct else Provider(settings), settings, cache=cache)
