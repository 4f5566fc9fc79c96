"""What readers give and `load` writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.source import Source
from guardrail.evidence.store.graph import NewEntity
from guardrail.evidence.store.packed import Packed
from guardrail.types import Property, Triplet

CHUNK = 250_000
"""Records of one chunk, and so of one batch, at most: the larger, the more of them meet on each page of the file."""


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A line, row or statement that could not be read; `number` is 1-based."""

    number: int
    cause: str


@dataclass(slots=True)
class Chunk:
    """Part of a file. Once it is written, `read` of the file's records and `position` of its bytes have been read."""

    packed: Packed | None = None
    statements: list[Triplet] = field(default_factory=list)
    as_is: list[Triplet] = field(default_factory=list)  # they keep their source, also where they have none
    entities: list[NewEntity] = field(default_factory=list)
    properties: list[Property] = field(default_factory=list)
    aliases: list[tuple[str, str]] = field(
        default_factory=list
    )  # (id, another name) of things that other records make
    bad: list[BadRecord] = field(default_factory=list)
    odd: list[BadRecord] = field(
        default_factory=list
    )  # values that were kept as text, as they are none of their property's type
    read: int = 0
    position: int = 0

    @property
    def good(self) -> int:
        return (
            (len(self.packed) if self.packed else 0)
            + len(self.statements)
            + len(self.as_is)
            + len(self.entities)
            + len(self.properties)
            + len(self.aliases)
        )


def must_be(path: Path, what: str, good: int, first_bad: BadRecord | None) -> None:
    """Raises ImportFailed for a file of which every record that was read is bad: it is something else."""
    if first_bad is not None and not good:
        raise ImportFailed(path, f"this is not {what}: {first_bad.cause}", line=first_bad.number)


class FileReader(Protocol):
    """Reads one kind of file."""

    def chunks(self, source: Source, *, skip: int) -> Iterator[Chunk]:
        """The chunks after the first `skip` records. Raises ImportFailed where the file cannot be read on."""
        ...
