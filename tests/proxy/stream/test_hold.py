"""Mode hold with a window and with limits: what waits too long goes out marked, never silently confirmed."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import aiohttp
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.types import NotChecked, Unchecked
from policies.terms import Hold, Mode, Policy
from proxy.apis.chat import ChatWhole
from proxy.stream.events import Data, Ended, Judged, Overdue, PassOver, Send, Summarise, Verify
from proxy.stream.whole import GuardedAnswer
from tests.fakes import FakeModel, FakeVerifier, Script, chunk, completion, spoken
from tests.playbook import Playbook, cut, drive
from tests.proxy.servers import serving
from tests.proxy.streams import chunks, judged, machine, policy, reports_of, sentence, text_of

ASK = {"model": "m", "messages": [{"role": "user", "content": "What?"}], "stream": True}


def held(name: str = "annotate", **limits: int) -> Policy:
    return replace(policy(name, Mode.HOLD), hold=Hold(**limits))


def late(text: str, start: int = 0) -> Judged:
    one = sentence(text, start)
    return replace(judged(one), findings=(Unchecked(one.span, one.text, NotChecked.DEADLINE),))


# ── the window ────────────────────────────────────────────────────────────────────────────────────────


def test_a_window_keeps_sentences_back_until_those_behind_them_are_judged() -> None:
    """With a window of two, a sentence goes out with the verdict on the next one, the last ones with the end."""
    book = Playbook(machine(held(sentences=2)))
    one, two = sentence("It is true."), sentence("It is so.", 12)
    book >> Data(chunk("It is true. It is so. An")) << Verify(0, one) << Verify(0, two)
    book >> judged(one)
    book >> judged(two)
    assert text_of(book.take().data) == "It is true."  # type: ignore[union-attr]
    last = sentence("An end.", 22)
    book >> Data(chunk(" end.") + chunk(finish="stop")) << Verify(0, last)
    book >> judged(last) << (lambda c: isinstance(c, Send)) << Summarise(0, "It is true. It is so. An end.")
    book.done()


@pytest.mark.parametrize(
    ("window", "shown"),
    [(1, "It is true. So it is. "), (2, "It is true. "), (3, ""), (50, "")],
)
def test_a_block_takes_its_window_with_it(window: int, shown: str) -> None:
    """What stands within the window before a blocked sentence is not shown either; what is farther off was."""
    chosen = held("block", sentences=window)
    for seed in range(5):
        wire = b"".join(spoken("It is true. So it is. The secret wrong thing. More."))
        played = drive(machine(chosen), cut(wire, [60, 300]), chosen, seed=seed)
        assert text_of(played.wire) == shown + chosen.words().block


@settings(deadline=None, max_examples=60)
@given(window=st.integers(1, 6), seed=st.integers(0, 10**6), cuts=st.lists(st.integers(1, 2000), max_size=9))
def test_a_window_changes_when_and_not_what(window: int, seed: int, cuts: list[int]) -> None:
    """Whatever the window, chunks and order: the same text, edits and report as without one."""
    text, plain = "It is true. It is wrong. Is it? Wrong again. Fine.\n\n- It is wrong.", policy("revise")
    chosen = replace(plain, hold=Hold(sentences=window))
    wire = b"".join(spoken(text))
    wide = drive(machine(chosen), cut(wire, cuts), chosen, seed=seed)
    close = drive(machine(plain), cut(wire, ()), plain)
    assert text_of(wide.wire) == text_of(close.wire)
    left, right = ({**reports_of(one.wire)[0], "id": ""} for one in (wide, close))
    assert left == right


# ── limits ────────────────────────────────────────────────────────────────────────────────────────────


def test_text_beyond_the_limit_of_characters_goes_out_as_not_checked() -> None:
    """The oldest sentence is passed over as soon as more than the limit waits; what the policy makes of it decides."""
    book = Playbook(machine(held(characters=20)))
    one, two = sentence("It is true."), sentence("It is wrong.", 12)
    book >> Data(chunk("It is true. It")) << Verify(0, one)
    book >> Data(chunk(" is wrong. Mo")) << Verify(0, two) << PassOver(0, one)
    book >> late("It is true.")
    assert text_of(book.take().data) == "It is true. "  # type: ignore[union-attr]
    book >> judged(one)  # too late: nobody hears it
    book.done()


def test_a_sentence_that_waited_too_long_is_passed_over() -> None:
    """When its time is up, a sentence is passed over, and so is all before it; one that is judged is left alone."""
    book = Playbook(machine(held(milliseconds=10)))
    one, two = sentence("It is true."), sentence("It is so.", 12)
    book >> Data(chunk("It is true. It is so. And")) << Verify(0, one) << Verify(0, two)
    book >> Overdue(0, two) << PassOver(0, one) << PassOver(0, two)
    book >> late("It is true.")
    assert text_of(book.take().data) == "It is true. "  # type: ignore[union-attr]
    book >> late("It is so.", 12)
    assert text_of(book.take().data) == "It is so. "  # type: ignore[union-attr]
    book >> Overdue(0, one)
    book.done()


def test_the_window_does_not_outlast_the_limit() -> None:
    """A judged sentence that waits for those behind it goes out, with its verdict, when its time is up."""
    book = Playbook(machine(held(sentences=3, milliseconds=10)))
    one = sentence("It is true.")
    book >> Data(chunk("It is true. And")) << Verify(0, one)
    book >> judged(one)
    book >> Overdue(0, one)
    assert text_of(book.take().data) == "It is true. "  # type: ignore[union-attr]
    book.done()


def test_at_the_end_of_the_time_for_an_answer_all_that_waits_is_passed_over() -> None:
    """In every mode, streamed or whole, the answer ends with what was judged and the rest marked."""
    for mode in (Mode.OBSERVE, Mode.HOLD, Mode.BUFFER):
        one, two = sentence("It is true."), sentence("And so.", 12)
        book = Playbook(machine(policy("annotate", mode)))
        book >> Data(chunk("It is true. And so.") + chunk(finish="stop"))
        book.pending.clear()
        book >> Ended()
        book >> Overdue() << PassOver(0, one) << PassOver(0, two)
    whole = Playbook(GuardedAnswer(ChatWhole(), policy("annotate")))
    whole >> Data(completion("It is true. And so."))
    whole >> Ended() << Verify(0, one) << Verify(0, two)
    whole >> Overdue() << PassOver(0, one) << PassOver(0, two)
    whole.done()


@settings(deadline=None, max_examples=80)
@given(
    limit=st.integers(1, 60),
    size=st.integers(1, 30),
    seed=st.integers(0, 10**6),
    which=st.sampled_from(["annotate", "attach", "revise", "block"]),
)
def test_no_more_than_the_limit_waits_and_what_was_not_checked_is_never_confirmed(
    limit: int, size: int, seed: int, which: str
) -> None:
    """However slow the checks: nothing is lost, what was passed over is in the report, and edits fit what was shown."""
    text = "It is true. It is wrong. Is it? Wrong again. Fine. It is true."
    chosen = replace(policy(which, Mode.HOLD), hold=Hold(characters=limit))
    played = drive(machine(chosen), cut(b"".join(spoken(text, size=size)), ()), chosen, seed=seed)
    report = reports_of(played.wire)[0]
    if report["action"] == "block":
        assert "wrong" not in text_of(played.wire).removesuffix(chosen.words().block)
        return
    shown = text
    for edit in reversed(report["edits"]):
        shown = shown[: edit["start"]] + edit["replacement"] + shown[edit["end"] :]
    assert text_of(played.wire).startswith(shown)
    assert (report["outcome"] == "confirmed") <= (not report["unchecked"])
    told = sorted(
        (c["start"], c["end"]) for c in [*report["claims"], *report["unchecked"], *report["skipped"]]
    )
    assert [text[start:end] for start, end in told] == [
        "It is true.", "It is wrong.", "Is it?", "Wrong again.", "Fine.", "It is true."
    ]  # fmt: skip


# ── with a slow checker ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("action", ["pass", "annotate", "attach", "block"])
async def test_a_slow_checker_holds_text_no_longer_than_the_policy_says(tmp_path: Path, action: str) -> None:
    """A check that hangs holds its sentence for the limit; then `on_timeout` decides, and the verdict comes too late."""
    path = tmp_path / "quick.yaml"
    path.write_text(f"extends: attach\nmode: hold\nhold: {{milliseconds: 150}}\non_timeout: {action}\n")
    verifier = FakeVerifier()
    pieces = [*spoken("It is true. This hangs and is wrong. It is so.")[:-2], 1.0, chunk(finish="stop")]
    async with FakeModel(Script([*pieces, b"data: [DONE]\n\n"])).running() as model:
        with serving(tmp_path, upstream=model.url, policy=str(path), verifier=verifier, grace=60.0) as (
            root,
            _,
        ):
            async with aiohttp.ClientSession() as http:
                response = await http.post(f"{root}/v1/chat/completions", json=ASK)
                early = b""
                async with asyncio.timeout(20):  # the check would hang for longer
                    while b"hangs" not in early and b"withheld" not in early:
                        early += await response.content.readany()
                verifier.gate.set()
                body = early + await response.read()
    report = reports_of(body)[0]
    reasons = {one["reason"] for one in report["unchecked"]}
    assert reasons == {"deadline"}
    assert report["outcome"] == "not_checked"
    assert all(claim["label"] != "contradictory" for claim in report["claims"])
    if action == "block":
        assert "hangs" not in text_of(body)
    else:
        assert "hangs" in text_of(body)
        told = [c["guardrail"] for c in chunks(body) if "check_offset" in c.get("guardrail", {})]
        assert any(claim.get("reason") == "deadline" for one in told for claim in one["claims"])


@pytest.mark.parametrize("stream", [True, False])
async def test_an_answer_ends_within_its_deadline_with_what_was_judged(tmp_path: Path, stream: bool) -> None:
    """When the model has said all, verdicts have `answer_deadline_ms`: then the answer comes, partly judged."""
    path = tmp_path / "quick.yaml"
    path.write_text("extends: annotate\nmode: buffer\nanswer_deadline_ms: 200\n")
    verifier = FakeVerifier(gate=threading.Event())
    text = "It is true. This hangs. More is wrong."

    def script(request):
        if stream:
            return Script([chunk("It is true. This"), 0.1, *spoken(text[16:])])
        return Script([completion(text)], headers=(("content-type", "application/json"),))

    async with FakeModel(script).running() as model:
        with serving(tmp_path, upstream=model.url, policy=str(path), verifier=verifier, grace=60.0) as (
            root,
            _,
        ):
            async with aiohttp.ClientSession() as http:
                response = await http.post(f"{root}/v1/chat/completions", json={**ASK, "stream": stream})
                body = await asyncio.wait_for(response.read(), 30)
            verifier.gate.set()
    report = reports_of(body)[0] if stream else orjson.loads(body)["choices"][0]["message"]["guardrail"]
    assert {one["reason"] for one in report["unchecked"]} == {"deadline"}
    assert report["outcome"] == "not_checked"
    assert report["text"] == text
