"""REST routes of the audit log under `/guardrail/audit`, for the admin (see `proxy.access.login`).

    GET  /guardrail/audit                 newest first; limit, before (a seq) and the filters of `audit list`
    GET  /guardrail/audit/stats           counts, and how far reviewers agree
    GET  /guardrail/audit/head            the signed end of the chain, to be kept elsewhere
    GET  /guardrail/audit/{id}            one record with its reviews
    POST /guardrail/audit/{id}/reviews    {claim, judgement, reviewer, label?, comment?}
    POST /guardrail/audit/rotate          close the file, go on in a new one

Without a token set in the server all of them are closed: records hold what models said.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args

import orjson
from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from guardrail.audit.events import Judgement
from guardrail.audit.record import Record
from guardrail.audit.reviews import agreement, review
from guardrail.audit.stats import stats
from guardrail.audit.store import RECORDS, AuditLog, Stored
from guardrail.audit.store import Query as Wanted
from guardrail.errors import AuditError, BadRequest
from proxy.access.login import Admin
from proxy.server.admission import SMALL, read_body
from proxy.wire.headers import Failure, bad_request

__all__ = ["add_ledger"]

_TEXT = {"type": "string", "maxLength": 4000}
_REVIEW = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["claim", "judgement", "reviewer"],
                    "properties": {
                        "claim": {"type": "integer", "description": "The id of the claim."},
                        "judgement": {"enum": list(get_args(Judgement))},
                        "reviewer": _TEXT,
                        "label": {**_TEXT, "description": "The right label, if the reviewer disagrees."},
                        "comment": _TEXT,
                    },
                }
            }
        },
    }
}
FILTERS = ("model", "policy", "action", "outcome", "key_id", "tenant", "since", "until")
_FILTERS = {
    "parameters": [
        {"name": name, "in": "query", "required": False, "schema": {"type": "string"}} for name in FILTERS
    ]
}


def add_ledger(app: FastAPI, log: AuditLog, admin: Admin) -> None:
    """The routes, and their errors in OpenAI's shape."""
    router = APIRouter(prefix="/guardrail/audit", dependencies=[Depends(admin.require)])
    _listing(router, log)
    _reading(router, log)
    _reviewing(router, log)
    app.include_router(router)
    app.add_exception_handler(BadRequest, _bad_request)
    app.add_exception_handler(AuditError, _bad_request)


def _listing(router: APIRouter, log: AuditLog) -> None:
    @router.get("", openapi_extra=_FILTERS)
    def page(
        request: Request,
        limit: Annotated[int, Query(ge=1, le=1000)] = 50,
        before: Annotated[int | None, Query(ge=1)] = None,
        parts: bool = False,
    ) -> Response:
        """List records, newest first. `next` is the `before` of the next page; null on the last one.

        `parts` also lists the records of single sentences that were released before their answer ended.
        """
        unknown = set(request.query_params) - {*FILTERS, "limit", "before", "parts"}
        if unknown:
            allowed = ", ".join(("limit", "before", "parts", *FILTERS))
            raise BadRequest(f"unknown parameter; allowed: {allowed}", param=min(unknown))
        kind = RECORDS if parts else "answer"
        wanted = Wanted(kind=kind, **{name: request.query_params.get(name) for name in FILTERS})
        found = log.page(limit=limit, before=before, query=wanted)
        following = found[-1].seq if len(found) == limit else None
        return _json({"records": [_told(stored) for stored in found], "next": following})


def _reading(router: APIRouter, log: AuditLog) -> None:
    @router.get("/stats")
    def numbers() -> Response:
        """Count all records, and how far reviewers agree."""
        counted = stats(s.item for s in log.scan(words=False) if isinstance(s.item, Record))
        agreed = [
            {"reviewers": names, "claims": n, "kappa": kappa} for names, (n, kappa) in agreement(log).items()
        ]
        return _json({"stats": counted, "agreement": agreed})

    @router.get("/head")
    def head() -> Response:
        """Show the signed end of the chain of records."""
        found = log.head()
        if found is None:
            raise BadRequest("the log has no signed end", status=404, code="not_found")
        return Response(found.to_json(), media_type="application/json")

    @router.get("/{record_id}")
    def one(record_id: str) -> Response:
        """Show a record with its reviews, and with its words if they are kept."""
        found = log.get(record_id)
        if found is None:
            raise BadRequest(f"no record {record_id!r}", status=404, code="not_found")
        return _json(found.to_dict() | {"reviews": list(log.reviews(record_id))})


def _reviewing(router: APIRouter, log: AuditLog) -> None:
    @router.post("/rotate", status_code=201)
    def rotate() -> Response:
        """Close the file of the audit log and go on in a new one."""
        return _json({"closed": log.rotate().name}, status=201)

    @router.post("/{record_id}/reviews", status_code=201, openapi_extra=_REVIEW)
    async def judge(record_id: str, request: Request) -> Response:
        """Add a person's review of a claim; it becomes an entry of the log."""
        try:
            given: Any = orjson.loads(await read_body(request.receive, limit=SMALL))
            claim, judgement, reviewer = given["claim"], given["judgement"], given["reviewer"]
            label, comment = given.get("label", ""), given.get("comment", "")
        except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            raise BadRequest(
                "a review must be an object {claim, judgement, reviewer, label?, comment?}"
            ) from error
        texts = (judgement, reviewer, label, comment)
        if type(claim) is not int or not all(isinstance(text, str) and len(text) <= 4000 for text in texts):
            raise BadRequest("claim must be a number, all other fields strings of at most 4,000 characters")
        if judgement not in get_args(Judgement):
            raise BadRequest(f"judgement must be one of {', '.join(get_args(Judgement))}", param="judgement")
        made = await run_in_threadpool(
            review,
            log,
            record_id,
            claim,
            reviewer=reviewer,
            judgement=judgement,
            label=label,
            comment=comment,
        )
        return _json(made, status=201)


def _told(stored: Stored) -> dict[str, object]:
    record = stored.item.to_dict() if isinstance(stored.item, Record) else {}
    return {"seq": stored.seq, "hash": stored.hash.hex(), **record}


def _json(value: object, *, status: int = 200) -> Response:
    return Response(orjson.dumps(value), status, media_type="application/json")


def _bad_request(_: Request, error: Exception) -> Response:
    failure = bad_request(error) if isinstance(error, BadRequest) else Failure(400, str(error))
    headers = {name.decode(): value.decode() for name, value in failure.headers()}
    return Response(failure.json(), failure.status, headers, media_type="application/json")
