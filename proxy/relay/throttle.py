"""Limits how fast an answer is read: in small pieces, and no faster than it is judged if its text waits for that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator

from guardrail.segment import HOLD_LIMIT
from policies.terms import Mode
from proxy.stream.exchange import Exchange

PIECE = 2_048  # bytes of an answer that are read in one step of the event loop
SMALLEST = 64  # of these where little may be held
# Sentences of one answer that wait to be judged before more of it is read, where text waits for them: enough for a turn.
WAITING = {Mode.HOLD: 16, Mode.BUFFER: 64}


class Throttle:
    """One answer's. `waiting`: how many sentences of each of its choices wait."""

    def __init__(self, exchange: Exchange, waiting: Callable[[], Iterable[int]]) -> None:
        limit = exchange.policy.hold.characters
        self._waits = exchange.mode is not Mode.OBSERVE and exchange.stream
        self._waiting = waiting
        self._most = WAITING.get(exchange.mode, 0)
        self._piece = PIECE
        if limit and self._waits:
            self._most = min(self._most, limit // HOLD_LIMIT + 1)
            self._piece = min(PIECE, max(limit // 4, SMALLEST))
        self._eased = asyncio.Event()

    def at_once(self, data: bytes) -> bool:
        """It may be read in one step, and nothing is waited for behind it."""
        return not self._waits and len(data) <= self._piece

    def pieces(self, data: bytes) -> Iterator[bytes]:
        return (data[at : at + self._piece] for at in range(0, len(data), self._piece))

    def tell(self) -> None:
        """Something was judged, or the answer is over."""
        self._eased.set()

    async def ease(self, over: asyncio.Event) -> None:
        """Waits until so few sentences wait that more may be read, or all is `over`."""
        while self._waits and not over.is_set() and any(n >= self._most for n in self._waiting()):
            self._eased.clear()
            await self._eased.wait()
