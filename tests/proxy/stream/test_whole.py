"""Whole answers: the same verdicts as a stream, written into the body."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from guardrail.errors import UpstreamBroken
from policies.policy import load
from policies.terms import Block, Policy
from proxy.apis.chat import ChatWhole
from proxy.stream.events import Data, Ended, Left
from proxy.stream.whole import GuardedAnswer
from tests.fakes import completion
from tests.playbook import Played, cut, drive

TEXT = "It is true. It is wrong. Is it?"


def play(body: bytes, policy: str | Policy = "annotate", **more: object) -> tuple[Played, GuardedAnswer]:
    chosen = load(policy) if isinstance(policy, str) else policy
    machine = GuardedAnswer(ChatWhole(), chosen)
    return drive(machine, cut(body, [1, 50]), chosen, stream=False, **more), machine  # type: ignore[arg-type]


def head(machine: GuardedAnswer) -> dict[bytes, bytes]:
    return dict(machine.headers)


def test_report_and_citations_are_written_into_the_message() -> None:
    """Message and response carry the report; everything else stays as it was."""
    body = completion(TEXT, x_new=[1.5, None])
    played, machine = play(body)
    answer = orjson.loads(played.wire)
    message = answer["choices"][0]["message"]
    assert message.pop("guardrail")["outcome"] == answer.pop("guardrail")["outcome"] == "flagged"
    assert message.pop("annotations")[0]["type"] == "url_citation"
    assert answer == orjson.loads(body)
    assert head(machine)[b"x-guardrail-kas"] == b"0.250"


def test_wrong_words_are_replaced_and_logprobs_of_other_words_dropped() -> None:
    """A revised message says the right words; annotations point into them."""
    body = orjson.loads(completion("Not so: it is wrong. It is true."))
    body["choices"][0]["logprobs"] = {"content": []}
    body["choices"][0]["logprobs"]["content"].append({"token": "x"})
    played, _ = play(orjson.dumps(body), "revise")
    choice = orjson.loads(played.wire)["choices"][0]
    text = choice["message"]["content"]
    assert text == "Not so: it is right. It is true."
    assert choice["logprobs"] is None
    cited = [a["url_citation"] for a in choice["message"]["annotations"]]
    assert [text[c["start_index"] : c["end_index"]] for c in cited] == ["Not so: it is right.", "It is true."]


def test_a_blocked_message_holds_no_word_of_the_answer() -> None:
    """The policy's words take the place of the answer; usage stays real; the report tells no secret."""
    played, machine = play(completion("The secret is wrong."), "block")
    answer = orjson.loads(played.wire)
    assert answer["choices"][0]["message"]["content"] == load("block").words().block
    assert answer["usage"]["total_tokens"] == 10
    assert b"secret" not in played.wire
    assert head(machine)[b"x-guardrail-action"] == b"block"


def test_a_block_can_be_an_http_error() -> None:
    """With `block.with: error` a blocked answer is a 4xx in OpenAI's shape that is not to be tried again."""
    policy = replace(load("block"), block=Block(form="error", status=403))
    played, machine = play(completion("It is wrong."), policy)
    (refuse,) = played.refused
    assert (played.sent, refuse.failure.status, refuse.failure.code) == ([], 403, "content_blocked")
    assert refuse.failure.headers() == [(b"x-should-retry", b"false")]
    assert head(machine)[b"x-guardrail-action"] == b"block"


def test_shadow_passes_the_bytes() -> None:
    """Under a shadow policy the body is the upstream's, byte for byte."""
    body = b' {"choices" : [{"index":0,"message":{"content":"It is wrong."},"x":1e2}]}\n'
    played, machine = play(body, "shadow")
    assert played.wire == body
    assert head(machine)[b"x-guardrail-outcome"] == b"flagged"


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"choices":[]}',
        b'{"choices":null}',
        b'{"choices":[{"message":{"content":null,"tool_calls":[]}}]}',
        b'{"choices":[{"message":{"content":[1]}}]}',
        b'{"choices":[{}]}',
        b'{"choices":[{"message":null}]}',
        b'{"error":{"message":"x"}}',
    ],
)
def test_answers_without_text_go_through(body: bytes) -> None:
    """What has no text to check is not checkable, and passes with all that it holds."""
    played, machine = play(body)
    answer = orjson.loads(played.wire)
    assert answer.keys() >= orjson.loads(body).keys()
    assert head(machine)[b"x-guardrail-outcome"] == b"not_checkable"
    assert played.finished == 1


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[1]", b'"x"', b"\xff\xfe", b'{"choices":[5]}', b'{"choices":{"a":1}}']
)
def test_what_is_no_answer_is_an_error_on_record(body: bytes) -> None:
    """Garbage is refused with a 502, or passed where it is an object without choices; it always has its record."""
    played, _ = play(body)
    assert len(played.audits) == 1
    assert [r.failure.status for r in played.refused] == [502] or orjson.loads(played.wire)


def test_an_answer_that_breaks_off_is_refused() -> None:
    """Half a body is an error, never a shorter answer."""
    chosen = load("annotate")
    events = [Data(b'{"choices":'), Ended(UpstreamBroken("broke off", begun=True))]
    played = drive(GuardedAnswer(ChatWhole(), chosen), events, chosen, stream=False)
    assert [r.failure.code for r in played.refused] == ["upstream_error"]


def test_leaving_records_what_was_judged() -> None:
    """A client that leaves while the answer is checked leaves a record of what was not."""
    chosen = load("annotate")
    events = [Data(completion(TEXT)), Ended(), Left()]
    for seed in range(8):
        played = drive(GuardedAnswer(ChatWhole(), chosen), events, chosen, stream=False, seed=seed)
        assert len(played.audits) == 1
        (reported,) = played.audits[0].reports
        found = [*reported.report.verdicts, *reported.report.unchecked, *reported.report.skipped]
        assert len(found) == 3


def test_a_record_that_fails_closes_the_answer() -> None:
    """Without its record a closed policy's answer is an error; a continuing one says that it has none."""
    chosen = load("annotate")
    assert [r.failure.code for r in play(completion(TEXT), chosen, audit_fails=True)[0].refused] == [
        "audit_failed"
    ]
    going_on = replace(chosen, audit=replace(chosen.audit, on_failure="continue"))
    played, machine = play(completion(TEXT), going_on, audit_fails=True)
    assert orjson.loads(played.wire)["guardrail"]["not_audited"] is True
    assert head(machine)[b"x-guardrail-not-audited"] == b"true"
