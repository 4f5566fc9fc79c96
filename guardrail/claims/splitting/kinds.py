"""What a stretch of a sentence is: a claim, or a named non-claim."""

from __future__ import annotations

from guardrail.claims.splitting.heads import PREDICATES, clausal, finite, subject
from guardrail.language import Doc, Token
from guardrail.rules import rule
from guardrail.types import Kind

__all__ = ["kind_of_piece", "ordered", "stated"]

_SPEAKER = frozenset({"i", "we"})
_SUPPOSING = frozenset(
    "think believe feel guess suppose love like prefer recommend suggest hope want wish wonder doubt assume imagine".split()
)
_FEELING = frozenset(
    "glad sorry happy afraid sure certain unsure pleased delighted excited partial aware able unable available here curious".split()
)
_OFFERING = frozenset({"would", "'d", "’d", "could", "can", "ca", "should", "will", "'ll", "’ll"})
# What an assistant says of its own work.
_WORKING = frozenset(
    "find check search look see review read note notice include rewrite summarize summarise list attach help assist".split()
)


def kind_of_piece(doc: Doc, head: int, first: int, last: int) -> Kind:
    """The kind of the tokens from `first` to `last`, whose predicate is `head`: FACT where it may be looked up."""
    token = doc.tokens[head]
    if not clausal(doc, token) and not any(one.tag in PREDICATES for one in doc.tokens[first : last + 1]):
        exclaimed = doc.tokens[first].low in ("what", "how") and doc.tokens[-1].text == "!"
        return Kind.OPINION if exclaimed else Kind.HEADING
    if ordered(doc, token):
        return Kind.INSTRUCTION
    if _own_view(doc, token):
        return Kind.OPINION
    return Kind.FACT


def stated(doc: Doc) -> bool:
    """Whether a text is a statement: its predicate has a tense and a subject, and is neither a condition nor the speaker's view."""
    root = next(doc.roots(), None)
    if root is None or not finite(doc, root) or subject(doc, root) is None:
        return False
    return not _own_view(doc, root) and all(kid.dep != "mark" for kid in doc.kids(root.at))


@rule("imperatives", silent=False)
def ordered(doc: Doc, token: Token) -> bool:
    """Whether a predicate is an imperative: "Open the lid", "Never mix the two", "please do not press it"."""
    if token.tag not in ("VB", "VBP") or subject(doc, token) is not None:
        return False
    if token.dep == "conj":
        return ordered(doc, doc.tokens[token.head])
    if token.dep not in ("ROOT", "parataxis", "ccomp"):
        return False
    before = [kid for kid in doc.kids(token.at) if kid.at < token.at]
    return all(_may_lead(doc, kid) for kid in before)


def _may_lead(doc: Doc, kid: Token) -> bool:
    """Whether what stands before a verb leaves it an imperative: "please", "do not", "before you start,"."""
    if kid.dep in ("aux", "aux:pass", "cop"):
        return kid.low in ("do", "don", "don't", "be", "let")
    if kid.dep in ("advcl", "obl", "obl:tmod", "obl:unmarked", "parataxis", "nmod"):
        return doc.tokens[doc.last[kid.at] + 1].text == ","
    return kid.dep in ("advmod", "discourse", "punct", "cc", "vocative", "intj") and kid.tag not in (
        "WRB",
        "NN",
        "NNP",
    )


@rule("own-views", silent=False)
def _own_view(doc: Doc, token: Token) -> bool:
    """Whether the speaker tells what he thinks, feels or would do. What "we" will or can do is what a firm says of itself."""
    who = subject(doc, token)
    if who is None or who.low not in _SPEAKER:
        return False
    offers = who.low == "i" and any(kid.dep == "aux" and kid.low in _OFFERING for kid in doc.kids(token.at))
    return offers or token.lemma in _SUPPOSING | _WORKING or token.low in _FEELING
