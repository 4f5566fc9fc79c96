"""Which statements are about what a claim is about, and not only about the same object.

A statement that shares the object alone says nothing of the claim's subject. Exact comparison goes by slots and is not misled; a
model reads all that is put before it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from guardrail.check.kg.compare.names import like_node
from guardrail.types import Claim, Evidence, Node, Triplet

__all__ = ["relevant"]


def relevant(claim: Claim, evidence: Evidence) -> Evidence:
    """`evidence` without the statements that name no subject of the claim's facts, nor stand in a path with one that does.

    Unchanged where the claim has no facts; what is named in words alone counts by its words.
    """
    if not claim.facts:
        return evidence
    subjects = tuple(dict.fromkeys(fact.subject for fact in claim.facts))

    @cache  # a claim's statements share their nodes, and its paths their statements
    def is_subject(node: Node) -> bool:
        return any(like_node(subject, node) != "other" for subject in subjects)

    def names_subject(triplet: Triplet) -> bool:
        return any(isinstance(end, Node) and is_subject(end) for end in (triplet.subject, triplet.object))

    own = {triplet for triplet in evidence.triplets if names_subject(triplet)}
    paths = tuple(path for path in evidence.paths if any(map(names_subject, path.triplets)))
    own.update(triplet for path in paths for triplet in path.triplets)
    return replace(evidence, triplets=tuple(one for one in evidence.triplets if one in own), paths=paths)
