"""A chat client behind the proxy: the official SDK against the real server, the model's server played by script."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import aiohttp
import openai
import orjson
import pytest

from policies.policy import PRESETS
from tests.fakes import DONE, FakeModel, FakeVerifier, Script, chunk, completion, spoken
from tests.proxy.proxied import ASK, JSON, TEXT, proxied, text_of
from tests.proxy.servers import serving


async def test_create_gives_message_report_and_annotations(tmp_path: Path) -> None:
    """A whole answer carries its report on message and response, citations, and the outcome in headers."""
    async with proxied(tmp_path, Script([completion(TEXT)], headers=JSON)) as (client, _, _, _):
        raw = await client.chat.completions.with_raw_response.create(**ASK)
        answer = raw.parse()
    assert answer.choices[0].message.content == TEXT
    report = answer.choices[0].message.guardrail  # type: ignore[attr-defined]
    assert [c["label"] for c in report["claims"]] == ["attributable", "contradictory"]
    assert answer.guardrail["outcome"] == "flagged"  # type: ignore[attr-defined]
    cited = answer.choices[0].message.annotations[0].url_citation
    assert TEXT[cited.start_index : cited.end_index] == "This is true."
    head = raw.headers
    assert (head["x-guardrail-action"], head["x-guardrail-kas"], head["x-guardrail-outcome"]) == (
        "annotate",
        "0.250",
        "flagged",
    )
    assert (head["x-guardrail-confirmed"], report["counts"]["claims"]) == ("1/2", 2)
    assert head["x-guardrail-id"] == report["id"]
    assert (head["x-guardrail-policy"], head["x-guardrail-mode"]) == ("annotate", "observe")


async def test_stream_gives_progress_and_the_report_once(tmp_path: Path) -> None:
    """A streamed answer has the model's words, verdicts on the way, and one full report before the end."""
    async with proxied(tmp_path, Script(spoken(TEXT, usage=True))) as (client, _, _, _):
        stream = await client.chat.completions.create(
            **ASK, stream=True, stream_options={"include_usage": True}
        )
        said, chunks = await text_of(stream)
    assert said == TEXT
    progress = [
        c.guardrail for c in chunks if getattr(c, "guardrail", None) and "check_offset" in c.guardrail
    ]
    assert [p["choice_index"] for p in progress] == [0, 0, 0]
    (report,) = [
        c.choices[0].delta.guardrail
        for c in chunks
        if c.choices and getattr(c.choices[0].delta, "guardrail", None)
    ]
    assert report["outcome"] == "flagged"
    assert [c.usage.total_tokens for c in chunks if c.usage] == [10]


async def test_stream_helper_keeps_report_and_annotations(tmp_path: Path) -> None:
    """`.stream()` of the SDK gives a final completion whose message carries the report."""
    async with (
        proxied(tmp_path, Script(spoken(TEXT, usage=True))) as (client, _, _, _),
        client.chat.completions.stream(**ASK, stream_options={"include_usage": True}) as stream,
    ):
        async for _ in stream:
            pass
        final = await stream.get_final_completion()
    assert final.choices[0].message.content == TEXT
    assert final.choices[0].message.guardrail["outcome"] == "flagged"  # type: ignore[attr-defined]
    assert final.choices[0].finish_reason == "stop"
    assert final.choices[0].message.role == "assistant"
    assert final.choices[0].message.annotations
    assert final.usage
    assert final.usage.total_tokens == 10


async def test_usage_told_with_the_finish_reason_survives(tmp_path: Path) -> None:
    """A server that puts usage on its last chunk keeps it in the SDK's final completion."""
    counted = {"prompt_tokens": 3, "completion_tokens": 7, "total_tokens": 10}
    wire = [chunk("It is true."), chunk(finish="stop", usage=counted), DONE]
    async with (
        proxied(tmp_path, Script(wire)) as (client, _, _, _),
        client.chat.completions.stream(**ASK) as stream,
    ):
        final = await stream.get_final_completion()
    assert final.usage
    assert final.usage.total_tokens == 10


def test_the_synchronous_client_works_too(tmp_path: Path) -> None:
    """create, create(stream=True) and .stream() of the synchronous SDK work against the demo model."""
    with (
        serving(tmp_path) as (root, _),
        openai.OpenAI(base_url=f"{root}/v1", api_key="any", max_retries=0) as client,
    ):
        ask = {"model": "demo", "messages": [{"role": "user", "content": f"verify: {TEXT}"}]}
        assert client.chat.completions.create(**ask).choices[0].message.content == TEXT
        with client.chat.completions.create(**ask, stream=True) as stream:
            assert "".join(c.choices[0].delta.content or "" for c in stream) == TEXT
        with client.chat.completions.stream(**ask) as helper:
            assert helper.get_final_completion().choices[0].message.content == TEXT


