"""What is written down about one answer: enough to replay the decision, without a word of the answer in it.

`Record` holds ids, offsets, labels, scores and versions: it is chained, signed and never altered. `Words` holds the
text that the policy's `store` allows: it lies apart, can be erased, and is bound to the record by a salted hash
(`Record.commitment`), so that a later change of the words is found, and their erasure leaves nothing to guess from.

The classes have no slots: orjson writes those without four times as fast, and every flagged answer waits for it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Literal, TypeVar, cast

import orjson

from guardrail.types import Counts, Label, Outcome

__all__ = [
    "OUTCOMES",
    "Cause",
    "ClaimRecord",
    "ClaimWords",
    "Edit",
    "EntityRef",
    "EvidenceRef",
    "FactRef",
    "Record",
    "Shadow",
    "SideRef",
    "UncheckedRecord",
    "Words",
    "new_salt",
    "now",
    "salted",
    "user_hash",
]

# What `Record.outcome` may be. "clean" stands in records of before: something was confirmed and nothing flagged.
OUTCOMES = (*(outcome.value for outcome in Outcome), "clean")

R = TypeVar("R")
Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]
Store = Literal["full", "flagged", "hash"]


@dataclass(frozen=True)
class EntityRef:
    """An entity that a claim names, as the knowledge graph calls it."""

    id: str
    label: str
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class FactRef:
    """The shape of a fact: its first relation, what its object is, whether the object names an entity."""

    relation: str
    object_type: str = ""
    datatype: str = ""
    named: bool = False


@dataclass(frozen=True)
class EvidenceRef:
    """Where a piece of evidence can be found again. `as_of`: the state of its source."""

    kind: Literal["triplet", "passage"]
    id: str
    source: str
    property: str = ""
    property_label: str = ""
    as_of: str = ""


@dataclass(frozen=True)
class SideRef:
    """What one source alone said of a claim that several had evidence on, and by which pieces."""

    source: str
    label: str
    confidence: float
    checker: str
    evidence: tuple[EvidenceRef, ...] = ()

    @classmethod
    def of(cls, values: dict[str, Json]) -> SideRef:
        values["evidence"] = tuple([_made(EvidenceRef, one) for one in _objects(values, "evidence")])  # type: ignore[assignment]
        return _made(cls, values)


@dataclass(frozen=True)
class ClaimRecord:
    """One judged claim without its words. `revisions`: spans of the verified revisions, best first.

    `by_source`: the sides as `Verdict.by_source` has them; empty in records that were made before it was written down. So
    is `slot_type`.
    """

    id: int
    start: int
    end: int
    kind: str
    label: str
    confidence: float
    tms: float
    score: float
    checker: str
    reason: str | None = None
    property: str = ""
    slot_fact: int | None = None
    slot_state: Literal["agree", "conflict", "unknown"] = "unknown"
    cardinality: Literal["single", "list", "unknown"] = "unknown"
    facts: tuple[FactRef, ...] = ()
    entities: tuple[EntityRef, ...] = ()
    evidence: tuple[EvidenceRef, ...] = ()
    revisions: tuple[tuple[int, int], ...] = ()
    text_hash: str = ""
    by_source: tuple[SideRef, ...] = ()
    slot_type: Literal["", "date", "number"] = ""

    @classmethod
    def of(cls, values: dict[str, Json]) -> ClaimRecord:
        """From freshly read JSON, which is taken apart for it."""
        values["facts"] = tuple([_made(FactRef, one) for one in _objects(values, "facts")])  # type: ignore[assignment]
        values["entities"] = tuple(  # type: ignore[assignment]
            [
                EntityRef(str(one["id"]), str(one["label"]), tuple(cast(list[str], one["types"])))
                for one in _objects(values, "entities")
            ]
        )
        values["evidence"] = tuple([_made(EvidenceRef, one) for one in _objects(values, "evidence")])  # type: ignore[assignment]
        values["revisions"] = tuple(map(tuple, cast(list[list[int]], values["revisions"])))  # type: ignore[assignment]
        if "by_source" in values:
            values["by_source"] = tuple([SideRef.of(one) for one in _objects(values, "by_source")])  # type: ignore[assignment]
        return _made(cls, values)


@dataclass(frozen=True)
class UncheckedRecord:
    start: int
    end: int
    reason: str


@dataclass(frozen=True)
class Cause:
    """Why: the rule's name, the action it asked for, and the claim or place it spoke of."""

    rule: str
    action: str
    claim: int | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Edit:
    """Which stretch of the original was replaced, by how many code points; the words are in `Words`."""

    start: int
    end: int
    length: int
    claim: int | None = None


