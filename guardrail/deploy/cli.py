"""`guardrail deploy ray`: the checks on a Ray cluster."""

from __future__ import annotations

import re
import threading
from typing import Any

import click

__all__ = ["deploy"]


def _replicas(_: click.Context, __: click.Parameter, given: str) -> tuple[int, int]:
    """`4`, or `2..16`."""
    found = re.fullmatch(r"(\d{1,5})(?:\.\.(\d{1,5}))?", given)
    if not found:
        raise click.BadParameter(f"{given!r} is neither a number nor LEAST..MOST")
    return int(found[1]), int(found[2] or found[1])


@click.group()
def deploy() -> None:
    """Run the checks on more than one machine."""


@deploy.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, on each machine.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option(
    "--address",
    envvar="RAY_ADDRESS",
    help="The cluster. Default: one that is started here, until this command is ended.",
)
@click.option(
    "--model",
    default="embedded",
    show_default=True,
    metavar="NAME",
    help="What the classifier runs: embedded, a folder or a hub id on torch.",
)
@click.option(
    "--knowledge",
    "-k",
    multiple=True,
    metavar="FILE|URL|starter",
    help="A graph, under the same path on every machine; repeated, in order of precedence. Default: the starter knowledge.",
)
@click.option(
    "--recognizer",
    default="",
    help="spaCy pipeline that is asked for names, too: a name or a folder.",
)
@click.option(
    "--verifiers",
    metavar="N|LEAST..MOST",
    callback=_replicas,
    default="1..4",
    show_default=True,
    help="Replicas that check texts.",
)
@click.option("--verifier-cpus", default=1.0, show_default=True, help="Cores of each.")
@click.option(
    "--classifiers",
    metavar="N|LEAST..MOST",
    callback=_replicas,
    default="1",
    show_default=True,
    help="Replicas of the model that reads evidence and claim.",
)
@click.option("--classifier-cpus", default=1.0, show_default=True, help="Cores of each.")
@click.option(
    "--gpus", default=0.0, show_default=True, help="GPUs of each classifier; 0.25 puts four on one."
)
@click.option(
    "--queue",
    default=4.0,
    show_default=True,
    help="Requests that a verifier has or that wait for it, before another one is started.",
)
@click.option(
    "--batch-requests", default=64, show_default=True, help="Requests of a batch of the classifier."
)
@click.option("--batch-wait-ms", default=2.0, show_default=True, help="How long a batch waits for more.")
def ray(host: str, port: int, address: str | None, **options: Any) -> None:
    """Start the checks on Ray Serve: POST /guardrail/verify, and the classifier for `--model tei+http://…`."""
    from guardrail.deploy.ray import run

    run(options, host=host, port=port, address=address)
    click.echo(f"texts are checked at http://{host}:{port}/guardrail/verify")
    click.echo(f"the classifier is --model tei+http://{host}:{port}")
    if address is None:
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            click.echo("stopped")
