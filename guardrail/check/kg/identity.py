"""Whether the entity that the graph was asked about is the one that the claim names.

A linker takes the best reading of a name that the graph has. Where the words around the name speak of another thing (a book, not the
film of that name; another year), what is known of the reading refutes nothing.
"""

from __future__ import annotations

import re

from guardrail.check.kg.compare.names import fold
from guardrail.types import Argument, Entity

__all__ = ["is_full_name", "reading_of"]

_TAIL = re.compile(r"^['’]?s?[\"”’*_]*\s+(?P<head>[^\W\d_][\w'’ -]*)$")
_BEHIND = re.compile(r"\s(?:of|in|at|for|from|on|by|to|with|and|or|himself|herself|itself|alone)\b.*$")
_ARTICLES = frozenset("the a an this that these those his her its their our my your".split())


def reading_of(argument: Argument, id_: str) -> Entity | None:
    """The candidate of the argument's name with this id."""
    for mention in argument.mentions:
        for candidate in mention.candidates:
            if candidate.entity.id == id_:
                return candidate.entity
    return None


def is_full_name(argument: Argument, entity: Entity) -> bool:
    """Whether the linked name is all there is: "the New York needle" is no New York, nor "Argentine heavy metal" all of it.

    A noun behind the name that says what the entity is leaves it the same: "the Titanic liner".
    """
    mention = argument.mention
    if mention is None or mention.text not in argument.text:
        return True
    before, _, after = argument.text.partition(mention.text)
    tail = _TAIL.match(_BEHIND.sub("", after))
    if tail is not None and not _told(tail["head"].split()[-1], entity):
        return False
    lead = [word for word in fold(before).split() if word not in _ARTICLES]
    return not (lead and mention.text.islower())


def _told(noun: str, entity: Entity) -> bool:
    """Whether a noun is one of the words that say what the entity is."""
    words = fold(f"{entity.label} {entity.description}").split()
    singular = fold(noun).rstrip("s")
    return any(word.rstrip("s") == singular for word in words)
