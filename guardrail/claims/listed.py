"""Claims of lists and tables: a line that sets a value beside its key, and each cell of a row.

Each has two wordings. `resolved` is a sentence, which names what the line is about and is read beside statements; `pair` is the key
and the value as they stand, which a model reads best beside passages.
"""

from __future__ import annotations

import re
from dataclasses import replace

from guardrail.claims.facts.listings import Cell, Listings, cells_of
from guardrail.rules import rule
from guardrail.types import Argument, BlockKind, Claim, Fact, Reason, Span
from guardrail.values.render import as_sentence

__all__ = ["keyed", "listed"]

_PAIR = re.compile(r"(.{1,80}?)(?::[*_]*\s|\s[–—=→-]\s|\s?\|\s?|\t)(.*\S.*)", re.DOTALL)


@rule("listings", silent=list)
def listed(listings: Listings, first_id: int) -> list[Claim]:
    """The claims of a table row, or of a line "Key: value" whose key is known; none for any other sentence."""
    sentence = listings.arguments.reading.sentence
    if sentence.kind is BlockKind.ROW:
        return _of_row(listings, first_id)
    cell, subject = listings.pair(), listings.about()
    if cell is None or subject is None:
        return []
    claim = _of_cell(listings, cell, listings.fact(subject, cell), sentence.span, cell.head)
    return [replace(claim, id=first_id)]


def _of_row(listings: Listings, first_id: int) -> list[Claim]:
    """A claim for each cell behind the first, which says what it is of; the whole row is one where it has two cells."""
    cells = cells_of(listings.arguments.reading.sentence)
    found = list(listings.row(cells))
    if not found:
        return []
    first, single = cells[0], len(cells) == 2
    claims = [
        _of_cell(
            listings,
            cell,
            fact,
            Span(first.span.start, cell.span.end) if single else cell.span,
            first.text if single else f"{fact.subject.text} – {_small(cell.head)}",
        )
        for cell, fact in found
    ]
    return [replace(claim, id=first_id + at) for at, claim in enumerate(claims)]


def _of_cell(listings: Listings, cell: Cell, fact: Fact, span: Span, key: str) -> Claim:
    """The claim that a thing's `key` is what the cell holds."""
    reading, subject = listings.arguments.reading, fact.subject
    mentions = dict.fromkeys((*subject.mentions[:1], *reading.mentions_in(cell.span)))
    pair = f"{key}: {cell.text}".replace("*", "").replace("`", "")
    told = as_sentence(f"The {fact.predicate} of {subject.text} is {fact.object.text}")
    wording = told if subject.mentions else pair
    text = span.shift(-reading.sentence.span.start).of(reading.sentence.text)
    return Claim(0, span, text, wording, (fact,), tuple(mentions), pair=pair)


def _small(words: str) -> str:
    """With a small first letter, unless they begin with an acronym."""
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


@rule("unknown-keys", passes=0)
def keyed(claim: Claim, about: Argument | None) -> Claim:
    """A line "Key: value" as what it says of the thing that it is about; where nobody knows of what, it is not clear."""
    told = _PAIR.fullmatch(claim.text)
    if told is None:
        return claim if about is not None else replace(claim, reason=Reason.AMBIGUOUS_REFERENCE)
    key, value = (part.strip(" *_`.") for part in told.groups())
    claim = replace(claim, pair=f"{key}: {value}", resolved=f"{key}: {value}")
    if about is None:
        return replace(claim, reason=Reason.AMBIGUOUS_REFERENCE)
    if not about.mentions:
        return claim
    return replace(claim, resolved=as_sentence(f"The {_small(key)} of {about.text} is {value}"))
