"""The command `guardrail keys`: makes, lists and revokes the virtual keys of a server, also while it runs."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

import click
import orjson
from rich.console import Console
from rich.table import Table

from guardrail.errors import ConfigError
from proxy.access.keys import Key, KeyRing, keys_file

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_file = click.option(
    "--file",
    envvar="GUARDRAIL_KEYS",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file with the keys. Default: keys.db in $GUARDRAIL_HOME.",
)


def _lifetime(_: click.Context, __: click.Parameter, value: str | None) -> timedelta | None:
    if value is None:
        return None
    found = re.fullmatch(r"([1-9]\d{0,4})([hdw])", value)
    if not found:
        raise click.BadParameter(f"{value!r} is not a duration such as 12h, 30d or 8w")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


@click.group()
def keys() -> None:
    """Manage virtual keys, which clients use in place of the upstream's key."""


@keys.command()
@click.argument("name")
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME",
    help="Policy for this key. If repeated, requests may ask for the further ones. Default: the server's policy.",
)
@click.option("--requests", type=click.IntRange(1), help="Requests per minute. Default: no limit.")
@click.option("--tokens", type=click.IntRange(1), help="Tokens per minute. Default: no limit.")
@click.option("--concurrent", type=click.IntRange(1), help="Answers at a time. Default: no limit.")
@click.option("--expires", "lifetime", callback=_lifetime, metavar="12h|30d|8w", help="Default: never.")
@_file
def create(
    name: str,
    policies: tuple[str, ...],
    requests: int | None,
    tokens: int | None,
    concurrent: int | None,
    lifetime: timedelta | None,
    file: Path | None,
) -> None:
    """Make a key for NAME and show it once. Only its hash is stored."""
    if wrong := [policy for policy in policies if not re.fullmatch(r"\S+", policy)]:
        raise ConfigError(f"--policy: {wrong[0]!r} is not the name of a policy")
    with closing(KeyRing(file or keys_file())) as ring:
        key, token = ring.create(
            name,
            policies=policies,
            requests=requests or 0,
            tokens=tokens or 0,
            concurrent=concurrent or 0,
            lifetime=lifetime,
        )
    click.echo(f"key {key.id} of {name}, shown only now:", err=True)
    click.echo(token)


@keys.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@_file
def list_keys(as_json: bool, file: Path | None) -> None:
    """List the keys, without their secrets."""
    with closing(KeyRing(file or keys_file())) as ring:
        known = ring.known()
    if as_json:
        for key in known:
            told = {name: value for name, value in asdict(key).items() if name != "digest"}
            click.echo(orjson.dumps(told))
        return
    table = Table("id", "name", "policies", "requests/min", "tokens/min", "at a time", "created", "state")
    for key in known:
        table.add_row(
            key.id,
            key.name,
            ", ".join(key.policies) or "the server's",
            *(str(limit or "any") for limit in (key.requests, key.tokens, key.concurrent)),
            key.created,
            _state(key),
        )
    Console(width=None if Console().is_terminal else 160).print(table)


@keys.command()
@click.argument("identifier", metavar="ID")
@_file
def revoke(identifier: str, file: Path | None) -> None:
    """Revoke the key with this ID. A running server refuses it within a second."""
    with closing(KeyRing(file or keys_file())) as ring:
        if not ring.revoke(identifier):
            raise ConfigError(f"there is no key {identifier}, or it is already revoked")
    click.echo(f"key {identifier} is revoked")


def _state(key: Key) -> str:
    if key.revoked:
        return f"revoked {key.revoked}"
    return f"until {key.expires}" if key.expires else "valid"
