"""Responses whose words stand elsewhere than in deltas: they are read before they are shown, wherever a client shows them."""

from __future__ import annotations

from pathlib import Path

import openai
import orjson
import pytest

from guardrail.errors import UpstreamBroken
from policies.policy import load
from policies.terms import Mode
from proxy.apis.parts import PartReader
from proxy.apis.responses import ResponseStream, ResponseWhole
from proxy.stream.events import Data, Ended
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from proxy.wire.sse import Decoder
from tests.fakes import FakeModel, Script
from tests.playbook import Played, cut, drive
from tests.proxy.apis.test_plain import GUARDING
from tests.proxy.apis.test_responses import event, message, part, response, spoken
from tests.proxy.servers import serving
from tests.proxy.streams import policy

BAD = "It is wrong."
AT = {"item_id": "msg_0", "output_index": 0, "content_index": 0}
CREATED = event("response.created", response=response(status="in_progress"))
ITEM = event("response.output_item.added", output_index=0, item={**message(""), "content": []})
PART = event("response.content_part.added", **AT, part=part(""))
TOLD = event("response.output_text.delta", **AT, delta="It is true.", logprobs=[])
EMPTY = event("response.completed", response=response())
ALONE = {
    "done": [CREATED, ITEM, PART, event("response.output_text.done", **AT, text=BAD, logprobs=[]), EMPTY],
    "part done": [CREATED, ITEM, PART, event("response.content_part.done", **AT, part=part(BAD)), EMPTY],
    "item done": [CREATED, event("response.output_item.done", output_index=0, item=message(BAD)), EMPTY],
    "completed": [CREATED, event("response.completed", response=response(BAD))],
    "incomplete": [CREATED, event("response.incomplete", response=response(BAD, status="incomplete"))],
    "failed": [CREATED, event("response.failed", response=response(BAD, status="failed"))],
    "part added": [CREATED, ITEM, event("response.content_part.added", **AT, part=part(BAD)), EMPTY],
    "item added": [CREATED, event("response.output_item.added", output_index=0, item=message(BAD)), EMPTY],
    "created": [event("response.created", response=response(BAD, status="in_progress")), EMPTY],
    "refusal": [
        CREATED,
        ITEM,
        event("response.refusal.delta", **AT, delta=BAD),
        event("response.refusal.done", **AT, refusal=BAD),
        EMPTY,
    ],
    "differing done": [CREATED, ITEM, PART, TOLD, event("response.output_text.done", **AT, text=BAD), EMPTY],
    "differing completed": [CREATED, ITEM, PART, TOLD, event("response.completed", response=response(BAD))],
    "more in completed": [
        CREATED,
        ITEM,
        PART,
        TOLD,
        event("response.completed", response=response(f"It is true. {BAD}")),
    ],
}
UNREADABLE = {
    "a number": event("response.output_text.delta", **AT, delta=5),
    "an object": event("response.output_text.done", **AT, text={"value": BAD}),
    "an unknown part": event("response.content_part.added", **AT, part={"type": "poem", "lines": [BAD]}),
    "an unknown item": event(
        "response.output_item.added", output_index=0, item={"type": "poem", "lines": [BAD]}
    ),
    "content that is a string": event(
        "response.output_item.done", output_index=0, item={**message(""), "content": BAD}
    ),
    "output_text": event("response.completed", response={**response(), "output_text": BAD}),
}
UNKNOWN = {
    "an event": event("response.poem.delta", **AT, delta=BAD),
    "audio": event("response.audio.transcript.delta", delta=BAD),
    "a field": event("response.output_text.delta", **AT, delta="It is true.", gloss=BAD),
    "a field of a part": event("response.content_part.added", **AT, part={**part(""), "gloss": BAD}),
    "a field of a response": event("response.in_progress", response={**response(), "gloss": BAD}),
}


def streamed(name: str, mode: Mode, wire: list[bytes]) -> Played:
    chosen = policy(name, mode)
    return drive(GuardedStream(ResponseStream(), chosen), cut(b"".join(wire), ()), chosen)


def told(wire: bytes) -> list[dict]:
    return [orjson.loads(one.data) for one in Decoder().decode(wire) if one.data]


