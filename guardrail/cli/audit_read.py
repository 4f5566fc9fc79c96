"""`guardrail audit list | show | search | stats | export`: read the log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click
import orjson
from rich.console import Console
from rich.text import Text

from guardrail.audit.events import PolicyText, Review
from guardrail.audit.export import to_jsonl, to_parquet
from guardrail.audit.record import OUTCOMES, ClaimRecord, EvidenceRef, Record
from guardrail.audit.reviews import agreement, labelled
from guardrail.audit.stats import stats as counted
from guardrail.audit.store import RECORDS, AuditLog, Query
from guardrail.cli.output import output
from guardrail.errors import BadRequest
from guardrail.report import WORDS, headline
from guardrail.types import Label

__all__ = ["export", "filters", "list_records", "open_log", "search", "show", "show_policy", "statistics"]

_COLOURS = {"attributable": "green", "extrapolatory": "yellow", "contradictory": "red"}
_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?")
_INDENT = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS


def open_log(source: str) -> AuditLog:
    """The log, for reading only. Raises AuditError when there is none."""
    return AuditLog.open(source, read_only=True)


def filters(command: click.decorators.FC) -> click.decorators.FC:
    """The options that narrow down which records are meant."""
    for name in ("model", "policy", "action", "tenant"):
        command = click.option(f"--{name}", help=f"Only records of this {name}.")(command)
    outcomes = click.Choice(OUTCOMES)
    command = click.option(
        "--outcome", type=outcomes, help="Only records of this outcome; `clean` occurs only in old records."
    )(command)
    command = click.option("--key", "key_id", help="Only records of the API key with this id.")(command)
    command = click.option(
        "--parts",
        is_flag=True,
        help="Also the records of single sentences that were released before their answer ended.",
    )(command)
    command = click.option("--until", metavar="TIME", help="Only before this time.")(command)
    return click.option(
        "--since", metavar="TIME", help="Only from this time on (2026-01-31, 2026-01-31T12:00Z)."
    )(command)


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--limit", default=20, type=click.IntRange(1, 100_000), show_default=True)
@filters
@click.pass_obj
def list_records(log: str, /, as_json: bool, limit: int, **wanted: Any) -> None:
    """List the newest records, one per line."""
    with open_log(log) as opened:
        _print(opened.list(limit=limit, query=_query(wanted)), as_json=as_json)


def _query(wanted: Mapping[str, Any]) -> Query:
    for name in ("since", "until"):
        value = wanted[name]
        if value is not None and not _TIME.fullmatch(value):
            raise BadRequest(f"--{name}: `{value}` is not a time; write 2026-01-31 or 2026-01-31T12:00:00Z")
    given = {name: value for name, value in wanted.items() if name != "parts"}
    return Query(kind=RECORDS if wanted["parts"] else "answer", **given)


def _print(records: Sequence[Record], *, as_json: bool) -> None:
    if as_json:
        for record in records:
            click.echo(orjson.dumps(record.to_dict()))
        return
    heads = ("time", "id", "model", "policy", "action", "outcome", "KAS", "claims", "confirmed", "flagged")
    rows: list[tuple[str, ...]] = [heads]
    for r in records:
        policy = r.policy + (" (shadow)" if r.shadow else "")
        counts = (f"{r.kas:.2f}", str(len(r.claims)), str(r.counts.attributable), str(len(r.flagged)))
        rows.append((r.time, r.id, r.model, policy, r.action, r.outcome, *counts))
    rows = [tuple(map(_plain, row)) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


@click.command()
@click.argument("record_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="The record as JSON.")
@click.pass_obj
def show(log: str, /, record_id: str, as_json: bool) -> None:
    """Show a record with its claims and, if they are kept, their words. If the answer did not end: the records of its sentences."""
    with open_log(log) as opened:
        found = _records(opened, record_id)
        reviews = {record.id: opened.reviews(record.id) for record in found}
    if not found:
        raise BadRequest(f"no record `{record_id}` in {log}")
    for record in found:
        if as_json:
            click.echo(orjson.dumps(record.to_dict() | {"reviews": reviews[record.id]}, option=_INDENT))
        else:
            _show(record, reviews[record.id])


def _records(log: AuditLog, record_id: str) -> Sequence[Record]:
    """The record of this id, or the parts of the answer of this id, the first first."""
    if record := log.get(record_id):
        return [record]
    parts = log.scan(query=Query(kind="part", subject=record_id))
    return [stored.item for stored in parts if isinstance(stored.item, Record)]


def _show(record: Record, reviews: Sequence[Review]) -> None:
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
        if value := _plain(str(getattr(record, name))):
            console.print(Text.assemble((f"{name:>12}  ", "dim"), value))
    console.print(Text.assemble(("         kas  ", "dim"), f"{record.kas:.3f}"))
    console.print(Text.assemble(("      claims  ", "dim"), headline(record.counts)))
    for claim in record.claims:
        console.print(_claim(record, claim))
    for line in (*_places(record), *_shadows(record)):
        console.print(line)
    for review in reviews:
        said = _plain(f"{review.judgement} {review.label} {review.comment}".rstrip())
        console.print(f"\nreview of claim {review.claim} by {_plain(review.reviewer)}: {said}")


def _places(record: Record) -> Iterator[Text]:
    """What was not checked, why the action was taken, and what was changed."""
    for gap in record.unchecked:
        yield Text.assemble("\n", ("not checked", "magenta"), f" [{gap.start}:{gap.end}] {gap.reason}")
    for cause in record.reasons:
        where = "" if cause.claim is None else f" for claim {cause.claim}"
        yield Text.assemble(("because ", "dim"), f"{cause.rule} -> {cause.action}{where}")
    words = record.words
    for index, edit in enumerate(record.edits):
        told = f"[{edit.start}:{edit.end}] by {edit.length} characters"
        if words and index < len(words.after):
            told = (
                f"[{edit.start}:{edit.end}] “{_plain(words.before[index])}” by “{_plain(words.after[index])}”"
            )
        yield Text.assemble(("replaced ", "dim"), told)


def _shadows(record: Record) -> Iterator[Text]:
    for shadow in record.shadows:
        yield Text.assemble(("shadow ", "dim"), f"{shadow.policy} would {shadow.action} ({shadow.outcome})")


@click.command("policy")
@click.argument("policy_hash", metavar="HASH")
@click.pass_obj
def show_policy(log: str, /, policy_hash: str) -> None:
    """Print the policy with this hash, as it was when records were made under it (JSON with every default).

    The beginning of the hash is enough if it fits only one policy.
    """
    begun = policy_hash.lower().removeprefix("sha256:")
    if not begun:
        raise BadRequest("an empty hash; write its hexadecimal digits, or the first of them")
    with open_log(log) as opened:
        kept = (stored.item for stored in opened.scan(query=Query(kind="policy")))
        found = [p for p in kept if isinstance(p, PolicyText) and p.hash.startswith(f"sha256:{begun}")]
    if not found:
        raise BadRequest(f"no policy `{policy_hash}` in {log}")
    if len(found) > 1:
        several = ", ".join(f"{one.hash[:23]} ({one.name})" for one in found[:10])
        raise BadRequest(f"several policies have a hash that begins with `{policy_hash}`: {several}")
    click.echo(orjson.dumps(orjson.loads(found[0].content), option=_INDENT))


@click.command()
@click.argument("text")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--limit", default=20, type=click.IntRange(1, 100_000), show_default=True)
@filters
@click.pass_obj
def search(log: str, /, text: str, as_json: bool, limit: int, **wanted: Any) -> None:
    """Find records with TEXT in their words, or with an entity or property of that name or id; oldest first."""
    needle = text.casefold()
    with open_log(log) as opened:
        entries = opened.scan(query=_query(wanted))
        found = (s.item for s in entries if isinstance(s.item, Record) and _contains(s.item, needle))
        _print(list(islice(found, limit)), as_json=as_json)


def _contains(record: Record, needle: str) -> bool:
    named = (word for claim in record.claims for one in claim.entities for word in (one.id, one.label))
    properties = (claim.property for claim in record.claims)
    if any(word.casefold() == needle for word in (*named, *properties)):
        return True
    return record.words is not None and needle in record.words.blob().decode().casefold()


@click.command("stats")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@filters
@click.pass_obj
def statistics(log: str, /, as_json: bool, **wanted: Any) -> None:
    """Count outcomes, actions, labels and reasons, and how far reviewers agree."""
    with open_log(log) as opened:
        entries = opened.scan(query=_query(wanted))
        found = counted(s.item for s in entries if isinstance(s.item, Record))
        agreed = agreement(opened)
    if as_json:
        kappas = [{"reviewers": names, "claims": n, "kappa": kappa} for names, (n, kappa) in agreed.items()]
        click.echo(orjson.dumps({"stats": found, "agreement": kappas}, option=_INDENT))
        return
    console = _console()
    console.print(f"{found.answers} answers, {found.first} to {found.last}, mean KAS {found.kas:.3f}")
    for title, counts in found.tables().items():
        for name, count in counts.most_common(20):
            console.print(f"  {title:<14}{count:>9}  {name}")
    for (left, right), (claims, kappa) in agreed.items():
        shown = "undefined" if kappa is None else f"{kappa:.3f}"
        console.print(f"  agreement     {claims:>9}  {left} and {right}: Cohen's kappa {shown}")


@click.command()
@click.option(
    "--format", "kind", type=click.Choice(["jsonl", "parquet", "labels"]), default="jsonl", show_default=True
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The file to write. Default: standard output (not for parquet).",
)
@filters
@click.pass_obj
def export(log: str, /, kind: str, out: Path | None, **wanted: Any) -> None:
    """Export whole records as JSON lines, one row per claim as Parquet, or reviewed verdicts as calibration data."""
    if kind == "parquet" and out is None:
        raise BadRequest("--format parquet needs --out FILE")
    with open_log(log) as opened:
        entries = opened.scan(query=_query(wanted))
        with output(out) as file:
            if kind == "parquet":
                count = to_parquet(entries, file)
            elif kind == "jsonl":
                count = to_jsonl(entries, file)
            else:
                lines = [orjson.dumps(one) + b"\n" for one in labelled(opened)]
                file.write(b"".join(lines))
                count = len(lines)
    if out:
        click.echo(f"{count} written to {out}", err=True)


def _claim(record: Record, claim: ClaimRecord) -> Text:
    words = record.words.claims.get(str(claim.id)) if record.words else None
    flag = " flagged" if claim.id in record.flagged else ""
    text = Text.assemble(
        "\n",
        (f"claim {claim.id}{flag} ", "bold"),
        (WORDS[Label(claim.label)], _COLOURS.get(claim.label, "")),
        f" [{claim.start}:{claim.end}] confidence {claim.confidence:.2f} tms {claim.tms:.2f} by {claim.checker}",
    )
    if words:
        text.append(f"\n  “{_plain(words.text)}”\n  {_plain(words.rationale)}")
    else:
        text.append(f"\n  (text not stored; hash {claim.text_hash[:16]}…)", "dim")
    for ref in claim.evidence:
        text.append(f"\n  {_cited(ref)}", "dim")
    for side in claim.by_source:
        colour = _COLOURS.get(side.label, "")
        text.append(f"\n  {side.source} alone: ").append(WORDS[Label(side.label)], colour)
        text.append(f" confidence {side.confidence:.2f} by {side.checker}")
        for ref in side.evidence:
            text.append(f"\n    {_cited(ref)}", "dim")
    return text


def _cited(ref: EvidenceRef) -> str:
    return f"{ref.kind} {ref.id} {ref.property_label} — {ref.source} {ref.as_of}".rstrip()


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True, markup=False)


def _plain(text: str) -> str:
    """Without control characters: what a model or a client wrote must not steer the reader's terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)
