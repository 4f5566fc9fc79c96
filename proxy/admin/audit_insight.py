"""The audit log as the pages show it: filtered records, trends, verification, labels. For the admin.

GET /guardrail/insight/records   newest first; the log's filters, and label, property, source, reviewed, q (words)
GET /guardrail/insight/trends    the same filters: flag rate, KAS, contradicted properties, latency over time
GET /guardrail/insight/chain     walks the whole log: is it as it was written?
GET /guardrail/insight/labels    what reviewers said, as JSON lines for `guardrail policy calibrate`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Depends, FastAPI, Query, Response

from guardrail.audit.chain import Head
from guardrail.audit.events import Review
from guardrail.audit.record import ClaimRecord, Record
from guardrail.audit.reviews import labelled
from guardrail.audit.store import AuditLog, Stored
from guardrail.audit.store import Query as Wanted
from guardrail.audit.verify import verify
from guardrail.types import Label
from proxy.access.login import Admin

__all__ = ["Filter", "Trends", "add_insight", "trends"]

MOST_SCANNED = 20_000  # entries that one page of a rare filter may look through
MOST_COUNTED = 100_000  # newest answers that trends are made of
BUCKETS = 30
TOP = 8
MOST_FINDINGS = 20
Text = Annotated[str | None, Query(max_length=200)]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records: `wanted` the database can answer, the rest is looked at record by record."""

    wanted: Wanted = field(default_factory=Wanted)
    label: str | None = None
    property: str | None = None
    source: str | None = None
    reviewed: Literal["yes", "no"] | None = None
    words: tuple[str, ...] = ()  # case-folded; each must stand in the record

    def holds(self, record: Record, reviewed: frozenset[str]) -> bool:
        """`reviewed`: the ids of records that have a review."""
        if self.reviewed is not None and (record.id in reviewed) != (self.reviewed == "yes"):
            return False
        if self.words and not self._said(record):
            return False
        if self.label is None and self.property is None and self.source is None:
            return True
        return any(self._claim(claim) for claim in record.claims)

    def _said(self, record: Record) -> bool:
        told = "\n".join(_texts(record)).casefold()
        return all(word in told for word in self.words)

    def _claim(self, claim: ClaimRecord) -> bool:
        return (
            (self.label is None or claim.label == self.label)
            and (self.property is None or claim.property == self.property)
            and (self.source is None or any(one.source == self.source for one in claim.evidence))
        )


def _texts(record: Record) -> Iterator[str]:
    """All in a record that a person may look for: its words as far as they are kept, and the names of things."""
    yield from (record.id, record.model, record.policy, record.error)
    for claim in record.claims:
        yield claim.property
        yield from (entity.label for entity in claim.entities)
    if record.words:
        yield record.words.text or ""
        for kept in record.words.claims.values():
            yield from (kept.text, kept.rationale, kept.claimed, kept.known)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A stretch of time from `start` (ISO 8601): answers in it, how many flagged, median and 95th percentile in ms."""

    start: str
    answers: int
    flagged: int
    p50: float | None
    p95: float | None


@dataclass(frozen=True, slots=True)
class Trends:
    """`kas`: answers by tenths of KAS. `contradicted`: the properties most often found wrong. The rest: what to filter by."""

    answers: int
    flagged: int
    buckets: tuple[Bucket, ...]
    kas: tuple[int, ...]
    contradicted: tuple[tuple[str, int], ...]
    labels: dict[str, int]
    models: tuple[str, ...]
    policies: tuple[str, ...]
    sources: tuple[str, ...]


def trends(records: Iterable[Record]) -> Trends:
    """In one pass; of each answer no more than time, outcome and latency is kept."""
    points: list[tuple[float, bool, float | None]] = []
    kas, contradicted, labels = [0] * 10, Counter[str](), Counter[str]()
    models, policies, sources = Counter[str](), Counter[str](), Counter[str]()
    for record in records:
        at = datetime.fromisoformat(record.time).timestamp()
        points.append((at, bool(record.flagged), record.timing_ms.get("total")))
        if record.claims:
            kas[min(9, int(record.kas * 10))] += 1
        models[record.model] += 1
        policies[record.policy] += 1
        for claim in record.claims:
            labels[claim.label] += 1
            sources.update({one.source for one in claim.evidence})
            if claim.label == Label.CONTRADICTORY and claim.property:
                contradicted[claim.property] += 1
    return Trends(
        answers=len(points),
        flagged=sum(flagged for _, flagged, _ in points),
        buckets=tuple(_buckets(points)),
        kas=tuple(kas),
        contradicted=tuple(contradicted.most_common(TOP)),
        labels=dict(labels),
        models=_names(models),
        policies=_names(policies),
        sources=_names(sources),
    )


def _names(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(name for name, _ in counts.most_common(50) if name)


def _buckets(points: Sequence[tuple[float, bool, float | None]]) -> Iterator[Bucket]:
    """Equal stretches from the first answer to the last; empty ones too, so that time runs evenly."""
    if not points:
        return
    first, last = min(point[0] for point in points), max(point[0] for point in points)
    width = max((last - first) / BUCKETS, 1.0)
    parts: list[list[tuple[bool, float | None]]] = [[] for _ in range(int((last - first) / width) + 1)]
    for at, flagged, spent in points:
        parts[int((at - first) / width)].append((flagged, spent))
    for index, part in enumerate(parts):
        times = sorted(spent for _, spent in part if spent is not None)
        start = datetime.fromtimestamp(first + index * width).astimezone().isoformat(timespec="seconds")
        flagged_here = sum(flagged for flagged, _ in part)
        yield Bucket(start, len(part), flagged_here, _quantile(times, 0.5), _quantile(times, 0.95))


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    """The nearest rank; None of nothing."""
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3) if ordered else None


def add_insight(app: FastAPI, log: AuditLog, admin: Admin) -> None:
    router = APIRouter(prefix="/guardrail/insight", dependencies=[Depends(admin.require)])

    @router.get("/records")
    def records(
        asked: Annotated[Filter, Depends(_filter)],
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        before: Annotated[int | None, Query(ge=1)] = None,
    ) -> Response:
        """List records that match the filters, newest first. `next` is the `before` of the next page; null on the last one."""
        found, following = _page(log, asked, limit=limit, before=before)
        reviewed = _reviewed(log)
        return _json({"records": [_told(one, reviewed) for one in found], "next": following})

    @router.get("/trends")
    def over_time(asked: Annotated[Filter, Depends(_filter)]) -> Response:
        """Count the newest records that match the filters: over time, by KAS, by label and by property."""
        return _json(trends(_newest(log, asked)))

    @router.get("/chain")
    def chain() -> Response:
        """Verify the audit log with this server's own key, as `guardrail audit verify` does."""
        return _json(_verified(log))

    @router.get("/labels")
    def labels() -> Response:
        """Download the reviewed verdicts, one per line."""
        lines = b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in labelled(log))
        headers = {"content-disposition": 'attachment; filename="labels.jsonl"'}
        return Response(lines, media_type="application/x-ndjson", headers=headers)

    app.include_router(router)


