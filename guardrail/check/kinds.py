"""Classes that exclude each other: what is a planet is no star, and Albert Einstein is no city.

A class that does not fit is most often a sign that the name was taken for another thing: the graph's Amazon is a company, the
claim's a river. So only two cases count: bodies in the sky, which are told apart by just this, and people
called by their full name, which no place or substance shares.
"""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.check.names import fold
from guardrail.types import Argument, Node

__all__ = ["opposed"]

_HUMAN = "Q5"
_BODIES = {"Q523": "star", "Q634": "planet", "Q2537": "moon", "Q318": "galaxy", "Q3559": "comet"}
_NOUNS = {
    "star": "star", "sun": "star", "planet": "planet", "moon": "moon", "natural satellite": "moon", "satellite": "moon",
    "galaxy": "galaxy", "comet": "comet",
}  # fmt: skip
_NO_PERSON = frozenset(
    "city town village country continent river ocean sea mountain planet moon galaxy language currency animal plant"
    " chemical element metal gas mineral".split()
)


def opposed(subject: Argument, claimed: Argument, known: Sequence[Node]) -> bool:
    """Whether the claimed class of `subject` excludes all its classes in the graph; False wherever one is not sure."""
    if not known:
        return False
    noun = fold(claimed.text)
    if all(node.id == _HUMAN for node in known):
        return noun.split()[-1:] != [] and noun.split()[-1] in _NO_PERSON and _full_name(subject)
    bodies = {_BODIES.get(node.id, "") for node in known}
    body = _NOUNS.get(noun, "")
    return bool(body) and "" not in bodies and body not in bodies


def _full_name(subject: Argument) -> bool:
    """Whether the words are the whole name of the only one they may stand for, and more than one word."""
    mention = subject.mention
    if mention is None or len(mention.candidates) != 1 or len(mention.text.split()) < 2:
        return False
    return fold(mention.text) == fold(mention.candidates[0].entity.label)
