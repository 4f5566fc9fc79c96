"""Classes that exclude each other: what is a planet is no star, what is a mammal no fish, and Albert Einstein is no city.

A class that does not fit is most often a sign that the name was taken for another thing: the graph's Amazon is a company, the
claim's a river. So only two cases count: groups of classes that tell their members apart, and people called by their full
name, which no place or substance shares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from guardrail import ontology
from guardrail.check.kg.compare.names import fold
from guardrail.types import Argument, Node

__all__ = ["CLASSES", "opposed"]

CLASSES = ontology.roles("class")
"""The part of relations by which something is of a class."""

_HUMAN = ontology.classes("human")
_GROUPS = ontology.exclusive_classes()
_WIDER = ontology.classes("all of a group")
_NO_PERSON = frozenset(
    "city town village country continent river ocean sea mountain planet moon galaxy language currency animal plant"
    " chemical element metal gas mineral".split()
)


def opposed(subject: Argument, claimed: Argument, known: Sequence[Node]) -> bool:
    """Whether the claimed class of `subject` excludes all its classes in the graph; False wherever one is not sure."""
    if not known:
        return False
    noun = fold(claimed.text)
    if all(node.id in _HUMAN for node in known):
        return noun.split()[-1:] != [] and noun.split()[-1] in _NO_PERSON and _full_name(subject)
    ids = {node.id for node in known} - _WIDER
    return any(ids and ids <= group.keys() and _another(noun, ids, group) for group in _GROUPS)


def _another(noun: str, ids: set[str], group: Mapping[str, frozenset[str]]) -> bool:
    """Whether the noun, in the singular or plural, is of a class of the group that is none of `ids`."""
    named = {
        id_ for id_, nouns in group.items() if {noun, noun.removesuffix("s"), noun.removesuffix("es")} & nouns
    }
    return bool(named) and not named & ids


def _full_name(subject: Argument) -> bool:
    """Whether the words are the whole name of the only one they may stand for, and more than one word."""
    mention = subject.mention
    if mention is None or len(mention.candidates) != 1 or len(mention.text.split()) < 2:
        return False
    return fold(mention.text) == fold(mention.candidates[0].entity.label)
