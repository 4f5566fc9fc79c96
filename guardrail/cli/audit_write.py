"""`guardrail audit verify | checkpoint | review | erase | rotate`: prove the log, and change it on record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from guardrail.audit.chain import Head, read_public_key
from guardrail.audit.erase import erase, expired, selected
from guardrail.audit.record import user_hash
from guardrail.audit.reviews import review
from guardrail.audit.rotate import rotated
from guardrail.audit.store import AuditLog, Query
from guardrail.audit.verify import verify
from guardrail.cli.audit_read import open_log
from guardrail.config import home
from guardrail.errors import AuditError, BadRequest

__all__ = ["checkpoint", "erase_words", "review_claim", "rotate", "verify_log"]


@click.command("verify")
@click.option(
    "--public-key", type=click.Path(path_type=Path), help="PEM file; default: the key beside the log."
)
@click.option(
    "--anchor",
    type=click.Path(path_type=Path),
    help="Checkpoints kept elsewhere (`audit checkpoint >> FILE`).",
)
@click.pass_obj
def verify_log(log: str, /, public_key: Path | None, anchor: Path | None) -> None:
    """Prove that nothing was edited, deleted, moved, added or cut off. The exit code is 1 if something was."""
    anchors = [Head.from_json(line) for line in _lines(anchor)] if anchor else []
    with open_log(log) as opened:
        result = verify(opened, read_public_key(public_key or _beside(log)), anchors=anchors)
    for finding in result.findings[:100]:
        where = "log" if finding.seq is None else f"entry {finding.seq}"
        click.echo(f"{where}: {finding.message}", err=True)
    pins = f"{result.checkpoints} checkpoints, {len(anchors)} anchors"
    state = "verified" if result.ok else f"NOT verified: {len(result.findings)} findings"
    click.echo(f"{state}: {result.entries} entries, {result.erased} with words erased on record, {pins}")
    if not result.ok:
        raise click.exceptions.Exit(1)


@click.command()
@click.pass_obj
def checkpoint(log: str, /) -> None:
    """Print the signed end of the log as one line. Keep it where nobody can change it."""
    with open_log(log) as opened:
        head = opened.head()
    if head is None:
        raise AuditError(f"{log} has no signed end")
    click.echo(head.to_json())


@click.command("review")
@click.argument("record_id", metavar="ID")
@click.argument("claim", type=int)
@click.argument("judgement", type=click.Choice(["agree", "wrong_label", "wrong_span", "unclear"]))
@click.option("--label", default="", help="The right label, for wrong_label.")
@click.option("--by", "reviewer", required=True, help="The reviewer's name.")
@click.option("--comment", default="")
@click.pass_obj
def review_claim(
    log: str, /, record_id: str, claim: int, judgement: str, label: str, reviewer: str, comment: str
) -> None:
    """Review the verdict on claim number CLAIM of record ID. The review becomes an entry of the log."""
    with _open_existing(log) as opened:
        made = review(
            opened,
            record_id,
            claim,
            reviewer=reviewer,
            judgement=judgement,  # type: ignore[arg-type]  # click allows no other words
            label=label,
            comment=comment,
        )
    click.echo(made.id)


@click.command("erase")
@click.argument("record_id", metavar="[ID]", required=False)
@click.option("--user", help="All records with this user field (as in the request).")
@click.option("--before", metavar="TIME", help="All records before this time.")
@click.option(
    "--expired",
    "only_expired",
    is_flag=True,
    help="All records that are older than their policy's retention_days.",
)
@click.option("--reason", required=True, help="The reason; it stays in the log.")
@click.option("--by", "name", required=True, help="Who erases; it stays in the log.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def erase_words(
    log: str,
    /,
    record_id: str | None,
    user: str | None,
    before: str | None,
    only_expired: bool,
    reason: str,
    name: str,
    yes: bool,
) -> None:
    """Erase the words of records permanently. The records, their hashes and the proof stay."""
    if sum(bool(one) for one in (record_id, user, before, only_expired)) != 1:
        raise BadRequest("say what to erase: one of ID, --user, --before, --expired")
    with _open_existing(log) as opened:
        entries = list(expired(opened) if only_expired else _chosen(opened, record_id, user, before))
        if entries and not yes:
            click.confirm(f"Permanently erase the words of {len(entries)} entries?", abort=True)
        count = erase(opened, iter(entries), reason=reason, by=name)
    click.echo(f"erased the words of {count} entries")


def _chosen(log: AuditLog, record_id: str | None, user: str | None, before: str | None) -> Iterator[int]:
    if record_id:
        return selected(log, Query(kind=None, subject=record_id))
    if user:
        known = (log.pseudonym(user), user_hash(user))
        return (entry for one in known for entry in selected(log, Query(kind=None, user_hash=one)))
    return selected(log, Query(kind=None, until=before))


@click.command()
@click.pass_obj
def rotate(log: str, /) -> None:
    """Close the log's file, rename it, and continue in a new one. Stop the server first."""
    click.echo(f"closed log: {rotated(Path(log))}")


def _open_existing(log: str) -> AuditLog:
    """For writing; without making a log where there was none."""
    open_log(log).close()
    return AuditLog.open(log)


def _beside(log: str) -> Path:
    """Where `AuditLog.open` keeps a log's public key."""
    return home() / "audit.key.pub" if "://" in log else Path(log + ".key.pub")


def _lines(path: Path) -> list[bytes]:
    try:
        return [line for line in path.read_bytes().splitlines() if line.strip()]
    except OSError as error:
        raise BadRequest(f"{path}: {error.strerror}") from error
