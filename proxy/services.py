"""The composition root: what the routes need, opened from settings once and closed once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from guardrail.audit.store import AuditLog
from guardrail.config import audit_file
from guardrail.errors import BadRequest
from policies.policy import load, load_all
from policies.terms import Policy, Request
from proxy.admission import Permits
from proxy.demo import DemoUpstream
from proxy.exchange import Exchange
from proxy.judge import Checking
from proxy.pool import Pool
from proxy.recorder import Recorder
from proxy.relay import Desk, Relay
from proxy.settings import OFF, Settings
from proxy.upstream import HttpUpstream, Timeouts, Upstream

if TYPE_CHECKING:
    from guardrail.verifier import Verifier


@dataclass(slots=True)
class Services:
    """Shared by all requests. `policies` in the order in which they are tried; empty: nothing is checked."""

    settings: Settings
    verifier: Verifier
    log: AuditLog
    upstream: Upstream
    pool: Pool
    policies: tuple[Policy, ...]
    allowed: Mapping[str, Policy]
    permits: Permits
    recorder: Recorder
    desk: Desk = field(init=False)
    relays: set[Relay] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.desk = Desk(self.pool, self.session, self.recorder, keep_alive=self.settings.keep_alive)

    @classmethod
    def open(
        cls, settings: Settings, *, upstream: Upstream | None = None, verifier: Verifier | None = None
    ) -> Services:
        """Raises GuardrailError when a setting, a policy, the knowledge or the audit log cannot be used."""
        policies = () if settings.policy == OFF else load_all(settings.policy)
        allowed = {policy.name: policy for policy in (*map(load, settings.allow), *policies)}
        log = AuditLog.open(settings.audit or audit_file())
        pool = Pool(settings.workers)
        return cls(
            settings=settings,
            verifier=verifier or _verifier(settings),
            log=log,
            upstream=upstream or _upstream(settings),
            pool=pool,
            policies=policies,
            allowed=allowed,
            permits=Permits(settings.max_answers),
            recorder=Recorder(log, pool),
        )

    def policy(self, request: Request, name: str | None) -> Policy | None:
        """The policy for a request: the one asked for, else the first that matches; None where nothing is to be checked.

        Raises BadRequest for a name that is not allowed.
        """
        if name == OFF and not self.policies:
            return None
        if name:
            if name not in self.allowed:
                known = ", ".join(sorted(self.allowed))
                raise BadRequest(
                    f"no policy {name!r} may be asked for; allowed: {known}",
                    param="x-guardrail-policy",
                    code="unknown_policy",
                )
            return self.allowed[name]
        return next((policy for policy in self.policies if request in policy.match), None)

    def session(self, exchange: Exchange) -> Checking:
        return self.verifier.session(
            question=exchange.question,
            references=exchange.references,
            triplets=exchange.triplets,
            sources=exchange.sources,
        )

    async def drain(self, grace: float) -> None:
        """Lets nobody in any more, waits up to `grace` seconds for open answers, then ends them on record."""
        self.permits.close()
        for _ in range(int(grace / 0.05)):
            if not self.relays:
                return
            await asyncio.sleep(0.05)
        for relay in tuple(self.relays):
            relay.stop()
        for _ in range(int(self.desk.grace / 0.05)):
            if not self.relays:
                return
            await asyncio.sleep(0.05)

    def close(self) -> None:
        self.pool.close()
        self.log.close()


def _verifier(settings: Settings) -> Verifier:
    from guardrail.verifier import Verifier  # the largest import of all: not paid where a test brings its own

    verifier = Verifier.open(settings.knowledge)
    verifier.warm()
    return verifier


def _upstream(settings: Settings) -> Upstream:
    if settings.upstream is None:
        return DemoUpstream(pace=settings.pace)
    timeouts = Timeouts(connect=settings.connect_timeout, read=settings.read_timeout)
    return HttpUpstream(settings.upstream, timeouts=timeouts, key=settings.upstream_key)
