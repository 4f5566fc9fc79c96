"""`guardrail kg properties` and `kg property`: what the properties of a graph are taken for, and how that is changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click
from rich.table import Table

from guardrail.cli.kg_json import print_object
from guardrail.cli.kg_open import console, graph_of, json_option, knowledge_option
from guardrail.errors import ConfigError
from guardrail.evidence import resolve
from guardrail.evidence.declared import declare
from guardrail.evidence.described import Described, described, summary
from guardrail.types import Node, Property
from guardrail.values.units import unit_named

__all__ = ["properties", "property_"]


@click.command()
@knowledge_option
@json_option
@click.pass_context
def properties(ctx: click.Context, own: str | None, as_json: bool) -> None:
    """Show what each property of the graph is taken for."""
    with graph_of(ctx, own) as graph:
        found = described(graph)
        if as_json:
            print_object(graph, {"properties": [_told(one) for one in found]})
            return
    table = Table("property", "type", "values", "said by", "statements", "subjects", "also called", box=None)
    for one in found:
        known = one.known
        unit = f" ({known.unit.label})" if known.unit else ""
        by = "" if known.cardinality == "unknown" else "declaration" if one.said else "the data"
        counts = (f"{one.statements:,}", f"{one.subjects:,}")
        table.add_row(known.label, one.type + unit, _values(known), by, *counts, ", ".join(known.aliases))
    console().print(table)
    click.echo(summary(one.known for one in found))


@click.command(name="property")
@knowledge_option
@click.argument("name")
@click.option(
    "--cardinality", type=click.Choice(["single", "list"]), help="One value for each thing, or several."
)
@click.option("--temporal/--not-temporal", default=None, help="Whether it changes with time.")
@click.option("--complete/--open", default=None, help="Whether its lists name every value.")
@click.option(
    "--hierarchical/--flat", default=None, help="Whether it leads from the smaller to the larger: part of."
)
@click.option("--unit", help="Of its bare numbers: kg, metres, EUR.")
@click.option(
    "--alias", "-a", "aliases", multiple=True, help="A further name, as people say it: 'sells for'."
)
@click.option("--label", help="Its name.")
@click.pass_context
def property_(
    ctx: click.Context,
    own: str | None,
    name: str,
    cardinality: str | None,
    temporal: bool | None,
    complete: bool | None,
    hierarchical: bool | None,
    unit: str | None,
    aliases: tuple[str, ...],
    label: str | None,
) -> None:
    """Say what the property NAME (an id or a name) is. What is not given stays."""
    flags = {"temporal": temporal, "complete": complete, "hierarchical": hierarchical}
    changed: dict[str, Any] = {name: flag for name, flag in flags.items() if flag is not None}
    changed |= {"cardinality": cardinality} if cardinality else {}
    changed |= {"unit": _unit(unit)} if unit else {}
    changed |= {"label": label} if label else {}
    with graph_of(ctx, own, read_only=False) as graph:
        known = resolve.relation(graph, name)
        if aliases:
            changed["aliases"] = tuple(dict.fromkeys((*known.aliases, *aliases)))
        if not changed:
            raise ConfigError("nothing to change: name one of --cardinality, --unit, --alias …")
        declare(graph, replace(known, **changed))
        now = graph.property(known.id) or known
        written = graph.version
    click.echo(f"{now.label}: {_values(now)}{_more(now)}  (version {written})")


def _unit(text: str) -> Node:
    found = unit_named(text)
    return found.node if found is not None else Node(text, text)


def _values(known: Property) -> str:
    if known.cardinality == "single":
        return "one at a time" if known.temporal else "one"
    return "a complete list" if known.complete else "a list"


def _more(known: Property) -> str:
    parts = [f"in {known.unit.label}"] if known.unit else []
    parts += [f"also called {', '.join(known.aliases)}"] if known.aliases else []
    return "".join(f", {part}" for part in parts)


def _told(one: Described) -> dict[str, Any]:
    known = one.known
    return {
        "id": known.id,
        "label": known.label,
        "aliases": list(known.aliases),
        "type": one.type,
        "datatype": known.datatype,
        "unit": known.unit.label if known.unit else None,
        "cardinality": known.cardinality,
        "declared": one.said,
        "temporal": known.temporal,
        "hierarchical": known.hierarchical,
        "complete": known.complete,
        "same_as": list(known.same_as),
        "roles": list(known.roles),
        "statements": one.statements,
        "subjects": one.subjects,
    }
