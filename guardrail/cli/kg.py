"""`guardrail kg …`: the knowledge graph from the command line."""

from __future__ import annotations

import click

from guardrail.cli import kg_import, kg_properties, kg_read, kg_write

__all__ = ["kg"]


@click.group()
@click.option(
    "--knowledge",
    "-k",
    metavar="FILE|URL",
    help="A knowledge file or postgresql://… Default: the one in $GUARDRAIL_HOME.",
)
@click.pass_context
def kg(ctx: click.Context, knowledge: str | None) -> None:
    """Import, search, change and export the knowledge that answers are checked against."""
    ctx.obj = knowledge


for _command in (
    kg_import.import_files,
    kg_properties.properties,
    kg_properties.property_,
    kg_write.add,
    kg_write.complete,
    kg_write.retract,
    kg_read.stats,
    kg_read.search,
    kg_read.classes,
    kg_read.show,
    kg_read.path_between,
    kg_read.check,
    kg_read.export,
):
    kg.add_command(_command)
