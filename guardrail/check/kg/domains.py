"""The domain of a relation as a test of a name's readings: a person has no headquarters, and a company no date of birth.

Only people are told from all else. A reading that cannot have the relation says nothing by its silence, so the other one stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from guardrail import ontology
from guardrail.rules import rule
from guardrail.types import Answer, Fact

__all__ = ["in_domain"]

_HUMAN, _PERSON = ontology.classes("human"), "person"


@rule("kind-of-reading", passes=1)
def in_domain(fact: Fact, answers: Sequence[Answer]) -> list[Answer]:
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
    domain = answer.property.domain or ontology.record(answer.property.id).domain
    human = not _HUMAN.isdisjoint(types)
    return not domain or (_PERSON in domain if human else set(domain) != {_PERSON})
