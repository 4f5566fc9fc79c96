"""Lines that set a value beside its key: "Battery life: 40 hours", "09:30 – Registration", "Paris | 2 million"."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.claims.splitting.heads import PREDICATES
from guardrail.language import Doc, Token
from guardrail.rules import rule

__all__ = ["pair_at"]

_MARKS = frozenset({":", "–", "—", "-", "|", "=", "→", "\t"})
_KEY = 7  # tokens of the longest key
_NO_KEYS = frozenset("note warning important tip example hint caution remember step answer".split())


@rule("pairs-in-lines", silent=0)
def pair_at(doc: Doc) -> int:
    """Where the mark between key and value stands among the tokens; 0 where there is none."""
    for token in doc.tokens[1 : _KEY + 1]:
        if _divides(doc, token):
            return token.at if _names(doc.tokens[: token.at]) else 0
    return 0


def _divides(doc: Doc, mark: Token) -> bool:
    """Whether it is a mark with something behind it, and with blanks around it if it is no colon."""
    before, behind = doc.tokens[mark.at - 1], doc.tokens[mark.at + 1 : mark.at + 2]
    if mark.text not in _MARKS or not behind:
        return False
    return mark.text == ":" or (mark.start > before.end and behind[0].start > mark.end)


def _names(key: Sequence[Token]) -> bool:
    """Whether words before a mark can name what stands behind it: they state nothing."""
    stated = any(one.tag in PREDICATES and one.dep != "amod" for one in key)
    return not stated and key[0].low not in _NO_KEYS and key[0].text not in _MARKS
