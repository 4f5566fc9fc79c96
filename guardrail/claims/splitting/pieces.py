"""Which stretch of a sentence each claim is."""

from __future__ import annotations

from dataclasses import dataclass

from guardrail.claims.splitting.heads import heads
from guardrail.language import Doc

__all__ = ["Piece", "pieces"]

_OPEN, _CLOSE = "\"'“‘`([*", "\"'”’`)]%*"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the sentence, in code points, and the place of its predicate among the tokens."""

    start: int
    end: int
    head: int


def pieces(doc: Doc) -> list[Piece]:
    """Disjoint stretches in order."""
    found = heads(doc)
    owned: dict[int, list[int]] = {head: [] for head in found}
    for token in doc.tokens:
        owner = _owner(doc, token.at, owned)
        if token.dep != "punct" and not (token.dep == "cc" and token.head == owner):
            owned[owner].append(token.at)
    stretches = sorted((min(places), max(places), head) for head, places in owned.items() if places)
    merged: list[tuple[int, int, int]] = []
    for first, last, head in stretches:
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]), merged[-1][2])
        else:
            merged.append((first, last, head))
    return [Piece(*_grown(doc, first, last), head) for first, last, head in merged]


def _owner(doc: Doc, at: int, owned: dict[int, list[int]]) -> int:
    while at not in owned and doc.tokens[at].head != at:
        at = doc.tokens[at].head
    return at if at in owned else next(iter(owned))


def _grown(doc: Doc, first: int, last: int) -> tuple[int, int]:
    """With the brackets and quotation marks that touch it."""
    start, end = doc.tokens[first].start, doc.tokens[last].end
    while start > 0 and doc.text[start - 1] in _OPEN:
        start -= 1
    while end < len(doc.text) and doc.text[end] in _CLOSE:
        end += 1
    return start, end
