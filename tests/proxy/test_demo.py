"""The demo model answers its questions, says texts back, and helps with others."""

from __future__ import annotations

from typing import Any

import orjson

from proxy.demo import DemoUpstream, reply, samples
from proxy.upstream import Call


async def ask(**body: Any) -> tuple[int, bytes]:
    answer = await DemoUpstream(pace=0).send(Call("POST", "/chat/completions", [], orjson.dumps(body)))
    return answer.status, b"".join([data async for data in answer.body()])


def user(text: Any) -> list[dict]:
    return [{"role": "user", "content": text}]


def test_there_are_twenty_questions_with_every_kind_of_error() -> None:
    """Entity, date, number, negation and unsupported addition are all planted somewhere, and some answers are right."""
    assert len(samples()) >= 20
    assert {s.wrong for s in samples()} == {"entity", "date", "number", "negation", "addition", "none"}


def test_questions_are_known_however_they_are_written() -> None:
    """Case and punctuation do not matter; an unknown question gets the list of the known ones."""
    assert reply("what is THE capital of australia") == reply("What is the capital of Australia?")
    assert all(sample.question in reply("Something else?") for sample in samples())
    assert reply("verify: The moon is round.") == "The moon is round."


async def test_choices_differ() -> None:
    """n=2 gives two answers, streamed and not."""
    question = user(samples()[0].question)
    whole = orjson.loads((await ask(model="demo", messages=question, n=2))[1])
    texts = [c["message"]["content"] for c in whole["choices"]]
    assert texts == list(samples()[0].answers[:2])
    _, wire = await ask(
        model="demo-fast", messages=question, n=2, stream=True, stream_options={"include_usage": True}
    )
    events = [orjson.loads(e[6:]) for e in wire.split(b"\n\n") if e and e != b"data: [DONE]"]
    for index, text in enumerate(texts):
        said = "".join(
            c["delta"].get("content", "") for e in events for c in e["choices"] if c["index"] == index
        )
        assert said == text
    assert events[-1]["usage"] == whole["usage"]
    assert wire.endswith(b"data: [DONE]\n\n")


async def test_content_parts_are_read() -> None:
    """A question in parts is a question."""
    parts = [{"type": "text", "text": "verify: "}, {"type": "text", "text": "Hello."}]
    assert (
        orjson.loads((await ask(model="demo", messages=user(parts)))[1])["choices"][0]["message"]["content"]
        == "Hello."
    )


async def test_mistakes_are_told_in_openai_shape() -> None:
    """Unknown models and paths, and a wild n, are clear errors."""
    assert (await ask(model="gpt", messages=user("x")))[0] == 404
    assert (await ask(model="demo", messages=user("x"), n=1000))[0] == 400
    assert (await ask(model="demo", messages=user("x"), n="a"))[0] == 400
    assert (await ask(model="demo", messages="x"))[0] == 200
    answer = await DemoUpstream().send(Call("GET", "/nothing", []))
    assert answer.status == 404


async def test_models_are_listed() -> None:
    """The demo model names itself."""
    answer = await DemoUpstream().send(Call("GET", "/models", []))
    body = orjson.loads(b"".join([data async for data in answer.body()]))
    assert [m["id"] for m in body["data"]] == ["demo", "demo-fast"]
