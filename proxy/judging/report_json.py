"""Writes the JSON of a report. Its size is bounded: of a text with very many claims, most are written in a short form, and long lists
are cut. The audit log keeps all of it.

It is written claim by claim, because a single call for everything would block other threads while streams wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import orjson

Json = dict[str, object]
FULL = 1_000_000  # bytes of claims that are told in full
CITED = 1_000  # citations of one answer
LISTED = 1_000  # entries of each of these lists
_LISTS = ("unchecked", "skipped", "entities", "edits")
LINE = 160  # characters of the reason in a compact report
HEAD = ("id", "policy", "mode", "action", "outcome", "counts", "kas", "setting", "logprobs")
_COMPACT = ("call", "flagged", "edits", "not_read")
_OF_CLAIM = ("id", "start", "end", "label", "confidence", "reason", "rationale", "detail", "pointer")
# What is left out of a claim that is told in short: the keys stay, with nothing in them.
_LEFT_OUT: Json = {
    "facts": [],
    "entities": [],
    "slots": [],
    "evidence": {"triplets": [], "passages": [], "unread": []},
    "by_source": [],
}


Level = Literal["full", "compact", "none"]


@dataclass(frozen=True, slots=True)
class Told:
    """A report as JSON: `body` as the client gets it, empty where it gets none; `head` without its lists; `whole` in full."""

    body: bytes
    head: bytes
    whole: bytes


def told(report: Json, level: Level) -> Told:
    """The JSON of a report for a client that wants so much of it."""
    whole = encoded(report)
    if level == "none":
        return Told(b"", b"", whole)
    body = whole if level == "full" else encoded(compact(report))
    return Told(body, orjson.dumps(head(report)), whole)


def head(report: Json) -> Json:
    """What a report says of the whole answer: outcome, action and counts, but no claim."""
    return {name: report[name] for name in HEAD if name in report}


def compact(report: Json) -> Json:
    """Places, labels, confidence and a line of the reason; `more`: where the rest is for a while."""
    claims, unchecked = (list(map(brief, _dicts(report[name]))) for name in ("claims", "unchecked"))
    kept = {name: report[name] for name in _COMPACT if report.get(name)}
    more = {"report": "compact", "more": f"/guardrail/reports/{report['id']}"}
    return {**head(report), **more, "claims": claims, "unchecked": unchecked, **kept}


def brief(found: Json) -> Json:
    """A claim, or a passage that was not checked, in short."""
    kept = {name: found[name] for name in _OF_CLAIM if found.get(name) not in (None, "")}
    if isinstance(line := kept.get("rationale"), str):
        line = " ".join(line.split())
        kept["rationale"] = line if len(line) <= LINE else f"{line[:LINE]} …"
    return kept


def _dicts(found: object) -> list[Json]:
    return found if isinstance(found, list) else []


def encoded(report: Json, *, full: int = FULL) -> bytes:
    """The JSON of a report; with `truncated`, how many claims are told in short, and `left_out`, how many entries of which list
    are not told, if any are.

    Claims that are flagged or contradicted are told in full first, then the others in their order, as far as there is room.
    """
    report = _shortened(report)
    claims = report["claims"]
    if not isinstance(claims, list) or not claims:
        return orjson.dumps(report)
    flagged = report.get("flagged")
    first = frozenset(flagged if isinstance(flagged, list) else ())
    order = sorted(range(len(claims)), key=lambda at: _rank(claims[at], first))
    written, short = _written(claims, order, full)
    more: Json = {"truncated": short} if short else {}
    return orjson.dumps({**report, "claims": orjson.Fragment(b"[" + b",".join(written) + b"]"), **more})


def _shortened(report: Json) -> Json:
    """The first entries of each list, and how many are left out."""
    lists = {name: found for name in _LISTS if isinstance(found := report.get(name), list)}
    left_out = {name: len(found) - LISTED for name, found in lists.items() if len(found) > LISTED}
    if not left_out:
        return report
    return {**report, **{name: lists[name][:LISTED] for name in left_out}, "left_out": left_out}


def _rank(claim: Json, flagged: frozenset[object]) -> int:
    return 0 if claim["id"] in flagged else 1 if claim["label"] == "contradictory" else 2


def _written(claims: Sequence[Json], order: Iterable[int], room: int) -> tuple[list[bytes], int]:
    """Each claim in its place, and how many of them in short."""
    told, short = [b""] * len(claims), 0
    for at in order:
        if room > 0:
            told[at] = orjson.dumps(claims[at])
            room -= len(told[at])
            if room >= 0:
                continue
        claim = claims[at]
        told[at] = orjson.dumps({**claim, **{name: _LEFT_OUT[name] for name in _LEFT_OUT if name in claim}})
        short += 1
    return told, short
