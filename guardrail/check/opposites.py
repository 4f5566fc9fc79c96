"""Words of which a thing is only one: an otherwise equal sentence with another of them says otherwise.

Short on purpose. Left out is what two things may be at once (American, British), what only differs in degree (big, huge),
and what people use loosely.
"""

from __future__ import annotations

__all__ = ["exclusive"]

_SETS = tuple(
    frozenset(line.split())
    for line in """
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
north south east west northeast northwest southeast southwest
northern southern eastern western northeastern northwestern southeastern southwestern
northernmost southernmost easternmost westernmost
spring summer autumn winter
mercury venus earth mars jupiter saturn uranus neptune
male female
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
increased decreased
increases decreases
increase decrease
rose fell
rises falls
gained lost
won lost
wins loses
before after
preceded followed
predecessor successor
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
accepted rejected
approved rejected
confirmed denied
guilty innocent
legal illegal
alive dead
odd even
positive negative
permanent temporary
import export
imports exports
buyer seller
bought sold
opened closed
began ended
start end
start finish
arrived departed
victory defeat
succeeded failed
gold silver bronze
married unmarried
vertebrate invertebrate
""".strip().splitlines()
)


def exclusive(left: str, right: str) -> bool:
    """Whether the two words, in lower case, exclude each other."""
    return left != right and any(left in words and right in words for words in _SETS)
