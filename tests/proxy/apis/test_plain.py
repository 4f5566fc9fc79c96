"""Chat answers in forms that SDKs show: whatever place the words stand in, they are read before they are shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import openai
import orjson
import pytest

from policies.terms import Mode
from proxy.apis.chat import ChatStream, ChatWhole
from proxy.stream.events import Data, Ended
from proxy.stream.whole import GuardedAnswer
from proxy.wire.sse import Decoder
from tests.fakes import DONE, FakeModel, Script, chunk
from tests.playbook import Played, cut, drive
from tests.proxy.servers import serving
from tests.proxy.streams import chunks, machine, policy, reports_of, text_of

BAD = "It is wrong."
GUARDING = [
    ("attach", Mode.HOLD),
    ("revise", Mode.HOLD),
    ("revise", Mode.BUFFER),
    ("block", Mode.HOLD),
    ("block", Mode.BUFFER),
]
# What the words stand in, in a delta as in a message.
READ = {
    "a list of parts": {"content": [{"type": "text", "text": "It is "}, {"type": "text", "text": "wrong."}]},
    "a list of strings": {"content": [BAD]},
    "output_text": {"content": [{"type": "output_text", "text": BAD, "annotations": []}]},
    "no type": {"content": [{"text": BAD}]},
    "a value": {"content": [{"type": "text", "text": {"value": BAD}}]},
    "behind thoughts": {
        "content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]},
            {"type": "text", "text": BAD},
        ]
    },
    "a refusal": {"refusal": BAD},
    "a refused part": {"content": [{"type": "refusal", "refusal": BAD}]},
    "both": {"content": "It is ", "refusal": "wrong."},
}
UNREADABLE = {
    "a number": {"content": 5},
    "an object": {"content": {"text": BAD}},
    "a list in a list": {"content": [[BAD]]},
    "an unknown part": {"content": [{"type": "poem", "lines": [BAD]}]},
    "audio": {"audio": {"id": "a", "transcript": BAD}},
    "a refusal that is an object": {"refusal": {"text": BAD}},
    "a role": {"role": BAD},
}
UNKNOWN = {
    "a string": {"answer": BAD},
    "words one by one": {"answer": "wrong"},
    "deep": {"provider_specific_fields": {"say": [{"it": BAD}]}},
}


def streamed(name: str, mode: Mode, *events: bytes) -> Played:
    chosen = policy(name, mode)
    return drive(machine(chosen), cut(b"".join(events), ()), chosen)


def whole(name: str, body: dict) -> Played:
    chosen = policy(name)
    events = [Data(orjson.dumps(body)), Ended()]
    return drive(GuardedAnswer(ChatWhole(), chosen), events, chosen, stream=False)


def answer(message: object, **more: object) -> dict:
    choice = {"index": 0, "message": message, "finish_reason": "stop", **more}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def shown(wire: bytes) -> bytes:
    """What went out besides our own reports, which quote the answer."""

    def less(value: object) -> object:
        if isinstance(value, dict):
            return {
                name: less(one) for name, one in value.items() if name not in ("guardrail", "annotations")
            }
        return [less(one) for one in value] if isinstance(value, list) else value

    found = chunks(wire) if wire.startswith(b"data:") else [orjson.loads(wire)]
    return orjson.dumps(less(found))


@pytest.mark.parametrize("form", READ)
@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_words_are_judged_in_whatever_form_they_come(form: str, name: str, mode: Mode) -> None:
    """A policy that guards corrects, blocks or notes them; the two forms of an answer are read alike."""
    stream = streamed(name, mode, chunk(delta=READ[form]), chunk(finish="stop"), DONE).wire
    answered = whole(name, answer({"role": "assistant", **READ[form]})).wire
    for wire in (stream, answered):
        assert (b"wrong" in shown(wire)) is (name == "attach")
        assert (b"[1]" in shown(wire)) is (name == "attach")
        assert (b"right" in shown(wire)) is (name == "revise")
    assert reports_of(stream)[0]["outcome"] == orjson.loads(answered)["guardrail"]["outcome"] == "flagged"


@pytest.mark.parametrize("form", READ)
def test_what_passes_is_read_in_the_same_forms(form: str) -> None:
    """In observe every byte passes and the report speaks of it."""
    wire = [chunk(delta=READ[form]), chunk(finish="stop")]
    played = streamed("annotate", Mode.OBSERVE, *wire, DONE)
    assert played.wire.startswith(b"".join(wire))
    assert reports_of(played.wire)[0]["outcome"] == "flagged"
    told = orjson.loads(whole("annotate", answer(READ[form])).wire)
    assert told["guardrail"]["outcome"] == "flagged"
    assert READ[form].items() <= told["choices"][0]["message"].items()


@pytest.mark.parametrize("form", UNREADABLE)
@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_what_cannot_be_read_ends_the_answer(form: str, name: str, mode: Mode) -> None:
    """Under a policy that guards, text in a shape that is not understood is an error, never shown."""
    stream = streamed(name, mode, chunk("Good. "), chunk(delta=UNREADABLE[form]), chunk(finish="stop"), DONE)
    answered = whole(name, answer({"role": "assistant", **UNREADABLE[form]}))
    assert b"wrong" not in stream.wire + answered.wire
    assert b"which this server cannot read" in stream.wire + b"".join(
        r.failure.json() for r in stream.refused
    )
    assert [one.failure.status for one in answered.refused] == [502]


@pytest.mark.parametrize("form", [*UNREADABLE, *UNKNOWN])
def test_what_passes_unread_is_named(form: str) -> None:
    """In observe it passes, and the outcome is not_checked, whatever else was confirmed."""
    said = {**UNREADABLE, **UNKNOWN}[form]
    wire = [chunk("It is true. "), chunk(delta=said), chunk(finish="stop")]
    played = streamed("annotate", Mode.OBSERVE, *wire, DONE)
    assert played.wire.startswith(b"".join(wire))
    report = reports_of(played.wire)[0]
    expected = "flagged" if form == "audio" else "not_checked"
    assert report["outcome"] == expected
    assert form == "audio" or [one["reason"] for one in report["unchecked"]] == ["unread"]
    told = orjson.loads(whole("annotate", answer(said)).wire)
    assert told["guardrail"]["outcome"] == expected


@pytest.mark.parametrize("form", UNKNOWN)
@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_unknown_fields_with_words_are_left_out(form: str, name: str, mode: Mode) -> None:
    """Under a policy that guards, words in fields that nobody knows do not pass; numbers and known extras do."""
    extras = {"logit": 1, "annotations": [{"type": "url_citation", "url_citation": {"url": "http://a"}}]}
    at_top = {"x_groq": {"id": "req_1"}, "citations": ["http://a"], "seed": 5, "ref": "a-b"}
    events = (
        chunk("It is true.", delta={**UNKNOWN[form], **extras}, **at_top, essay=BAD),
        chunk(delta=UNKNOWN[form]),
        chunk(finish="stop"),
    )
    stream = streamed(name, mode, *events, DONE).wire
    message = {"role": "assistant", "content": "It is true.", **UNKNOWN[form], **extras}
    told = whole(name, {**answer(message, thesis=BAD), **at_top, "essay": BAD}).wire
    for wire in (stream, told):
        assert b"wrong" not in wire
        assert b"It is true." in wire
        for kept in (b'"x_groq"', b'"citations"', b'"seed":5', b'"ref":"a-b"', b'"logit":1'):
            assert kept in wire


@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_a_message_within_a_stream_is_read(name: str, mode: Mode) -> None:
    """Some servers send a message where a delta belongs, or all of it once more at the end."""

    def event(**choice: object) -> bytes:
        body = {"id": "c", "model": "m", "choices": [{"index": 0, "finish_reason": None, **choice}]}
        return b"data: " + orjson.dumps(body) + b"\n\n"

    pieces = [event(message={"content": "It is "}), event(message={"content": "wrong."})]
    for wire in (
        [*pieces, event(delta={}, finish_reason="stop")],
        [event(message={"content": BAD}, finish_reason="stop")],
        [chunk(BAD), event(delta={}, message={"content": BAD}, finish_reason="stop")],
        [chunk("It is true. "), event(delta={}, message={"content": BAD}, finish_reason="stop")],
    ):
        found = streamed(name, mode, *wire, DONE).wire
        assert name == "attach" or b"wrong" not in shown(found)
        assert b'"message"' not in shown(found)
    said = text_of(streamed("revise", mode, pieces[0], pieces[1], chunk(finish="stop"), DONE).wire)
    assert said == "It is right."


def test_words_behind_the_end_of_a_choice_are_its_words() -> None:
    """Text after the finish reason is judged where it passes, and not shown where text is held."""
    wire = [chunk("It is true."), chunk(finish="stop"), chunk(" It is wrong.")]
    played = streamed("annotate", Mode.OBSERVE, *wire, DONE)
    assert played.wire.startswith(b"".join(wire))
    report = reports_of(played.wire)[0]
    assert (report["outcome"], report["text"]) == ("flagged", "It is true. It is wrong.")
    assert [one["text"] for one in report["claims"]] == ["It is true.", "It is wrong."]
    for name, mode in GUARDING:
        assert b"wrong" not in streamed(name, mode, *wire, DONE).wire


def test_log_probabilities_without_text_do_not_pass() -> None:
    """They hold the words of an answer, too."""
    told = {"content": [{"token": "wrong", "logprob": -0.1, "bytes": None, "top_logprobs": []}]}
    choice = {"index": 0, "delta": {}, "finish_reason": None, "logprobs": told}
    body = {"id": "c", "model": "m", "choices": [choice]}
    event = b"data: " + orjson.dumps(body) + b"\n\n"
    for name, mode in GUARDING:
        assert b"wrong" not in streamed(name, mode, chunk("Good."), event, chunk(finish="stop"), DONE).wire
    assert event in streamed("annotate", Mode.OBSERVE, event, chunk(finish="stop"), DONE).wire


def test_reasoning_passes_and_is_named() -> None:
    """It is not the answer: the outcome is that of the answer, and the report names it as not read."""
    for name, mode in [("annotate", Mode.OBSERVE), *GUARDING]:
        thought = chunk(delta={"reasoning_content": "Is it wrong?"})
        chosen = replace(policy(name, mode), beside="pass")
        events = (thought, chunk("It is true."), chunk(finish="stop"), DONE)
        played = drive(machine(chosen), cut(b"".join(events), ()), chosen)
        assert thought in played.wire
        report = reports_of(played.wire)[0]
        assert (report["outcome"], report["not_read"]) == ("confirmed", ["reasoning"])


@pytest.mark.parametrize("text", ["It is true.", None])
def test_tool_calls_that_are_not_checked_are_no_part_of_a_confirmed_answer(text: str | None) -> None:
    """Beside a confirmed text or alone they pass, unread and named; nothing is done about them."""
    calls = [
        {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": f'["{BAD}"]'}}
    ]
    for name, mode in [("annotate", Mode.OBSERVE), *GUARDING]:
        chosen = replace(policy(name, mode), tools="pass")
        said = [chunk(text)] if text else [chunk(delta={"role": "assistant", "content": None})]
        events = (*said, chunk(delta={"tool_calls": calls}), chunk(finish="tool_calls"), DONE)
        report = reports_of(drive(machine(chosen), cut(b"".join(events), ()), chosen).wire)[0]
        body = [Data(orjson.dumps(answer({"content": text, "tool_calls": calls}))), Ended()]
        told = orjson.loads(drive(GuardedAnswer(ChatWhole(), chosen), body, chosen, stream=False).wire)
        for one in (report, told["choices"][0]["message"]["guardrail"]):
            assert (one["outcome"], one["action"]) == ("not_checked", "pass")
            assert one["not_read"] == ["tool calls"]
            assert [(u["reason"], u["detail"]) for u in one["unchecked"]] == [("disabled", "tool calls")]


def test_an_index_that_is_a_whole_number_is_that_number() -> None:
    """1.0 is choice 1; what is no index at all cannot be told apart and is refused where text is held."""
    floats = [
        chunk("It is true."),
        chunk(BAD, index=1.0),
        chunk(finish="stop"),
        chunk(index=1.0, finish="stop"),
    ]  # type: ignore[arg-type]
    found = reports_of(streamed("annotate", Mode.OBSERVE, *floats, DONE).wire)
    assert {number: one["outcome"] for number, one in found.items()} == {0: "confirmed", 1: "flagged"}
    for index in ("1", -1, True, 1.5, [1]):
        played = streamed("block", Mode.HOLD, chunk("It is true. "), chunk(BAD, index=index), DONE)  # type: ignore[arg-type]
        assert b"cannot read" in played.wire
        assert b"wrong" not in played.wire


def test_our_chunks_have_the_head_of_the_answer() -> None:
    """Also where the first chunk says nothing of it, as Azure's does, which tells of the filters of the prompt."""
    first = {"id": "", "object": "", "created": 0, "model": "", "choices": [], "prompt_filter_results": []}
    wire = b"data: " + orjson.dumps(first) + b"\n\n"
    for name, mode in [("annotate", Mode.OBSERVE), *GUARDING]:
        found = chunks(streamed(name, mode, wire, chunk("It is true."), chunk(finish="stop"), DONE).wire)
        ours = [one for one in found if "guardrail" in one]
        assert {(one["id"], one["object"], one["model"]) for one in ours} == {
            ("c1", "chat.completion.chunk", "m")
        }


