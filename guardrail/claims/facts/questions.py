"""FLEEK's questions in words, without a model: type-aware (what kind of answer) and context-driven (the sibling arguments).

"In which year was Taylor Swift born?", not "When …": the type of the object decides (§2.1.2, TQGen); the attributes of
an extended triple are added so that the answer is about this very event (CQGen).
"""

from __future__ import annotations

import re

from guardrail.claims.lexicon.relations import Lexicon
from guardrail.types import Fact

__all__ = ["question"]

_ASKS = {
    "date": "On which date",
    "year": "In which year",
    "age": "At what age",
    "person": "Who",
    "country": "Which country",
    "place": "Which place",
    "team": "Which team",
    "org": "Which organization",
    "work": "Which work",
    "event": "Which event",
    "award": "Which award",
    "language": "Which language",
    "character": "Which character",
}
_BE = re.compile(r"(?i)(is|was|are|were|has been|had been|have been|will be)\b ?(.*)")
_PREPOSITION = re.compile(
    r" (?:in|on|at|by|for|from|to|of|with|as|into|near|during|since|until|under|about)$"
)


def question(fact: Fact, lexicon: Lexicon) -> str:
    """The question whose answer is the fact's object; its subject is named as far as it is known."""
    subject = fact.subject.mention.text if fact.subject.mention is not None else fact.subject.text
    if fact.predicate == "age":
        return f"How old is {subject}?"
    context = "".join(
        f" {_preposition(one.name)}{one.object.text.removeprefix('age of ')}" for one in fact.attributes[:2]
    )
    kind = fact.object_type
    if kind == "quantity":
        return f"What is the {_label(fact, lexicon)} of {subject}{context}?"
    asked = _ASKS.get(kind, "What")
    if match := _BE.match(fact.predicate):
        verb, rest = match.groups()
        rest = _PREPOSITION.sub("", " " + rest).strip() if kind in ("date", "year") else rest
        if kind in ("place", "country", "org", "team", "work", "event", "award", "language") and (
            found := _PREPOSITION.search(" " + rest)
        ):
            rest = (" " + rest)[: found.start()].strip()
            return (
                f"{found.group().strip().capitalize()} which {_noun(kind)} {verb.lower()} {subject} {rest}".strip()
                + f"{context}?"
            )
        return f"{asked} {verb.lower()} {subject} {rest}".strip() + f"{context}?"
    if kind in ("date", "year") or fact.relations:
        return f"{asked} is the {_label(fact, lexicon)} of {subject}{context}?"
    return f"{asked}: {subject} {fact.predicate} …{context}?"


def _noun(kind: str) -> str:
    return {"org": "organization"}.get(kind, kind)


def _label(fact: Fact, lexicon: Lexicon) -> str:
    """The relation as a noun: the property's label, else the words of the text."""
    if fact.relations and not fact.relations[0].startswith("^"):
        return lexicon.labels.get(fact.relations[0], fact.predicate)
    return fact.predicate


def _preposition(name: str) -> str:
    return {"time": "in ", "place": "in ", "role": "as ", "amount": "with ", "age": "at the age of "}.get(
        name, f"{name} " if name else ""
    )
