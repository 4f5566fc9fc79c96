"""Runs the first step of a coroutine at once, without a task. A coroutine that does not have to wait is finished after it."""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine, Generator
from typing import Any


def begin(work: Coroutine[Any, Any, None]) -> Awaitable[None] | None:
    """Runs `work` until it waits. None: it is over. Otherwise the rest of it, for a task to await.

    What tasks do from Python 3.12 on when they are started eagerly. `work` must not ask for the current task.
    """
    try:
        waits = work.send(None)
    except StopIteration:
        return None
    return _Rest(work, waits)


class _Rest:
    """A coroutine that waits for `waits` already."""

    __slots__ = ("_waits", "_work")

    def __init__(self, work: Coroutine[Any, Any, None], waits: Any) -> None:
        self._work = work
        self._waits = waits

    def __await__(self) -> Generator[Any, Any, None]:
        waits = self._waits
        while True:
            try:
                try:
                    given = yield waits
                except BaseException as error:  # noqa: BLE001 - whatever it is, it is meant for the coroutine
                    waits = self._work.throw(error)
                else:
                    waits = self._work.send(given)
            except StopIteration:
                return
