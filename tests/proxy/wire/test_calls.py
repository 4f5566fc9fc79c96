"""Arguments of tool calls: checked where the policy wants it, never altered, withheld as a whole where one is blocked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import openai
import orjson
import pytest

from policies.policy import load
from policies.terms import Action, Mode, Policy, Request
from proxy.apis.chat import Chat
from proxy.judging.recorder import records
from proxy.stream.events import Again, Data, Ended
from proxy.stream.exchange import Exchange
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from proxy.wire.sse import Decoder
from tests.fakes import DONE, FakeModel, Script, chunk
from tests.playbook import Played, cut, drive
from tests.proxy.called import APIS, SAID, Spoken, chat_stream
from tests.proxy.servers import serving
from tests.proxy.streams import chunks, reports_of, text_of

GOOD = json.dumps({"to": "a@b.c", "n": 3, "body": 'This is "true" 🙂.', "tags": ["It is true."]})
BAD = json.dumps({"to": "a@b.c", "parts": [{"text": "This is true."}, {"text": 'It is "wrong" 🙂.'}]})
JSON = (("content-type", "application/json"),)


def policy(name: str, mode: Mode | None = None) -> Policy:
    found = load(name)
    return replace(found, tools="check", mode=mode or found.mode)


MODES = [("annotate", Mode.OBSERVE), ("attach", Mode.OBSERVE), ("attach", Mode.HOLD), ("attach", Mode.BUFFER)]
MODES += [("revise", Mode.HOLD), ("revise", Mode.BUFFER), ("block", Mode.HOLD), ("block", Mode.BUFFER)]


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> Spoken:
    return APIS[request.param]


def events(wire: bytes) -> list[bytes]:
    return [one.raw for one in Decoder().decode(wire)]


def call_reports(value: Any) -> Iterator[dict[str, Any]]:
    """All reports on calls, wherever they stand in an answer."""
    if isinstance(value, dict):
        if isinstance(value.get("call"), dict) and "outcome" in value:
            yield value
        else:
            yield from (one for inner in value.values() for one in call_reports(inner))
    elif isinstance(value, list):
        yield from (one for inner in value for one in call_reports(inner))


def of_stream(played: Played) -> list[dict[str, Any]]:
    """The reports on calls in the last event that has some, by call."""
    found = [list(call_reports(one)) for one in chunks(played.wire)]
    last = next((reports for reports in reversed(found) if reports), [])
    return by_call(last)


def by_call(reports: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for _, one in sorted({one["call"]["id"]: one for one in reports}.items())]


# ── what is told ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "mode"), MODES[:-2])
@pytest.mark.parametrize("seed", [0, 1])
def test_claims_in_arguments_are_told_with_their_place(api: Spoken, name: str, mode: Mode, seed: int) -> None:
    """Streamed and whole alike: each call has its report, each claim its offsets, words and JSON pointer."""
    chosen = policy(name, mode)
    streamed = of_stream(api.streamed(chosen, GOOD, BAD, seed=seed))
    whole = by_call(call_reports(orjson.loads(api.at_once(chosen, GOOD, BAD).wire)))
    assert [one["call"]["id"] for one in streamed] == ["call_0", "call_1"]
    assert {one["call"]["name"] for one in [*streamed, *whole]} == {"send"}
    for found in (streamed, whole):
        assert [one["outcome"] for one in found] == ["unconfirmed", "flagged"]
        told = [(claim["pointer"], claim["label"]) for claim in found[1]["claims"]]
        assert ("/parts/1/text", "contradictory") in told
        assert ("/parts/0/text", "attributable") in told
        for report in found:
            for claim in report["claims"]:
                assert report["text"][claim["start"] : claim["end"]] == claim["text"]
            assert report["edits"] == []


@pytest.mark.parametrize(("name", "mode"), MODES[:-2])
def test_arguments_are_never_altered(api: Spoken, name: str, mode: Mode) -> None:
    """No byte of an event that tells of a call is another than the model's, and they keep their order."""
    chosen = policy(name, mode)
    sent = [
        one
        for one in events(b"".join(api.stream(SAID, GOOD, BAD)))
        if b'tool_calls":[' in one
        or b"function_call_arg" in one
        or b"input_json" in one
        or b'tool_use","id' in one
    ]
    assert len(sent) > 10
    assert [one for one in events(api.streamed(chosen, GOOD, BAD).wire) if one in sent] == sent
    whole = orjson.loads(api.at_once(chosen, GOOD, BAD).wire)
    assert list(arguments(whole)) == [json.loads(GOOD), json.loads(BAD)]


