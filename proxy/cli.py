"""The command `guardrail serve`: starts the proxy, by default with the demo model."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import click

from guardrail.cli import options
from guardrail.cli.reviewer import reviewer_options
from guardrail.config import corpus_is_there
from guardrail.errors import BadRequest, ConfigError
from guardrail.review import ReviewerSettings
from proxy.operating import operating_options
from proxy.server.logs import set_up
from proxy.server.paths import Kind, find, segments
from proxy.settings import Settings
from proxy.upstreams import split
from proxy.wire.fields import without_credentials

_SECONDS = click.FloatRange(min=0, min_open=True)


def _paths(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    for one in given:
        method, path = one.rpartition(" ")[::2]
        try:
            unknown = find(method or "POST", path).kind is Kind.UNKNOWN and len(segments(path)) > 1
        except BadRequest:
            unknown = False
        if not unknown or not path.startswith("/v1/"):
            raise click.BadParameter(f"{one!r} is not a path below /v1 that would be refused")
    return given


def _origins(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    for one in given:
        if not re.fullmatch(r"https?://[^/?#@*\s]+", one):
            raise click.BadParameter(f"{one!r} is not an origin such as https://app.example")
    return tuple(one.lower() for one in given)


def _proxies(_: click.Context, __: click.Parameter, given: str) -> tuple[str, ...]:
    found = tuple(one.strip() for one in given.split(",") if one.strip())
    for one in found:
        try:
            ip_network(one)
        except ValueError as error:
            raise click.BadParameter(f"{one!r} is neither an address nor a network") from error
    return found


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--upstream",
    "upstreams",
    metavar="[PATTERN=]URL",
    multiple=True,
    help="Base URL of the model's server, such as https://host/v1, or litellm:PROVIDER. Repeatable, by model pattern or as "
    "fallbacks. Default: the demo model.",
)
@click.option(
    "--upstreams",
    "upstreams_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A YAML file that lists model servers, each with its own key, timeouts, proxy and TLS settings.",
)
@click.option(
    "--upstream-key",
    envvar="GUARDRAIL_UPSTREAM_KEY",
    help="Key for the upstream. Default: the client's Authorization header is forwarded.",
)
@click.option(
    "--policy",
    default="annotate",
    show_default=True,
    metavar="PRESET|FILE",
    help="A preset, a policy file, or `off`.",
)
@click.option(
    "--allow",
    multiple=True,
    metavar="PRESET|FILE|off",
    help="A policy that a request may ask for by name. Repeatable; `off` allows none. Default: all that are at least as strict.",
)
@click.option(
    "--pass",
    "passes",
    multiple=True,
    metavar="[METHOD ]PATH",
    callback=_paths,
    help="A path such as /v1/batches that is passed on unchecked under every policy, with everything below it. Repeatable.",
)
@click.option(
    "--host-name",
    "host_names",
    multiple=True,
    metavar="NAME",
    help="A host name that clients use for this server. Repeatable. Other names are refused. Default: on a loopback address its "
    "own names, elsewhere every name.",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    callback=_origins,
    help="A site such as https://app.example whose pages may use this server. Repeatable. Default: only its own pages.",
)
@click.option(
    "--trusted-proxies",
    metavar="ADDRESS,…",
    default="",
    callback=_proxies,
    help="Addresses or networks of reverse proxies whose X-Forwarded-For is trusted. Default: none.",
)
@options.knowledge
@click.option("--audit", metavar="FILE|URL", help="Audit log. Default: audit.db in $GUARDRAIL_HOME.")
@click.option(
    "--admin-token",
    envvar="GUARDRAIL_ADMIN_TOKEN",
    default="",
    help="Token for the admin's pages and REST routes. Without it they are closed.",
)
@click.option(
    "--keys",
    envvar="GUARDRAIL_KEYS",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file with the virtual keys (`guardrail keys`). Default: keys.db in $GUARDRAIL_HOME.",
)
@click.option(
    "--limits",
    envvar="GUARDRAIL_LIMITS",
    metavar="redis://HOST:PORT/DB",
    help="A Redis that counts the use of virtual keys for all processes together. Default: each process counts by itself.",
)
@click.option(
    "--limits-away",
    type=click.Choice(["count", "refuse"]),
    default="count",
    show_default=True,
    help="What happens while that Redis cannot be reached. count: each process counts by itself; refuse: requests with keys are refused.",
)
@click.option(
    "--upstream-reports",
    type=click.Choice(["drop", "keep"]),
    default="drop",
    show_default=True,
    help="Whether reports of another guardrail behind this one are kept, as upstream_guardrail and only in mode observe.",
)
@options.recognizer
@options.model
@click.option("--require-key", is_flag=True, help="Refuse requests without a virtual key.")
@click.option("--log-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Number of threads that check.",
)
@click.option(
    "--processes",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Number of server processes that share the port, to use more than one core.",
)
@click.option(
    "--max-answers",
    default=1000,
    show_default=True,
    type=click.IntRange(1),
    help="The most answers at a time; further requests get 429.",
)
@click.option(
    "--max-text",
    default=200_000,
    show_default=True,
    type=click.IntRange(1),
    help="The most characters in a text for /guardrail/verify and similar paths; longer texts get 413.",
)
@click.option(
    "--max-body",
    default=20,
    show_default=True,
    type=click.IntRange(1),
    help="The largest request that is read, in MiB.",
)
@click.option(
    "--max-upload",
    default=512,
    show_default=True,
    type=click.IntRange(1),
    help="The largest request that is passed on without being read (files, audio), in MiB.",
)
@click.option(
    "--connect-timeout",
    default=10.0,
    show_default=True,
    type=_SECONDS,
    help="Seconds to connect to the upstream.",
)
@click.option(
    "--first-timeout",
    default=300.0,
    show_default=True,
    type=_SECONDS,
    help="Seconds until the upstream begins to answer.",
)
@click.option(
    "--read-timeout",
    default=300.0,
    show_default=True,
    type=_SECONDS,
    help="Seconds to wait for more from the upstream.",
)
@operating_options
@reviewer_options
def serve(
    upstreams: tuple[str, ...],
    upstreams_file: Path | None,
    upstream_key: str | None,
    allow: tuple[str, ...],
    knowledge: tuple[str, ...],
    workers: int,
    max_body: int,
    max_upload: int,
    reviewer: ReviewerSettings | None,
    operating: Mapping[str, Any],
    **named: Any,
) -> None:
    """Start the proxy. Point an OpenAI client's base_url at it."""
    # What is `named` here is called so in the settings, too.
    plain = [one for one in upstreams if split(one)[0] == "*"]
    settings = Settings(
        upstream=plain[0] if plain else None,
        routes=tuple(one for one in upstreams if one not in plain[:1]),
        upstreams=upstreams_file,
        upstream_key=upstream_key or "",
        allow=allow or None,
        knowledge=knowledge or None,
        # A thread that waits for a model checks nothing meanwhile.
        workers=workers if reviewer is None else max(workers, 16),
        reviewer=reviewer,
        max_body=max_body << 20,
        max_upload=max_upload << 20,
        **named,
    )
    run(replace(settings, **operating))