def shown(wire: bytes) -> bytes:
    """What went out besides our own reports."""

    def less(value: object) -> object:
        if isinstance(value, dict):
            return {
                name: less(one) for name, one in value.items() if name not in ("guardrail", "annotations")
            }
        return [less(one) for one in value] if isinstance(value, list) else value

    return orjson.dumps(less(told(wire)))


@pytest.mark.parametrize("form", ALONE)
@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_words_are_judged_whichever_event_tells_them(form: str, name: str, mode: Mode) -> None:
    """A policy that guards shows them corrected, blocked or with a note, or not at all; never as they were."""
    played = streamed(name, mode, ALONE[form])
    assert played.finished == 1
    if name != "attach":
        assert b"wrong" not in shown(played.wire)
    elif b"wrong" in shown(played.wire):
        assert b"[1]" in shown(played.wire)
    if name == "revise" and "differing" not in form and form != "created":
        assert b"It is right." in shown(played.wire)


@pytest.mark.parametrize("form", ALONE)
def test_words_that_pass_are_in_the_report(form: str) -> None:
    """In observe all events but the last are the upstream's, and no answer with such words is confirmed."""
    played = streamed("annotate", Mode.OBSERVE, ALONE[form])
    assert played.wire.startswith(b"".join(ALONE[form][:-1]))
    (report,) = played.audits[-1].reports
    assert report.decision.outcome.value == ("not_checked" if form == "created" else "flagged")


@pytest.mark.parametrize("form", UNREADABLE)
@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_what_cannot_be_read_ends_the_answer(form: str, name: str, mode: Mode) -> None:
    """Known places with a shape that is not understood are an error where text is held; in observe they pass, named."""
    wire = [CREATED, ITEM, PART, UNREADABLE[form], EMPTY]
    played = streamed(name, mode, wire)
    assert b"wrong" not in played.wire
    assert b"cannot read" in played.wire + b"".join(one.failure.json() for one in played.refused)
    passed = streamed("annotate", Mode.OBSERVE, wire)
    assert passed.wire.startswith(b"".join(wire[:3]))
    (report,) = passed.audits[-1].reports
    assert report.decision.outcome.value == "not_checked"


@pytest.mark.parametrize("form", UNKNOWN)
@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_unknown_events_and_fields_with_words_are_left_out(form: str, name: str, mode: Mode) -> None:
    """New kinds of events break no answer, but what they say does not pass where text is held."""
    wire = [CREATED, ITEM, PART, TOLD, UNKNOWN[form], EMPTY]
    assert b"wrong" not in streamed(name, mode, wire).wire
    assert b'"response.completed"' in streamed(name, mode, wire).wire
    passed = streamed("annotate", Mode.OBSERVE, wire)
    assert UNKNOWN[form] in passed.wire
    (report,) = passed.audits[-1].reports
    assert report.decision.outcome.value == "not_checked"


@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_numbers_of_events_rise_by_one(name: str, mode: Mode) -> None:
    """Words of our own are counted like any other event; an upstream that numbers nothing stays as it is."""
    wire = spoken("It is true. It is wrong.", "More is true. It is wrong.")
    numbered = [
        event(one["type"], **{**one, "sequence_number": number})
        for number, one in enumerate(told(b"".join(wire)))
    ]
    found = [one["sequence_number"] for one in told(streamed(name, mode, numbered).wire)]
    assert found == list(range(len(found)))
    assert all("sequence_number" not in one for one in told(streamed(name, mode, wire).wire))
    observed = streamed("annotate", Mode.OBSERVE, numbered)
    assert observed.wire.startswith(b"".join(numbered[:-1]))


def test_an_error_of_ours_is_counted_too() -> None:
    """What takes the place of the rest has the next number."""
    broken = [event("response.created", response=response(), sequence_number=7), UNREADABLE["a number"]]
    found = told(streamed("revise", Mode.HOLD, broken).wire)
    assert [(one["type"], one["sequence_number"]) for one in found] == [("response.created", 7), ("error", 8)]