def arguments(value: Any) -> Iterator[Any]:
    """Those of all calls of a whole answer, read."""
    if isinstance(value, dict):
        if "arguments" in value:
            yield json.loads(value["arguments"])
        elif value.get("type") == "tool_use":
            yield value["input"]
        else:
            yield from (one for inner in value.values() for one in arguments(inner))
    elif isinstance(value, list):
        yield from (one for inner in value for one in arguments(inner))


def test_without_the_setting_calls_are_not_looked_at(api: Spoken) -> None:
    """`tools: pass`, the default, is as if there were no calls, under a policy that blocks, too."""
    for chosen in (load("annotate"), load("revise"), replace(load("block"), tools="pass")):
        assert chosen.tools == "pass"
        for played in (api.streamed(chosen, BAD), api.at_once(chosen, BAD)):
            assert played.refused == []
            assert b"wrong" in played.wire
            assert len(played.audits[-1].reports) == 1


@pytest.mark.parametrize("mode", [Mode.OBSERVE, Mode.HOLD, Mode.BUFFER])
@pytest.mark.parametrize("said", [None, ""])
def test_an_answer_of_nothing_but_calls_has_a_report(api: Spoken, mode: Mode, said: str | None) -> None:
    """It says that the calls were not checked, the same in every API, streamed and whole; with no text there is nothing under it."""
    chosen = replace(load("attach"), mode=mode)
    streamed, whole = api.streamed(chosen, BAD, GOOD, said=said), api.at_once(chosen, BAD, GOOD, said=said)
    last = [told for one in chunks(streamed.wire) if (told := one.get("response", one).get("guardrail"))]
    for head in (last[-1], orjson.loads(whole.wire)["guardrail"]):
        assert (head["outcome"], head["counts"]["unchecked"]) == ("not_checked", 1)
    for played in (streamed, whole):
        reports = played.audits[-1].reports
        assert [one.detail for told in reports for one in told.report.unchecked] == ["tool calls"]
        assert not any(told.section for told in reports)
    assert list(arguments(orjson.loads(whole.wire))) == [json.loads(BAD), json.loads(GOOD)]


def test_the_outcome_of_an_answer_counts_its_calls(api: Spoken) -> None:
    """A text that is fine with a call that is not is flagged where a client looks first."""
    chosen = policy("annotate")
    whole = orjson.loads(api.at_once(chosen, BAD, said="It is true.").wire)
    assert whole["guardrail"]["outcome"] == "flagged"
    last = [one for one in chunks(api.streamed(chosen, BAD, said="It is true.").wire) if call_reports(one)]
    told = [one.get("guardrail") or one.get("response", {}).get("guardrail") for one in last]
    assert [one for one in told if one and "outcome" in one][-1]["outcome"] == "flagged"


# ── what is withheld ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
@pytest.mark.parametrize("seed", range(4))
def test_no_byte_of_a_blocked_call_is_sent(api: Spoken, mode: Mode, seed: int) -> None:
    """The answer ends as an error: a status while nothing was shown, else an event; the record says block."""
    chosen = policy("block", mode)
    for said in ("", "It is true."):
        for played in (api.streamed(chosen, BAD, said=said, seed=seed), api.at_once(chosen, BAD, said=said)):
            assert b"wrong" not in played.wire
            assert b"parts" not in played.wire
            assert b"call_0" not in played.wire
            told = [one.failure.code for one in played.refused]
            assert told == ["content_blocked"] or b"content_blocked" in played.wire
            reports = played.audits[-1].reports
            assert Action.BLOCK in [one.decision.action for one in reports if one.call]
        assert played.refused  # a whole answer is a status always


