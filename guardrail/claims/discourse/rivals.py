"""What a sentence speaks of without naming it, which a pronoun of the next one may mean as well as a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guardrail.language import Doc

__all__ = ["Rival", "rivals_in"]

_SALIENCE = {"nsubj": 2.8, "obj": 1.0, "iobj": 1.0, "obl": 0.8, "nmod": 0.5}
"""By the relation in which a noun stands: the subject is what the sentence is about."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A thing without a name. `noun`: what it is called; `salience`: as that of names in `Discourse`."""

    noun: str
    salience: float


def rivals_in(doc: Doc) -> Iterator[Rival]:
    """The singular common nouns in the roles that a pronoun may take up. What a name is said to be ("is a city") is none."""
    for token in doc.tokens:
        salience = _SALIENCE.get(token.dep.split(":")[0])
        if token.tag == "NN" and salience is not None:
            yield Rival(token.low, salience)
