"""Which words of a text its report says nothing of."""

from __future__ import annotations

from guardrail.claims.checkable.coverage import filler
from guardrail.types import Report, Span, tile


def untold(report: Report) -> list[str]:
    """The stretches with words in them that are neither judged, nor named, nor told of as not read."""
    told = [claim.claim.span for claim in report.verdicts] + [one.span for one in report.skipped]
    told += [one.span for one in report.unchecked]
    arguments = [
        argument.span
        for verdict in report.verdicts
        for fact in verdict.claim.facts
        for argument in (fact.subject, fact.object)
        if argument.span is not None
    ]
    joined: list[Span] = []
    for span in sorted([*told, *arguments]):
        if joined and span.start < joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(span.end, joined[-1].end))
        else:
            joined.append(span)
    gaps = [gap.of(report.text) for gap in tile(report.text, joined)]
    return [gap for gap in gaps if not filler(gap)]
