"""Lines that set a value beside its key: "Battery life: 40 hours", "09:30 – Registration", "Paris | 2 million"."""

from __future__ import annotations

from guardrail.claims.splitting.heads import PREDICATES
from guardrail.language import Doc
from guardrail.rules import rule

__all__ = ["pair_at"]

_MARKS = frozenset({":", "–", "—", "-", "|", "=", "→", "\t"})
_KEY = 7  # tokens of the longest key
_NO_KEYS = frozenset("note warning important tip example hint caution remember step answer".split())


@rule("pairs-in-lines", silent=0)
def pair_at(doc: Doc) -> int:
    """Where the mark between key and value stands among the tokens; 0 where there is none."""
    for token in doc.tokens[1 : _KEY + 1]:
        before, behind = doc.tokens[token.at - 1], doc.tokens[token.at + 1 : token.at + 2]
        spaced = token.text == ":" or (
            token.start > before.end and bool(behind) and behind[0].start > token.end
        )
        if token.text in _MARKS and spaced and behind:
            key = doc.tokens[: token.at]
            stated = any(one.tag in PREDICATES and one.dep != "amod" for one in key)
            return 0 if stated or key[0].low in _NO_KEYS or key[0].text in _MARKS else token.at
    return 0
