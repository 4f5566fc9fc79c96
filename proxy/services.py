"""The composition root: what the routes need, opened from settings once and closed once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from guardrail import __version__
from guardrail.audit.store import AuditLog
from guardrail.config import audit_file
from guardrail.errors import BadRequest, PolicyError
from guardrail.telemetry import Telemetry
from guardrail.types import UNAVAILABLE
from policies.chosen import PolicySet, Watched
from policies.policy import PRESETS, load
from policies.terms import Mode, Policy, Request
from proxy.admission import Permits
from proxy.exchange import Exchange
from proxy.judge import Checking
from proxy.keys import Key, KeyRing, keys_file
from proxy.pool import Pool
from proxy.recorder import Recorder
from proxy.relay import Desk, Relay
from proxy.reports import Reports
from proxy.settings import OFF, Settings
from proxy.upstream import Upstream
from proxy.upstreams import open_upstream

if TYPE_CHECKING:
    from guardrail.verifier import Verifier

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Services:
    """Shared by all requests. `watched`: the policies, read again when their file changes; None: nothing is checked."""

    settings: Settings
    verifier: Verifier
    log: AuditLog
    upstream: Upstream
    pool: Pool
    watched: Watched | None
    presets: Mapping[str, Policy]
    permits: Permits
    recorder: Recorder
    telemetry: Telemetry
    keys: KeyRing
    desk: Desk = field(init=False)
    relays: set[Relay] = field(default_factory=set)
    reports: Reports = field(default_factory=Reports)

    def __post_init__(self) -> None:
        self.recorder.reports = self.reports
        self.desk = Desk(
            self.pool,
            self.session,
            self.recorder,
            keep_alive=self.settings.keep_alive,
            grace=self.settings.grace,
        )

    @classmethod
    def open(
        cls, settings: Settings, *, upstream: Upstream | None = None, verifier: Verifier | None = None
    ) -> Services:
        """Raises GuardrailError when a setting, a policy, the knowledge or the audit log cannot be used."""
        telemetry = Telemetry.open(version=__version__)
        watched = None if settings.policy == OFF else _watched(settings.policy, telemetry)
        presets = {name: load(name) for name in {*PRESETS, *settings.allow}}
        log = AuditLog.open(settings.audit or audit_file())
        telemetry.watch_audit(log.depth)
        verifier = verifier or _verifier(settings)
        if settings.reviewer is not None and verifier.reviewer is not None:
            telemetry.watch_reviewer(verifier.reviewer.measures)
        pool = Pool(settings.workers)
        return cls(
            settings=settings,
            verifier=verifier,
            log=log,
            upstream=upstream or open_upstream(settings),
            pool=pool,
            watched=watched,
            presets=presets,
            permits=Permits(settings.max_answers),
            recorder=Recorder(log, Pool(1), telemetry),
            telemetry=telemetry,
            keys=KeyRing(settings.keys or keys_file()),
        )

    @property
    def policies(self) -> tuple[Policy, ...]:
        """As their file says now, in the order in which they are tried; empty: nothing is checked."""
        return self.watched.current.policies if self.watched else ()

    @property
    def allowed(self) -> Mapping[str, Policy]:
        """What a request may ask for by name."""
        allowed = {name: self.presets[name] for name in self.settings.allow}
        return {**allowed, **{policy.name: policy for policy in self.policies}}

    def beside(self, request: Request) -> tuple[Policy, ...]:
        """The shadow policies that decide on a request's answer, too, and are recorded apart."""
        return self.watched.current.beside(request) if self.watched else ()

    def degraded(self) -> list[str]:
        """What does not work as it should although requests are served."""
        problem = self.watched.problem if self.watched else ""
        found = {"policy not reloaded": problem, "audit log": self.log.trouble}
        return [f"{what}: {why}" for what, why in found.items() if why]

    def lost(self) -> list[str]:
        """What is gone, so that no answer can be checked or put on record until the server gets it back."""
        gone = [name for name, version in self.verifier.current_versions().items() if version == UNAVAILABLE]
        audit = self.log.database.lost()
        return [*(f"{name}: it cannot be read" for name in gone), *([f"audit log: {audit}"] if audit else [])]

    def policy(self, request: Request, name: object, *, key: Key | None = None) -> Policy | None:
        """The policy for a request: the one asked for, else the first that matches; None where nothing is to be checked.

        A `key` with policies of its own has the first of them, and may ask for the others only. Raises BadRequest for a
        name that is not allowed, or is none.
        """
        if name is not None and not isinstance(name, str):
            raise BadRequest("policy must be a name", param="policy", code="unknown_policy")
        if key is not None and key.policies:
            return self._of_key(key, name or key.policies[0])
        if name == OFF and not self.policies:
            return None
        if name:
            allowed = self.allowed
            if name not in allowed:
                known = ", ".join(sorted(allowed))
                raise BadRequest(
                    f"no policy {name!r} may be asked for; allowed: {known}",
                    param="x-guardrail-policy",
                    code="unknown_policy",
                )
            return allowed[name]
        return self.watched.current.active(request) if self.watched else None

    def _of_key(self, key: Key, name: str) -> Policy:
        if name not in key.policies:
            known = ", ".join(key.policies)
            raise BadRequest(
                f"this key may not ask for the policy {name!r}; allowed: {known}",
                param="x-guardrail-policy",
                code="unknown_policy",
            )
        found = self.allowed.get(name) or self.presets.get(name)
        if found is None:
            # Never unchecked because the operator made the key for a policy that is not there (any more).
            message = f"the policy {name!r} of this key is not loaded"
            raise BadRequest(message, status=403, code="unknown_policy")
        return found

    def session(self, exchange: Exchange) -> Checking:
        """Evidence is weighed in the policy's order, of its sources those that the request wants."""
        policy, wanted = exchange.policy, exchange.sources
        return self.verifier.session(
            question=exchange.question,
            references=exchange.references,
            triplets=exchange.triplets,
            sources=[source for source in policy.sources if wanted is None or source in wanted],
            setting=policy.setting or exchange.setting,
            whole=exchange.mode is Mode.BUFFER,
            patience_s=exchange.policy.deadline_ms / 1000,
        )

    async def drain(self, grace: float) -> None:
        """Lets nobody in any more, waits up to `grace` seconds for open answers, then ends them on record."""
        self.permits.close()
        for _ in range(int(grace / 0.05)):
            if not self.permits.taken:
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
        self.recorder.close()
        if self.settings.reviewer is not None and self.verifier.reviewer is not None:
            self.verifier.reviewer.close()
        self.log.close()
        self.keys.close()
        self.telemetry.shutdown()


def _watched(source: str, telemetry: Telemetry) -> Watched:
    """The policies of a preset or file; what becomes of a changed file is logged and counted."""

    def taken(fresh: PolicySet) -> None:
        log.warning("policies read again: %s", ", ".join(f"{p.name} {p.hash[:15]}" for p in fresh.policies))
        telemetry.reloaded(good=True)

    def refused(error: PolicyError) -> None:
        log.error("the changed policy file is not taken up, the old policies stay: %s", error)
        telemetry.reloaded(good=False)

    return Watched([source], on_change=taken, on_problem=refused)


def _verifier(settings: Settings) -> Verifier:
    from guardrail.verifier import Verifier  # the largest import of all: not paid where a test brings its own

    verifier = Verifier.open(settings.knowledge, recognizer=settings.recognizer)
    if settings.reviewer is not None:
        from guardrail.review import open_reviewer

        verifier = verifier.reviewed_by(open_reviewer(settings.reviewer))
    verifier.warm()
    return verifier
