"""The JSON of a report as it is sent. Its size is bounded: where a text has very many claims, most of them are told in short.

It is written claim by claim, as one call that writes all would hold the interpreter while streams wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import orjson

Json = dict[str, object]
FULL = 1_000_000  # bytes of claims that are told in full
CITED = 1_000  # citations of one answer
# What is left out of a claim that is told in short: the keys stay, with nothing in them.
_LEFT_OUT: Json = {
    "facts": [],
    "entities": [],
    "slots": [],
    "evidence": {"triplets": [], "passages": [], "unread": []},
    "by_source": [],
}


def encoded(report: Json, *, full: int = FULL) -> bytes:
    """The JSON of a report; with `truncated`, how many claims are told in short, if any are.

    Those that are flagged or contradicted are told in full first, then the others in their order, as far as there is room.
    """
    claims = report["claims"]
    if not isinstance(claims, list) or not claims:
        return orjson.dumps(report)
    flagged = report.get("flagged")
    first = frozenset(flagged if isinstance(flagged, list) else ())
    order = sorted(range(len(claims)), key=lambda at: _rank(claims[at], first))
    told, short = _told(claims, order, full)
    more: Json = {"truncated": short} if short else {}
    return orjson.dumps({**report, "claims": orjson.Fragment(b"[" + b",".join(told) + b"]"), **more})


def _rank(claim: Json, flagged: frozenset[object]) -> int:
    return 0 if claim["id"] in flagged else 1 if claim["label"] == "contradictory" else 2


def _told(claims: Sequence[Json], order: Iterable[int], room: int) -> tuple[list[bytes], int]:
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
