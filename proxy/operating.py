"""The options of `guardrail serve` for processes that check, for several machines, and for its end behind a balancer."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import click

__all__ = ["operating_options"]

_NAMES = ("verifiers", "reports", "max_reports", "stop_after", "stop_grace")

_VERIFIERS = click.option(
    "--verifiers",
    default=0,
    show_default=True,
    type=click.IntRange(0, 64),
    help="Number of processes that check answers for this server. 0: its own threads do.",
)

P = ParamSpec("P")
R = TypeVar("R")


def operating_options(command: Callable[P, R]) -> Callable[P, R]:
    """Adds them, and hands the command one `operating`: values for the fields of `Settings` that have these names."""

    @_VERIFIERS
    @click.option(
        "--reports",
        envvar="GUARDRAIL_REPORTS",
        metavar="redis://HOST:PORT/DB",
        help="A Redis that keeps the last reports, so that every machine finds them by id. Default: each in its memory.",
    )
    @click.option(
        "--max-reports",
        default=32,
        show_default=True,
        type=click.IntRange(1),
        help="MiB of reports that are kept; with --reports also in Redis, for all processes together.",
    )
    @click.option(
        "--stop-after",
        default=0.0,
        show_default=True,
        type=click.FloatRange(0, 3600),
        help="Seconds after SIGTERM in which requests are still served, while /readyz says 503, so that a balancer notices.",
    )
    @click.option(
        "--stop-grace",
        default=10.0,
        show_default=True,
        type=click.FloatRange(0, 86400),
        help="Seconds that open answers then have to end by themselves.",
    )
    @wraps(command)
    def with_operating(*args: P.args, **kwargs: P.kwargs) -> R:
        given = {name: kwargs.pop(name) for name in _NAMES}
        kwargs["operating"] = given | {"max_reports": int(given["max_reports"]) << 20}  # type: ignore[call-overload]
        return command(*args, **kwargs)

    return with_operating  # fmt: skip
