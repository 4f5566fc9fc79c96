"""Classes of entities in policies: people write names, verdicts have the graph's ids, and what fits nothing is told.

`named` puts ids in the place of the names in `entity_type`; `faults` are the names that no class has. An id of Wikidata or an
address is taken as it is: the graph that knows it may come later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from guardrail.evidence.catalog.classes import classes_called, classes_near
from guardrail.evidence.knowledge import Knowledge
from policies.reader import Document, Problem
from policies.terms import ClaimCondition, ClaimRule, Policy

__all__ = ["Classes", "GraphClasses", "class_faults", "class_words", "is_id", "named"]

_ID = re.compile(r"Q[1-9]\d*|[A-Za-z][A-Za-z0-9+.-]*:\S+", re.IGNORECASE)


class Classes(Protocol):
    """What a graph knows of classes. Methods raise KnowledgeError where it cannot be read."""

    def called(self, word: str, /) -> Sequence[str]:
        """Ids of the classes of this id, label or alias."""
        ...

    def near(self, word: str, /) -> Sequence[str]:
        """What may have been meant, each with its id."""
        ...


class GraphClasses:
    """Those of a graph, which is opened only where a policy speaks of a class."""

    def __init__(self, graph: Callable[[], Knowledge]) -> None:
        self._graph = graph

    def called(self, word: str, /) -> Sequence[str]:
        return classes_called(self._graph(), word)

    def near(self, word: str, /) -> Sequence[str]:
        return [f"{one.label} ({one.id})" for one in classes_near(self._graph(), word)]


def is_id(word: str) -> bool:
    """Whether a word is an id by its form: `Q12140`, `http://example.org/Drug`."""
    return _ID.fullmatch(word) is not None


def named(policy: Policy, classes: Classes) -> Policy:
    """The policy with the ids of the classes that it names; a name that no class has stays."""
    return replace(policy, claims=tuple(_rule(rule, classes) for rule in policy.claims))


def class_faults(document: Document, policy: Policy, classes: Classes) -> Iterator[Problem]:
    """The names in a policy, as it was written, that no class has: such a condition can never hold."""
    for key, word in class_words(policy):
        if is_id(word) or classes.called(word):
            continue
        near = ", ".join(classes.near(word))
        hint = f"did you mean {near}? " if near else ""
        message = (
            f"no class is called `{word}`, so this can never apply; {hint}`guardrail kg classes` lists them"
        )
        yield Problem(document.line(key), key, message)


def class_words(policy: Policy) -> Iterator[tuple[str, str]]:
    """Each word under `entity_type`, behind its key."""
    for index, rule in enumerate(policy.claims):
        for part, condition in (("when", rule.when), ("unless", rule.unless)):
            for word in condition.entity_type if condition else ():
                yield f"claims[{index}].{part}.entity_type", word


def _rule(rule: ClaimRule, classes: Classes) -> ClaimRule:
    unless = _condition(rule.unless, classes) if rule.unless else None
    return replace(rule, when=_condition(rule.when, classes), unless=unless)


def _condition(condition: ClaimCondition, classes: Classes) -> ClaimCondition:
    if all(is_id(word) for word in condition.entity_type):
        return condition
    ids = [one for word in condition.entity_type for one in _ids(word, classes)]
    return replace(condition, entity_type=tuple(dict.fromkeys(ids)))


def _ids(word: str, classes: Classes) -> Sequence[str]:
    return [word] if is_id(word) else classes.called(word) or [word]
