"""Waits for what another task, thread or process does, and not for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 60.0  # a busy machine takes long over what takes a moment on an idle one


async def until(holds: Callable[[], object], *, seconds: float = PATIENCE_S) -> float:
    """Waits until `holds()`; the seconds it took. Raises AssertionError where it does not in time."""
    started = time.monotonic()
    while not holds():
        assert time.monotonic() - started < seconds, "it did not happen in time"
        await asyncio.sleep(0.005)
    return time.monotonic() - started


async def at_rest(measure: Callable[[], int]) -> int:
    """What `measure()` says when it says the same twice, a while apart."""
    now, before = measure(), -1
    while now > before:
        await asyncio.sleep(0.2)
        now, before = measure(), now
    return now


def eventually(holds: Callable[[], object], *, seconds: float = PATIENCE_S) -> float:
    """`until`, for a test that is no coroutine."""
    started = time.monotonic()
    while not holds():
        assert time.monotonic() - started < seconds, "it did not happen in time"
        time.sleep(0.005)
    return time.monotonic() - started
