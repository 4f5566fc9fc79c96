"""Calls of tools in a response: whichever kind and wherever told, each is checked, refused or told of as not checked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from guardrail.errors import UpstreamBroken
from policies.decide import Action
from policies.policy import load
from policies.terms import Mode, Policy
from proxy.apis.item_calls import DIFFERENT, ItemCalls, arguments
from proxy.apis.responses import ResponseStream, ResponseWhole
from proxy.stream.events import Data, Ended
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from proxy.wire.sse import Decoder
from tests.playbook import Played, cut, drive
from tests.proxy.apis.test_plain import GUARDING
from tests.proxy.apis.test_responses import event, message, response
from tests.proxy.apis.test_responses import spoken as said

BAD = "It is wrong."
GIVEN = orjson.dumps({"a": BAD}).decode()
IDS = {"id": "i", "call_id": "c", "status": "completed"}
# Calls that the client carries out …
CLIENT: dict[str, dict[str, Any]] = {
    "function_call": {**IDS, "name": "f", "arguments": GIVEN},
    "custom_tool_call": {**IDS, "name": "f", "input": BAD},
    "mcp_approval_request": {"id": "i", "name": "f", "server_label": "s", "arguments": GIVEN},
    "computer_call": {**IDS, "action": {"type": "type", "text": BAD}, "pending_safety_checks": []},
    "local_shell_call": {**IDS, "action": {"type": "exec", "command": ["echo", BAD], "env": {}}},
    "shell_call": {**IDS, "action": {"commands": [f"echo {BAD}"], "timeout_ms": 10}},
    "apply_patch_call": {**IDS, "operation": {"type": "create_file", "path": "a", "diff": BAD}},
}
# … those of the server's own tools and their results, and one that nobody knows.
SERVER: dict[str, dict[str, Any]] = {
    "mcp_call": {"id": "i", "name": "f", "server_label": "s", "arguments": GIVEN, "output": BAD},
    "mcp_list_tools": {"id": "i", "server_label": "s", "tools": [{"name": "f", "description": BAD}]},
    "code_interpreter_call": {"id": "i", "code": BAD, "outputs": [{"type": "logs", "logs": BAD}]},
    "shell_call_output": {**IDS, "output": [{"stdout": BAD}]},
    "local_shell_call_output": {**IDS, "output": BAD},
    "computer_call_output": {**IDS, "output": {"type": "text", "text": BAD}},
    "some_new_call": {**IDS, "words": BAD},
}
PLACES = ("in the stream", "in the last event", "in a whole answer")
PARTLY = {
    "an event": "response.shell_call_command.delta",
    "a diff": "response.apply_patch_call_operation_diff.delta",
}


def checking(name: str, mode: Mode) -> Policy:
    return replace(load(name), mode=mode, tools="check")


def streamed(chosen: Policy, *events: bytes) -> Played:
    return drive(GuardedStream(ResponseStream(calls=True), chosen), cut(b"".join(events), ()), chosen)


def answer(item: dict[str, Any]) -> dict[str, Any]:
    told = response("It is true.")
    return {**told, "output": [*told["output"], item]}


def played(chosen: Policy, item: dict[str, Any], place: str) -> Played:
    if place == "in a whole answer":
        events = [Data(orjson.dumps(answer(item))), Ended()]
        return drive(GuardedAnswer(ResponseWhole(), chosen), events, chosen, stream=False)
    done = event("response.output_item.done", output_index=1, item=item)
    wire = [*said("It is true.")[:-1], *([done] if place == "in the stream" else [])]
    return streamed(chosen, *wire, event("response.completed", response=answer(item)))


def shown(one: Played) -> bytes:
    """What went out besides reports."""

    def less(value: object) -> object:
        if isinstance(value, dict):
            return {name: less(told) for name, told in value.items() if name != "guardrail"}
        return [less(told) for told in value] if isinstance(value, list) else value

    if one.wire.startswith(b"{"):
        return orjson.dumps(less(orjson.loads(one.wire)))
    return orjson.dumps([less(orjson.loads(told.data)) for told in Decoder().decode(one.wire) if told.data])


def outcomes(one: Played) -> set[str]:
    return {told.decision.outcome.value for told in one.audits[-1].reports}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", CLIENT)
@pytest.mark.parametrize(("name", "mode"), [("annotate", Mode.OBSERVE), *GUARDING])
def test_calls_of_every_kind_are_checked(name: str, mode: Mode, kind: str, place: str) -> None:
    """What the client is to carry out is judged wherever it is told; a policy that blocks shows none of it."""
    one = played(checking(name, mode), {"type": kind, **CLIENT[kind]}, place)
    assert one.finished == 1
    assert "flagged" in outcomes(one)
    assert (b"wrong" in shown(one)) is (name != "block")
    (call,) = [told for told in one.audits[-1].reports if told.call]
    assert name != "block" or call.decision.action is Action.BLOCK


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", SERVER)
@pytest.mark.parametrize(("name", "mode"), [("annotate", Mode.OBSERVE), *GUARDING])
def test_what_the_server_carried_out_is_named_or_withheld(
    name: str, mode: Mode, kind: str, place: str
) -> None:
    """It is not checked, whatever is done about calls, so no answer with it is confirmed where its words are shown."""
    one = played(checking(name, mode), {"type": kind, **SERVER[kind]}, place)
    assert one.finished == 1
    assert (b"wrong" in shown(one)) is (name != "block")
    assert ("not_checked" in outcomes(one)) is (name != "block")
    assert f'"outcome":"{"confirmed" if name == "block" else "not_checked"}"'.encode() in one.wire


@pytest.mark.parametrize("kind", PARTLY)
@pytest.mark.parametrize(("name", "mode"), [("annotate", Mode.OBSERVE), *GUARDING])
def test_events_of_calls_that_nobody_knows_are_left_out_or_named(name: str, mode: Mode, kind: str) -> None:
    """Words of a call told by an event of an unknown type pass in observe only, and the report says so."""
    more = event(PARTLY[kind], output_index=1, delta=BAD)
    begun = said("It is true.")
    one = streamed(checking(name, mode), *begun[:-1], more, begun[-1])
    assert (more in one.wire) is (mode is Mode.OBSERVE)
    assert outcomes(one) == {"not_checked" if mode is Mode.OBSERVE else "confirmed"}


@pytest.mark.parametrize("kind", CLIENT)
@pytest.mark.parametrize("end", ["response.output_item.added", "response.completed", "response.created"])
def test_two_different_arguments_are_never_passed(kind: str, end: str) -> None:
    """A call that is told once in good words and once in bad ones: an error, the good ones alone, or named."""
    bad = {"type": kind, **CLIENT[kind]}
    good = orjson.loads(orjson.dumps(bad).replace(b"wrong", b"true"))
    begun = said("It is true.")
    done = event("response.output_item.done", output_index=1, item=good)
    wire = [*begun[:-1], done, event("response.completed", response=answer(good))]
    if end == "response.completed":
        wire[-1] = event(end, response=answer(bad))
    elif end == "response.created":
        wire[0] = event(end, response={**answer(bad), "status": "in_progress"})
    else:
        wire.insert(len(wire) - 2, event(end, output_index=1, item=bad))
    for name, mode in GUARDING:
        assert b"wrong" not in shown(streamed(checking(name, mode), *wire))
    observed = streamed(checking("annotate", Mode.OBSERVE), *wire)
    assert observed.wire.startswith(b"".join(wire[:-1]))
    assert outcomes(observed) & {"not_checked", "flagged"}


def test_arguments_in_pieces_are_those_of_the_whole() -> None:
    """Pieces, their end, the item and the response tell the same call once; what comes behind its end is refused."""
    good = '{"a": "It is true."}'
    item = {"type": "function_call", **CLIENT["function_call"], "arguments": good}
    at = {"item_id": "i", "output_index": 1}
    begun = said("It is true.")
    wire = [
        *begun[:-1],
        event("response.output_item.added", output_index=1, item={**item, "arguments": ""}),
        *(
            event("response.function_call_arguments.delta", **at, delta=piece)
            for piece in (good[:4], good[4:])
        ),
        event("response.function_call_arguments.done", **at, arguments=good),
        event("response.output_item.done", output_index=1, item=item),
        event("response.completed", response=answer(item)),
    ]
    one = streamed(checking("attach", Mode.HOLD), *wire)
    (call,) = [told for told in one.audits[-1].reports if told.call]
    assert call.report.text == good
    late = event("response.function_call_arguments.delta", **at, delta=BAD)
    for name, mode in GUARDING:
        broken = streamed(checking(name, mode), *wire[:-2], late, wire[-1])
        assert "two different arguments" in broken.audits[-1].error
        assert b"wrong" not in broken.wire
    observed = streamed(checking("annotate", Mode.OBSERVE), *wire[:-2], late, *wire[-2:])
    assert DIFFERENT in [gap.detail for told in observed.audits[-1].reports for gap in told.report.unchecked]


def test_what_is_read_of_a_call() -> None:
    """Its arguments as they stand; with other words beside them, or in other shapes, all but its names as JSON."""
    for kind, held in CLIENT.items():
        text = arguments({"type": kind, **held})
        assert "wrong" in text
        assert '"call_id"' not in text
    assert arguments({"type": "function_call", **CLIENT["function_call"]}) == GIVEN
    beside = arguments({"type": "function_call", **CLIENT["function_call"], "note": BAD})
    assert orjson.loads(beside) == {"note": BAD, "arguments": GIVEN}
    assert orjson.loads(arguments({"type": "function_call", "arguments": {"a": BAD}})) == {
        "arguments": {"a": BAD}
    }
    assert arguments({"type": "computer_call", **IDS, "action": {}, "pending_safety_checks": []}) == ""


def test_a_call_is_heard_once() -> None:
    """As a whole or in pieces; what says something else is refused."""
    calls = ItemCalls()
    calls.begin(3, 1, {"name": "f", "call_id": "c"})
    calls.begin(3, 1, {"name": "other"})
    assert calls[3].to_dict() == {"index": 1, "id": "c", "name": "f"}
    assert (calls.piece(3, "a"), calls.piece(3, "b"), calls.ended(3)) == ("a", "b", False)
    assert (calls.whole(3, "ab"), calls.whole(3, "ab"), calls.whole(3, ""), calls.ended(3)) == (
        "",
        "",
        "",
        True,
    )
    for wrong in (lambda: calls.whole(3, "ac"), lambda: calls.whole(3, "abc"), lambda: calls.piece(3, "c")):
        with pytest.raises(UpstreamBroken, match="two different"):
            wrong()
    calls.begin(4, 2, {})
    assert (calls.whole(4, "x"), calls.whole(4, "x")) == ("x", "")


def test_a_message_is_no_call() -> None:
    """Under a policy that checks calls a plain response goes out as it came, but for its report."""
    wire = said("It is true.")
    one = streamed(checking("annotate", Mode.OBSERVE), *wire)
    assert one.wire.startswith(b"".join(wire[:-1]))
    assert message("It is true.")["content"][0]["text"].encode() in one.wire
