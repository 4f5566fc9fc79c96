"""`guardrail audit …`: read the log of what was decided, and prove that nobody altered it."""

from __future__ import annotations

import click
import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from guardrail.audit.record import ClaimRecord, Record
from guardrail.audit.store import AuditLog, Query
from guardrail.config import audit_file
from guardrail.errors import BadRequest

__all__ = ["audit"]

_COLOURS = {"attributable": "green", "extrapolatory": "yellow", "contradictory": "red"}
_INDENT = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS


@click.group()
@click.option(
    "--log",
    metavar="FILE|URL",
    help="The log: a file, or postgresql://…; default: the log of $GUARDRAIL_HOME.",
)
@click.pass_context
def audit(ctx: click.Context, log: str | None) -> None:
    """Read, verify, search, label, export and erase the audit log."""
    ctx.obj = log or str(audit_file())


def open_log(source: str) -> AuditLog:
    """The log, for reading only. Raises AuditError when there is none."""
    return AuditLog.open(source, read_only=True)


def filters(command: click.decorators.FC) -> click.decorators.FC:
    """The options that narrow down which records are meant."""
    for name in ("model", "policy", "action", "outcome", "tenant"):
        command = click.option(f"--{name}", help=f"Only records of this {name}.")(command)
    command = click.option("--key", "key_id", help="Only records of this API key's id.")(command)
    command = click.option("--until", metavar="TIME", help="Only before this time.")(command)
    return click.option(
        "--since", metavar="TIME", help="Only from this time on (2026-01-31, 2026-01-31T12:00Z)."
    )(command)


@audit.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--limit", default=20, type=click.IntRange(1, 100_000), show_default=True)
@filters
@click.pass_obj
def list_records(log: str, /, as_json: bool, limit: int, **wanted: str | None) -> None:
    """The newest records, one a line."""
    with open_log(log) as opened:
        records = opened.list(limit=limit, query=Query(**wanted))
    if as_json:
        for record in records:
            click.echo(orjson.dumps(record.to_dict()))
        return
    table = Table("time", "id", "model", "policy", "action", "outcome", "KAS", "claims", "flagged", box=None)
    for r in records:
        shadow = " (shadow)" if r.shadow else ""
        cells = (r.time, r.id, r.model, r.policy + shadow, r.action, r.outcome, f"{r.kas:.2f}")
        table.add_row(*cells, str(len(r.claims)), str(len(r.flagged)))
    _console().print(table)


@audit.command()
@click.argument("record_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="The record as JSON.")
@click.pass_obj
def show(log: str, /, record_id: str, as_json: bool) -> None:
    """One record with its claims, as far as their words were kept."""
    with open_log(log) as opened:
        record = opened.get(record_id)
        reviews = opened.reviews(record_id)
    if record is None:
        raise BadRequest(f"no record `{record_id}` in {log}")
    if as_json:
        click.echo(orjson.dumps(record.to_dict() | {"reviews": reviews}, option=_INDENT))
        return
    console = _console()
    for name in (
        "id",
        "time",
        "model",
        "route",
        "key",
        "tenant",
        "policy",
        "policy_hash",
        "mode",
        "action",
        "outcome",
    ):
        if value := str(getattr(record, name)):
            console.print(Text.assemble((f"{name:>12}  ", "dim"), value))
    console.print(Text.assemble(("         kas  ", "dim"), f"{record.kas:.3f}"))
    for claim in record.claims:
        console.print(_claim(record, claim))
    for gap in record.unchecked:
        console.print(
            Text.assemble("\n", ("not checked", "magenta"), f" [{gap.start}:{gap.end}] {gap.reason}")
        )
    for review in reviews:
        console.print(
            f"\nreview of claim {review.claim} by {review.reviewer}: {review.judgement} {review.label} {review.comment}"
        )


def _claim(record: Record, claim: ClaimRecord) -> Text:
    words = record.words.claims.get(str(claim.id)) if record.words else None
    flag = " flagged" if claim.id in record.flagged else ""
    text = Text.assemble(
        "\n",
        (f"claim {claim.id}{flag} ", "bold"),
        (claim.label, _COLOURS.get(claim.label, "")),
        f" [{claim.start}:{claim.end}] confidence {claim.confidence:.2f} tms {claim.tms:.2f} by {claim.checker}",
    )
    if words:
        text.append(f"\n  “{words.text}”\n  {words.rationale}")
    else:
        text.append(f"\n  (words not kept; hash {claim.text_hash[:16]}…)", "dim")
    for ref in claim.evidence:
        text.append(
            f"\n  {ref.kind} {ref.id} {ref.property_label} — {ref.source} {ref.as_of}".rstrip(), "dim"
        )
    return text


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True, markup=False)
