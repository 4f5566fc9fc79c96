"""The demo model is a server that the official clients can talk to."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from openai import OpenAI

from proxy.demo import MODELS, DemoUpstream, samples
from proxy.upstream.http import Call
from tests.proxy.demo.asking import ask, user
from tests.proxy.servers import serving

QUESTION = samples()[0].question
ANSWER = samples()[0].answers[0]


def test_the_first_calls_of_the_official_client_are_answered(tmp_path: Path) -> None:
    """Chat, completions, Responses, streamed and not, embeddings and models, all through the proxy."""
    with serving(tmp_path) as (url, _):
        client = OpenAI(base_url=f"{url}/v1", api_key="any")
        chat = client.chat.completions.create(model="demo", messages=user(QUESTION))
        assert chat.choices[0].message.content == ANSWER
        assert client.completions.create(model="demo", prompt=QUESTION).choices[0].text == ANSWER
        assert client.responses.create(model="demo", input=QUESTION).output_text == ANSWER
        with client.responses.stream(model="demo", input=QUESTION) as stream:
            assert stream.get_final_response().output_text == ANSWER
        with client.chat.completions.stream(model="demo", messages=user(QUESTION)) as chunks:
            assert chunks.get_final_completion().choices[0].message.content == ANSWER
        pieces = client.completions.create(model="demo", prompt=QUESTION, stream=True)
        assert "".join(one.choices[0].text for one in pieces if one.choices) == ANSWER
        vector = client.embeddings.create(model="demo", input=QUESTION).data[0].embedding
        assert sum(number * number for number in vector) == pytest.approx(1, abs=1e-3)
        assert [one.id for one in client.models.list()] == list(MODELS)
        assert client.models.retrieve("demo").id == "demo"
        client.close()


async def test_a_wrong_request_is_told_what_is_wrong() -> None:
    """Other models and paths, and a body that is no request, are errors in OpenAI's shape."""
    status, body = await ask("/responses", model="gpt", input="x")
    assert (status, orjson.loads(body)["error"]["code"]) == (404, "model_not_found")
    for text in (b"", b"[]", b"{"):
        assert (await DemoUpstream().send(Call("POST", "/messages", [], text))).status == 400
    answer = await DemoUpstream().send(Call("GET", "/nothing", []))
    assert answer.status == 404


async def test_a_wild_number_of_answers_is_refused_before_a_stream_begins() -> None:
    """`n` is held to a few, whichever way the answer is asked for."""
    for count in (1000, "a", 0.5):
        for stream in (True, False):
            assert (await ask("/chat/completions", messages=user("x"), n=count, stream=stream))[0] == 400
