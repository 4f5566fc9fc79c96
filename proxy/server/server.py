"""The running server: uvicorn on a listening socket, with a shutdown that leaves no stream without its record."""

from __future__ import annotations

import asyncio
import gc
import math
import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

from guardrail.errors import ConfigError
from proxy.server.protocol import Protocol
from proxy.services import Services
from proxy.settings import Settings

# Objects made beyond those freed before the young are looked through, and how many of such looks make one of the older:
# every stream waits for a look, so there are many short ones at 20,000 objects, and one at all of them only after some 100
# million, or while nobody waits.
COLLECT = (5000, 4, 5000)
TIDY_S = 5.0  # seconds between two looks whether somebody does
QUIET = 6  # such looks in a row between which nobody came: who comes next is not likely to come right then
OVERDUE = 120  # such looks after which a moment without an answer is enough


class Server(uvicorn.Server):
    """At a signal all goes on for `notice` seconds, but /readyz says that it ends and every answer closes its connection, so that
    a balancer sends requests elsewhere. Then nobody is let in; streams have `grace` seconds to end by themselves, and are
    marked, recorded and ended. A second signal ends the waiting.
    """

    def __init__(self, app: FastAPI, *, grace: float = 10.0, notice: float = 0.0) -> None:
        self._services: Services = app.state.services
        trusted = list(self._services.settings.trusted_proxies)
        super().__init__(
            uvicorn.Config(
                app,
                http=Protocol,
                ws="none",
                log_level="warning",
                access_log=False,
                timeout_graceful_shutdown=5,
                timeout_keep_alive=75,
                date_header=False,
                server_header=False,
                proxy_headers=bool(trusted),
                forwarded_allow_ips=trusted,
            )
        )
        self._grace, self._notice = grace, notice
        self._impatient = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tidying = asyncio.create_task(self._tidy())

    async def _tidy(self) -> None:
        """Looks through all objects when nobody has been served for a while: everybody would wait for it, 40 to 400 ms."""
        permits, done, served, quiet, since = self._services.permits, 0, 0, 0, 0
        while True:
            await asyncio.sleep(TIDY_S)
            aged, since = gc.get_stats()[1]["collections"], since + 1
            quiet = 0 if permits.taken or permits.given > served else quiet + 1
            served = permits.given
            if aged > done and not permits.taken and (quiet >= QUIET or since >= OVERDUE):
                gc.collect()
                done, since = aged, 0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._impatient = self._impatient or self.should_exit
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._give_notice()
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()  # at once where nothing is under way, else behind its answer
        self._tidying.cancel()
        await self._drain()
        if self._impatient:
            # uvicorn's own way of forcing an end would leave the records open.
            self.force_exit, self.config.timeout_graceful_shutdown = False, 0
        await super().shutdown(sockets)

    async def _give_notice(self) -> None:
        self._services.ending = True
        self.server_state.default_headers = [*self.server_state.default_headers, (b"connection", b"close")]
        for _ in range(math.ceil(self._notice / 0.05)):
            if self._impatient:
                return
            await asyncio.sleep(0.05)

    async def _drain(self) -> None:
        draining = asyncio.create_task(self._services.drain(self._grace))
        while not (draining.done() or self._impatient):
            await asyncio.wait({draining}, timeout=0.05)
        if not draining.done():
            draining.cancel()
            await self._services.drain(0.0)


def listen(settings: Settings) -> socket.socket:
    """A socket on the address of the settings; port 0 takes a free one. Raises ConfigError."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        raise ConfigError(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}") from error


def spare_what_is_loaded() -> None:
    """Takes what the process has loaded out of garbage collection, and lets it run less often.

    A full collection walks all of the checker's data while every stream waits: some 100 ms, again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)
