"""The composition root: opens what the routes need from the settings, and closes it."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from guardrail import __version__
from guardrail.audit.store import AuditLog
from guardrail.config import audit_file
from guardrail.errors import GuardrailError, KnowledgeError
from guardrail.telemetry import Telemetry
from guardrail.types import UNAVAILABLE
from policies.chosen import PolicySet, Watched
from policies.classes import Classes, GraphClasses
from policies.notes import notes
from proxy.access.keys import KeyRing, keys_file
from proxy.access.limits import Limits
from proxy.access.policy_choice import PolicyChoice
from proxy.admin.uploads import Uploads
from proxy.judging.place import Checks
from proxy.judging.pool import Pool
from proxy.judging.recorder import Recorder
from proxy.judging.reports import Reports
from proxy.opening import open_checks, open_verifier, threads
from proxy.relay.loop import Desk, Relay
from proxy.server.admission import Bodies, Permits
from proxy.server.bodies import BodyReader
from proxy.server.siblings import Siblings, merged
from proxy.settings import OFF, Settings
from proxy.upstream.http import Upstream
from proxy.upstreams import open_upstream
from proxy.verifiers.messages import Make

if TYPE_CHECKING:
    from guardrail.evidence.knowledge import Knowledge
    from guardrail.verifier import Verifier

_IDENTIFIER = re.compile(r"[0-9A-Za-z_-]{1,64}")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Services:
    """Shared by all requests.

    `verifier`, `pool`: of this process, with its threads; `checks`: where answers are checked, here or in other processes.
    `choice`: the policies, and which of them a request gets.
    """

    settings: Settings
    verifier: Verifier
    log: AuditLog
    upstream: Upstream
    pool: Pool
    checks: Checks
    choice: PolicyChoice
    classes: Classes
    permits: Permits
    bodies: Bodies
    recorder: Recorder
    telemetry: Telemetry
    keys: KeyRing
    limits: Limits
    reports: Reports
    desk: Desk = field(init=False)
    relays: set[Relay] = field(default_factory=set)
    reader: BodyReader = field(default_factory=BodyReader)
    siblings: Siblings | None = field(init=False, default=None)
    uploads: Uploads = field(default_factory=Uploads)
    ending: bool = field(
        init=False, default=False
    )  # what is under way is served, the next requests should go elsewhere

    def __post_init__(self) -> None:
        self.recorder.reports = self.reports
        self.telemetry.watch_audit(self.log.depth)
        self.telemetry.watch(self.limits.measures, self.reports.measures, self.checks.measures)
        self.desk = Desk(
            self.checks.place,
            self.recorder,
            keep_alive=self.settings.keep_alive,
            grace=self.settings.grace,
        )
        if self.settings.process is not None:
            self.siblings = Siblings(
                *self.settings.process, {"metrics": self._metrics, "report": self._report}
            )

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        upstream: Upstream | None = None,
        verifier: Verifier | None = None,
        make: Make | None = None,
    ) -> Services:
        """`make`: opens the verifier of another process, by default as the settings say. Raises GuardrailError when a setting, a
        policy, the knowledge or the audit log cannot be used, or no process can check.
        """
        telemetry = Telemetry.open(version=__version__)
        opened = cache(lambda: verifier or open_verifier(settings))  # a policy without mistakes comes first
        classes = GraphClasses(lambda: _graph(opened()))
        choice = _choice(settings, telemetry, classes)
        log = AuditLog.open(settings.audit or audit_file())
        judge = opened()
        if choice.watched:
            _tell_notes(settings.policy, classes)
            _tell_open_end(choice.watched.current)
        limits, reports = _limits(settings), _reports(settings)
        pool = Pool(threads(settings, on_server=judge.remote is not None))
        checks = open_checks(settings, judge, pool, make)
        return cls(
            settings=settings,
            verifier=judge,
            log=log,
            upstream=upstream or open_upstream(settings),
            pool=pool,
            checks=checks,
            choice=choice,
            classes=classes,
            permits=Permits(settings.max_answers),
            bodies=Bodies(settings.max_held, count=settings.max_answers),
            recorder=Recorder(log, Pool(1), telemetry),
            telemetry=telemetry,
            keys=KeyRing(settings.keys or keys_file()),
            limits=limits,
            reports=reports,
        )

    def degraded(self) -> list[str]:
        """What does not work as it should although requests are served."""
        watched = self.choice.watched
        found = {
            "policy not reloaded": watched.problem if watched else "",
            "audit log": self.log.trouble,
            "limits": self.limits.trouble,
            "reports": self.reports.trouble,
            **self.checks.trouble(),
        }
        return [f"{what}: {why}" for what, why in found.items() if why]

    def versions(self) -> dict[str, str]:
        """What judges answers now, and the knowledge as it is at this moment, or UNAVAILABLE."""
        return {**self.verifier.current_versions(), **self.checks.judges()}

    def lost(self) -> list[str]:
        """What is gone, so that no answer can be checked or put on record until the server gets it back."""
        gone = [name for name, version in self.verifier.current_versions().items() if version == UNAVAILABLE]
        other = {"audit log": self.log.database.lost(), "checks": self.checks.lost()}
        told = (f"{what}: {why}" for what, why in other.items() if why)
        return [*(f"{name}: it cannot be read" for name in gone), *told]

    async def metrics(self) -> str:
        """Of this process, or of all that share its port."""
        own = await asyncio.to_thread(self.telemetry.metrics)
        if self.siblings is None:
            return own
        others = await self.siblings.ask("metrics")
        told = {number: text.decode() for number, text in others.items()} | {self.siblings.number: own}
        return await asyncio.to_thread(merged, told)

    async def report(self, identifier: str) -> bytes | None:
        """The reports of a response by its id, whichever process has them. Raises BadRequest where that cannot be said."""
        if not _IDENTIFIER.fullmatch(identifier):
            return None
        found = self.reports.get(identifier)
        if found is None and self.siblings is not None:
            found = next(iter((await self.siblings.ask(f"report {identifier}")).values()), None)
        return await self.reports.elsewhere(identifier) if found is None else found

    async def _metrics(self, _: str) -> bytes:
        return (await asyncio.to_thread(self.telemetry.metrics)).encode()

    async def _report(self, identifier: str) -> bytes:
        return self.reports.get(identifier) or b""

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
        self.reader.close()
        self.uploads.close()
        self.recorder.close()
        self.checks.close()
        self.log.close()
        self.keys.close()
        self.telemetry.shutdown()


def _graph(verifier: Verifier) -> Knowledge:
    if verifier.knowledge is None:
        raise KnowledgeError("there is no graph whose classes could be looked up")
    return verifier.knowledge


def _choice(settings: Settings, telemetry: Telemetry, classes: Classes) -> PolicyChoice:
    watched = None if settings.policy == OFF else _watched(settings.policy, telemetry, classes)
    return PolicyChoice.open(settings, watched, classes)


def _watched(source: str, telemetry: Telemetry, classes: Classes) -> Watched:
    """The policies of a preset or file; what becomes of a changed file is logged and counted."""

    def taken(fresh: PolicySet) -> None:
        log.warning("policies read again: %s", ", ".join(f"{p.name} {p.hash[:15]}" for p in fresh.policies))
        _tell_open_end(fresh)
        telemetry.reloaded(good=True)

    def refused(error: GuardrailError) -> None:
        log.error("the changed policy file is not taken up, the old policies stay: %s", error)
        telemetry.reloaded(good=False)

    return Watched([source], classes=classes, on_change=taken, on_problem=refused)


def _tell_notes(source: str, classes: Classes) -> None:
    """What the policy file may not mean to say goes into the log; where the graph cannot be read every sentence says so."""
    try:
        for note in notes(source, classes):
            log.warning("%s:%d: %s (key `%s`)", source, note.line, note.message, note.key)
    except KnowledgeError as error:
        log.warning("%s: its classes were not looked up: %s", source, error)


def _tell_open_end(policies: PolicySet) -> None:
    if policies.open_ended:
        log.warning("policies: %s", policies.open_ended)


def _limits(settings: Settings) -> Limits:
    if settings.limits is None:
        return Limits()
    from proxy.access.shared import SharedLimits  # brings Redis' client

    return SharedLimits(settings.limits, away=settings.limits_away)


def _reports(settings: Settings) -> Reports:
    if settings.reports is None:
        return Reports(settings.max_reports)
    from proxy.judging.shared_reports import SharedReports  # brings Redis' client

    size = settings.max_reports
    return SharedReports(settings.reports, shared_limit=size, limit=size)
