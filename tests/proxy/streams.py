"""What the tests of stream machines share: policies, sentences, and readers of what went out on the wire."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import orjson

from guardrail.types import Sentence, Span
from policies.decide import Decision
from policies.policy import load
from policies.terms import Mode, Policy
from proxy.apis.chat import ChatStream
from proxy.stream.events import Judged, Reported
from proxy.stream.machine import GuardedStream
from proxy.wire.sse import Decoder
from tests.fakes import FakeVerifier, judge

TEXT = "This is true 🙂. This is wrong. Is it? Nobody knows\u0301. 真 is a word."
NOTHING = Decision()
MODES = [Mode.OBSERVE, Mode.HOLD, Mode.BUFFER]
PRESETS = [
    ("annotate", Mode.OBSERVE),
    ("attach", Mode.HOLD),
    ("attach", Mode.BUFFER),
    ("revise", Mode.HOLD),
    ("revise", Mode.BUFFER),
    ("block", Mode.HOLD),
    ("block", Mode.BUFFER),
]


@cache
def policy(name: str, mode: Mode | None = None) -> Policy:
    found = load(name)
    return replace(found, mode=mode) if mode else found


def machine(chosen: Policy) -> GuardedStream:
    return GuardedStream(ChatStream(), chosen)


def chunks(wire: bytes) -> list[dict]:
    decoder = Decoder()
    events = decoder.decode(wire) + decoder.flush()
    return [orjson.loads(e.data) for e in events if e.data not in (None, b"[DONE]")]


def text_of(wire: bytes, choice: int = 0) -> str:
    return "".join(
        c["delta"].get("content") or ""
        for found in chunks(wire)
        for c in found.get("choices", ())
        if c["index"] == choice
    )


def reports_of(wire: bytes) -> dict[int, dict]:
    found: dict[int, dict] = {}
    for one in chunks(wire):
        for choice in one.get("choices", ()):
            if "guardrail" in choice["delta"]:
                assert choice["index"] not in found, "the report came twice"
                report = choice["delta"]["guardrail"]
                assert one["guardrail"].items() <= report.items(), "the top level says something else"
                assert "claims" not in one["guardrail"], "the report came twice"
                found[choice["index"]] = report
    return found


def sentence(text: str, start: int = 0) -> Sentence:
    return Sentence(Span(start, start + len(text)), text)


def judged(one: Sentence, decision: Decision = NOTHING, **more: object) -> Judged:
    return Judged(0, one, (judge(one),), decision, **more)  # type: ignore[arg-type]


def reported(text: str, decision: Decision = NOTHING, **more: object) -> Reported:
    report = FakeVerifier().session().report(text)
    return Reported(0, report, decision, **more)  # type: ignore[arg-type]
