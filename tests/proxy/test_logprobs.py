"""Log probabilities of an answer whose words are changed: dropped or kept as the policy says, and the report says which."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from policies.terms import Mode
from proxy.apis.chat import ChatWhole
from proxy.apis.completions import CompletionWhole
from proxy.apis.responses import ResponseWhole
from proxy.stream.events import Data, Ended
from proxy.stream.whole import GuardedAnswer, Whole
from tests.fakes import DONE, chunk
from tests.playbook import cut, drive
from tests.proxy.streams import machine, policy, reports_of, text_of

TOLD = {"content": [{"token": "It is wrong.", "logprob": -0.5}]}
CHAT = {
    "choices": [
        {"index": 0, "message": {"content": "It is wrong."}, "logprobs": TOLD, "finish_reason": "stop"}
    ]
}
COMPLETION = {"choices": [{"index": 0, "text": "It is wrong.", "logprobs": TOLD, "finish_reason": "stop"}]}
RESPONSE = {
    "output": [
        {
            "type": "message",
            "content": [{"type": "output_text", "text": "It is wrong.", "logprobs": TOLD["content"]}],
        }
    ]
}


@pytest.mark.parametrize(
    ("surface", "body"),
    [(ChatWhole(), CHAT), (CompletionWhole(), COMPLETION), (ResponseWhole(), RESPONSE)],
    ids=["chat", "completions", "responses"],
)
@pytest.mark.parametrize("keep", [True, False])
def test_of_a_whole_answer(surface: Whole, body: dict, keep: bool) -> None:
    """With changed words they go or stay; a block never leaves them; without a change nothing is said or done."""
    events = [Data(orjson.dumps(body)), Ended()]
    chosen = replace(policy("revise", Mode.BUFFER), logprobs="keep" if keep else "drop")
    wire = drive(GuardedAnswer(surface, chosen), events, chosen, stream=False).wire
    assert b"It is right." in wire
    assert (b'"logprob":-0.5' in wire) is keep
    assert orjson.loads(wire)["guardrail"]["logprobs"] == ("kept" if keep else "dropped")
    blocking = replace(policy("block"), logprobs="keep")
    assert b"-0.5" not in drive(GuardedAnswer(surface, blocking), events, blocking, stream=False).wire
    plain = policy("annotate")
    wire = drive(GuardedAnswer(surface, plain), events, plain, stream=False).wire
    assert b"-0.5" in wire
    assert "logprobs" not in orjson.loads(wire)["guardrail"]


@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
@pytest.mark.parametrize("keep", [True, False])
def test_of_a_stream(mode: Mode, keep: bool) -> None:
    """Chunk by chunk; those of untouched chunks always stay."""
    head = orjson.loads(chunk("It is true. ")[6:])
    head["choices"][0]["logprobs"] = {"content": [{"token": "It is true. ", "logprob": -0.25}]}
    body = orjson.loads(chunk("It is wrong.")[6:])
    body["choices"][0]["logprobs"] = TOLD
    wire = b"".join(b"data: " + orjson.dumps(one) + b"\n\n" for one in (head, body))
    chosen = replace(policy("revise", mode), logprobs="keep" if keep else "drop")
    played = drive(machine(chosen), cut(wire + chunk(finish="stop") + DONE, ()), chosen)
    assert text_of(played.wire) == "It is true. It is right."
    assert (b"-0.5" in played.wire) is keep
    assert reports_of(played.wire)[0]["logprobs"] == ("kept" if keep else "dropped")
