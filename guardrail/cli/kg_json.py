"""What the `kg` commands print with `--json`: one object, with statements as in a report's evidence (docs/knowledge.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import click

from guardrail.evidence.knowledge import Knowledge
from guardrail.report.writing import triplet_to_dict
from guardrail.types import Entity, Triplet

__all__ = ["entity_of", "print_object", "statements_of"]

Json = dict[str, Any]


def print_object(graph: Knowledge, found: Mapping[str, object]) -> None:
    """The object on one line, with the graph that it is from and its version."""
    told = {"graph": graph.name, "version": graph.version, **found}
    click.echo(json.dumps(told, ensure_ascii=False))


def entity_of(graph: Knowledge, known: Entity) -> Json:
    return {
        "id": known.id,
        "label": known.label,
        "description": known.description,
        "aliases": list(graph.aliases(known.id)),
        "types": list(known.types),
        "popularity": round(known.popularity, 4),
        "url": known.url,
    }


def statements_of(statements: Iterable[Triplet]) -> list[Json]:
    return [triplet_to_dict(statement) for statement in statements]
