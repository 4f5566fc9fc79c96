"""Triples as claims: sentences from hand-written templates, and claims whose one fact is given.

The first goes through the whole verifier, as a user's text does; the second asks evidence and checker alone.
"""

from __future__ import annotations

from guardrail.evidence.store.graph import Graph
from guardrail.types import Argument, Candidate, Claim, Entity, Fact, Mention, Span

__all__ = ["TEMPLATES", "claim_of", "sentence_of"]

# {s} and {o} stand for the labels; the tense is that of the sentence.
TEMPLATES = {
    "P17": "{s} is located in {o}.",
    "P19": "{s} was born in {o}.",
    "P20": "{s} died in {o}.",
    "P26": "{s} was married to {o}.",
    "P27": "{s} is a citizen of {o}.",
    "P30": "{s} is located in {o}.",
    "P35": "The head of state of {s} is {o}.",
    "P37": "The official language of {s} is {o}.",
    "P40": "{o} is a child of {s}.",
    "P50": "{s} was written by {o}.",
    "P54": "{s} played for {o}.",
    "P57": "{s} was directed by {o}.",
    "P69": "{s} studied at {o}.",
    "P101": "{s} worked in the field of {o}.",
    "P102": "{s} was a member of {o}.",
    "P106": "{s} worked as a {o}.",
    "P108": "{s} worked for {o}.",
    "P112": "{s} was founded by {o}.",
    "P119": "{s} was buried in {o}.",
    "P131": "{s} is located in {o}.",
    "P135": "{s} was part of the {o} movement.",
    "P136": "The genre of {s} is {o}.",
    "P138": "{s} is named after {o}.",
    "P140": "The religion of {s} was {o}.",
    "P159": "{s} is headquartered in {o}.",
    "P161": "{s} stars {o}.",
    "P166": "{s} won the {o}.",
    "P172": "{s} belongs to the ethnic group {o}.",
    "P264": "{s} recorded for {o}.",
    "P361": "{s} is part of {o}.",
    "P451": "{o} was the partner of {s}.",
    "P463": "{s} is a member of {o}.",
    "P495": "{s} comes from {o}.",
    "P509": "{s} died of {o}.",
    "P530": "{s} has diplomatic relations with {o}.",
    "P551": "{s} lived in {o}.",
    "P737": "{s} was influenced by {o}.",
    "P740": "{s} was founded in {o}.",
    "P749": "The parent organization of {s} is {o}.",
    "P1303": "{s} plays the {o}.",
    "P1412": "{s} speaks {o}.",
    "P3373": "{s} is a sibling of {o}.",
}


def sentence_of(subject: str, property_: str, object_: str) -> str | None:
    """The triple as a sentence; None without a template."""
    template = TEMPLATES.get(property_)
    return template.format(s=subject, o=object_) if template else None


def claim_of(graph: Graph, subject: str, property_: str, object_: str) -> Claim | None:
    """The triple of ids as a claim with one fact; None where the graph does not know an end."""
    ends = graph.entity(subject), graph.entity(object_)
    if ends[0] is None or ends[1] is None:
        return None
    text = f"{ends[0].label} {property_} {ends[1].label}"
    left = _argument(ends[0], 0)
    right = _argument(ends[1], len(text) - len(ends[1].label))
    fact = Fact(left, property_, right, relations=(property_,))
    return Claim(0, Span(0, len(text)), text, text, (fact,), (*left.mentions, *right.mentions))


def _argument(entity: Entity, start: int) -> Argument:
    span = Span(start, start + len(entity.label))
    return Argument(entity.label, span, (Mention(span, entity.label, (Candidate(entity, 0.0),)),))
