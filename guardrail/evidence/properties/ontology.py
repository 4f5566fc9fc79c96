"""What a graph's writers and readers ask of `guardrail.ontology`: which statements are over, and what a record leaves open."""

from __future__ import annotations

from dataclasses import replace

from guardrail import ontology
from guardrail.types import Property, Triplet

START, END, POINT = ontology.ids("start time"), ontology.ids("end time"), ontology.ids("point in time")
TYPES = frozenset(ontology.ids("instance of", alike=True))
(GENDER,) = ontology.ids("gender")
_GENDERS = dict.fromkeys(ontology.classes("male"), "m") | dict.fromkeys(ontology.classes("female"), "f")

SINGLE_FROM = 0.98
"""Share of subjects with one value from which on a relation counts as single-valued."""
MEASURED_FROM = 100
"""Subjects below which the share says nothing."""

_ENDS, _POINTS = ontology.names("end time"), ontology.names("point in time")


def gender(class_id: str) -> str:
    """What an entity's `gender` is where a person is said to be of this class: "m", "f", or "" for anything else."""
    return _GENDERS.get(class_id, "")


def is_end(predicate_id: str, label: str) -> bool:
    """Whether a qualifier of this id and label says until when."""
    return predicate_id.casefold() in _ENDS or label.casefold() in _ENDS


def is_point(predicate_id: str, label: str) -> bool:
    """Whether a qualifier of this id and label says when."""
    return predicate_id.casefold() in _POINTS or label.casefold() in _POINTS


def is_over(statement: Triplet) -> bool:
    """Whether the statement says until when it was so."""
    return any(is_end(q.predicate.id, q.predicate.label) for q in statement.qualifiers)


def changes(statement: Triplet) -> bool:
    """Whether one statement is enough to see that its relation changes with time; of those in the file it is known."""
    return is_over(statement) and not ontology.curated(Property(statement.predicate.id, ""))


def with_curation(known: Property) -> Property:
    """`known` as it is written down: what the file says of its id is added to what is given; its parts are added by readers."""
    if not ontology.curated(known):
        return known
    return replace(ontology.completed(known), roles=known.roles, same_as=known.same_as, domain=known.domain)
