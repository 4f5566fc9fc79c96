"""A report of what was found in a text."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping

from guardrail.scoring import kas
from guardrail.types import Claim, Mention, Report, Setting, Unchecked, Verdict, linked, tile

__all__ = ["made"]


def made(
    text: str,
    findings: Iterable[Verdict | Unchecked | Claim],
    *,
    mentions: Iterable[Mention],
    seconds: Mapping[str, float],
    versions: Mapping[str, str],
    setting: Setting,
) -> Report:
    """The report on `text`, under a new id: its findings by kind, the text between them, its score. `seconds`: by stage."""
    found = tuple(findings)
    verdicts = tuple(item for item in found if isinstance(item, Verdict))
    unchecked = tuple(item for item in found if isinstance(item, Unchecked))
    covered = [verdict.claim.span for verdict in verdicts] + [item.span for item in unchecked]
    milliseconds = {stage: spent * 1e3 for stage, spent in seconds.items()}
    return Report(
        text=text,
        verdicts=verdicts,
        unchecked=unchecked,
        skipped=tuple(item for item in found if isinstance(item, Claim)),
        gaps=tile(text, covered),
        entities=linked(mentions),
        kas=kas(verdicts),
        timing_ms=milliseconds | {"total": sum(milliseconds.values())},
        versions=versions,
        id=f"grd_{secrets.token_hex(12)}",
        setting=setting,
    )
