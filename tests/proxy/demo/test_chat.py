"""Chat completions and completions of the demo model."""

from __future__ import annotations

from proxy.demo import samples
from tests.proxy.demo.asking import ask, asked, events, user

SAMPLE = samples()[0]


async def test_choices_differ() -> None:
    """n=2 gives two answers, streamed and not, and the usage is the same."""
    question = user(SAMPLE.question)
    whole = await asked("/chat/completions", model="demo", messages=question, n=2)
    assert [c["message"]["content"] for c in whole["choices"]] == list(SAMPLE.answers[:2])
    _, wire = await ask(
        "/chat/completions", messages=question, n=2, stream=True, stream_options={"include_usage": True}
    )
    told = events(wire)
    for index, text in enumerate(SAMPLE.answers[:2]):
        pieces = [c["delta"].get("content", "") for e in told for c in e["choices"] if c["index"] == index]
        assert "".join(pieces) == text
    assert told[-1]["usage"] == whole["usage"]
    assert wire.endswith(b"data: [DONE]\n\n")


async def test_content_parts_are_read() -> None:
    """A question in parts is a question."""
    parts = [{"type": "text", "text": "verify: "}, {"type": "text", "text": "Hello."}]
    whole = await asked("/chat/completions", messages=user(parts))
    assert whole["choices"][0]["message"]["content"] == "Hello."
    assert (await ask("/chat/completions", messages="x"))[0] == 200


async def test_several_prompts_are_answered_in_order() -> None:
    """Each prompt of a completion gets its answers, streamed and not."""
    prompts = [SAMPLE.question, "verify: Hello."]
    wanted = [*SAMPLE.answers[:2], "Hello.", "Hello."]
    whole = await asked("/completions", prompt=prompts, n=2)
    assert [choice["text"] for choice in whole["choices"]] == wanted
    _, wire = await ask("/completions", prompt=prompts, n=2, stream=True)
    for index, text in enumerate(wanted):
        pieces = [c["text"] for e in events(wire) for c in e["choices"] if c["index"] == index]
        assert "".join(pieces) == text
