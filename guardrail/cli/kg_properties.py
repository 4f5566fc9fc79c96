"""`guardrail kg properties` and `kg property`: what the properties of a graph are taken for, and how that is changed."""

from __future__ import annotations

from typing import Literal

import click
from rich.table import Table

from guardrail.cli.kg_json import print_object
from guardrail.cli.kg_open import console, graph_of, json_option, knowledge_option
from guardrail.evidence.catalog.declared import Said, declare
from guardrail.evidence.catalog.described import described, summary, values_of
from guardrail.evidence.query import resolve
from guardrail.types import Property

__all__ = ["properties", "property_"]


@click.command()
@knowledge_option
@json_option
@click.pass_context
def properties(ctx: click.Context, own: str | None, as_json: bool) -> None:
    """Show how each property of the graph is understood."""
    with graph_of(ctx, own) as graph:
        found = described(graph)
        if as_json:
            print_object(graph, {"properties": [one.to_dict() for one in found]})
            return
    table = Table("property", "type", "values", "said by", "statements", "subjects", "also called", box=None)
    for one in found:
        known = one.known
        unit = f" ({known.unit.label})" if known.unit else ""
        by = "" if known.cardinality == "unknown" else "declaration" if one.said else "the data"
        counts = (f"{one.statements:,}", f"{one.subjects:,}")
        table.add_row(known.label, one.type + unit, one.values, by, *counts, ", ".join(known.aliases))
    console().print(table)
    click.echo(summary(one.known for one in found))


@click.command(name="property")
@knowledge_option
@click.argument("name")
@click.option(
    "--cardinality", type=click.Choice(["single", "list"]), help="Whether an entity has one value or several."
)
@click.option("--temporal/--not-temporal", default=None, help="Whether it changes with time.")
@click.option("--complete/--open", default=None, help="Whether the graph has every value.")
@click.option(
    "--hierarchical/--flat",
    default=None,
    help="Whether it leads from a part to the whole, such as `part of`.",
)
@click.option("--unit", help="The unit of its bare numbers: kg, metres, EUR.")
@click.option(
    "--alias", "-a", "aliases", multiple=True, help="Another name for it, as people say it: 'sells for'."
)
@click.option("--label", help="Its name.")
@click.pass_context
def property_(
    ctx: click.Context,
    own: str | None,
    name: str,
    cardinality: Literal["single", "list"] | None,
    temporal: bool | None,
    complete: bool | None,
    hierarchical: bool | None,
    unit: str | None,
    aliases: tuple[str, ...],
    label: str | None,
) -> None:
    """Declare what the property NAME (an id or a name) is. What is not given stays as it is."""
    said = Said(cardinality, temporal, complete, hierarchical, unit or "", aliases, label or "")
    with graph_of(ctx, own, read_only=False) as graph:
        known = resolve.relation(graph, name)
        declare(graph, said.of(known))
        now = graph.property(known.id) or known
        written = graph.version
    click.echo(f"{now.label}: {values_of(now)}{_more(now)}  (version {written})")


def _more(known: Property) -> str:
    parts = [f"in {known.unit.label}"] if known.unit else []
    parts += [f"also called {', '.join(known.aliases)}"] if known.aliases else []
    return "".join(f", {part}" for part in parts)
