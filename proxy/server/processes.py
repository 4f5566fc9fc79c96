"""Several server processes behind one port, and the parent process that looks after them.

They share one listening socket, so whoever is free takes the next connection, and none is lost when a process ends. A
process that dies is replaced; one that cannot start ends all. A signal is handed on, and when this process is gone, however it
went, the others end as on SIGTERM.
"""

from __future__ import annotations

import logging
import math
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType

from guardrail.errors import GuardrailError
from proxy.settings import Settings

__all__ = ["Serve", "Supervisor", "divided"]

YOUNG_S = 5.0  # a process that dies younger is replaced only after a pause
REST_S = 1.0
UNFIT = 2  # the exit code of a process that cannot start

# Serves as the process of that number on the socket until a signal; calls the last one as soon as it is ready.
Serve = Callable[[int, socket.socket, Callable[[], None]], None]

log = logging.getLogger(__name__)


class Supervisor:
    """`count` processes that run `serve`, which must be picklable."""

    def __init__(self, count: int, serve: Serve, listener: socket.socket) -> None:
        self._count, self._serve, self._listener = count, serve, listener
        self._context = multiprocessing.get_context("spawn")
        self._running: dict[int, _Child] = {}
        self._signals: list[int] = []
        self._ending = False

    def run(self, ready: Callable[[], None] = lambda: None) -> int:
        """Until a signal, or until a process cannot start; then the exit code. `ready` is called when all serve.

        Needs the main thread, for its signals.
        """
        before = [(number, signal.signal(number, self._heard)) for number in (signal.SIGTERM, signal.SIGINT)]
        try:
            # The first one alone: what is made at the first start is made once.
            if self._started(range(1)) and self._started(range(1, self._count)):
                ready()
                self._look_after()
            return self._end()
        finally:
            for number, handler in before:
                signal.signal(number, handler)

    def _heard(self, number: int, _: FrameType | None) -> None:
        self._signals.append(number)

    def _started(self, numbers: range) -> bool:
        """Whether all of them serve; false where one cannot, or a signal came first."""
        for number in numbers:
            self._running[number] = _Child(self._context, number, self._serve, self._listener)
        waiting = [self._running[number] for number in numbers]
        while waiting and not self._signals:
            wait([one.told for one in waiting], timeout=0.2)
            if any(one.process.exitcode is not None and not one.ready() for one in waiting):
                return False
            waiting = [one for one in waiting if not one.ready()]
        return not self._signals

    def _look_after(self) -> None:
        while not self._signals:
            wait([one.process.sentinel for one in self._running.values()], timeout=0.2)
            for number, child in list(self._running.items()):
                if (code := child.process.exitcode) is not None and not self._signals:
                    if code == UNFIT:
                        return
                    log.error(
                        "process %d of the server died (exit code %d); a new one is started", number, code
                    )
                    if time.monotonic() - child.born < YOUNG_S:
                        time.sleep(REST_S)
                    self._running[number] = _Child(self._context, number, self._serve, self._listener)

    def _end(self) -> int:
        """Hands each signal on and waits until all have ended."""
        self._listener.close()  # a connection that none of them takes is refused, and does not wait
        unfit = not self._signals
        told = 0
        if unfit:
            self._signals.append(signal.SIGTERM)
        while alive := [one for one in self._running.values() if one.process.exitcode is None]:
            while told < len(self._signals):
                told += 1
                for one in alive:
                    one.process.terminate()
            wait([one.process.sentinel for one in alive], timeout=0.2)
        return UNFIT if unfit else 0


def divided(settings: Settings, folder: Path) -> Settings:
    """Those of one of several processes: all of them together hold what one would."""
    count = settings.processes
    return replace(
        settings,
        process=(folder, 0),
        max_answers=math.ceil(settings.max_answers / count),
        max_held=math.ceil(settings.max_held / count),
    )


class _Child:
    """One process. `told`: it says there that it serves."""

    def __init__(
        self,
        context: multiprocessing.context.SpawnContext,
        number: int,
        serve: Serve,
        listener: socket.socket,
    ) -> None:
        self.told, there = context.Pipe(duplex=False)
        self.born = time.monotonic()
        self.process: SpawnProcess = context.Process(target=_run, args=(number, serve, listener, there))
        self.process.start()
        there.close()
        self._ready = False

    def ready(self) -> bool:
        try:
            self._ready = self._ready or (self.told.poll() and bool(self.told.recv()))
        except EOFError:
            return False
        return self._ready


def _run(number: int, serve: Serve, listener: socket.socket, told: Connection) -> None:
    os.setpgrp()  # the terminal's Ctrl-C is for the process that leads, which hands it on
    threading.Thread(target=_follow, daemon=True).start()
    try:
        serve(number, listener, lambda: told.send(True))
    except GuardrailError as error:
        log.error("%s", error)
        os._exit(UNFIT)


def _follow() -> None:
    """Ends this process in good order when the one that leads is gone."""
    if (leader := multiprocessing.parent_process()) is not None:
        leader.join()
        os.kill(os.getpid(), signal.SIGTERM)
