"""REST routes of the policies, for the admin: show the active ones, check an edited one, and try it on recorded answers.

    GET  /guardrail/policies             those that run, in words and as YAML, and the presets
    POST /guardrail/policies/lint        {text}: every problem with its line, or the meaning
    POST /guardrail/policies/backtest    {text, since?, until?}: the audit log decided again

Nothing here changes what runs: that is the policy file's, on the server's own disk.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import orjson
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from guardrail.audit.record import Record
from guardrail.audit.store import AuditLog, Query
from guardrail.errors import PolicyError
from policies.backtest import Backtest, Change, backtest
from policies.chosen import PolicySet, joined
from policies.classes import Classes
from policies.explain import explain
from policies.policy import PRESETS, parse, preset_text
from policies.reader import Problem
from policies.terms import Policy
from proxy.access.login import Admin
from proxy.routes.example import delivered, example
from proxy.services import Services
from proxy.wire.headers import Failure

__all__ = ["add_rulebook"]

EDITED = "edited"  # what the edited text is called in problems


class Edited(BaseModel):
    """The text of a policy in YAML. `since` and `until` limit which recorded answers are used."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(max_length=512 * 1024)]
    since: str | None = None
    until: str | None = None


def add_rulebook(app: FastAPI, services: Services, admin: Admin) -> None:
    router = APIRouter(prefix="/guardrail/policies", dependencies=[Depends(admin.require)])

    @router.get("")
    def running() -> Response:
        """Show the active policies, in the order in which they are tried, and the presets."""
        source = services.settings.policy
        told = {
            "source": source,
            "problem": services.choice.watched.problem if services.choice.watched else "",
            "policies": [_told(policy) for policy in services.choice.policies],
            "text": _text(source) if services.choice.watched else "",
            "presets": {name: preset_text(name) for name in PRESETS},
        }
        return _json(told)

    @router.post("/lint")
    def lint(edited: Edited) -> Response:
        """Check the text of a policy. Lists its problems by line, or explains the policy if there are none."""
        policies, problems = _read(edited.text, services.classes)
        return _json({"problems": problems, "policies": [_told(one) for one in policies.policies]})

    @router.post("/backtest")
    def try_out(edited: Edited) -> Response:
        """Decide the recorded answers again by an edited policy. Shows how many would change, with examples."""
        policies, problems = _read(edited.text, services.classes)
        if problems:
            raise PolicyError(f"line {problems[0].line}: {problems[0].message}")
        entries = services.log.scan(query=Query(since=edited.since, until=edited.until), words=False)
        found = backtest(policies, (one.item for one in entries if isinstance(one.item, Record)))
        return _json(_backtested(found, services.log))

    app.include_router(router)
    app.add_exception_handler(PolicyError, _policy_error)


def _backtested(found: Backtest, log: AuditLog) -> dict[str, object]:
    changes = [change for kind in found.examples.values() for change in kind]
    return {
        "answers": found.answers,
        "changed": found.changed,
        "unmatched": found.unmatched,
        "flagged_before": found.flagged_before,
        "flagged_after": found.flagged_after,
        "moves": [{"before": b, "after": a, "answers": n} for (b, a), n in found.moves.items()],
        "models": found.models,
        "rules": found.rules,
        "examples": [_example(log, change) for change in changes],
    }


def _read(text: str, classes: Classes) -> tuple[PolicySet, list[Problem]]:
    """The set that a text means, or its problems."""
    try:
        policies, problems = parse(text, EDITED, classes)
        return (PolicySet(()), problems) if problems else (joined([(EDITED, policies)]), [])
    except PolicyError as error:
        where = f"{EDITED}:{error.line}: " if error.line else f"{EDITED}: "
        return PolicySet(()), [Problem(error.line or 1, error.key, str(error).removeprefix(where))]


def _told(policy: Policy) -> dict[str, object]:
    return {
        "name": policy.name,
        "description": policy.description,
        "mode": policy.mode.value,
        "shadow": policy.shadow,
        "strongest": policy.strongest.value,
        "hash": policy.hash,
        "explained": explain(policy),
        "before": example().text,
        "after": delivered(policy),
    }


def _text(source: str) -> str:
    """The YAML that runs; empty where its file cannot be read any more."""
    if source in PRESETS:
        return preset_text(source)
    try:
        return Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _example(log: AuditLog, change: Change) -> dict[str, object]:
    record = log.get(change.record)
    words = record.words.claims if record and record.words else {}
    wanted = {*change.claims, *(record.flagged if record else ())}
    claims = [
        {
            "id": claim.id,
            "label": claim.label,
            "confidence": claim.confidence,
            "property": claim.property,
            "text": words[str(claim.id)].text if str(claim.id) in words else None,
        }
        for claim in (record.claims if record else ())
        if claim.id in wanted
    ]
    return {
        "record": change.record,
        "time": record.time if record else "",
        "model": change.model,
        "before": change.before,
        "after": change.after,
        "rules": change.rules,
        "claims": claims,
    }


def _json(value: object) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")


async def _policy_error(_: Request, error: Exception) -> Response:
    return Response(Failure(400, str(error), code="policy").json(), 400, media_type="application/json")