@pytest.mark.parametrize("name", ["attach", "revise", "block"])
def test_whole_responses_hold_words_in_refusals_too(name: str) -> None:
    """Refusals are corrected in their place; fields that nobody knows do not pass; odd shapes are an error."""
    chosen = load(name)

    def whole(body: dict) -> Played:
        machine = GuardedAnswer(ResponseWhole(), chosen)
        return drive(machine, [Data(orjson.dumps(body)), Ended()], chosen, stream=False)

    body = response("")
    body["output"][0]["content"] = [{"type": "refusal", "refusal": BAD, "gloss": BAD}]
    answer = orjson.loads(whole({**body, "gloss": BAD, "output_text": ""}).wire)
    assert "gloss" not in answer
    assert "gloss" not in answer["output"][0]["content"][0]
    refusal = answer["output"][0]["content"][0]["refusal"]
    assert {"attach": "[1]" in refusal, "revise": refusal == "It is right.", "block": "It is" not in refusal}[
        name
    ]
    for odd in (
        {**response(), "output_text": BAD},
        {**response(), "output": {"0": message(BAD)}},
        {**response(), "output": [{**message(BAD), "content": BAD}]},
        {**response(), "output": [{"type": "poem", "text": BAD}]},
        {**response(), "output": [BAD]},
    ):
        played = whole(odd)
        assert b"wrong" not in played.wire
        assert [one.failure.status for one in played.refused] == [502]


def test_what_is_known_of_a_response_stays() -> None:
    """Calls, reasoning, files and settings of a response are no answer text: they pass, and are named."""
    body = response("It is true.")
    body["output"] += [
        {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "Is it wrong?"}]},
        {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"query": "what is wrong"}},
    ]
    body["instructions"], body["metadata"] = "Say what is wrong.", {"a": "b c"}
    found = PartReader(strict=True)
    assert found.response(body) == body
    assert found.beside == ["reasoning", "tool calls"]
    with pytest.raises(UpstreamBroken):
        found.response({**body, "output": 5})


async def test_the_official_client_sees_no_word_that_was_not_judged(tmp_path: Path) -> None:
    """Through a real server and openai-python, streamed with its helper and without."""
    forms = list(ALONE)

    def script(request):
        return Script(ALONE[forms[int(request.json["input"])]])

    async with FakeModel(script).running() as model:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="k", max_retries=0) as client:
                for number in range(len(forms)):
                    stream = await client.responses.create(model="m", input=str(number), stream=True)
                    seen = [one.model_dump(exclude={"guardrail"}) async for one in stream]
                    assert "wrong" not in str(seen)
                for number in map(forms.index, ("completed", "incomplete", "failed")):
                    async with client.responses.stream(model="m", input=str(number)) as helper:
                        seen = [one async for one in helper]
                    assert seen[-1].type == f"response.{forms[number]}"
                    assert "wrong" not in seen[-1].response.output_text


@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_one_sentence_over_several_parts_is_never_judged_in_halves(name: str, mode: Mode) -> None:
    """In a stream it is an error where text is held; in an answer that comes as a whole the parts become one."""
    second = {**AT, "content_index": 1}
    wire = [
        *[CREATED, ITEM, PART, event("response.output_text.delta", **AT, delta="It is ", logprobs=[])],
        event("response.output_text.done", **AT, text="It is ", logprobs=[]),
        event("response.content_part.added", **second, part=part("")),
        event("response.output_text.delta", **second, delta="wrong.", logprobs=[]),
        EMPTY,
    ]
    played = streamed(name, mode, wire)
    assert b"wrong" not in played.wire
    assert b"a sentence in several parts" in played.wire + b"".join(r.failure.json() for r in played.refused)
    cited = {"type": "url_citation", "url": "http://a", "title": "a", "start_index": 0, "end_index": 5}
    body = response("It is ")
    body["output"][0]["content"].append({**part("wrong."), "annotations": [cited]})
    for given in (body, {**body, "status": "incomplete"}):
        chosen = load(name)
        machine = GuardedAnswer(ResponseWhole(), chosen)
        events = [Data(orjson.dumps(given)), Ended()]
        answer = orjson.loads(drive(machine, events, chosen, stream=False).wire)
        (one,) = answer["output"][0]["content"]
        text = one["text"]
        assert {"attach": "[1]" in text, "revise": text == "It is right.", "block": "wrong" not in text}[name]
        assert (one["annotations"][0]["start_index"], one["annotations"][0]["end_index"]) == (6, 11)
    final = streamed(name, mode, [CREATED, event("response.completed", response=body)])
    assert name == "attach" or b"wrong" not in shown(final.wire)
