"""Brings chat completions into their standard form: the words of each message as one string in `content` or `refusal`.

Servers send words as lists of parts, as whole messages within a stream, and more. Where text is held, a chunk or an answer
goes on in this plain form, without what is not known and holds words; elsewhere that is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from guardrail.errors import UpstreamBroken
from proxy.apis.fields import FieldReader
from proxy.wire import aside
from proxy.wire.calls import strange_call
from proxy.wire.logprobs import spells_all
from proxy.wire.shapes import (
    BODY,
    CALLS,
    CHOICE,
    MESSAGE,
    REASONING,
    THINKING,
    TOOL_CALLS,
    content_of,
)
from proxy.wire.sse import encode
from proxy.wire.surface import Json, index_of

__all__ = ["CHUNK_CHOICE", "SAID", "Plain", "said", "text_of"]

SAID = frozenset(("content", "refusal"))  # what holds the words of a message
CHUNK_CHOICE = CHOICE - {"message", "text"}
_READ_CHOICE = CHUNK_CHOICE | {"message"}
_ANSWER_CHOICE = CHOICE - {"delta", "text"}
_ROLES = ("assistant", "developer", "function", "model", "system", "tool", "user", "")


def text_of(told: Mapping[str, object]) -> str:
    """The words of a message or delta, as far as they can be read."""
    refusal, audio = told.get("refusal"), told.get("audio")
    spoken = audio.get("transcript") if isinstance(audio, dict) else None
    parts = (content_of(told.get("content")).text, refusal, spoken)
    return "".join(part for part in parts if isinstance(part, str))


def said(told: Json, text: str) -> Json:
    """A message or delta that says `text` instead; in a refusal where it was one."""
    refuses = bool(told.get("refusal")) and not told.get("content")
    return {**told, "refusal": text} if refuses else {**told, "content": text, **_no_refusal(told)}


def _no_refusal(told: Json) -> Json:
    return {"refusal": None} if told.get("refusal") else {}


class Plain(FieldReader):
    """Reads one chunk or answer. `strict`: what cannot be read raises UpstreamBroken, or is left out. `withholds`: words beside
    the answer are made empty. `checks`: calls are checked, so they are not named.

    `told`: (choice, all that it has said) where a message stands in a stream; `unread`, `beside`: as in an `EventReading`.
    """

    def __init__(self, *, strict: bool, withholds: bool = False, checks: bool = False) -> None:
        super().__init__(strict=strict)
        self._checks = checks
        self._withholds = withholds
        self.told: list[tuple[int, str]] = []
        self.beside: list[str] = []

    @staticmethod
    def written(kept: Json, told: Json) -> bytes | None:
        """The bytes of the plain form; None where nothing had to be changed."""
        return None if kept == told else encode(orjson.dumps(kept))

    def chunk(self, chunk: Json) -> Json:
        """A chunk of a stream; each of its choices has a delta."""
        choices = [self._chunk_choice(choice) for choice in self._listed(chunk)]
        return {**self.body(chunk), "choices": choices}

    def answer(self, body: Json) -> None:
        """A whole answer; if `strict`, it is made plain in place."""
        choices = []
        for choice in self._listed(body):
            kept = self._known(choice, _ANSWER_CHOICE, "choice", prose=True)
            if isinstance(message := choice.get("message"), dict):
                kept = self._spelled({**kept, "message": self._message(message)}, message)
            elif message is not None:
                self._strange("a message that is not a JSON object")
            choices.append(kept)
        if self._strict:
            kept = self.body(body)
            plain = {**kept, "choices": choices} if "choices" in kept else dict(kept)
            body.clear()
            body.update(plain)
        else:
            self.body(body)

    def body(self, body: Json) -> Json:
        """All around the choices."""
        return self._without(self._known(body, BODY, "answer", prose=True), aside.BODY)

    def _without(self, told: Json, names: frozenset[str]) -> Json:
        return aside.withheld(told, names) if self._withholds and not names.isdisjoint(told) else told

    def _spelled(self, choice: Json, message: Mapping[str, object]) -> Json:
        """A choice without log probabilities that are not those of its words, if `strict`, and without words beside it."""
        content, refusal = text_of({**message, "refusal": None}), text_of({"refusal": message.get("refusal")})
        if self._strict and choice.get("logprobs"):
            told = (content or refusal) and spells_all(choice["logprobs"], content, refusal)
            choice = choice if told else {**choice, "logprobs": None}  # they are words, too
        return self._without(choice, aside.CHOICE)

    def _listed(self, body: Json) -> list[dict[str, Any]]:
        choices = body.get("choices") or []
        if not isinstance(choices, list):
            self._strange("choices that are not a list")
            return []
        if not all(isinstance(choice, dict) for choice in choices):
            raise UpstreamBroken("the model server sent a choice that is not a JSON object", begun=True)
        return choices

    def _chunk_choice(self, choice: Json) -> Json:
        delta, message = choice.get("delta"), choice.get("message")
        if not delta and not choice.get("finish_reason"):
            delta, message = message, None  # some servers call it so
        if not isinstance(delta, dict):
            if delta is not None:
                self._strange("a delta that is not a JSON object")
            delta = {}
        kept = {**self._known(choice, _READ_CHOICE, "choice", prose=False), "delta": self._message(delta)}
        if self._strict:
            kept.pop("message", None)
        if isinstance(message, dict) and (text := text_of(self._message(message))):
            self.told.append((index_of(choice, strict=self._strict), text))
        return self._spelled(kept, delta)

    def _message(self, told: Json) -> Json:
        kept = self._known(told, MESSAGE, "message", prose=False)
        if any(told.get(name) for name in CALLS):
            self._calls(told)
        content = content_of(told.get("content"))
        if content.strange:
            self._strange(content.strange)
        self._string(told.get("refusal"), "a refusal")
        role = told.get("role", "")
        if role is not None and role not in _ROLES:
            self._strange("a role that is not a string")
        if told.get("audio"):
            self._strange("audio")
        if content.thoughts or any(told.get(name) for name in THINKING):
            self.beside.append(REASONING)
        if not self._strict:
            return kept
        return self._without(self._plain_message(kept, content.text, content.thoughts), aside.MESSAGE)

    def _calls(self, told: Json) -> None:
        if not self._checks:
            self.beside.append(TOOL_CALLS)
        elif strange_call(told):
            self._strange("a tool call of an unknown kind")

    @staticmethod
    def _plain_message(told: Json, text: str, thoughts: str) -> Json:
        """What was found to be readable, in its plain places."""
        refusal = told.get("refusal")
        kept = {**told, "content": text} if isinstance(told.get("content"), list) else told
        if text and isinstance(refusal, str) and refusal:
            kept = {**kept, "content": text + refusal, "refusal": None}
        if thoughts:
            before = kept.get("reasoning_content")
            kept = {**kept, "reasoning_content": (before if isinstance(before, str) else "") + thoughts}
        return kept
