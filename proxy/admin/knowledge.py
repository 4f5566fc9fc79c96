"""REST routes of the knowledge graph: everybody who may check texts may search it; the admin may add and retract facts.

    GET    /guardrail/knowledge?q=…               entities of this name, whose name begins so, or has such a word
    GET    /guardrail/knowledge/properties        what a fact can be about
    GET    /guardrail/knowledge/entities/{id}     one entity with its facts and some of those about it
    POST   /guardrail/knowledge/facts             {subject, predicate, object, source, …} adds one
    POST   /guardrail/knowledge/facts/retract     {id, source} takes one out

Each change is an entry of the audit log before it is one of the graph, and the next sentence is checked against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from pydantic import Field

from guardrail.errors import BadRequest, KnowledgeError
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.query import resolve
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.update import check_update
from guardrail.report import triplet_to_dict
from guardrail.types import Entity, Node, Object, Property, Qualifier, Triplet
from proxy.access.callers import shown
from proxy.access.keys import PREFIX
from proxy.access.login import Admin
from proxy.admin import imports, properties
from proxy.admin.graphs import Given, graphs, known, recorded, reply, writable
from proxy.services import Services
from proxy.wire.headers import Failure

__all__ = ["add_knowledge"]

MOST_FACTS = 1000
MOST_ABOUT = 50
Text = Annotated[str, Field(min_length=1, max_length=1000)]


class Qualified(Given):
    """A qualifier: a property and its value, by ids or names."""

    predicate: Text
    object: Text


class NewFact(Given):
    """A fact by ids or names. `new` creates an entity that the graph does not know. `force` adds the fact even if it contradicts the
    graph. `graph` is the number of the graph, if the server has several; the first is 0.
    """

    subject: Text
    predicate: Text
    object: Text
    source: Text
    as_of: Annotated[str, Field(max_length=40)] = ""
    qualifiers: Annotated[list[Qualified], Field(default_factory=list, max_length=20)]
    rank: Literal["preferred", "normal", "deprecated"] = "normal"
    by: Annotated[str, Field(max_length=200)] = ""
    new: bool = False
    force: bool = False
    graph: int = 0


class Retraction(Given):
    """The fact to remove, by its id, and the source that says so."""

    id: Text
    source: Text
    by: Annotated[str, Field(max_length=200)] = ""


def add_knowledge(app: FastAPI, services: Services, admin: Admin) -> None:
    """The routes, and their errors in OpenAI's shape."""

    async def reader(request: Request) -> None:
        """As with verdicts, which tell what the graph holds: open, unless the server asks for a key of its own."""
        token = shown(request.scope["headers"])
        holds_key = token.startswith(PREFIX) and services.keys.find(token) is not None
        if services.settings.require_key and not holds_key:
            await admin.require(request)

    reading = APIRouter(prefix="/guardrail/knowledge", dependencies=[Depends(reader)])
    _reading(reading, services)
    properties.add_reading(reading, services)
    writing = APIRouter(prefix="/guardrail/knowledge", dependencies=[Depends(admin.require)])
    _writing(writing, services)
    properties.add_writing(writing, services)
    imports.add_imports(writing, services)
    app.include_router(reading)
    app.include_router(writing)
    app.add_exception_handler(KnowledgeError, _knowledge_error)
    app.add_exception_handler(imports.Refused, _knowledge_error)


def _reading(router: APIRouter, services: Services) -> None:
    @router.get("")
    def search(
        q: Annotated[str, Query(max_length=200)], limit: Annotated[int, Query(ge=1, le=50)] = 10
    ) -> Response:
        """Search for entities by name, the best known first."""
        graph = known(services)
        return reply({"entities": [_entity(one) for one in graph.search(q, limit)], "version": graph.version})

    @router.get("/properties")
    def properties() -> Response:
        """List every property, sorted by name."""
        found = sorted(known(services).properties(), key=lambda one: one.label.lower())
        rows = [{"id": p.id, "label": p.label, "datatype": p.datatype} for p in found]
        return reply({"properties": rows})

    @router.get("/entities/{entity_id:path}")
    def one(entity_id: str) -> Response:
        """Show an entity: its facts, and some of the facts in which it is the object."""
        graph = known(services)
        entity = graph.entity(entity_id)
        if entity is None:
            raise BadRequest(f"no entity {entity_id!r}", status=404, code="not_found")
        facts = graph.statements(entity.id)
        return reply(
            {
                **_entity(entity),
                "aliases": graph.aliases(entity.id),
                "facts": _told(facts[:MOST_FACTS]),
                "facts_in_all": len(facts),
                "about": _told(graph.incoming(entity.id, limit=MOST_ABOUT)),
                "version": graph.version,
            }
        )


