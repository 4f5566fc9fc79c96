"""REST on the knowledge graph: who may have texts checked may ask what is known, the admin may add and retract facts.

    GET    /guardrail/knowledge?q=…               entities of this name, or whose name begins so
    GET    /guardrail/knowledge/properties        what a fact can be about
    GET    /guardrail/knowledge/entities/{id}     one entity with its facts and some of those about it
    POST   /guardrail/knowledge/facts             {subject, predicate, object, source, …} adds one
    POST   /guardrail/knowledge/facts/retract     {id, source} takes one out

Each change is an entry of the audit log before it is one of the graph, and the next sentence is checked against it.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import closing
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from guardrail.audit.events import Change
from guardrail.audit.record import now
from guardrail.errors import BadRequest, KnowledgeError
from guardrail.evidence import resolve
from guardrail.evidence.door import open_graph
from guardrail.evidence.graph import Graph
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.update import check_update
from guardrail.report import triplet_to_dict
from guardrail.types import Entity, Node, Object, Property, Qualifier, Triplet
from proxy.access import shown
from proxy.keys import PREFIX
from proxy.login import Admin
from proxy.services import Services
from proxy.wire import Failure

__all__ = ["add_knowledge"]

MOST_FACTS = 1000
MOST_ABOUT = 50
Text = Annotated[str, Field(min_length=1, max_length=1000)]


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class Qualified(_Given):
    """A qualifier: a property and its value, by ids or names."""

    predicate: Text
    object: Text


class NewFact(_Given):
    """A fact by ids or names. `new`: make an entity that the graph does not know; `force`: add it against the graph."""

    subject: Text
    predicate: Text
    object: Text
    source: Text
    as_of: Annotated[str, Field(max_length=40)] = ""
    qualifiers: Annotated[list[Qualified], Field(max_length=20)] = []
    rank: Literal["preferred", "normal", "deprecated"] = "normal"
    by: Annotated[str, Field(max_length=200)] = ""
    new: bool = False
    force: bool = False


class Retraction(_Given):
    """Which fact goes, and on whose authority."""

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
    writing = APIRouter(prefix="/guardrail/knowledge", dependencies=[Depends(admin.require)])
    _writing(writing, services)
    app.include_router(reading)
    app.include_router(writing)
    app.add_exception_handler(KnowledgeError, _knowledge_error)


def _reading(router: APIRouter, services: Services) -> None:
    @router.get("")
    def search(
        q: Annotated[str, Query(max_length=200)], limit: Annotated[int, Query(ge=1, le=50)] = 10
    ) -> Response:
        """Entities, best known first."""
        known = _knowledge(services)
        return _json({"entities": [_entity(one) for one in known.search(q, limit)], "version": known.version})

    @router.get("/properties")
    def properties() -> Response:
        """Every property, by its name."""
        found = sorted(_knowledge(services).properties(), key=lambda one: one.label.lower())
        rows = [{"id": p.id, "label": p.label, "datatype": p.datatype} for p in found]
        return _json({"properties": rows})

    @router.get("/entities/{entity_id:path}")
    def one(entity_id: str) -> Response:
        """What the graph says of an entity, and what says something about it."""
        known = _knowledge(services)
        entity = known.entity(entity_id)
        if entity is None:
            raise BadRequest(f"no entity {entity_id!r}", status=404, code="not_found")
        facts = known.statements(entity.id)
        return _json(
            {
                **_entity(entity),
                "aliases": known.aliases(entity.id),
                "facts": _told(facts[:MOST_FACTS]),
                "facts_in_all": len(facts),
                "about": _told(known.incoming(entity.id, limit=MOST_ABOUT)),
                "version": known.version,
            }
        )


def _writing(router: APIRouter, services: Services) -> None:
    @router.post("/facts", status_code=201)
    def add(given: NewFact) -> Response:
        """Add a fact; 409 with what the graph has where it contradicts that, unless `force`."""
        with closing(_writable(services)) as graph:
            statement = _statement(graph, given)
            found = check_update(graph, statement)
            if found.state == "conflict" and not given.force:
                raise _Conflict(found.why, found.known)
            with graph.write() as batch:
                batch.add_statements([statement])
                _record(services, "added", statement, source=given.source, by=given.by)
            return _json({"state": found.state, "why": found.why, "version": graph.version}, status=201)

    @router.post("/facts/retract")
    def retract(given: Retraction) -> Response:
        """Take a fact out of the graph."""
        with closing(_writable(services)) as graph:
            statement = graph.statement(given.id)
            if statement is None:
                raise BadRequest(f"no fact {given.id!r}", status=404, code="not_found")
            with graph.write() as batch:
                batch.retract([given.id])
                _record(services, "retracted", statement, source=given.source, by=given.by)
            return _json({"retracted": given.id, "version": graph.version})


class _Conflict(KnowledgeError):
    """The graph says otherwise."""

    def __init__(self, why: str, known: Sequence[Triplet]) -> None:
        super().__init__(why)
        self.known = known


def _knowledge(services: Services) -> Knowledge:
    if services.verifier.knowledge is None:
        raise KnowledgeError("this server checks without a knowledge graph")
    return services.verifier.knowledge


def _writable(services: Services) -> Graph:
    """The graph that the checker reads, opened for one change; raises KnowledgeError where it cannot be written to."""
    return open_graph(_knowledge(services).name, read_only=False)


def _record(
    services: Services, change: Literal["added", "retracted"], fact: Triplet, *, source: str, by: str
) -> None:
    """Inside the graph's transaction: a change that cannot be recorded is not made."""
    ids = " ".join([fact.subject.id, fact.predicate.id, getattr(fact.object, "id", fact.object.label)])
    qualified = "; ".join(f"{q.predicate.label}: {q.object.label}" for q in fact.qualifiers)
    text = f"{fact.subject.label} — {fact.predicate.label} → {fact.object.label}"
    text += f" [{qualified}]" if qualified else ""
    services.log.append_now(Change(f"chg_{secrets.token_hex(8)}", now(), change, ids, text, source, by))


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


def _json(value: object, *, status: int = 200) -> Response:
    return Response(orjson.dumps(value), status, media_type="application/json")


async def _knowledge_error(_: Request, error: Exception) -> Response:
    if isinstance(error, _Conflict):
        detail: dict[str, object] = {"known": _told(error.known)}
        failure = Failure(409, str(error), code="conflict", guardrail=detail)
    else:
        failure = Failure(400, str(error), code="knowledge")
    headers = {name.decode(): value.decode() for name, value in failure.headers()}
    return Response(failure.json(), failure.status, headers, media_type="application/json")