@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
def test_a_good_call_goes_on_as_it_came(api: Spoken, mode: Mode) -> None:
    """Under a policy that blocks, an answer whose calls are fine reaches the client event by event, in order."""
    chosen = policy("block", mode)
    played = api.streamed(chosen, GOOD, GOOD, said="It is true.")
    assert played.refused == []
    came = [one for one in events(b"".join(api.stream("It is true.", GOOD, GOOD))) if b"call" in one]
    kept = [one for one in came if b'completed","response' not in one and b"message_delta" not in one]
    assert [one for one in events(played.wire) if one in kept] == kept


def test_good_calls_before_a_blocked_one_were_sent_in_hold() -> None:
    """Where events come in order, a call that is judged goes on before the next one is."""
    for name in ("responses", "messages"):
        played = APIS[name].streamed(policy("block", Mode.HOLD), GOOD, BAD, said="It is true.")
        assert b"call_0" in played.wire
        assert b"content_blocked" in played.wire
        assert b"wrong" not in played.wire


def test_a_blocked_text_calls_nobody() -> None:
    """Chat: where the policy's message stands in the place of the text, the calls behind it are dropped."""
    for mode in (Mode.HOLD, Mode.BUFFER):
        played = APIS["chat"].streamed(policy("block", mode), GOOD, said="It is wrong.")
        deltas = [choice["delta"] for one in chunks(played.wire) for choice in one["choices"]]
        assert not [delta for delta in deltas if "tool_calls" in delta]
        assert "withheld" in text_of(played.wire)


def test_revise_on_a_call_becomes_the_action_without_a_revision() -> None:
    """The revision is told, not made; a policy that then blocks does so."""
    told = of_stream(APIS["chat"].streamed(policy("revise", Mode.HOLD), BAD))
    (claim,) = [one for one in told[0]["claims"] if one["label"] == "contradictory"]
    assert claim["revisions"][0]["replacement"] == "right"
    assert told[0]["action"] == "attach"
    strict = replace(policy("revise", Mode.HOLD), on_no_revision=Action.BLOCK)
    played = APIS["chat"].streamed(strict, BAD)
    assert b"wrong" not in played.wire
    assert played.audits[-1].reports


def test_a_call_can_be_asked_for_once_more() -> None:
    """With `regenerate` in mode buffer nothing of the first answer is sent, and the second is asked for."""
    rules = tuple(replace(rule, then=Action.REGENERATE) for rule in load("block").claims)
    chosen = replace(policy("block", Mode.BUFFER), claims=rules)
    found = []

    class Noting(GuardedStream):
        def receive(self, event: Any) -> Any:
            commands = super().receive(event)
            found.extend(one for one in commands if isinstance(one, Again))
            return commands

    wire = b"".join(chat_stream(SAID, BAD))
    played = drive(Noting(Chat().stream(calls=True), chosen), cut(wire, ()), chosen)
    assert played.wire == b""
    assert [one.call.name for one in found[0].reports if one.call] == ["send"]


# ── odd shapes ────────────────────────────────────────────────────────────────────────────────────────


def told_of(*deltas: dict[str, Any], finish: str = "tool_calls", chosen: Policy | None = None) -> Played:
    wire = b"".join([*(chunk(delta=one) for one in deltas), chunk(finish=finish), DONE])
    chosen = chosen or policy("annotate")
    return drive(GuardedStream(Chat().stream(calls=True), chosen), cut(wire, ()), chosen)


