"""`guardrail audit …`: what was decided, and the proof that nobody altered it."""

from __future__ import annotations

import click

from guardrail.cli import audit_read, audit_write
from guardrail.config import audit_file

__all__ = ["audit"]


@click.group()
@click.option(
    "--log", metavar="FILE|URL", help="A file or postgresql://… Default: the log in $GUARDRAIL_HOME."
)
@click.pass_context
def audit(ctx: click.Context, log: str | None) -> None:
    """Read, verify, search, review, export and erase the audit log."""
    ctx.obj = log or str(audit_file())


for _command in (
    audit_read.list_records,
    audit_read.show,
    audit_read.show_policy,
    audit_read.search,
    audit_read.statistics,
    audit_read.export,
    audit_write.verify_log,
    audit_write.checkpoint,
    audit_write.review_claim,
    audit_write.erase_words,
    audit_write.rotate,
):
    audit.add_command(_command)
