"""Which stretch of a sentence each claim is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from guardrail.claims.splitting.boundaries import RELATIVE, boundaries
from guardrail.claims.splitting.heads import (
    CONTRASTING,
    PREDICATES,
    clausal,
    described,
    heads,
    opens,
    subject,
)
from guardrail.claims.splitting.kinds import kind_of_piece, ordered
from guardrail.claims.splitting.lines import pair_at
from guardrail.language import Doc, Token
from guardrail.types import Kind

__all__ = ["Piece", "pieces"]

_SALUTATION = 6  # tokens of the longest one
_OPEN, _CLOSE = "\"'“‘`([*", "\"'”’`)]%*"
_ANSWERS = frozenset(
    "yes no sure okay ok well first firstly second secondly third thirdly finally lastly note please".split()
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the sentence, in code points, with its kind and the place of its predicate among the tokens.

    `pair`: it sets a value beside its key.
    """

    start: int
    end: int
    kind: Kind
    head: int
    pair: bool = False


def pieces(doc: Doc, *, line: bool = False) -> list[Piece]:
    """Disjoint stretches in order. `line`: it is an item or a line of its own, which may set a value beside its key."""
    if not len(doc):
        return []
    found = heads(doc)
    stretches = _predicated(doc, _merged(_owned(doc, found)))
    if line and pair_at(doc) and sum(clausal(doc, doc.tokens[head]) for _, _, head in stretches) < 2:
        return [Piece(*_grown(doc, 0, _last(doc)), Kind.FACT, found[0], pair=True)]
    out = []
    for first, last, head in stretches:
        first = _begun(doc, first, last)
        out.append(Piece(*_grown(doc, first, last), kind_of_piece(doc, head, first, last), head))
    return out


def _owned(doc: Doc, found: Iterable[int]) -> list[tuple[int, int, int]]:
    """From where to where the words of each head stand, with the head, in order."""
    owned: dict[int, list[int]] = defaultdict(list)
    parts = _parts(doc)
    owner = {head: head for head in found}
    for token in doc.tokens:
        path, at = [token.at], token.at
        while at not in owner:
            head = doc.tokens[at].head
            if head == at or parts[head] != parts[at]:
                owner[at] = at
            else:
                at = head
                path.append(at)
        owner.update(dict.fromkeys(path, owner[at]))
        at_border = token.head == owner[at] or parts[token.at - 1] != parts[token.at]
        joins = token.dep == "cc" and token.low != "nor" and at_border
        if not joins and not _is_mark(token):
            owned[owner[at]].append(token.at)
    return sorted((min(places), max(places), head) for head, places in owned.items())


def _is_mark(token: Token) -> bool:
    return token.dep == "punct" and not any(map(str.isalnum, token.text))


def _parts(doc: Doc) -> list[int]:
    """The number of the part of the sentence that each token stands in."""
    begins = boundaries(doc)
    out, number = [], 0
    for token in doc.tokens:
        number += token.at in begins
        out.append(number)
    return out


def _merged(stretches: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Those that lie within others are told with them."""
    out: list[tuple[int, int, int]] = []
    for first, last, head in stretches:
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(last, out[-1][1]), out[-1][2])
        else:
            out.append((first, last, head))
    return out


def _predicated(doc: Doc, stretches: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Each with a predicate, and cut where words or marks allow it: any other is told with the one before it, and first
    ones without a predicate with what follows.
    """
    out: list[tuple[int, int, int]] = []
    for first, last, head in stretches:
        bare = not _states(doc, first, last, head) or opens(doc, first) or not _allowed(doc, first)
        if out and (bare or not _states(doc, *out[-1])):
            out[-1] = (out[-1][0], last, out[-1][2] if bare else head)
        else:
            out.append((first, last, head))
    return out


def _states(doc: Doc, first: int, last: int, head: int) -> bool:
    """Whether a stretch has a predicate of its own: a tense, a participle that tells of something, or an order."""
    token = doc.tokens[head]
    if any(one.tag in PREDICATES for one in doc.tokens[first : last + 1]) or ordered(doc, token):
        return True
    if token.dep == "conj" and described(doc, doc.tokens[token.head], token):
        return True
    return clausal(doc, token) and (
        first > 0 or token.tag not in ("VBG", "VB") or subject(doc, token) is not None
    )


def _allowed(doc: Doc, first: int) -> bool:
    """Whether a mark or a word that joins clauses stands where a stretch begins."""
    before, word = doc.tokens[first - 1], doc.tokens[first]
    joined = before.tag in ("CC", ",", ":", ".", "-LRB-", "``", "''", "HYPH") or not before.text.isalnum()
    return first == 0 or joined or word.low in CONTRASTING | RELATIVE | {"that"}


def _begun(doc: Doc, first: int, last: int) -> int:
    """Behind "Dear reader," on a line of its own, and behind "Yes," and "First,"."""
    for at in range(first + 1, min(last, first + _SALUTATION)):
        between = doc.text[doc.tokens[at].end : doc.tokens[at + 1].start]
        if "\n" in between and doc.tokens[at].text == ",":
            return at + 1
    while (
        first + 1 < last
        and doc.tokens[first].low in _ANSWERS
        and doc.tokens[first + 1].text in (",", ":", ".", "!")
    ):
        first += 2
    return first


def _last(doc: Doc) -> int:
    last = len(doc) - 1
    while last > 0 and doc.tokens[last].text in (".", "!", ";", ","):
        last -= 1
    return last


def _grown(doc: Doc, first: int, last: int) -> tuple[int, int]:
    """With the brackets and quotation marks that touch it."""
    start, end = doc.tokens[first].start, doc.tokens[last].end
    while start > 0 and doc.text[start - 1] in _OPEN:
        start -= 1
    while end < len(doc.text) and doc.text[end] in _CLOSE:
        end += 1
    if doc.text[start] in "([" and doc.text[end - 1] in ")]":
        return start + 1, end - 1
    return start, end
