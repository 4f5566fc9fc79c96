"""REST routes for a graph as a whole: its counts and examples, and what its properties are. Reading is as open as a search.

GET    /guardrail/knowledge/overview      each graph: how much it holds, and examples
GET    /guardrail/knowledge/schema        the properties of one graph with what was understood, and what cannot be true at once
POST   /guardrail/knowledge/properties    {id, cardinality?, unit?, …}: what one property is, as `guardrail kg property` says it
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from guardrail.errors import BadRequest, ConfigError
from guardrail.evidence.catalog.declared import Said, declare
from guardrail.evidence.catalog.described import described, summary, values_of
from guardrail.evidence.catalog.faults import disagreements, faults
from guardrail.evidence.catalog.overview import Example, overview
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.query import resolve
from guardrail.evidence.store.graph import Graph
from guardrail.types import Property
from proxy.admin.graphs import Given, at, called, graphs, recorded, reply, writable
from proxy.services import Services

__all__ = ["add_reading", "add_writing"]

Name = Annotated[str, Field(min_length=1, max_length=1000)]
Json = dict[str, Any]


class Declaration(Given):
    """What a property is; `id` is its id or name. Fields that are not given stay as they are; `aliases` are added."""

    id: Name
    cardinality: Literal["single", "list"] | None = None
    temporal: bool | None = None
    complete: bool | None = None
    hierarchical: bool | None = None
    unit: Annotated[str, Field(max_length=100)] = ""
    aliases: Annotated[list[Name], Field(default_factory=list, max_length=50)]
    label: Annotated[str, Field(max_length=1000)] = ""
    graph: int = 0
    by: Annotated[str, Field(max_length=200)] = ""


class _Remembered:
    """What was found out about the graphs, each as it was in its last version."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, Json]] = {}
        self._lock = threading.Lock()

    def of(self, what: str, version: str, found: Callable[[], Json]) -> Json:
        with self._lock:  # a second reader waits for the first instead of counting as well
            if self._found.get(what, ("",))[0] != version:
                self._found[what] = version, found()
            return self._found[what][1]


def add_reading(router: APIRouter, services: Services) -> None:
    remembered = _Remembered()

    @router.get("/overview")
    def first_look() -> Response:
        """Show counts and examples of each graph, in the order in which they take precedence. `counts` is null for a SPARQL endpoint."""
        told = [
            remembered.of(f"overview {place}", graph.version, lambda graph=graph: _overview(graph))  # type: ignore[misc]
            for place, graph in enumerate(graphs(services))
        ]
        return reply({"graphs": told})

    @router.get("/schema")
    def schema(graph: Annotated[int, Query(ge=0)] = 0) -> Response:
        """Show the properties of a graph and how each was understood. `faults` lists facts that contradict each other; they stay in the graph."""
        here = at(services, graph)
        version = " ".join(one.version for one in graphs(services))
        return reply(remembered.of(f"schema {graph}", version, lambda: _schema(here, graphs(services))))


def add_writing(router: APIRouter, services: Services) -> None:
    @router.post("/properties")
    def change(given: Declaration) -> Response:
        """Declare what a property is, in place of what was inferred. It applies from the next sentence on."""
        with writable(services, given.graph) as graph:
            known = resolve.relation(graph, given.id)
            wanted = _said(given, known)
            text = f"{_in_words(known)} → {_in_words(wanted)}"
            declare(graph, wanted, record=lambda: recorded(services, "declared", known.id, text, by=given.by))
            now = graph.property(known.id) or wanted
            return reply(
                {"id": now.id, "label": now.label, "values": values_of(now), "version": graph.version}
            )


def _said(given: Declaration, known: Property) -> Property:
    """The property as it is said to be. Raises BadRequest where nothing is said."""
    names = ("cardinality", "temporal", "complete", "hierarchical", "unit", "aliases", "label")
    try:
        return Said(**{name: getattr(given, name) for name in names}).of(known)
    except ConfigError as error:
        raise BadRequest(str(error)) from error


def _in_words(known: Property) -> str:
    """As "length: one, in metre, also called extent"."""
    unit = [f"in {known.unit.label}"] if known.unit else []
    aliases = [f"also called {', '.join(known.aliases)}"] if known.aliases else []
    return f"{known.label}: {', '.join([values_of(known), *unit, *aliases])}"


def _overview(graph: Knowledge) -> Json:
    if not isinstance(graph, Graph):
        return {"name": called(graph), "version": graph.version, "counts": None, "examples": []}
    stats, found = overview(graph)
    counts = {n: getattr(stats, n) for n in ("entities", "properties", "statements", "aliases")}
    return {
        "name": called(graph),
        "version": stats.version,
        "counts": counts,
        "examples": [_example(one) for one in found],
    }


def _example(one: Example) -> Json:
    entity, fact = one.entity, one.fact
    told = {"predicate": fact.predicate.label, "object": fact.object.label}
    return {"id": entity.id, "label": entity.label, "description": entity.description, "fact": told}


def _schema(graph: Knowledge, all_graphs: Any) -> Json:
    told: Json = {"name": called(graph), "version": graph.version}
    if not isinstance(graph, Graph):
        return {**told, "summary": "", "properties": [], "faults": []}
    found = described(graph)
    others = [one for one in all_graphs if isinstance(one, Graph) and one.name != graph.name]
    against = [
        sentence
        for other in others
        for sentence in disagreements(graph, other, names=(called(graph), called(other)))
    ]
    return {
        **told,
        "summary": summary(one.known for one in found),
        "properties": [{**one.to_dict(), "values": one.values} for one in found],
        "faults": [*faults(graph), *against],
    }
