"""Answers that are JSON: their string values are checked, and nothing that a policy does makes them another thing than JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policies.policy import load
from policies.terms import Mode, Policy
from proxy.apis.chat import Chat, ChatWhole
from proxy.apis.completions import Completions
from proxy.apis.messages import Messages
from proxy.apis.responses import Responses
from proxy.stream.events import Data, Ended
from proxy.stream.exchange import mode_of
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from tests.fakes import completion, spoken
from tests.playbook import Played, cut, drive
from tests.proxy.streams import PRESETS, policy, reports_of, text_of

BODY = {"who": 'A "name"', "bio": "This is true 🙂.\nThis is wrong.", "n": [1, None, {"x": "It is wrong."}]}
LEAVES = (
    st.sampled_from(
        ["This is wrong. ", 'He said "wrong".\n', "It is true.", "é\u2028真", "It may fail.", "a\\b", ""]
    )
    | st.none()
    | st.integers()
)
VALUES = st.recursive(
    LEAVES, lambda one: st.lists(one, max_size=3) | st.dictionaries(st.sampled_from("abc"), one, max_size=3)
)


def streamed(text: str, chosen: Policy, *, size: int = 7, seed: int = 0, asked: bool = True) -> Played:
    from proxy.apis.chat import ChatStream

    wire = b"".join(spoken(text, size=size, usage=True))
    machine = GuardedStream(ChatStream(), chosen, json=asked)
    return drive(machine, cut(wire, (50, 99, 700)), chosen, seed=seed, json=asked)


def whole(text: str, chosen: Policy, *, asked: bool = True) -> Played:
    machine = GuardedAnswer(ChatWhole(), chosen, json=asked)
    return drive(machine, [Data(completion(text)), Ended()], chosen, stream=False, json=asked)


def corrected(value: object) -> object:
    """What a revision makes of a value: the fake's `right` for the first `wrong` of each sentence."""
    if isinstance(value, dict):
        return {key: corrected(one) for key, one in value.items()}
    if isinstance(value, list):
        return [corrected(one) for one in value]
    return value.replace("wrong", "right") if isinstance(value, str) else value


@settings(deadline=None, max_examples=120)
@given(
    value=st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1, max_size=3),
    ascii_only=st.booleans(),
    size=st.integers(1, 30),
    seed=st.integers(0, 10**6),
    which=st.sampled_from([one for one in PRESETS if one[0] != "block"]),
    asked=st.booleans(),
)
def test_edited_json_is_json_and_a_stream_is_a_whole(
    value: object, ascii_only: bool, size: int, seed: int, which: tuple[str, Mode], asked: bool
) -> None:
    """Whatever the JSON, the mode and the chunks: the same JSON comes out, with corrected values under `revise` only."""
    chosen, text = policy(*which), json.dumps(value, ensure_ascii=ascii_only)
    played = streamed(text, chosen, size=size, seed=seed, asked=asked)
    said = text_of(played.wire)
    assert json.loads(said) == (corrected(value) if which[0] == "revise" else value)
    if which[0] != "revise":
        assert said == text
    at_once = orjson.loads(whole(text, chosen, asked=asked).wire)["choices"][0]["message"]
    assert at_once["content"] == said
    left, right = reports_of(played.wire)[0], at_once["guardrail"]
    assert (left["claims"], left["unchecked"], left["edits"]) == (
        right["claims"],
        right["unchecked"],
        right["edits"],
    )
    for claim in [*left["claims"], *left["unchecked"]]:
        assert text[claim["start"] : claim["end"]] == claim["text"]


def test_values_are_checked_and_their_notes_stay_in_the_report() -> None:
    """Under `attach` a wrong value is flagged in the report; no footnote and no section is written into the JSON."""
    text = json.dumps(BODY)
    for mode in (Mode.OBSERVE, Mode.HOLD, Mode.BUFFER):
        played = streamed(text, policy("attach", mode))
        assert text_of(played.wire) == text
        report = reports_of(played.wire)[0]
        assert report["action"] == "attach"
        assert len(report["flagged"]) == 2


@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
def test_blocked_json_is_an_error_and_not_half_an_object(mode: Mode) -> None:
    """Where JSON was asked for, a block is an HTTP error, streamed or not: neither prose nor a cut-off object in its place."""
    chosen = policy("block", mode)
    assert mode_of(chosen, json=True) is Mode.BUFFER
    for played in (streamed(json.dumps(BODY), chosen), whole(json.dumps(BODY), chosen)):
        assert played.sent == []
        assert [(one.failure.status, one.failure.code) for one in played.refused] == [
            (chosen.block.status, "content_blocked")
        ]
        assert played.audits[-1].reports[0].decision.action == "block"


def test_prose_in_the_place_of_json_is_checked_too() -> None:
    """A model that answers in words although JSON was asked for is checked like any other."""
    played = streamed("It is wrong.", policy("revise", Mode.BUFFER))
    assert text_of(played.wire) == "It is right."


def test_a_revision_that_needs_escapes_gets_them() -> None:
    """Edits stand in the report as they were made in the raw text."""
    text = json.dumps({"a": 'The "wrong" one.'})
    played = streamed(text, policy("revise"))
    assert json.loads(text_of(played.wire)) == {"a": 'The "right" one.'}
    (edit,) = reports_of(played.wire)[0]["edits"]
    assert text[edit["start"] : edit["end"]] == "wrong"


def test_each_api_knows_how_json_is_asked_for() -> None:
    """Chat and Completions by `response_format`, Responses by `text.format`, Messages by its output format."""
    schema = {"type": "json_schema", "json_schema": {"name": "x", "schema": {}}}
    assert Chat().asks_json({"response_format": {"type": "json_object"}})
    assert Chat().asks_json({"response_format": schema})
    assert Completions().asks_json({"response_format": schema})
    assert Responses().asks_json({"text": {"format": {"type": "json_schema", "schema": {}}}})
    assert Messages().asks_json({"output_config": {"format": {"type": "json_schema", "schema": {}}}})
    assert Messages().asks_json({"output_format": {"type": "json_schema", "schema": {}}})
    for plain in (
        {},
        {"response_format": {"type": "text"}},
        {"text": 5},
        {"text": {"format": "x"}},
        {"output_config": 7},
    ):
        assert not any(api.asks_json(plain) for api in (Chat(), Completions(), Responses(), Messages()))


def test_a_shadow_policy_changes_no_json() -> None:
    """In shadow the JSON comes as it is, and the record tells what would have been done."""
    chosen = replace(load("shadow"), mode=Mode.HOLD)
    played = streamed(json.dumps(BODY), chosen)
    assert text_of(played.wire) == json.dumps(BODY)
    assert played.audits[-1].reports[0].decision.edits