async def test_n_choices_each_have_a_report(tmp_path: Path) -> None:
    """With n=2 each choice is judged for itself, streamed and not."""
    wire = [chunk("It is true.", index=0), chunk("It is wrong.", index=1)]
    wire += [chunk(index=i, finish="stop") for i in (0, 1)] + [DONE]
    async with proxied(tmp_path, Script(wire)) as (client, _, _, _):
        _, chunks = await text_of(await client.chat.completions.create(**ASK, n=2, stream=True))
        found = {
            c.choices[0].index: c.guardrail["outcome"]
            for c in chunks
            if getattr(c.choices[0].delta, "guardrail", None)
        }
        assert found == {0: "confirmed", 1: "flagged"}
    async with proxied(tmp_path, Script([completion("It is true.", "It is wrong.")], headers=JSON)) as (
        client,
        _,
        _,
        _,
    ):
        answer = await client.chat.completions.create(**ASK, n=2)
        assert [c.message.guardrail["outcome"] for c in answer.choices] == ["confirmed", "flagged"]
        assert answer.guardrail["outcome"] == "flagged"  # type: ignore[attr-defined]


@pytest.mark.parametrize("preset", PRESETS)
async def test_stream_and_whole_answer_end_the_same_under_every_preset(tmp_path: Path, preset: str) -> None:
    """For each preset the streamed text, report and action are those of the whole answer."""

    def script(request):
        streamed = request.json.get("stream")
        return Script(spoken(TEXT)) if streamed else Script([completion(TEXT)], headers=JSON)

    async with proxied(tmp_path, script, policy=preset) as (client, _, services, _):
        whole = (await client.chat.completions.create(**ASK)).choices[0].message.content
        streamed, _ = await text_of(await client.chat.completions.create(**ASK, stream=True))
        first, second = (r for r in services.log.list(limit=10))
    if preset != "block":  # hold shows the sentences before the blocked one
        assert streamed == whole
    assert (first.action, first.outcome, first.flagged) == (second.action, second.outcome, second.flagged)
    assert (whole == TEXT) is (preset in ("shadow", "annotate"))


async def test_a_request_may_choose_an_allowed_policy(tmp_path: Path) -> None:
    """`x-guardrail-policy` and the body's `guardrail.policy` choose; an unknown name is a 400 that lists the allowed ones."""
    async with proxied(tmp_path, Script(spoken("It is wrong."))) as (client, model, _, _):
        stream = await client.chat.completions.create(
            **ASK, stream=True, extra_headers={"x-guardrail-policy": "revise"}
        )
        assert (await text_of(stream))[0] == "It is right."
        stream = await client.chat.completions.create(
            **ASK, stream=True, extra_body={"guardrail": {"policy": "revise"}}
        )
        assert (await text_of(stream))[0] == "It is right."
        assert "guardrail" not in model.requests[-1].json
        with pytest.raises(openai.BadRequestError, match="annotate, attach") as caught:
            await client.chat.completions.create(**ASK, extra_headers={"x-guardrail-policy": "none"})
        assert caught.value.code == "unknown_policy"


async def test_the_request_reaches_the_upstream_unchanged(tmp_path: Path) -> None:
    """Unknown fields, number formats and the client's Authorization go through; our own headers and field do not."""
    raw = b'{"model": "m", "messages": [], "x_new": {"a": 1.0, "b": [1e3, 12345678901234567890123]}, "z":"\\u00e9"}'
    async with (
        proxied(tmp_path, Script([completion("Hi")], headers=JSON)) as (_, model, _, root),
        aiohttp.ClientSession() as http,
    ):
        headers = {
            "authorization": "Bearer sk-mine",
            "content-type": "application/json",
            "x-guardrail-policy": "annotate",
            "x-other": "1",
        }
        await http.post(f"{root}/v1/chat/completions?api-version=7", data=raw, headers=headers)
    (request,) = model.requests
    assert request.body == raw
    assert request.path == "/v1/chat/completions?api-version=7"
    assert request.headers["authorization"] == "Bearer sk-mine"
    assert request.headers["x-other"] == "1"
    assert "x-guardrail-policy" not in request.headers