def run(settings: Settings) -> None:
    """Serve until a signal. Open streams are given time to end, then marked and recorded."""
    from proxy.server.server import listen  # not paid by `guardrail --help`

    set_up(settings.log_format)
    if not settings.admin_token:  # with one, documents may be handed in, which makes the corpus
        corpus_is_there()
    if settings.processes > 1:
        several(settings)
        return
    listener = listen(settings)
    try:
        serve_on(settings, 0, listener, lambda: announce(settings, listener))
    except KeyboardInterrupt:
        click.echo("stopped")


def several(settings: Settings) -> None:
    """`run` with more than one process. Raises ConfigError."""
    from proxy.server.processes import Supervisor, divided
    from proxy.server.server import listen

    if settings.admin_token:
        raise ConfigError(
            "with several processes the pages have no sessions: leave --admin-token out, and give it to a second `guardrail serve` on another port, with the same --audit, --policy and --knowledge"
        )
    listener = listen(settings)
    with TemporaryDirectory(prefix="guardrail-") as folder:
        serving = partial(serve_on, divided(settings, Path(folder)))
        supervisor = Supervisor(settings.processes, serving, listener)
        if code := supervisor.run(lambda: announce(settings, listener)):
            raise SystemExit(code)


def serve_on(settings: Settings, number: int, listener: socket.socket, ready: Callable[[], object]) -> None:
    """Serves as one process, the only one or that of a number among several, until a signal."""
    from proxy.app import create_app
    from proxy.server.server import Server, spare_what_is_loaded

    if settings.process is not None:
        set_up(settings.log_format)
        settings = replace(settings, process=(settings.process[0], number))
    app = create_app(settings)
    spare_what_is_loaded()
    ready()
    Server(app, grace=settings.stop_grace, notice=settings.stop_after).run(sockets=[listener])


def announce(settings: Settings, listener: socket.socket) -> None:
    """Says that it serves, and what an operator should know of the settings."""
    click.echo(greeting(settings, port=listener.getsockname()[1]))
    if settings.processes > 1 and settings.limits is None:
        click.echo(
            f"warning: each of {settings.processes} processes counts the limits of keys by itself; see --limits",
            err=True,
        )
    for path in settings.passes:
        click.echo(f"warning: {path} is passed on unchecked under every policy", err=True)
    for server in bare(settings):
        click.echo(f"warning: {server} has no path; most model servers answer below {server}/v1", err=True)
    if not local(settings) and not settings.host_names:
        click.echo("warning: this server answers to any host name; set yours with --host-name", err=True)
    if exposed(settings):
        click.echo(
            "warning: anyone who reaches this address uses your --upstream-key; see --require-key", err=True
        )


def bare(settings: Settings) -> list[str]:
    """The servers that are named by a host alone, without credentials."""
    named = [split(option)[1] for option in (settings.upstream, *settings.routes) if option]
    found = (without_credentials(url).rstrip("/") for url in named if "://" in url)
    return [url for url in found if not urlsplit(url).path]


def exposed(settings: Settings) -> bool:
    """Whether others than this machine's users can spend a key of the operator's."""
    return bool(settings.upstream_key) and not settings.require_key and not local(settings)


def local(settings: Settings) -> bool:
    """Whether only this machine can reach the server."""
    return settings.host in ("127.0.0.1", "::1", "localhost")


def greeting(settings: Settings, *, port: int) -> str:
    """What a person needs next: the base URL, the page, a line to paste."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    root = f"http://{host}:{port}"
    named = (settings.upstreams and str(settings.upstreams), settings.upstream, *settings.routes)
    servers = [server for server in named if server]
    told = ", ".join(map(without_credentials, servers)) or "the demo model"
    model = "MODEL" if servers else "demo"
    question = '{"role":"user","content":"When was Taylor Swift born?"}'
    key = " -H 'Authorization: Bearer KEY'" if servers else ""
    return "\n".join(
        [
            f"guardrail checks {told} with policy {settings.policy}",
            f"  base_url  {root}/v1",
            f"  page      {root}/",
            f"  manual    {root}/docs",
            f"  try       curl -N {root}/v1/chat/completions -H 'Content-Type: application/json'{key} \\",
            f'              -d \'{{"model":"{model}","stream":true,"messages":[{question}]}}\'',
        ]
    )
