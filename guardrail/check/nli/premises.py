"""Statements in the form a cross-encoder reads: `Subject: predicate: object, object; predicate: object (qualifier: value).`"""

from __future__ import annotations

import re
from collections.abc import Iterable

from guardrail.types import Triplet
from guardrail.values.render import as_sentence

__all__ = ["lines", "on_other_terms", "wire_text"]

_WITHOUT = re.compile(r"\b(?:without|excluding|except)\s+(\w+)")


def on_other_terms(claim: str, found: Iterable[Triplet]) -> bool:
    """Whether a property says without what its value is, and the claim speaks of it with that: a price "without breakfast"."""
    lacking = {word for one in found for word in _WITHOUT.findall(one.predicate.label.lower())}
    return any(re.search(rf"\b(?:with|including)\s+(?:\w+\s+)?{word}", claim.lower()) for word in lacking)


def lines(rows: Iterable[tuple[str, str, str]]) -> str:
    """Rows of (subject, predicate, object) in wire form, grouped by subject and predicate in order of appearance."""
    grouped: dict[str, dict[str, list[str]]] = {}
    for subject, predicate, object_ in rows:
        objects = grouped.setdefault(subject, {}).setdefault(predicate, [])
        if object_ not in objects:
            objects.append(object_)
    return " ".join(
        as_sentence(
            f"{subject}: "
            + "; ".join(f"{predicate}: {', '.join(objects)}" for predicate, objects in rest.items())
        )
        for subject, rest in grouped.items()
    )


def wire_text(statements: Iterable[Triplet]) -> str:
    """Statements in wire form, with their qualifiers."""
    return lines(map(_row, statements))


def _row(triplet: Triplet) -> tuple[str, str, str]:
    more = ", ".join(f"{q.predicate.label}: {q.object.label}" for q in triplet.qualifiers)
    object_ = f"{triplet.object.label} ({more})" if more else triplet.object.label
    return triplet.subject.label, triplet.predicate.label, object_
