"""Helpers of the REST routes for the knowledge graphs: find a graph by its number, open it for a change, record the change."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from fastapi import Response
from pydantic import BaseModel, ConfigDict

from guardrail.audit.events import Change, ChangeKind
from guardrail.audit.record import now
from guardrail.errors import BadRequest, KnowledgeError
from guardrail.evidence.door import open_graph
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.query.several import parts
from guardrail.evidence.store.database import is_postgres
from guardrail.evidence.store.graph import Graph
from proxy.services import Services

__all__ = ["Given", "at", "called", "graphs", "known", "recorded", "reply", "writable"]


class Given(BaseModel):
    """What a door takes: nothing but its own fields."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


def known(services: Services) -> Knowledge:
    """What the checker reads. Raises KnowledgeError where it reads no graph."""
    if services.verifier.knowledge is None:
        raise KnowledgeError("this server checks without a knowledge graph")
    return services.verifier.knowledge


def graphs(services: Services) -> Sequence[Knowledge]:
    """One or several, the one that goes before the others first."""
    return parts(known(services))


def at(services: Services, place: int) -> Knowledge:
    """The graph at this place. Raises BadRequest (404)."""
    found = graphs(services)
    if not 0 <= place < len(found):
        message = f"there is no graph {place}; this server has {len(found)}, the first is 0"
        raise BadRequest(message, param="graph", status=404, code="not_found")
    return found[place]


def called(graph: Knowledge) -> str:
    """What a reader may know of where a graph lives: the name of its file, never the way to it."""
    if is_postgres(graph.name):
        return "PostgreSQL"
    return Path(graph.name).name if isinstance(graph, Graph) else "SPARQL endpoint"


def writable(services: Services, place: int = 0) -> Graph:
    """The graph that the checker reads, opened for one change; raises KnowledgeError where it cannot be written to."""
    return open_graph(at(services, place).name, read_only=False)


def recorded(
    services: Services, change: ChangeKind, fact: str, text: str, *, source: str = "", by: str = ""
) -> None:
    """An entry of the audit log. To be called inside the transaction: a change that cannot be recorded is not made."""
    services.log.append_now(Change(f"chg_{secrets.token_hex(8)}", now(), change, fact, text, source, by))


def reply(value: Any, *, status: int = 200) -> Response:
    return Response(orjson.dumps(value), status, media_type="application/json")