def _writing(router: APIRouter, services: Services) -> None:
    @router.post("/facts", status_code=201)
    def add(given: NewFact) -> Response:
        """Add a fact. If it contradicts the graph, the answer is 409 with the facts in question, unless `force` is set."""
        with writable(services, given.graph) as graph:
            statement = _statement(graph, given)
            found = check_update(graph, statement)
            if found.state == "conflict" and not given.force:
                raise _Conflict(found.why, found.known)
            with graph.write() as batch:
                batch.add_statements([statement])
                _record(services, "added", statement, source=given.source, by=given.by)
            return reply({"state": found.state, "why": found.why, "version": graph.version}, status=201)

    @router.post("/facts/retract")
    def retract(given: Retraction) -> Response:
        """Remove a fact from the graph."""
        holding = (place for place, one in enumerate(graphs(services)) if _holds(one, given.id))
        with writable(services, next(holding, 0)) as graph:
            statement = graph.statement(given.id)
            if statement is None:
                raise BadRequest(f"no fact {given.id!r}", status=404, code="not_found")
            with graph.write() as batch:
                batch.retract([given.id])
                _record(services, "retracted", statement, source=given.source, by=given.by)
            return reply({"retracted": given.id, "version": graph.version})


def _holds(graph: Knowledge, statement: str) -> bool:
    return isinstance(graph, Graph) and graph.statement(statement) is not None


class _Conflict(KnowledgeError):
    """The graph says otherwise."""

    def __init__(self, why: str, known: Sequence[Triplet]) -> None:
        super().__init__(why)
        self.known = known


def _record(
    services: Services, change: Literal["added", "retracted"], fact: Triplet, *, source: str, by: str
) -> None:
    ids = " ".join([fact.subject.id, fact.predicate.id, getattr(fact.object, "id", fact.object.label)])
    qualified = "; ".join(f"{q.predicate.label}: {q.object.label}" for q in fact.qualifiers)
    text = f"{fact.subject.label} — {fact.predicate.label} → {fact.object.label}"
    text += f" [{qualified}]" if qualified else ""
    recorded(services, change, ids, text, source=source, by=by)


def _statement(graph: Graph, given: NewFact) -> Triplet:
    relation = resolve.relation(graph, given.predicate)
    return Triplet(
        _node(graph, given.subject, new=given.new),
        Node(relation.id, relation.label),
        _object(graph, relation, given.object, new=given.new),
        tuple(_qualifier(graph, one, new=given.new) for one in given.qualifiers),
        source=given.source,
        as_of=given.as_of,
        rank=given.rank,
    )


def _node(graph: Graph, text: str, *, new: bool) -> Node:
    try:
        found = resolve.entity(graph, text)
    except KnowledgeError:
        if not new:
            raise
        return Node(text, text)
    return Node(found.id, found.label)


def _object(graph: Graph, relation: Property, text: str, *, new: bool) -> Object:
    if relation.datatype == "entity":
        return _node(graph, text, new=new)
    return resolve.item(graph, relation, text)


def _qualifier(graph: Graph, given: Qualified, *, new: bool) -> Qualifier:
    relation = resolve.relation(graph, given.predicate)
    return Qualifier(Node(relation.id, relation.label), _object(graph, relation, given.object, new=new))


def _entity(entity: Entity) -> dict[str, object]:
    return {
        "id": entity.id,
        "label": entity.label,
        "description": entity.description,
        "url": entity.url,
    }


def _told(facts: Sequence[Triplet]) -> list[dict[str, object]]:
    return [triplet_to_dict(fact) for fact in facts]


async def _knowledge_error(_: Request, error: Exception) -> Response:
    if isinstance(error, _Conflict):
        detail: dict[str, object] = {"known": _told(error.known)}
        failure = Failure(409, str(error), code="conflict", guardrail=detail)
    elif isinstance(error, imports.Refused):
        failure = Failure(error.status, str(error), code=error.code, guardrail=error.detail)
    else:
        failure = Failure(400, str(error), code="knowledge")
    headers = {name.decode(): value.decode() for name, value in failure.headers()}
    return Response(failure.json(), failure.status, headers, media_type="application/json")
