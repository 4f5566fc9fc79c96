"""Mappings of tables for which nobody gave one: guessed, shown, and saved beside the graph, where they can be corrected."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from guardrail.errors import ConfigError
from guardrail.evidence.importers import saved
from guardrail.evidence.importers.formats import TABLES, suffix_of
from guardrail.evidence.importers.guess import guess_of
from guardrail.evidence.importers.mapping import PLAIN, TableMapping, mapping_section, read_mapping
from guardrail.evidence.importers.source import Source

__all__ = ["Mappings"]


class Mappings:
    """What the columns of each table are: as the user's file says, as the one beside the graph says, or as is guessed.

    `where`: the graph, a path or an address; beside the latter nothing is saved. `yes`: guesses are taken unasked.
    """

    def __init__(self, where: Path | str, given: Path | None, *, yes: bool) -> None:
        self._given, self._yes = given, yes
        self._beside = saved.beside(where)
        self._new: dict[str, dict[str, Any]] = {}

    def of(self, path: Path, form: str) -> Path | TableMapping | None:
        """The mapping for a file; None where it needs none. Raises ConfigError where a guess is not taken."""
        suffix = f".{form}" if form else suffix_of(path)
        if self._given is not None or suffix not in TABLES or suffix in (".jsonl", ".ndjson"):
            return self._given
        if self._beside is not None and saved.has(self._beside, path.name):
            click.echo(f"{path}: the columns are as {self._beside} says", err=True)
            return read_mapping(self._beside, path.name)
        with Source.open(path) as source:
            found = guess_of(source)
        if found.mapping == PLAIN:
            return None
        section = mapping_section(found.mapping)
        shown = _indented(saved.written({path.name: section}))
        click.echo(
            f"{path}: no mapping was given; this is how its columns are understood:\n{shown}", err=True
        )
        if found.question and not self._yes:
            _ask(path, found.question)
        self._new[path.name] = section
        return found.mapping

    def save(self, path: Path) -> None:
        """Writes what was guessed of a file, once it is imported, beside the graph. Raises ConfigError where it cannot be written."""
        section = self._new.pop(path.name, None)
        if section is not None and self._beside is not None:
            saved.save(self._beside, {path.name: section})
            click.echo(f"saved as {self._beside}: change it there and import again with --again", err=True)


def _ask(path: Path, question: str) -> None:
    if not sys.stdin.isatty():
        raise ConfigError(f"{path}: {question} Use --yes to accept the guess, or give a --mapping")
    if not click.confirm(f"{path}: {question}", default=True, err=True):
        raise ConfigError(f"{path}: not imported; give a --mapping (docs/knowledge.md)")


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines()).rstrip("\n")
