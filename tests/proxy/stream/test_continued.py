"""Sentences over several parts of an answer: what is said half in one and half in the next is never taken as read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from guardrail.types import NotChecked, Outcome, Report, Sentence, Span
from guardrail.verifier import Verifier
from policies.decide import Action
from policies.policy import load
from policies.terms import Mode, Request
from proxy.apis.chat import ChatWhole
from proxy.apis.messages import MessageStream, MessageWhole
from proxy.apis.responses import ResponseStream, ResponseWhole
from proxy.judging.judge import Judge
from proxy.stream.continued import Continued
from proxy.stream.events import Data, Ended, Verify
from proxy.stream.exchange import Exchange
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer, Whole
from proxy.wire.surface import Surface
from tests.playbook import Played, cut, drive
from tests.proxy.apis.test_messages import event as message_event
from tests.proxy.apis.test_plain import GUARDING
from tests.proxy.apis.test_responses import event, message, response, spoken
from tests.proxy.streams import policy

HALVES = ("The sun is", "so old.")
CALL = {"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": '{"a": 1}'}
FAR = float("inf")


def one(text: str) -> Sentence:
    return Sentence(Span(0, len(text)), text)


def in_items(first: str, second: str) -> list[bytes]:
    """A streamed response with two messages, the call of a tool between them."""
    wire = spoken(first, second)
    at = next(n for n, piece in enumerate(wire) if b'"output_index":1' in piece)
    return [*wire[:at], event("response.output_item.done", output_index=7, item=CALL), *wire[at:]]


def in_blocks(first: str, second: str) -> list[bytes]:
    """A streamed message with two text blocks, the use of a tool between them."""
    wire = [message_event("message_start", message={"id": "m", "role": "assistant", "content": []})]
    tool = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    for index, text in enumerate((first, "", second)):
        block = {"type": "text", "text": ""} if text else tool
        wire.append(message_event("content_block_start", index=index, content_block=block))
        delta = {"type": "text_delta", "text": text}
        wire += [message_event("content_block_delta", index=index, delta=delta)] if text else []
        wire.append(message_event("content_block_stop", index=index))
    return [*wire, message_event("message_stop")]


STREAMS: dict[str, tuple[type[Surface], Callable[[str, str], list[bytes]]]] = {
    "messages of a response": (ResponseStream, in_items),
    "blocks of a message": (MessageStream, in_blocks),
}


def streamed(name: str, mode: Mode, form: str, halves: tuple[str, str]) -> Played:
    made, wire = STREAMS[form]
    chosen = policy(name, mode)
    return drive(GuardedStream(made(), chosen), cut(b"".join(wire(*halves)), ()), chosen)


def reports(played: Played) -> list[Report]:
    return [told.report for told in sorted(played.audits[-1].reports, key=lambda told: told.choice)]


def halved(report: Report) -> bool:
    return any(gap.reason is NotChecked.UNREAD and "several parts" in gap.detail for gap in report.unchecked)


@pytest.mark.parametrize("form", STREAMS)
@pytest.mark.parametrize(("name", "mode"), [("annotate", Mode.OBSERVE), *GUARDING])
def test_the_second_half_of_a_streamed_sentence_is_not_checked(form: str, name: str, mode: Mode) -> None:
    """Whatever stands between the parts: the report says so, and the policy does what it does with what was not read."""
    played = streamed(name, mode, form, HALVES)
    first, second = reports(played)[0], reports(played)[-1]
    assert not halved(first)
    assert halved(second)
    decided = max(played.audits[-1].reports, key=lambda told: told.choice).decision
    assert decided.outcome is Outcome.NOT_CHECKED
    assert decided.action is {"block": Action.BLOCK, "annotate": Action.ANNOTATE}.get(name, Action.ATTACH)
    assert (b"so old" in played.wire) is (name != "block")


@pytest.mark.parametrize("form", STREAMS)
def test_in_observe_such_an_answer_passes_as_it_came(form: str) -> None:
    """All but the events that bring reports."""
    wire = b"".join(STREAMS[form][1](*HALVES)[:-1])
    assert streamed("annotate", Mode.OBSERVE, form, HALVES).wire.startswith(wire)


def annotated(made: type[Whole], body: dict[str, Any]) -> list[Report]:
    chosen = load("annotate")
    events = [Data(orjson.dumps(body)), Ended()]
    return reports(drive(GuardedAnswer(made(), chosen), events, chosen, stream=False))


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def choice(index: int, words: str) -> dict[str, Any]:
    return {"index": index, "message": {"role": "assistant", "content": words}, "finish_reason": "stop"}


def test_whole_answers_that_are_only_watched_say_it_too() -> None:
    """Parts of one message, two messages, two blocks; the choices of a chat are no parts of one answer."""
    parts = {**response(), "output": [{**message(HALVES[0])}]}
    parts["output"][0]["content"] += message(HALVES[1])["content"]
    assert [halved(told) for told in annotated(ResponseWhole, parts)] == [False, True]
    assert [halved(told) for told in annotated(ResponseWhole, response(*HALVES))] == [False, True]
    blocks = {"type": "message", "role": "assistant", "content": [text(words) for words in HALVES]}
    assert [halved(told) for told in annotated(MessageWhole, blocks)] == [False, True]
    chat = {"choices": [choice(n, words) for n, words in enumerate(HALVES)]}
    assert [halved(told) for told in annotated(ChatWhole, chat)] == [False, False]


def test_what_is_wrong_by_itself_is_told_as_ever() -> None:
    """A contradiction is not hidden behind the words before it."""
    second = reports(streamed("revise", Mode.HOLD, "messages of a response", ("The sun is", "wrong.")))[-1]
    assert second.flagged
    assert not halved(second)


def test_only_the_first_sentence_of_a_part_goes_on_with_another() -> None:
    """Not behind a full stop, nor in the same part; blanks say nothing; a third part may go on with two."""
    whole = Continued(ordered=True)
    assert list(whole.verify(0, [one("It")], heard="It is")) == [Verify(0, one("It"))]
    assert list(whole.verify(0, [one("is")], heard=" of")) == [Verify(0, one("is"))]
    assert list(whole.verify(1, [], heard="\n ")) == []
    assert list(whole.verify(2, [], heard="no")) == []
    assert list(whole.verify(3, [one("a"), one("b")], heard="use.")) == [
        Verify(3, one("a"), "It is of\nno"),
        Verify(3, one("b")),
    ]
    assert list(whole.verify(2, [one("c")])) == [Verify(2, one("c"), "It is of")]
    assert list(whole.verify(4, [one("d")], heard="More")) == [Verify(4, one("d"))]


def test_of_what_was_said_before_only_so_much_is_kept() -> None:
    """Never more than a sentence may have, however many words and parts there are."""
    whole = Continued(ordered=True)
    for part in range(50):
        (asked,) = whole.verify(part, [one("x")], heard="word " * 1000)
        assert len(asked.before) <= 401


@pytest.mark.parametrize(
    ("before", "said", "halves"),
    [
        ("The capital of Australia is", "Sydney.", True),
        ("Syd", "ney is the capital of Australia.", True),
        ("The chief executive of Foo Corp is", "Bob Smith.", True),
        ("I will look that up", "Canberra is the capital of Australia.", False),
        ("Let me check:", "Canberra is the capital of Australia.", False),
        ("The plan:\n- search\n- compare", "Canberra is the capital of Australia.", False),
        ("```python\nprint(1)\n```", "Canberra is the capital of Australia.", False),
    ],
)
def test_a_sentence_that_stands_alone_is_judged_alone(before: str, said: str, halves: bool) -> None:
    """A word of what comes next without a full stop, a list or code before it takes nothing from an answer."""
    verifier = Verifier.open()
    exchange = Exchange(policy=load("annotate"), request=Request(), mode=Mode.OBSERVE)
    judged = Judge(exchange, lambda _: verifier.session()).judge(Verify(0, one(said), before), FAR)
    assert halved(Report(said, unchecked=tuple(f for f in judged.findings if hasattr(f, "detail")))) is halves
    assert halves or judged.decision.outcome is Outcome.CONFIRMED
