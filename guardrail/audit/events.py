"""Entries of the log that are no answers: what people did to it. They stand in the same chain as the records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

import orjson

__all__ = ["Change", "ChangeKind", "Erasure", "Event", "Opened", "PolicyText", "Review", "read_event"]

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]
Judgement = Literal["agree", "wrong_label", "wrong_span", "unclear"]
ChangeKind = Literal["added", "retracted", "declared", "imported", "indexed", "removed"]


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer's word on one claim. `label`: what it should be (for wrong_label; for agree the claim's own)."""

    id: str
    time: str
    record: str
    claim: int
    reviewer: str
    judgement: Judgement
    label: str = ""
    comment: str = ""
    kind: Literal["review"] = "review"


@dataclass(frozen=True, slots=True)
class Erasure:
    """Words that were removed: of these entries, for this reason, by this person. Their hashes stay in the chain."""

    id: str
    time: str
    entries: tuple[int, ...]
    reason: str
    by: str
    kind: Literal["erasure"] = "erasure"


@dataclass(frozen=True, slots=True)
class Opened:
    """The first entry of a log that continues another one (rotation)."""

    id: str
    time: str
    log: str
    previous_log: str
    previous_seq: int
    previous_hash: str
    kind: Literal["opened"] = "opened"


@dataclass(frozen=True, slots=True)
class PolicyText:
    """A policy as it was used: `content` is its canonical JSON, `id` is "pol_" and its hash, so that each is kept once."""

    id: str
    time: str
    name: str
    hash: str
    content: str
    kind: Literal["policy"] = "policy"


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody changed of the evidence: a fact added or retracted, a property declared, a file imported into the graph, a
    document indexed into the corpus or removed from it. `fact`: the ids, or the digest of the file; `text`: for people.
    """

    id: str
    time: str
    change: ChangeKind
    fact: str
    text: str
    source: str
    by: str = ""
    kind: Literal["knowledge"] = "knowledge"


Event = Review | Erasure | Opened | PolicyText | Change


def read_event(body: bytes) -> Event:
    """The event of stored bytes."""
    given = cast(dict[str, Json], orjson.loads(body))
    if given["kind"] == "erasure":
        entries = tuple(cast(list[int], given["entries"]))
        return Erasure(**cast(Mapping[str, str], {**given, "entries": entries}))  # type: ignore[arg-type]
    if given["kind"] == "review":
        return Review(**given)  # type: ignore[arg-type]
    if given["kind"] == "policy":
        return PolicyText(**given)  # type: ignore[arg-type]
    if given["kind"] == "knowledge":
        return Change(**given)  # type: ignore[arg-type]
    return Opened(**given)  # type: ignore[arg-type]
