"""Checks a whole text, for the routes that get their text with the request.

It takes its turns with the answers that are checked meanwhile, a sentence or a few milliseconds of them at a time, however
long it is. The policy's deadlines hold for each sentence and for all; what is not checked by then is marked.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from guardrail.segment import sentences
from guardrail.types import NotChecked, Sentence
from proxy.judging.judge import Judge
from proxy.judging.strand import Strand
from proxy.services import Services
from proxy.stream.events import Reported, Summarise, Verify
from proxy.stream.exchange import Exchange
from proxy.wire.calls import ToolCall
from proxy.wire.json_text import TextReader

TURN_S = 0.02  # seconds for which a thread goes on with one text
STEP = 4096  # characters of a call's arguments that are read at once


async def check(
    services: Services, exchange: Exchange, text: str, *, call: ToolCall | None = None
) -> Reported:
    """The report on a text, or on the arguments of a call. When it is cancelled, so is the work."""
    policy = exchange.policy
    place = services.checks.place()
    judge = Judge(exchange, place.open_session)
    walk = _Walk(
        judge,
        Summarise(call.number if call else 0, text, call=call),
        _arguments(text) if call else sentences(text),
        patience=policy.deadline_ms / 1000,
        until=time.monotonic() + policy.answer_deadline_ms / 1000,
    )
    over: asyncio.Future[Reported] = asyncio.get_running_loop().create_future()

    async def done(results: list[Reported | None]) -> None:
        if results[-1] is None:
            strand.submit(walk)
        elif not over.done():
            over.set_result(results[-1])

    def lost(reason: NotChecked) -> None:
        judge.give_up(reason)
        if reason is NotChecked.ERROR:
            broken()

    def broken() -> None:
        if not over.done():
            over.set_exception(RuntimeError("a text could not be checked"))

    strand: Strand[Reported | None] = Strand(
        place.pool, done, lost=lost, broken=broken, patience=walk.patience + services.settings.grace
    )
    strand.submit(walk)
    try:
        return await over
    finally:
        strand.cancel()


@dataclass(slots=True)
class _Walk:
    """The sentences of a text in turns: each call judges some, in a worker; the one after the last gives the report.

    `patience`: seconds for one sentence. `until`: when the time for all is over (monotonic).
    """

    judge: Judge
    command: Summarise
    sentences: Iterator[Sentence]
    patience: float
    until: float
    _sentence: Sentence | None = field(default=None, init=False)
    _read: bool = field(default=False, init=False)

    def __call__(self) -> Reported | None:
        if self._read:
            return self.judge.report(self.command)
        ends = time.monotonic() + TURN_S
        while (now := time.monotonic()) < ends:
            # One whose check did not come back is still there when the next turn begins.
            self._sentence = sentence = self._sentence or next(self.sentences, None)
            if sentence is None:
                self._read = True
                return None
            self.judge.judge(Verify(self.command.choice, sentence), min(now + self.patience, self.until))
            self._sentence = None
        return None


def _arguments(text: str) -> Iterator[Sentence]:
    reader = TextReader(asked=True)
    for start in range(0, len(text), STEP):
        yield from reader.feed(text[start : start + STEP])
    yield from reader.flush()