def _filter(
    *,
    model: Text = None,
    policy: Text = None,
    action: Text = None,
    outcome: Text = None,
    since: Text = None,
    until: Text = None,
    label: Text = None,
    property: Text = None,  # noqa: A002
    source: Text = None,
    reviewed: Literal["yes", "no"] | None = None,
    q: Text = None,
) -> Filter:
    wanted = Wanted(model=model, policy=policy, action=action, outcome=outcome, since=since, until=until)
    return Filter(wanted, label, property, source, reviewed, tuple((q or "").casefold().split()))


def _page(
    log: AuditLog, asked: Filter, *, limit: int, before: int | None
) -> tuple[Sequence[Stored], int | None]:
    """Records that the filter holds of, and where the next page begins."""
    reviewed = _reviewed(log) if asked.reviewed else frozenset[str]()
    found: list[Stored] = []
    scanned = 0
    while scanned < MOST_SCANNED:
        part = log.page(limit=200, before=before, query=asked.wanted)
        for stored in part:
            if len(found) == limit:
                return found, before
            before = stored.seq
            if isinstance(stored.item, Record) and asked.holds(stored.item, reviewed):
                found.append(stored)
        if len(part) < 200:
            return found, None
        scanned += len(part)
    return found, before


def _newest(log: AuditLog, asked: Filter) -> Iterator[Record]:
    reviewed = _reviewed(log) if asked.reviewed else frozenset[str]()
    before: int | None = None
    for _ in range(MOST_COUNTED // 1000):
        part = log.page(limit=1000, before=before, query=asked.wanted)
        for stored in part:
            if isinstance(stored.item, Record) and asked.holds(stored.item, reviewed):
                yield stored.item
        if len(part) < 1000:
            return
        before = part[-1].seq


def _reviewed(log: AuditLog) -> frozenset[str]:
    entries = log.scan(query=Wanted(kind="review"))
    return frozenset(one.item.record for one in entries if isinstance(one.item, Review))


def _told(stored: Stored, reviewed: frozenset[str]) -> dict[str, object]:
    record = stored.item.to_dict() if isinstance(stored.item, Record) else {}
    return {"seq": stored.seq, "hash": stored.hash.hex(), **record, "reviewed": stored.item.id in reviewed}


def _verified(log: AuditLog) -> dict[str, object]:
    head = log.head()
    found = verify(log, head.key if head else b"")
    return {
        "ok": found.ok,
        "entries": found.entries,
        "erased": found.erased,
        "checkpoints": found.checkpoints,
        "head": _head(found.head),
        "findings": found.findings[:MOST_FINDINGS],
    }


def _head(head: Head | None) -> dict[str, object] | None:
    return {"seq": head.seq, "hash": head.hash.hex(), "time": head.time} if head else None


def _json(value: object) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")
