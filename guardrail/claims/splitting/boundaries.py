"""Where words and marks alone show that another clause begins, whatever was read of the heads: a parse may be wrong there."""

from __future__ import annotations

from collections.abc import Iterator

from guardrail.claims.splitting.heads import CONTRASTING, PREDICATES, opens
from guardrail.language import Doc, Token
from guardrail.rules import rule

__all__ = ["RELATIVE", "boundaries"]

RELATIVE = frozenset("which who whose where".split())
ENDS = frozenset(".!?")  # of a sentence that goes on in small letters
_JOINING = frozenset({"and", "but"})
_OPENING = frozenset({"WDT", "WP", "WRB"})  # behind them a clause within the clause may go on
_ADVERBS = frozenset({"RB", "RBR"})
_NOMINAL = frozenset(
    {
        "DT",
        "PRP",
        "PRP$",
        "NN",
        "NNS",
        "NNP",
        "NNPS",
        "JJ",
        "JJR",
        "CD",
        "EX",
        "POS",
        "IN",
        "$",
        "#",
        "RB",
        "PDT",
    }
)
_NO_CONTRAST = frozenset("that as far long much many".split())  # behind "so"
_SUBJECT = 8  # tokens of the longest subject that is looked over


def boundaries(doc: Doc) -> set[int]:
    """The places of the tokens that begin another part of the sentence; a predicate stands on either side."""
    found = set()
    last = max((token.at for token in doc.tokens if token.tag in PREDICATES), default=-1)
    stated = nested = False
    for token in doc.tokens:
        begins = token.at <= last and any(_begins(doc, token, nested))
        if (begins and (stated or token.text == ";")) or _relative(doc, token, stated=stated):
            found.add(token.at)
            stated = nested = False
        stated = stated or token.tag in PREDICATES
        nested = nested or _nests(doc, token)
    return found


def _nests(doc: Doc, token: Token) -> bool:
    """Whether a word opens a clause within which others may follow."""
    return token.tag in _OPENING or (opens(doc, token.at) and token.low not in ("than", "like"))


def _begins(doc: Doc, token: Token, nested: bool) -> Iterator[bool]:
    before = doc.tokens[token.at - 1] if token.at else token
    yield token.text == ";" or (token.text in (":", "—") and token.dep == "punct")
    yield before.text in ENDS and before.at < token.at
    if before.text == ",":
        yield token.low in CONTRASTING and not _comparing(doc, token)
    if token.low in _JOINING and not nested:
        yield _predicate_next(doc, token.at + 1)
        yield before.text == "," and _clause_next(doc, token.at + 1)


def _comparing(doc: Doc, token: Token) -> bool:
    """Whether what follows a word takes the contrast from it: "so that", "while as long"."""
    return any(one.low in _NO_CONTRAST for one in doc.tokens[token.at + 1 : token.at + 2])


def _ordered(doc: Doc, at: int) -> bool:
    """Whether an order stands before `at`."""
    return any(root.tag == "VB" and root.at < at for root in doc.roots())


@rule("split-relatives", silent=False)
def _relative(doc: Doc, token: Token, *, stated: bool) -> bool:
    """Whether ", which …" or ", from which …" begins here, behind a statement or an order, and goes on to the end of the sentence."""
    if token.at == 0 or doc.tokens[token.at - 1].text != "," or token.at + 2 >= len(doc):
        return False
    word = doc.tokens[token.at + 1] if token.tag in ("IN", "TO") else token
    if word.low not in RELATIVE or not (stated or _ordered(doc, token.at)):
        return False
    return all(one.text != "," for one in doc.tokens[token.at :])


def _predicate_next(doc: Doc, at: int) -> bool:
    """Whether a verb with a tense stands at `at`, adverbs aside."""
    while at < len(doc) and doc.tokens[at].tag in _ADVERBS:
        at += 1
    return at < len(doc) and doc.tokens[at].tag in PREDICATES


def _clause_next(doc: Doc, at: int) -> bool:
    """Whether a short subject and its verb stand at `at`."""
    for token in doc.tokens[at : at + _SUBJECT]:
        if token.tag in PREDICATES:
            return token.at > at
        if token.tag not in _NOMINAL:
            return False
    return False
