"""Which graph a `kg` command is about, and how statements are shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.text import Text

from guardrail.config import knowledge_file
from guardrail.errors import ConfigError
from guardrail.evidence import starter
from guardrail.evidence.door import open_graph, open_knowledge
from guardrail.evidence.properties.literals import date_value
from guardrail.evidence.sparql.graph import SparqlGraph
from guardrail.evidence.store.graph import Graph
from guardrail.types import Object, Qualifier, Triplet

knowledge_option = click.option(
    "--knowledge", "-k", "own", metavar="FILE|URL", help="The graph, as in `guardrail kg -k`."
)


def _as_date(_ctx: click.Context, _parameter: click.Parameter, text: str) -> str:
    if text:
        try:
            date_value(text)
        except ValueError as error:
            raise ConfigError(f"--as-of: {error}; a date is 2025, 2025-06 or 2025-06-30") from error
    return text


as_of_option = click.option(
    "--as-of",
    default="",
    metavar="DATE",
    callback=_as_date,
    help="The date of the source: 2025, 2025-06 or 2025-06-30.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@contextmanager
def knowledge_of(ctx: click.Context, own: str | None) -> Iterator[Graph | SparqlGraph]:
    """As `graph_of`, for commands that only ask: the graph may be a SPARQL endpoint."""
    with open_knowledge(own or ctx.obj or str(starter.ensure(knowledge_file()))) as graph:
        yield graph


@contextmanager
def graph_of(ctx: click.Context, own: str | None, *, read_only: bool = True) -> Iterator[Graph]:
    """The graph named on the command line; without one that of $GUARDRAIL_HOME, made from the starter knowledge."""
    where = own or ctx.obj
    if where is None:
        where = str(starter.ensure(knowledge_file()))
    with open_graph(where, read_only=read_only) as graph:
        yield graph


def console() -> Console:
    """Where tables are printed; as wide as the terminal, or 120 columns where there is none."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=120)


def shown(item: Object) -> Text:
    """An entity with its id, a literal as it is."""
    text = Text(item.label)
    identity = getattr(item, "id", "")
    if identity and identity != item.label:
        text.append(f" ({identity})", style="dim")
    return text


def qualified(qualifiers: tuple[Qualifier, ...]) -> str:
    return "; ".join(f"{q.predicate.label}: {q.object.label}" for q in qualifiers)


def sentence(statement: Triplet) -> str:
    """A statement on one line."""
    more = f"  [{qualified(statement.qualifiers)}]" if statement.qualifiers else ""
    return f"{statement.subject.label} — {statement.predicate.label} → {statement.object.label}{more}"
