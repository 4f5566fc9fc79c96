"""A whole text through the judge, in turns."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from guardrail.types import NotChecked
from policies.policy import load
from policies.terms import Mode, Request
from proxy.routes.checking import check
from proxy.services import Services
from proxy.settings import Settings
from proxy.stream.exchange import Exchange
from proxy.wire.calls import ToolCall
from tests.fakes import FakeVerifier
from tests.waiting import PATIENCE_S, at_rest, until

TEXT = "This is true. This is wrong. "


def exchange(**changed: int) -> Exchange:
    return Exchange(policy=replace(load("annotate"), **changed), request=Request(), mode=Mode.BUFFER)


@pytest.fixture
def services(tmp_path: Path):
    opened = Services.open(
        Settings(audit=str(tmp_path / "audit.db"), grace=0.2),
        verifier=FakeVerifier(delay=0.005),  # type: ignore[arg-type]
    )
    yield opened
    opened.close()


async def test_a_text_is_checked_as_a_whole(services: Services) -> None:
    """Each sentence has its verdict, and an empty text is a text, too."""
    reported = await check(services, exchange(), TEXT * 20)
    assert [one.label.value for one in reported.report.verdicts] == ["attributable", "contradictory"] * 20
    assert (await check(services, exchange(), "")).report.text == ""


async def test_arguments_of_a_call_are_checked(services: Services) -> None:
    """The strings of its JSON are the sentences."""
    text = '{"a": "This is true.", "b": ["This is wrong."]}'
    reported = await check(services, exchange(), text, call=ToolCall(3, 0, 0, name="f"))
    assert [one.claim.text for one in reported.report.verdicts] == ["This is true.", "This is wrong."]
    assert (reported.choice, reported.call and reported.call.name) == (3, "f")


async def test_what_is_late_is_marked(services: Services) -> None:
    """After the policy's time for an answer nothing more is checked, and all that was not is said to be."""
    reported = await check(services, exchange(answer_deadline_ms=600), TEXT * 200)
    assert reported.report.verdicts
    assert {one.reason for one in reported.report.unchecked} == {NotChecked.DEADLINE}
    assert len(reported.report.verdicts) + len(reported.report.unchecked) == 400
    assert reported.decision.outcome == "flagged"


async def test_a_check_that_hangs_is_given_up(services: Services) -> None:
    """The rest of its text is marked, and the next text is checked."""
    verifier = services.verifier
    reported = await check(services, exchange(deadline_ms=50), "This is true. It hangs. This is true.")
    assert [one.reason for one in reported.report.unchecked] == [NotChecked.DEADLINE] * 2
    assert len((await check(services, exchange(), TEXT)).report.verdicts) == 2
    verifier.gate.set()  # type: ignore[attr-defined]


async def test_a_check_that_breaks_is_an_error(services: Services) -> None:
    """Nothing is reported then."""
    with pytest.raises(RuntimeError):
        await check(services, exchange(), "It breaks.")


async def test_texts_take_turns(services: Services) -> None:
    """A short text does not wait for a long one, and one that nobody waits for any more is not read on."""
    long = asyncio.create_task(check(services, exchange(answer_deadline_ms=60_000), TEXT * 2000))
    await asyncio.sleep(0.05)
    await asyncio.wait_for(check(services, exchange(), TEXT), PATIENCE_S)
    assert not long.done()
    long.cancel()
    await asyncio.gather(long, return_exceptions=True)
    session = services.verifier.sessions[0]  # type: ignore[attr-defined]
    assert await at_rest(lambda: len(session.findings)) < 4000
    await until(lambda: services.pool.waiting == services.pool.given == 0)


async def test_the_loop_stays_free(services: Services) -> None:
    """While a long text is cut, checked and given up, the event loop does no work of its own that takes long.

    What counts is the processor time of the loop's thread, which says the same on a busy machine.
    """
    longest, running = 0.0, True

    async def watch() -> None:
        nonlocal longest
        while running:
            began = time.thread_time()
            await asyncio.sleep(0.005)
            longest = max(longest, time.thread_time() - began)

    watching = asyncio.create_task(watch())
    await check(services, exchange(answer_deadline_ms=500), TEXT * 3000)
    running = False
    await watching
    assert longest < 1.0