@dataclass(frozen=True)
class Shadow:
    """What another policy would have done with the same answer."""

    policy: str
    policy_hash: str
    action: str
    outcome: str
    flagged: tuple[int, ...] = ()
    reasons: tuple[Cause, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Json]) -> Shadow:
        values = dict(given)
        values["flagged"] = tuple(_list(given, "flagged"))  # type: ignore[assignment]
        values["reasons"] = tuple(_made(Cause, one) for one in _objects(given, "reasons"))  # type: ignore[assignment]
        return cls(**values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class ClaimWords:
    """The words of one claim; `revisions` as the verified replacements, in the order of `ClaimRecord.revisions`."""

    text: str
    resolved: str = ""
    rationale: str = ""
    claimed: str = ""
    known: str = ""
    revisions: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Json]) -> ClaimWords:
        return cls(**{**given, "revisions": tuple(_list(given, "revisions"))})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Words:
    """The text that belongs to a record, as far as it may be stored. `salt` makes its hashes unguessable.

    `before` and `after`: the words of each of `Record.edits`. `redacted`: how many of each kind were masked.
    """

    salt: str
    text: str | None = None
    claims: Mapping[str, ClaimWords] = field(default_factory=dict)
    unchecked: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    message: str = ""
    redacted: Mapping[str, int] = field(default_factory=dict)

    def blob(self) -> bytes:
        return orjson.dumps(self, option=orjson.OPT_SORT_KEYS)

    @classmethod
    def read(cls, blob: bytes) -> Words:
        given = _object(blob)
        values = dict(given)
        claims = cast(dict[str, dict[str, Json]], given["claims"])
        values["claims"] = {key: ClaimWords.of(one) for key, one in claims.items()}  # type: ignore[misc]
        for key in ("unchecked", "before", "after"):
            values[key] = tuple(_list(given, key))  # type: ignore[assignment]
        return cls(**values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Record:
    """One answer (one choice of a response), or with `kind` "part" one held sentence of it that was let go: then `text_hash`
    and the words are those of the sentence alone, while offsets and `length` are the answer's.

    `id` is unique in a log; `response` is what the client saw as `x-guardrail-id`. `key` is the id of an API key, `user` the
    pseudonym of the request's user field. `error`: why the answer is incomplete, in our words. `attempt`: 2 where
    the model was asked once more; the first attempt has a record of its own, with action `regenerate`. `tool`: what is
    recorded are the arguments of a call of this tool. `server`:
    host and port of the model; tokens as it tells them, on the first choice's record. Times are UTC, ISO 8601 with milliseconds; offsets are code points of the original.
    """

    id: str
    time: str
    response: str
    model: str
    policy: str
    policy_hash: str
    action: str
    outcome: str
    kas: float
    length: int
    kind: Literal["answer", "part"] = "answer"
    choice: int = 0
    mode: str = ""
    shadow: bool = False
    store: Store = "flagged"
    retention_days: int = 0
    route: str = ""
    key: str = ""
    tenant: str = ""
    user: str = ""
    language: str = ""
    flagged: tuple[int, ...] = ()
    claims: tuple[ClaimRecord, ...] = ()
    unchecked: tuple[UncheckedRecord, ...] = ()
    reasons: tuple[Cause, ...] = ()
    edits: tuple[Edit, ...] = ()
    shadows: tuple[Shadow, ...] = ()
    timing_ms: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    text_hash: str = ""
    commitment: str = ""
    error: str = ""
    attempt: int = 1
    tool: str = ""
    server: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    words: Words | None = None

    def body(self, blob: bytes | None = None) -> bytes:
        """The canonical bytes that are chained: fields in their order, mappings sorted; no words, but bound to them.

        `blob`: the words' bytes, where they are at hand.
        """
        blob = blob or (self.words.blob() if self.words else None)
        bound = hashlib.sha256(blob).hexdigest() if blob else self.commitment
        return orjson.dumps(replace(self, words=None, commitment=bound), option=orjson.OPT_SORT_KEYS)

    @property
    def counts(self) -> Counts:
        """How many claims have which label, in records of any version."""
        found = Counter(claim.label for claim in self.claims)
        return Counts(
            found[Label.ATTRIBUTABLE],
            found[Label.EXTRAPOLATORY],
            found[Label.CONTRADICTORY],
            len(self.unchecked),
        )

    @classmethod
    def read(cls, body: bytes, blob: bytes | None = None) -> Record:
        """The record of stored bytes; `words` is None where they were not kept or were erased."""
        given = _object(body)
        values = {key: value for key, value in given.items() if key in _NAMES}
        values["flagged"] = tuple(_list(given, "flagged"))  # type: ignore[assignment]
        values["claims"] = tuple(ClaimRecord.of(one) for one in _objects(given, "claims"))  # type: ignore[assignment]
        values["unchecked"] = tuple(_made(UncheckedRecord, one) for one in _objects(given, "unchecked"))  # type: ignore[assignment]
        values["reasons"] = tuple(_made(Cause, one) for one in _objects(given, "reasons"))  # type: ignore[assignment]
        values["edits"] = tuple(_made(Edit, one) for one in _objects(given, "edits"))  # type: ignore[assignment]
        values["shadows"] = tuple(Shadow.of(one) for one in _objects(given, "shadows"))  # type: ignore[assignment]
        values["words"] = Words.read(blob) if blob else None  # type: ignore[assignment]
        return cls(**values)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Json]:
        """As plain values, the words included where they are kept."""
        return _object(orjson.dumps(self))


_NAMES = frozenset(one.name for one in fields(Record))


def now() -> str:
    """The time as records give it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def salted(salt: str, text: str) -> str:
    """The hash by which somebody who has the text can prove that it is the one, and nobody else can guess it."""
    return hashlib.sha256(salt.encode() + text.encode("utf-8", "surrogatepass")).hexdigest()


def new_salt() -> str:
    return secrets.token_hex(16)


def user_hash(user: str) -> str:
    """What older records hold instead of `AuditLog.pseudonym`: a hash without a key."""
    return hashlib.sha256(b"guardrail user " + user.encode("utf-8", "replace")).hexdigest()[:32]


def _made(cls: type[R], values: dict[str, Json]) -> R:
    """An instance as it was written down, without the cost of a frozen class's `__init__`: logs are read by the 100,000.

    A field that an older version did not write has its default; one that a later version added is carried along.
    """
    made = object.__new__(cls)
    made.__dict__.update(values)
    return made


def _object(data: bytes) -> dict[str, Json]:
    return cast(dict[str, Json], orjson.loads(data))


def _list(given: Mapping[str, Json], key: str) -> list[Json]:
    return cast(list[Json], given.get(key) or [])


def _objects(given: Mapping[str, Json], key: str) -> list[dict[str, Json]]:
    return cast(list[dict[str, Json]], given.get(key) or [])
