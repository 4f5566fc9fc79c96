"""The `guardrail` command group.

Commands come from the entry points `guardrail.commands` (pyproject.toml), so that the library needs to know neither the
proxy nor the policies, and `guardrail check` does not pay for importing the server.
"""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, entry_points

import click

from guardrail import __version__
from guardrail.errors import GuardrailError


class Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_found())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = _found().get(cmd_name)
        if entry is None:
            return None
        command = entry.load()
        if not isinstance(command, click.Command):
            raise TypeError(f"{entry.value} is not a click command")
        return command


def _found() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="guardrail.commands")}


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="guardrail")
def group() -> None:
    """Check what a chat model says, claim by claim."""


def main() -> None:
    """Run the command line; an error of ours is one line on stderr and exit code 2, never a traceback."""
    try:
        group()
    except GuardrailError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
