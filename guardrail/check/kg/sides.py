"""Which end of a statement answers which argument of a fact.

An answer was asked from one argument, the anchor; the statement's other end is what is known of the other argument. "France's
capital is Lyon" and "Lyon is the capital of France" are both asked from France: in the first the fact's object is what is
claimed, in the second its subject.
"""

from __future__ import annotations

from dataclasses import dataclass

from guardrail.types import Answer, Argument, Fact, Node, Object, Triplet

__all__ = ["Side", "side_of"]


@dataclass(frozen=True, slots=True)
class Side:
    """`claimed` is compared with the end of each statement that is not the anchor.

    `incoming`: the statements point at the anchor, (?, P, anchor): always a list that may go on.
    """

    anchor: Node
    claimed: Argument
    incoming: bool

    def known(self, triplet: Triplet) -> Object:
        """What the statement says in the place of what is claimed."""
        return triplet.subject if _points_at(triplet, self.anchor) else triplet.object


def side_of(fact: Fact, answer: Answer) -> Side:
    """The side of `answer` that its `about` names."""
    claimed = fact.subject if answer.about == "object" else fact.object
    return Side(answer.subject, claimed, answer.inverse and not answer.property.symmetric)


def _points_at(triplet: Triplet, anchor: Node) -> bool:
    """Whether the anchor is the statement's object, not its subject."""
    is_object = isinstance(triplet.object, Node) and _same(triplet.object, anchor)
    return is_object and not _same(triplet.subject, anchor)


def _same(left: Node, right: Node) -> bool:
    return left.id == right.id if left.id and right.id else left.label.casefold() == right.label.casefold()
