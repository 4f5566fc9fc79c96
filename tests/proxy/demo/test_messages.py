"""Messages of the demo model."""

from __future__ import annotations

from tests.proxy.demo.asking import ask, asked, events, user

ASKED = user("verify: The moon is round.")


async def test_a_stream_says_what_the_whole_answer_says() -> None:
    """The pieces of the one block make the text, between the events that Anthropic's clients wait for."""
    whole = await asked("/messages", messages=ASKED, max_tokens=9)
    told = events((await ask("/messages", messages=ASKED, max_tokens=9, stream=True))[1])
    kinds = list(dict.fromkeys(one["type"] for one in told))
    assert kinds == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    pieces = [one["delta"]["text"] for one in told if one["type"] == "content_block_delta"]
    assert "".join(pieces) == whole["content"][0]["text"] == "The moon is round."
    assert told[-2]["delta"]["stop_reason"] == whole["stop_reason"] == "end_turn"
    assert told[-2]["usage"]["output_tokens"] == whole["usage"]["output_tokens"]
