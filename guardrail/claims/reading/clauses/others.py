"""What stands behind a verb and belongs to somebody else: the time of an event that is only named, and what is said without the verb."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.claims.reading.clauses.state import Clause, Complement
from guardrail.claims.reading.tokens import Token
from guardrail.rules import rule

__all__ = ["without_others"]

_ORDERS = ("after", "before")
_NAMES = ("NNP", "NNPS")
_ONCE = ("", "by")  # what a verb has once: an object, and who did it
_JOINING = frozenset({",", "and", ";", "but", "while"})


def without_others(clause: Clause, tokens: Sequence[Token]) -> None:
    """Takes from a clause the complements that are not its verb's."""
    clause.comps = _without_times(_without_elided(clause.comps, tokens))


@rule("elided-verbs", passes=0)
def _without_elided(comps: list[Complement], tokens: Sequence[Token]) -> list[Complement]:
    """The same preposition again behind another name says it of that name: "discovered in 1781, Neptune in 1846"."""
    for at in range(1, len(comps)):
        if _alike(comps[at - 1], comps[at]) and _another(comps[at - 1], comps[at], tokens):
            before = comps[at - 1].np
            if before is not None:
                before.also = before.also[:0]
            return comps[:at]
    return comps


def _alike(one: Complement, other: Complement) -> bool:
    """Whether two complements say the same kind of thing in the same way."""
    if one.np is None or other.np is None or one.prep != other.prep:
        return False
    values = (one.np.kind == "value", other.np.kind == "value")
    return all(values) or (not any(values) and one.prep in _ONCE)


def _another(one: Complement, other: Complement, tokens: Sequence[Token]) -> bool:
    """Whether a mark and a name stand between the first and the second."""
    if one.np is None:
        return False
    between = tokens[one.np.last + 1 : other.at]
    return any(token.text in _JOINING for token in between[:2]) and any(
        token.tag in _NAMES for token in between
    )


@rule("times-of-events", passes=0)
def _without_times(comps: list[Complement]) -> list[Complement]:
    """A second time is that of the event before it: "died in 1947, two years after the end of the war in 1945"."""
    dated = False
    for at, comp in enumerate(comps):
        if comp.np is None:
            continue
        if dated and comp.prep in _ORDERS and comp.np.kind != "value":
            return [
                *comps[: at + 1],
                *(one for one in comps[at + 1 :] if one.np is None or one.np.kind != "value"),
            ]
        dated |= comp.np.kind == "value"
    return comps
