"""Which readings of a name can have a relation at all: Nikola Tesla has no headquarters, and Tesla, Inc. no date of birth.

The domain of a relation, as far as it tells people from all else; a graph's own silence about one reading then leaves the
other one standing.
"""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.types import Answer, Fact

__all__ = ["fitting"]

_HUMAN = "Q5"
_OF_PEOPLE = frozenset("P19 P20 P22 P25 P26 P27 P39 P40 P69 P106 P119 P509 P569 P570 P3373".split())
_OF_OTHERS = frozenset(
    "P17 P30 P36 P37 P38 P47 P57 P112 P123 P131 P150 P159 P161 P169 P178 P404 P452 P495 P571 P576 P577 P740 P749 P1056"
    " P1082 P1086 P1128 P1376 P1454 P1619 P2043 P2044 P2046".split()
)


def fitting(fact: Fact, answers: Sequence[Answer]) -> list[Answer]:
    """The answers without those that are silent because their reading is of the wrong kind; all, where none would be left."""
    kinds = {
        candidate.entity.id: candidate.entity.types
        for argument in (fact.subject, fact.object)
        for mention in argument.mentions
        for candidate in mention.candidates
    }
    kept = [answer for answer in answers if answer.statements or _may_have(answer, kinds)]
    return kept if any(answer.statements for answer in kept) else list(answers)


def _may_have(answer: Answer, kinds: dict[str, tuple[str, ...]]) -> bool:
    types = kinds.get(answer.subject.id, ())
    if not types:
        return True  # nobody knows what it is
    wanted = _OF_OTHERS if _HUMAN in types else _OF_PEOPLE
    return answer.property.id not in wanted
