"""What stands first and what comes first: clauses moved or exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from eval.train.edits.base import (
    CLOSED,
    Change,
    Place,
    child,
    denies,
    lowered,
    made_false,
    made_open,
    made_same,
    root_of,
)
from guardrail.language import Doc, Token

__all__ = ["cleft", "order", "sequence"]

_MOVED = frozenset(
    "if when before after unless because as while once since until although where provided".split()
)


def order(place: Place) -> Iterator[Change]:
    """A clause or a phrase moved from the front to the end, or a clause to the front: the same."""
    doc, root = place.doc, root_of(place.doc)
    if not root or _several(doc):
        return
    single = not child(doc, root.at, "conj")
    for kid in doc.kids(root.at):
        opening = doc.tokens[doc.first[kid.at]]
        if kid.dep not in ("obl", "advcl") or (kid.dep == "advcl" and opening.low not in _MOVED):
            continue
        if opening.at == 0:
            yield from _to_the_end(doc, kid)
        elif kid.dep == "advcl" and single:
            yield from _to_the_front(doc, kid)


def _several(doc: Doc) -> bool:
    """Whether a sentence is several, or a list."""
    return any(token.text in (";", ":") for token in doc.tokens)


def _to_the_end(doc: Doc, kid: Token) -> Iterator[Change]:
    end = doc.tokens[doc.last[kid.at]].end
    text, stop = doc.text[:end].rstrip(","), len(doc.text.rstrip(" .!"))
    if doc.text[len(text) : len(text) + 1] == "," and doc.last[kid.at] < len(doc) - 3:
        yield made_same("order", (0, len(text) + 1, ""), (stop, stop, f" {lowered(doc, 0, text)}"))


def _to_the_front(doc: Doc, kid: Token) -> Iterator[Change]:
    start, stop = doc.tokens[doc.first[kid.at]].start, len(doc.text.rstrip(" .!"))
    head, moved, cut = doc.tokens[0], doc.text[start:stop], len(doc.text[:start].rstrip(" ,"))
    if cut > head.end and doc.last[kid.at] >= len(doc) - 2:
        opening = f"{moved[:1].upper()}{moved[1:]}, {lowered(doc, 0, head.text)}"
        yield made_same("order", (0, head.end, opening), (cut, stop, ""))


def sequence(place: Place) -> Iterator[Change]:
    """Two events exchanged: "X before Y" → "Y before X" (false), "Y after X" (the same); with "because": not supported."""
    doc, root = place.doc, root_of(place.doc)
    for kid in doc.kids(root.at) if root else ():
        mark = child(doc, kid.at, "mark")
        if kid.dep != "advcl" or not mark or not _two_events(doc, kid, mark):
            continue
        stop = len(doc.text.rstrip(" .!"))
        main, clause = doc.text[: mark.start].rstrip(), doc.text[mark.end : stop].strip()
        exchanged = f"{clause[:1].upper()}{clause[1:]} {{}} {lowered(doc, 0, main)}"
        if mark.low == "because":
            yield made_open("cause", (0, stop, exchanged.format("because")))
        else:
            other = "after" if mark.low == "before" else "before"
            yield made_false("sequence", (0, stop, exchanged.format(mark.low)))
            yield made_same("sequence", (0, stop, exchanged.format(other)))


def _two_events(doc: Doc, clause: Token, mark: Token) -> bool:
    """Whether a clause with a subject of its own ends the sentence, and the main clause stands before it."""
    if mark.low not in ("before", "after", "because") or not child(doc, clause.at, "nsubj", "nsubj:pass"):
        return False
    ends = doc.first[clause.at] == mark.at and doc.last[clause.at] >= len(doc) - 2
    return ends and mark.at >= 3 and "," not in doc.text


def cleft(place: Place) -> Iterator[Change]:
    """What a sentence is about, set apart: "The owner pays." → "It is the owner that pays." says the same."""
    doc, root = place.doc, root_of(place.doc)
    if not root:
        return
    subject = child(doc, root.at, "nsubj", "nsubj:pass")
    if not subject or child(doc, root.at, "conj", "parataxis") or denies(doc) or _several(doc):
        return
    head, end = doc.tokens[0], doc.tokens[doc.last[subject.at]].end
    named = subject.tag[:2] == "NN" and head.low not in CLOSED | {"some", "many", "dear"}
    if doc.first[subject.at] == 0 and named and head.end < end <= 60:
        yield made_same("cleft", (0, head.end, f"It is {lowered(doc, 0, head.text)}"), (end, end, " that"))