async def test_question_and_references_reach_the_verifier(tmp_path: Path) -> None:
    """The user's last words are the question; `guardrail.references` and `triplets` are evidence, not sent upstream."""
    verifier = FakeVerifier()
    async with proxied(tmp_path, Script([completion("Hi there.")], headers=JSON), verifier=verifier) as (
        client,
        model,
        _,
        _,
    ):
        given = {"references": ["a text"], "triplets": [["s", "p", "o"]], "sources": ["request"]}
        await client.chat.completions.create(**ASK, extra_body={"guardrail": given})
        (session,) = verifier.sessions
        assert session.given["question"] == "What is it?"
        assert session.given["references"][0].text == "a text"  # type: ignore[index]
        assert session.given["triplets"][0].predicate.label == "p"  # type: ignore[index]
        assert model.requests[0].json == ASK
        with pytest.raises(openai.BadRequestError, match=r"references\[0\]"):
            await client.chat.completions.create(**ASK, extra_body={"guardrail": {"references": [5]}})
        with pytest.raises(openai.BadRequestError, match="must be an object"):
            await client.chat.completions.create(**ASK, extra_body={"guardrail": 5})


async def test_a_field_of_ours_that_there_is_not_is_named(tmp_path: Path) -> None:
    """A misspelt name is a 400 that lists the right ones: an answer unchecked by the references would look like a checked one."""
    async with proxied(tmp_path, Script(spoken(TEXT))) as (client, model, _, _):
        with pytest.raises(
            openai.BadRequestError, match="'reference'; allowed: policy, question, references"
        ):
            await client.chat.completions.create(**ASK, extra_body={"guardrail": {"reference": ["a text"]}})
        assert model.requests == []


async def test_off_passes_bytes_through_and_says_not_checked(tmp_path: Path) -> None:
    """Without a policy the answer is the upstream's, byte for byte, and the header never claims that it is confirmed."""
    wire = b"".join(spoken(TEXT)) + b": bye\r\n\r\n"
    async with (
        proxied(tmp_path, Script([wire]), policy="off") as (_, _, _, root),
        aiohttp.ClientSession() as http,
    ):
        response = await http.post(f"{root}/v1/chat/completions", json={**ASK, "stream": True})
        assert await response.read() == wire
        assert response.headers["x-guardrail-outcome"] == "not_checked"


async def test_the_models_server_gets_the_trace_it_belongs_to(tmp_path: Path) -> None:
    """Where spans are sent somewhere, its parent is our span in the client's trace; elsewhere the client's own."""
    given = {"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
    async with proxied(tmp_path, Script(spoken("It is true."))) as (client, model, services, _):
        await text_of(await client.chat.completions.create(**ASK, stream=True, extra_headers=given))
        assert model.requests[-1].headers["traceparent"] == given["traceparent"]
        telemetry = services.telemetry
        telemetry._providers = replace(telemetry._providers, traced=True)
        await text_of(await client.chat.completions.create(**ASK, stream=True, extra_headers=given))
    told = model.requests[-1].headers["traceparent"].split("-")
    assert told[1] == given["traceparent"].split("-")[1]
    assert told[2] != given["traceparent"].split("-")[2]


@pytest.mark.parametrize(
    ("path", "name"), [("chat/completions", "messages"), ("messages", "messages"), ("responses", "input")]
)
async def test_reports_that_come_back_with_a_conversation_stay_here(
    tmp_path: Path, path: str, name: str
) -> None:
    """Clients hand earlier answers back as they got them; providers refuse fields that they do not know."""
    said = [
        {"role": "user", "content": 'Say "guardrail".'},
        {"role": "assistant", "content": "It is true.", "guardrail": {"outcome": "confirmed"}},
        {"role": "assistant", "content": [{"type": "text", "text": "x", "guardrail": {}}, "odd"]},
        {"type": "function_call", "arguments": '{"guardrail": 1}', "guardrail": {}},
        {"role": "tool", "content": [{"type": "tool_use", "input": {"guardrail": "kept"}}]},
    ]
    async with FakeModel(Script([b"{}"], headers=(("content-type", "application/json"),))).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, _):
            async with aiohttp.ClientSession() as http:
                for body in ({"model": "m", name: said}, {"model": "m", name: said[:1]}):
                    raw = orjson.dumps(body, option=orjson.OPT_INDENT_2)
                    await (await http.post(f"{root}/v1/{path}", data=raw)).read()
    first, second = model.requests
    told = first.json[name]
    assert [one.keys() & {"guardrail"} for one in told] == [set()] * 5
    assert told[2]["content"] == [{"type": "text", "text": "x"}, "odd"]
    assert (told[3]["arguments"], told[4]["content"][0]["input"]) == (
        '{"guardrail": 1}',
        {"guardrail": "kept"},
    )
    assert second.body == raw
