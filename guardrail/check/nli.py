"""Judges what the symbolic checker left open: a cross-encoder reads the evidence and the claim.

Premises are triplets in one wire form, `Subject: predicate: object, object; predicate: object.`, and passages as they
are, with their title before them where they do not name it. The model was trained on exactly this form.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["lines"]


def lines(rows: Iterable[tuple[str, str, str]]) -> str:
    """Rows of (subject, predicate, object) in wire form, grouped by subject and predicate in order of appearance."""
    grouped: dict[str, dict[str, list[str]]] = {}
    for subject, predicate, object_ in rows:
        objects = grouped.setdefault(subject, {}).setdefault(predicate, [])
        if object_ not in objects:
            objects.append(object_)
    return " ".join(
        f"{subject}: "
        + "; ".join(f"{predicate}: {', '.join(objects)}" for predicate, objects in rest.items())
        + "."
        for subject, rest in grouped.items()
    )
