"""Responses of the demo model."""

from __future__ import annotations

from tests.proxy.demo.asking import ask, asked, events

ASKED = "verify: The moon is round."


async def test_a_stream_ends_with_the_whole_answer() -> None:
    """The pieces make the text of the last event, which is that of the answer in one; numbers run without a gap."""
    whole = await asked("/responses", input=ASKED)
    told = events((await ask("/responses", input=ASKED, stream=True))[1])
    pieces = "".join(one["delta"] for one in told if one["type"] == "response.output_text.delta")
    last = told[-1]
    assert last["type"] == "response.completed"
    assert last["response"]["status"] == whole["status"] == "completed"
    assert last["response"]["usage"] == whole["usage"]
    (said,) = last["response"]["output"][0]["content"]
    assert said["text"] == pieces == whole["output"][0]["content"][0]["text"] == "The moon is round."
    assert [one["sequence_number"] for one in told] == list(range(len(told)))


async def test_the_last_message_is_answered() -> None:
    """Input may be a conversation."""
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    parts = {"role": "user", "content": [{"type": "input_text", "text": ASKED}]}
    whole = await asked("/responses", input=[*history, parts])
    assert whole["output"][0]["content"][0]["text"] == "The moon is round."
