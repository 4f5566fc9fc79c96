"""What a stretch of a sentence is: a claim, or a named non-claim."""

from __future__ import annotations

from guardrail.claims.splitting.heads import clausal, finite, subject
from guardrail.language import Doc, Token
from guardrail.types import Kind

__all__ = ["kind_of_piece"]

_SPEAKER = frozenset({"i", "we"})
_SUPPOSING = frozenset(
    "think believe feel guess suppose love like prefer recommend suggest hope want wish wonder doubt assume imagine".split()
)
_FEELING = frozenset(
    "glad sorry happy afraid sure certain unsure pleased delighted excited partial aware able unable available here curious".split()
)
_OFFERING = frozenset({"would", "'d", "’d", "could", "can", "ca", "should", "will", "'ll", "’ll"})
_BEFORE_ORDER = frozenset({"advmod", "discourse", "advcl", "obl", "obl:tmod", "obl:unmarked", "punct", "cc", "mark", "vocative", "intj"})


def kind_of_piece(doc: Doc, head: int, first: int, last: int) -> Kind:
    """The kind of the tokens from `first` to `last`, whose predicate is `head`: FACT where it may be looked up."""
    token = doc.tokens[head]
    if not clausal(doc, token):
        exclaimed = doc.tokens[first].low in ("what", "how") and doc.tokens[-1].text == "!"
        return Kind.OPINION if exclaimed else Kind.HEADING
    if ordered(doc, token):
        return Kind.INSTRUCTION
    if _own_view(doc, token):
        return Kind.OPINION
    return Kind.FACT


def ordered(doc: Doc, token: Token) -> bool:
    """Whether a predicate is an imperative: "Open the lid", "Never mix the two", "please do not press it"."""
    while token.dep == "conj" and subject(doc, token) is None and not finite(doc, token):
        above = doc.tokens[token.head]
        if not clausal(doc, above):
            break
        token = above
    if token.tag not in ("VB", "VBP") or subject(doc, token) is not None:
        return False
    kids = list(doc.kids(token.at))
    helped = [kid for kid in kids if kid.dep in ("aux", "aux:pass", "cop")]
    if any(kid.lemma != "do" or kid.tag == "VBD" for kid in helped) or any(kid.low == "to" for kid in kids):
        return False
    return token.dep in ("ROOT", "conj", "parataxis", "ccomp") and all(
        kid.dep in _BEFORE_ORDER or kid.dep.startswith("aux") for kid in kids if kid.at < token.at
    )


def _own_view(doc: Doc, token: Token) -> bool:
    """Whether the speaker tells what he thinks, feels or would do."""
    who = subject(doc, token)
    if who is None or who.low not in _SPEAKER:
        return False
    kids = list(doc.kids(token.at))
    offers = any(kid.dep == "aux" and kid.low in _OFFERING for kid in kids)
    return offers or token.lemma in _SUPPOSING or token.low in _FEELING