@pytest.mark.parametrize(
    "delta",
    [
        {"function_call": {"name": "send", "arguments": BAD}},
        {"tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "send", "input": "It is wrong."}}]},
        {"tool_calls": [{"id": "c", "function": {"name": "send", "arguments": BAD}}]},
        {"content": "It is true.", "tool_calls": [{"index": 0, "function": {"arguments": BAD}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"a": "It is wrong.'}}]},
    ],
)
def test_every_kind_of_call_is_checked(delta: dict[str, Any]) -> None:
    """Legacy function calls, custom tools, no index, text in the same event, arguments that break off."""
    (report,) = reports_of(told_of(delta).wire).values()
    assert [one["outcome"] for one in report["tool_calls"]] == ["flagged"]
    for mode in (Mode.HOLD, Mode.BUFFER):
        played = told_of(delta, chosen=policy("block", mode))
        assert b"wrong" not in played.wire


@pytest.mark.parametrize(
    "calls",
    [
        5,
        "x",
        [5],
        [None],
        [{}],
        [{"index": -1}],
        [{"index": True, "function": 7}],
        [{"function": {"arguments": 5}}],
    ],
)
def test_nonsense_in_the_place_of_calls_breaks_nothing(calls: object) -> None:
    """What is no call is passed on or called one without arguments; the answer ends as it should."""
    for name, mode in MODES:
        played = told_of({"content": "It is true."}, {"tool_calls": calls}, chosen=policy(name, mode))
        assert played.finished == 1
        assert b"[DONE]" in played.wire


@pytest.mark.parametrize(
    "call",
    [
        {"id": "c", "type": "mcp", "mcp": {"arguments": "It is wrong."}},
        {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}", "note": "It is wrong."}},
        {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"a": "It is wrong."}}},
        {"id": "c", "type": "function", "function": "It is wrong."},
        {"id": "It is wrong.", "type": "function", "function": {"name": "f", "arguments": "{}"}},
    ],
)
def test_calls_of_a_kind_that_nobody_knows_are_not_passed_as_checked(call: dict[str, Any]) -> None:
    """Words in a call that are not its arguments: an error where text is held, named in observe; streamed and whole."""
    delta = {"content": "It is true.", "tool_calls": [{"index": 0, **call}]}
    message = {"role": "assistant", "content": "It is true.", "tool_calls": [call]}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    for name, mode in MODES:
        chosen = policy(name, mode)
        machine = GuardedAnswer(Chat().whole(), chosen)
        whole = drive(machine, [Data(orjson.dumps(body)), Ended()], chosen, stream=False)
        for played in (told_of(delta, chosen=chosen), whole):
            assert (b"It is wrong." in played.wire) is (mode is Mode.OBSERVE)
            if mode is Mode.OBSERVE:
                assert any(
                    one.reason.value == "unread"
                    for told in played.audits[-1].reports
                    for one in told.report.unchecked
                )


# ── end to end ────────────────────────────────────────────────────────────────────────────────────────


async def test_sdks_get_calls_and_reports(tmp_path: Path) -> None:
    """The SDK's stream helpers accumulate the same calls as ever, with the reports beside them; each call is on record."""

    def answer(request: Any) -> Script:
        name = {"/v1/chat/completions": "chat", "/v1/responses": "responses"}.get(request.path, "messages")
        if request.json.get("stream"):
            return Script(APIS[name].stream(SAID, BAD))
        return Script([APIS[name].whole(SAID, BAD)], headers=JSON)

    file = tmp_path / "p.yaml"
    file.write_text("extends: annotate\ntools: check\n")
    ask: Any = [{"role": "user", "content": "?"}]
    async with FakeModel(answer).running() as model:
        with serving(tmp_path, policy=str(file), upstream=model.url) as (root, services):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="k", max_retries=0) as client:
                async with client.chat.completions.stream(model="m", messages=ask) as stream:
                    message = (await stream.get_final_completion()).choices[0].message
                assert message.tool_calls[0].function.arguments == BAD
                assert message.guardrail["tool_calls"][0]["call"]["name"] == "send"
                async with client.responses.stream(model="m", input="?") as events:
                    item = (await events.get_final_response()).output[1]
                assert (item.arguments, item.guardrail["outcome"]) == (BAD, "flagged")
            async with aiohttp.ClientSession() as http:
                response = await http.post(f"{root}/v1/messages", json={"model": "m", "messages": ask})
                told = (await response.json())["content"][1]
                assert (told["input"], told["guardrail"]["outcome"]) == (json.loads(BAD), "flagged")
                assert response.headers["x-guardrail-outcome"] == "flagged"
            tools = [record.tool for record in services.log.list()]
    assert sorted(tools) == ["", "", "", "send", "send", "send"]


def test_a_call_has_a_record_of_its_own() -> None:
    """With the tool's name, its claims and, where flagged, their words."""
    chosen = policy("annotate")
    played = APIS["chat"].streamed(chosen, BAD)
    exchange = Exchange(policy=chosen, request=Request(), mode=chosen.mode)
    found = {one.tool: one for one in records(exchange, played.audits[-1])}
    assert found.keys() == {"", "send"}
    assert found["send"].outcome == "flagged"
    assert found["send"].length == len(BAD)
