"""What speaks for a claim and against it in the statements that are nearest to it: named numbers, which trees weigh.

What the model makes of the statements together and of each alone; values, names and words of the claim that they hold or lack; and
words that make a sentence more than one statement can tell: comparing, counting, denying, former times.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from guardrail.check.nli.premises import wire_text
from guardrail.check.text.compare.amounts import Text, is_value, replaced, stands
from guardrail.check.text.compare.contrasts import known_by
from guardrail.check.text.compare.phrases import EMPTY, names, read
from guardrail.check.text.compare.stems import in_some_form, stems
from guardrail.language.lists import any_of
from guardrail.language.stems import light_stem
from guardrail.types import Triplet
from guardrail.values.comparisons import orders

__all__ = ["PREFIX", "Row", "signals"]

Row = Sequence[float]  # probabilities: attributable, extrapolatory, contradictory

PREFIX = 3
"""How many of the nearest are read together, too, beside all and each."""
_NAMED = ("supports", "is_silent", "contradicts")
_MANNERS = ("limiting", "whole", "former", "lasting", "counting", "allowing", "obliging", "approximate")
_PATTERNS = {name: re.compile(rf"\b(?:{any_of(name)})\b", re.IGNORECASE) for name in _MANNERS}
_PATTERNS["denying"] = re.compile(rf"\b(?:{any_of('denying')}|nothing|cannot)\b|n['’]t\b", re.IGNORECASE)
_YES = frozenset("yes true y".split())
_NO = frozenset("no false none n".split())


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement as it is compared: whole, and its parts."""

    whole: Text
    subject: Text
    object: Text


def signals(
    claim: str, near: Sequence[Triplet], together: Row, first: Row, alone: Sequence[Row]
) -> dict[str, float]:
    """`together`: the model's row for all statements, `first` for the first `PREFIX` of them, `alone` for each of them."""
    said = [_said(one) for one in near]
    speaking = min(range(len(near)), key=lambda at: alone[at][1])
    return {
        **_rows("together", together),
        **_rows("first", first),
        **_rows("nearest", alone[0]),
        **_rows("speaking", alone[speaking]),
        "one_supports": max(row[0] for row in alone),
        "one_contradicts": max(row[2] for row in alone),
        "supporting": sum(row[0] for row in alone),
        "contradicting": sum(row[2] for row in alone),
        "place": float(speaking),
        **_held(read(claim), said),
        **{f"speaking_{name}": value for name, value in _beside(read(claim), said[speaking]).items()},
        "object": max(_share(one.object, read(claim)) for one in said),
        "subject": max(_share(one.subject, read(claim)) for one in said),
        "subjects": float(len({one.subject.id or one.subject.label for one in near})),
        **_manner(claim),
    }


def _rows(name: str, row: Row) -> dict[str, float]:
    return {f"{name}_{part}": share for part, share in zip(_NAMED, row, strict=True)}


def _said(one: Triplet) -> _Said:
    return _Said(read(wire_text([one])), read(one.subject.label), read(one.object.label))


def _held(ours: Text, said: Sequence[_Said]) -> dict[str, float]:
    """Of the claim's words, values and names what all statements hold together, and one of them."""
    held = [stems(one.whole) for one in said]
    among = frozenset().union(*held)
    words = [light_stem(item.key) for item in ours if item.key not in EMPTY and not is_value(item)]
    values = [at for at, item in enumerate(ours) if is_value(item)]
    called = [ours[name.start : name.end] for name in names(ours) if name.start or name.end > 1]
    return {
        "covered": _part(words, among),
        "covered_by_one": max(_part(words, one) for one in held),
        "values": float(len(values)),
        "values_absent": float(sum(not any(stands(ours, at, one.whole) for one in said) for at in values)),
        "values_replaced": float(sum(any(True for _ in replaced(ours, one.whole)) for one in said)),
        "names": float(len(called)),
        "names_absent": float(sum(not known_by(name, among) for name in called)),
    }


def _beside(ours: Text, one: _Said) -> dict[str, float]:
    """How the claim stands to one statement."""
    answer = next((item.key for item in one.object), "") if len(one.object) == 1 else ""
    return {
        "covered": _part([light_stem(item.key) for item in ours if item.key not in EMPTY], stems(one.whole)),
        "subject": _share(one.subject, ours),
        "object": _share(one.object, ours),
        "replaced": float(any(True for _ in replaced(ours, one.whole))),
        "has_value": float(any(map(is_value, one.object))),
        "says_yes": float(answer in _YES) - float(answer in _NO),
    }


def _manner(claim: str) -> dict[str, float]:
    """How the sentence is said."""
    found = {name: float(len(pattern.findall(claim))) for name, pattern in _PATTERNS.items()}
    return {**found, "ordering": float(orders(claim)), "words": float(len(claim.split()))}


def _share(part: Text, text: Text) -> float:
    """How much of a subject or an object a text has: its words in some form, its values as such."""
    held = stems(text)
    wanted = [at for at, item in enumerate(part) if item.key not in EMPTY]
    there = sum(
        stands(part, at, text) if is_value(part[at]) else in_some_form(light_stem(part[at].key), held)
        for at in wanted
    )
    return there / max(len(wanted), 1)


def _part(words: Sequence[str], held: frozenset[str]) -> float:
    return sum(in_some_form(word, held) for word in words) / max(len(words), 1)
