"""Words and phrases put for others by the tables in `altered.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from eval.train.edits.base import Change, Place, made_false, made_same, tables
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY
from guardrail.language import Doc, Token

__all__ = ["phrases"]


@cache
def _phrases() -> tuple[dict[str, list[tuple[str, int]]], re.Pattern[str]]:
    """By phrase what may be put for it, and whether that is false or the same."""
    found: dict[str, list[tuple[str, int]]] = {}
    for line in tables()["exclusive"]:
        for phrase in line:
            found.setdefault(phrase, []).extend((other, CONTRADICTORY) for other in line if other != phrase)
    for name, label in (("denied", CONTRADICTORY), ("same", ATTRIBUTABLE)):
        for first, *others in tables()[name]:
            found.setdefault(first, []).extend((other, label) for other in others)
    longest = sorted((p for p in found), key=len, reverse=True)
    capital = [re.escape(p) for p in longest] + [re.escape(p.capitalize()) for p in longest]
    return found, re.compile(r"(?<![\w-])(?:" + "|".join(capital) + r")(?![\w-])")


def phrases(place: Place) -> Iterator[Change]:
    """What the tables of words give: "before" → "after", "free of charge" → "at no cost"."""
    table, pattern = _phrases()
    starts = {token.start: token for token in place.doc.tokens}
    for match in pattern.finditer(place.text):
        token = starts.get(match.start())
        others = table.get(match[0]) or table.get(match[0].lower()) or []
        if not token or not _usual(place.doc, token, match):
            continue
        for other, label in others:
            if other == "prior to" and token.dep == "mark":
                continue
            make = made_false if label == CONTRADICTORY else made_same
            yield make("phrase", (*match.span(), other))


def _usual(doc: Doc, token: Token, match: re.Match[str]) -> bool:
    """Whether a phrase has its usual meaning here: not "all" in "after all", nor "before" in "two weeks before"."""
    before = doc.tokens[token.at - 1].low if token.at else ""
    if token.low == "all":
        return before not in _BEFORE_ALL and token.dep == "det"
    if token.low in ("only", "every", "each", "many", "always", "both"):
        return before not in _BEFORE_ONLY and "only if" not in match[0]
    if token.low in ("before", "after"):
        return token.tag == "IN" and before not in _SPANS
    return before not in ("not", "no")


_BEFORE_ALL = frozenset("at after above of not for them we they you".split())


_BEFORE_ONLY = frozenset("not if how as so no the an of".split())


_SPANS = frozenset("day days soon week weeks month months year years".split())
