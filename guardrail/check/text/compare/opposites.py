"""Words of which a thing is only one: an otherwise equal sentence with another of them says otherwise.

Short on purpose. Left out is what two things may be at once (American, British), what only differs in degree (big, huge),
and what people use loosely.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["Kind", "exclusive", "has_opposite"]

Kind = Literal["time", "event", "person", "state"]

_TIMES = """
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
spring summer autumn winter
"""
_EVENTS = """
increased decreased
rose fell
gained lost
won lost
accepted rejected
approved rejected
confirmed denied
bought sold
opened closed
began ended
arrived departed
succeeded failed
"""
_PERSONS = """
man woman
men women
boy girl
brother sister
son daughter
father mother
grandfather grandmother
uncle aunt
nephew niece
husband wife
widow widower
king queen
actor actress
buyer seller
predecessor successor
"""
_STATES = """
north south east west northeast northwest southeast southwest
northern southern eastern western northeastern northwestern southeastern southwestern
northernmost southernmost easternmost westernmost
mercury venus earth mars jupiter saturn uranus neptune
male female
increases decreases
increase decrease
rises falls
wins loses
before after
preceded followed
first last
largest smallest
biggest smallest
highest lowest
tallest shortest
longest shortest
oldest youngest
oldest newest
earliest latest
best worst
most least
more fewer
more less
higher lower
larger smaller
longer shorter
older younger
better worse
faster slower
above below
upper lower
inside outside
left right
maximum minimum
majority minority
guilty innocent
legal illegal
alive dead
odd even
positive negative
permanent temporary
import export
imports exports
start end
start finish
victory defeat
gold silver bronze
married unmarried
vertebrate invertebrate
"""


_KINDS: tuple[tuple[Kind, str], ...] = (
    ("time", _TIMES),
    ("event", _EVENTS),
    ("person", _PERSONS),
    ("state", _STATES),
)
_SETS = tuple((kind, line.split()) for kind, text in _KINDS for line in text.strip().splitlines())
_PLACES: dict[str, frozenset[int]] = {
    word: frozenset(at for at, (_, words) in enumerate(_SETS) if word in words)
    for word in {word for _, words in _SETS for word in words}
}
"""In which of the sets a word stands."""


def has_opposite(word: str) -> bool:
    """Whether there is a word that excludes this one, in lower case."""
    return word in _PLACES


def exclusive(left: str, right: str) -> Kind | None:
    """What kind of opposites the two words are, in lower case; None where they may hold together.

    "time": days and months; "event": what happens again and again, once so and once so (won, lost); "person": who somebody
    is, and otherwise another one; "state": all else.
    """
    both = _PLACES.get(left, frozenset()) & _PLACES.get(right, frozenset())
    return _SETS[min(both)][0] if both and left != right else None
