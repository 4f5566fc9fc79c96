"""The type constraints of relations: which may hold between two kinds of things, by the lexicon's types of subject and object."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.claims.lexicon.relations import Frame

__all__ = ["compatible"]

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
        other = frame.object if frame.inverse else frozenset()
        vague = ("class" in right and wanted and not wanted & _OPEN) or (
            "class" in left and other and not other & _OPEN
        )
        if vague:
            continue  # "born in a small town": no place that could be looked up
        fit = _fit(subject, frame.subject, literal=False) + _fit(object_, frame.object, literal=True)
        if fit >= 0:
            scored.append((-fit, frame.rank, frame.relation))
    return tuple(dict.fromkeys(relation for _, _, relation in sorted(scored)))[:6]


def _fit(kinds: frozenset[str], wanted: frozenset[str], *, literal: bool) -> int:
    """3 fits, 1 may fit, -9 does not. Dates and quantities fit only where they are asked for."""
    values = kinds & {"date", "quantity"}
    if values:
        return 3 if values & wanted else -9
    if wanted & {"date", "quantity"} and literal:
        return -9
    if not wanted:
        return 1
    if wanted <= _STRICT:
        return 3 if kinds & wanted else -9
    if kinds & wanted or (kinds & {"character"} and "person" in wanted):
        return 3
    if not kinds or "text" in wanted or kinds == {"class"}:
        return 1
    return 1 if "thing" in wanted and not kinds & _NO_THING else -9
