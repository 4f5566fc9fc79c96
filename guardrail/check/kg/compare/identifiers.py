"""Identifiers in a claim: addresses, DOIs, ISBNs, arXiv numbers, names of functions.

They are made up easily and cannot be near: evidence that does not hold the very one says nothing of it, however alike the
rest. An identifier that is missing makes nothing Contradictory, as no evidence lists all there are.
"""

from __future__ import annotations

import re

from guardrail.rules import rule

__all__ = ["fabricated", "identifiers"]

_PATTERNS = (
    re.compile(r"\bhttps?://[^\s<>\"”’)\]]+|\bwww\.[^\s<>\"”’)\]]+", re.IGNORECASE),
    re.compile(r"\b10\.\d{4,9}/[^\s\"”’)\]]+"),  # DOI
    re.compile(r"\b(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]\b(?<=[\dX])"),  # ISBN, where it is called one
    re.compile(r"\barXiv:\s?\d{4}\.\d{4,5}(?:v\d+)?", re.IGNORECASE),
    re.compile(r"(?<![\w.])[A-Za-z_][\w.]*\(\)"),  # a function
)
_ISBN = 2
_BEFORE = 40  # characters in which the word stands
_CALLED = re.compile(r"\bISBN(?:-1[03])?\b[^\d.]{0,30}$", re.IGNORECASE)
_EMPTY = re.compile(r"[\s-]")
_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?", re.IGNORECASE)


def identifiers(text: str) -> tuple[str, ...]:
    """The identifiers in `text`, in the order of their kinds, without the punctuation behind them."""
    found = (
        match[0].rstrip(".,;:!?")
        for kind, pattern in enumerate(_PATTERNS)
        for match in pattern.finditer(text)
        if kind != _ISBN or _CALLED.search(text[max(0, match.start() - _BEFORE) : match.start()])
    )
    return tuple(dict.fromkeys(found))


@rule("identifiers", silent=())
def fabricated(claim: str, evidence: str) -> tuple[str, ...]:
    """The identifiers of `claim` that do not stand in `evidence`; hyphens, spaces, case and "https://www." aside."""
    wanted = identifiers(claim)
    if not wanted:
        return ()
    # Whole, so that .../1 is not found in .../12.
    held = {_bare(one) for one in identifiers(evidence)}
    words = {_bare(word.strip('.,;:!?()[]"“”')) for word in evidence.split()}
    return tuple(one for one in wanted if _bare(one) not in held | words)


def _bare(identifier: str) -> str:
    return _EMPTY.sub("", _SCHEME.sub("", identifier)).rstrip("/").casefold()
