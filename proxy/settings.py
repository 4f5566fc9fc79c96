"""The settings of `guardrail serve`. With the defaults it runs without a key or a download."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from guardrail.review import ReviewerSettings

OFF = "off"


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Settings:
    """`upstream` None: the demo model. `routes`: further servers, as PATTERN=URL or URL; `upstreams`: a file of them (`proxy.upstreams`). `policy`: a preset, a file, or "off" (pass through, nothing is checked).

    `allow`: what a request may ask for by `x-guardrail-policy`, as presets, files, or "off"; None: whatever is at least as strict as the
    policy that would run. `passes`: paths such as /v1/batches, or `GET /v1/batches`, that are passed on unchecked under every policy.
    `host_names`: by which clients reach the server; empty: on a loopback address its own, else any. `origins`: sites whose pages may use
    it. `trusted_proxies`: addresses and networks whose X-Forwarded-For is believed. `knowledge` None: the starter knowledge.
    `upstream_reports`: what becomes of the reports of another guardrail behind this one; kept under another name, if at all.
    `recognizer`: a spaCy pipeline that is asked for names, too; None: that of $GUARDRAIL_RECOGNIZER.
    `model`: what reads evidence and claim (`guardrail.models.place`); None: that of $GUARDRAIL_MODEL.
    `reviewer`: a language model's second look. `audit` None: the log in $GUARDRAIL_HOME. `admin_token`: opens /guardrail/audit; empty: closed.
    `keys`: the file of virtual keys, None: that in $GUARDRAIL_HOME; `require_key`: nobody is served without one.
    `limits`: a Redis that counts what keys use for all processes, None: this process alone; `limits_away`: while it is away, this process
    counts, or keys are refused. `reports`: a Redis that keeps reports for all machines, None: in memory; `max_reports`: how many bytes of
    them. `stop_after`: how long a server that is told to end still takes requests; `stop_grace`: how long open answers then have. Times are seconds, sizes bytes.
    `processes`: how many share the port and the bounds on what is held at a time; `process`: in each of them, the folder where they meet
    and its number. `workers`: threads that check in a process; `verifiers`: processes beside this one that check for it, 0: none, it
    checks itself.
    `max_text`: characters of a text that is handed in to be checked. `max_held`: bytes of requests at a time.
    `max_body`: of a request that is read; `max_upload`: of one that is passed on as it comes.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    upstream: str | None = None
    upstream_key: str = ""
    routes: tuple[str, ...] = ()
    upstreams: Path | None = None
    policy: str = "annotate"
    allow: tuple[str, ...] | None = None
    passes: tuple[str, ...] = ()
    host_names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    knowledge: Path | tuple[Path | str, ...] | None = None
    recognizer: str | None = None
    model: str | None = None
    reviewer: ReviewerSettings | None = None
    upstream_reports: Literal["drop", "keep"] = "drop"
    audit: str | None = None
    admin_token: str = ""
    keys: Path | None = None
    require_key: bool = False
    limits: str | None = None
    limits_away: Literal["count", "refuse"] = "count"
    reports: str | None = None
    max_reports: int = 32 * 1024 * 1024
    stop_after: float = 0.0
    stop_grace: float = 10.0
    processes: int = 1
    process: tuple[Path, int] | None = None
    log_format: str = "text"
    max_body: int = 20 * 1024 * 1024
    max_text: int = 200_000
    max_held: int = 512 * 1024 * 1024
    max_upload: int = 512 * 1024 * 1024
    max_answers: int = 1000
    workers: int = 1
    verifiers: int = 0
    connect_timeout: float = 10.0
    first_timeout: float = 300.0
    read_timeout: float = 300.0
    keep_alive: float = 10.0
    grace: float = 5.0
    pace: float = 0.03
