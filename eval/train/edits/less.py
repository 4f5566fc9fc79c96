"""Sentences that say less than the sentence they are made from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eval.train.edits.base import CLOSED, Change, Place, child, denies, made_less, phrase_of, root_of, stretch
from guardrail.language import Doc, Token

__all__ = ["dropped", "halves", "shorter"]


def dropped(place: Place) -> Iterator[Change]:
    """A relative clause, an apposition or a reason left out where nothing hangs on it: it says less."""
    doc = place.doc
    if denies(doc):
        return
    for token in doc.tokens:
        first, last = doc.first[token.at], doc.last[token.at]
        while first < last and doc.tokens[first].text in (",", "("):
            first += 1
        if token.dep in ("acl:relcl", "appos") and (span := _closed_off(doc, first, last)):
            yield made_less("dropped", (*span, ""))
        if token.dep == "advcl" and doc.tokens[first].low in ("because", "although") and last >= len(doc) - 2:
            start, end = stretch(doc, first, last)
            yield made_less(
                "dropped", (len(doc.text[:start].rstrip(" ,")), len(doc.text[:end].rstrip(" .")), "")
            )


def _closed_off(doc: Doc, first: int, last: int) -> tuple[int, int] | None:
    """From the comma or bracket before these words to the one after them."""
    while first < last and doc.tokens[last].text in (",", ")", "."):
        last -= 1
    start, end = stretch(doc, first, last)
    before = doc.text[:start].rstrip()
    closed = re.match({",": r",|(?=\.\s*$)", "(": r"\)"}.get(before[-1:], "$^"), doc.text[end:])
    if not closed or last - first > 25 or any(t.low in CLOSED for t in doc.tokens[first : last + 1]):
        return None
    return len(before) - 1, end + closed.end()


_EVENT = frozenset("in on at during after with for from".split())


def shorter(place: Place) -> Iterator[Change]:
    """What happened, without when, where or with whom: it says less."""
    doc, root = place.doc, root_of(place.doc)
    if not root or not _past(doc, root) or any(t.low in CLOSED or t.tag == "MD" for t in doc.tokens):
        return
    for kid in doc.kids(root.at):
        first, last = doc.first[kid.at], doc.last[kid.at]
        if kid.dep == "obl" and doc.tokens[first].low in _EVENT and last - first < 12:
            start, end = stretch(doc, first, last)
            comma = first == 0 and doc.text[end : end + 1] == ","
            yield made_less("shorter", (start, end + comma, ""))


def _past(doc: Doc, root: Token) -> bool:
    """Whether a sentence says what happened, and to what."""
    past = root.tag == "VBD" or any(kid.low in ("was", "were") for kid in doc.kids(root.at))
    return past and child(doc, root.at, "obj", "nsubj:pass", "cop") is not None


def halves(place: Place) -> Iterator[Change]:
    """One of two joined clauses: it says less."""
    doc, found = place.doc, _joined(place.doc)
    if not found or not _halved(doc, *found):
        return
    subject, joint, second = found
    cut = len(doc.text[: joint.start].rstrip(" ,;"))
    yield made_less("half", (cut, len(doc.text.rstrip(" .!")), ""))
    own = child(doc, second.at, "nsubj", "nsubj:pass")
    finite = second.tag in ("VBZ", "VBP", "VBD") or child(doc, second.at, "aux", "aux:pass", "cop")
    if own and own.tag != "PRP":
        yield made_less("half", (0, joint.end, ""))
    elif finite and not own:
        yield made_less("half", (phrase_of(doc, subject.at)[1], joint.end, ""))


def _joined(doc: Doc) -> tuple[Token, Token, Token] | None:
    """Subject, joint and second verb of a sentence of two clauses."""
    root = root_of(doc)
    if not root or root.tag[0] != "V":
        return None
    subject, second = child(doc, root.at, "nsubj", "nsubj:pass"), child(doc, root.at, "conj")
    joint = child(doc, second.at, "cc") if second else None
    return (subject, joint, second) if subject and joint and second else None


def _halved(doc: Doc, subject: Token, joint: Token, second: Token) -> bool:
    """Whether a sentence begins with its subject, ends with the second clause, and nothing limits either."""
    if doc.first[subject.at] != 0 or doc.last[second.at] < len(doc) - 2 or joint.low not in ("and", "but"):
        return False
    if any(t.low in CLOSED and t.dep != "case" for t in doc.tokens):
        return False
    return joint.at == doc.first[second.at] or doc.tokens[joint.at - 1].text == ","
