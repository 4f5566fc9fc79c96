"""The log for other programs: JSON lines of whole records, Parquet of one row per claim. Memory stays flat.

The hash of each line's entry goes along, so that an export can be held against the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO

import orjson

from guardrail.audit.record import ClaimRecord, Record
from guardrail.audit.store import Stored
from guardrail.errors import AuditError

__all__ = ["claim_rows", "to_jsonl", "to_parquet"]

ROW_GROUP = 10_000
Cell = str | int | float | bool | None


def to_jsonl(entries: Iterable[Stored], file: BinaryIO) -> int:
    """One JSON object a line: seq, hash and the record with its words. Returns how many."""
    count = 0
    for count, stored in enumerate(entries, 1):  # noqa: B007
        line = {"seq": stored.seq, "hash": stored.hash.hex(), "record": stored.item}
        file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    return count


def to_parquet(entries: Iterable[Stored], file: BinaryIO) -> int:
    """One row per claim (extra `parquet`). Returns how many. Raises AuditError without the extra."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError as error:
        raise AuditError("Parquet needs the extra: pip install 'claim-guardrail[parquet]'") from error
    kinds = {"text": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in _COLUMNS.items()])
    rows, count = claim_rows(entries), 0
    with pq.ParquetWriter(file, schema) as writer:
        while group := list(islice(rows, ROW_GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
            count += len(group)
    return count


def claim_rows(entries: Iterable[Stored]) -> Iterator[dict[str, Cell]]:
    """A flat row for each claim; an answer without claims gives none."""
    for stored in entries:
        if isinstance(stored.item, Record):
            for claim in stored.item.claims:
                yield _row(stored, stored.item, claim)


_COLUMNS = {
    "seq": "int",
    "record": "text",
    "time": "text",
    "model": "text",
    "policy": "text",
    "policy_hash": "text",
    "action": "text",
    "outcome": "text",
    "kas": "float",
    "claim": "int",
    "start": "int",
    "end": "int",
    "label": "text",
    "confidence": "float",
    "tms": "float",
    "checker": "text",
    "reason": "text",
    "property": "text",
    "flagged": "bool",
    "evidence": "text",
    "text": "text",
    "rationale": "text",
}


def _row(stored: Stored, record: Record, claim: ClaimRecord) -> dict[str, Cell]:
    words = record.words.claims.get(str(claim.id)) if record.words else None
    return {
        "seq": stored.seq,
        "record": record.id,
        "time": record.time,
        "model": record.model,
        "policy": record.policy,
        "policy_hash": record.policy_hash,
        "action": record.action,
        "outcome": record.outcome,
        "kas": record.kas,
        "claim": claim.id,
        "start": claim.start,
        "end": claim.end,
        "label": claim.label,
        "confidence": claim.confidence,
        "tms": claim.tms,
        "checker": claim.checker,
        "reason": claim.reason,
        "property": claim.property,
        "flagged": claim.id in record.flagged,
        "evidence": " ".join(ref.id for ref in claim.evidence),
        "text": words.text if words else None,
        "rationale": words.rationale if words else None,
    }
