"""A claim beside a sentence of the evidence: what differs, what is denied, and what the evidence lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from guardrail.check.kg.compare.identifiers import fabricated, identifiers
from guardrail.check.text.compare.amounts import Text, replaced
from guardrail.check.text.compare.contrasts import denied, opposed, renamed
from guardrail.check.text.compare.exact import differences, missing
from guardrail.check.text.compare.phrases import read
from tests.constructions.corpus import Reader, plain

Finder = Callable[[Text, Text], Iterator[tuple[int, int]]]

NEARLY_ALL = 0.7  # of the claim's other words stand in the sentence


def pairs(*finders: Finder) -> Callable[[str, str], list[list[str]]]:
    """The words that any of them finds, of the claim and of the sentence."""

    def found(text: str, evidence: str) -> list[list[str]]:
        ours, theirs = read(text), read(evidence)
        return [[ours[at].text, theirs[there].text] for find in finders for at, there in find(ours, theirs)]

    return found


def denials(text: str, evidence: str) -> bool:
    return bool(list(denied(read(text), read(evidence))))


def other_name(text: str, evidence: str, known: str = "") -> bool:
    """`known`: words that are written as names elsewhere."""
    return bool(list(renamed(read(text), read(evidence), frozenset(known.split()))))


def different(text: str, evidence: str) -> list[list[str]]:
    """What differs where nearly all else is the same; another sentence stands before the one that counts."""
    found = differences(text, ("Bread is sold here.", evidence), "")
    return [[one.claimed, one.known] for one in found if one.share >= NEARLY_ALL]


READERS = {
    "amounts": Reader(pairs(replaced)),
    "opposites": Reader(pairs(opposed)),
    "denied": Reader(denials),
    "other_name": Reader(other_name),
    "differences": Reader(different),
    "among_differences": Reader(
        different, lambda observed, expected: all(one in plain(observed) for one in expected)
    ),
    "missing": Reader(lambda text, evidence, title="": missing(text, evidence, title)),
    "telling": Reader(lambda text, evidence: [one.telling for one in differences(text, [evidence])]),
    "identifiers": Reader(identifiers),
    "fabricated": Reader(lambda text, evidence: bool(fabricated(text, evidence))),
}