async def test_the_official_client_gets_no_word_that_was_not_read(tmp_path: Path) -> None:
    """Parts, refusals and unknown fields through a real server and openai-python, streamed and whole."""
    forms = [*READ.values(), *UNKNOWN.values()]

    def script(request):
        said = forms[int(request.json["messages"][0]["content"])]
        if request.json.get("stream"):
            return Script([chunk(delta={"role": "assistant", **said}), chunk(finish="stop"), DONE])
        return Script([orjson.dumps(answer(said))], headers=(("content-type", "application/json"),))

    async with FakeModel(script).running() as model:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="k", max_retries=0) as client:
                for number in range(len(forms)):
                    asked = {"model": "m", "messages": [{"role": "user", "content": str(number)}]}
                    told = await client.chat.completions.create(**asked)
                    async with client.chat.completions.stream(**asked) as stream:
                        async for _ in stream:
                            pass
                        final = await stream.get_final_completion()
                    for one in (told, final):
                        assert "wrong" not in one.choices[0].message.to_json()


def test_a_probe_of_a_surface_leaves_no_trace() -> None:
    """Reading an event twice gives the same: nothing of its words is kept."""
    surface = ChatStream()
    (event,) = Decoder().decode(chunk(delta=READ["a list of parts"]))
    assert surface.read(event) == surface.read(event)
