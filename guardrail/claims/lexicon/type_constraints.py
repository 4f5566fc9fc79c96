"""The type constraints of relations: which may hold between two kinds of things, by the lexicon's types of subject and object."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.claims.lexicon.relations import Frame

__all__ = ["compatible"]

_VALUES = frozenset({"date", "quantity"})
# Kinds that must be known: a word of which nothing is known is none of them.
_STRICT = frozenset({"man", "woman", "sport", "religion", "instrument", "genre", "party"})
_NO_THING = frozenset({"person", "place", "org", "award", "language", "event"})
_OPEN = frozenset(
    {"class", "text", "genre", "position", "instrument", "language", "award", "sport", "religion"}
)


def compatible(frames: Sequence[Frame], left: frozenset[str], right: frozenset[str]) -> tuple[str, ...]:
    """The relations of the frames whose types do not clash with the kinds of subject and object, what surely fits first."""
    scored = []
    for frame in frames:
        subject, object_ = (right, left) if frame.inverse else (left, right)
        wanted = frame.subject if frame.inverse else frame.object
        if _vague(right, wanted) or (frame.inverse and _vague(left, frame.object)):
            continue
        fit = _fit(subject, frame.subject, literal=False) + _fit(object_, frame.object, literal=True)
        if fit >= 0:
            scored.append((-fit, frame.rank, frame.relation))
    return tuple(dict.fromkeys(relation for _, _, relation in sorted(scored)))[:6]


def _vague(kinds: frozenset[str], wanted: frozenset[str]) -> bool:
    """Whether it is only told what a thing is like, where one is asked for that can be looked up: "born in a small town"."""
    return "class" in kinds and bool(wanted) and not wanted & _OPEN


def _fit(kinds: frozenset[str], wanted: frozenset[str], *, literal: bool) -> int:
    """3 fits, 1 may fit, -9 does not. Dates and quantities fit only where they are asked for."""
    if values := kinds & _VALUES:
        return 3 if values & wanted else -9
    if literal and wanted & _VALUES:
        return -9
    if kinds & wanted or ("character" in kinds and "person" in wanted):
        return 3
    return 1 if _may_fit(kinds, wanted) else -9


def _may_fit(kinds: frozenset[str], wanted: frozenset[str]) -> bool:
    """Whether a thing of none of the kinds that are wanted may be of one all the same."""
    if wanted <= _STRICT:
        return not wanted
    thing = "thing" in wanted and not kinds & _NO_THING
    return thing or not kinds or "text" in wanted or kinds == {"class"}
