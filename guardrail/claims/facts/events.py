"""Facts of one event: tense, extended triples, what they imply, and no fact twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Literal

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.reading.chunks import VG
from guardrail.language.lists import word_list
from guardrail.ontology import ids
from guardrail.rules import rule
from guardrail.types import Argument, Attribute, Fact

__all__ = ["distinct", "extended", "fact_of", "implied", "related", "tense"]

MOST = 8  # attributes of a fact
# What a fact says besides about its object: the date of a founding, of a discovery.
_IMPLIED = {
    f"^{id_}": ids(date)[0]
    for part, date in (("founder", "inception"), ("discoverer or inventor", "discovery date"))
    for id_ in ids(part)
}


_ISSUES = re.compile(
    r"(?:has |had |have )?(?:first )?(?:released?|releases|publish(?:ed|es)?|issued|issues)$"
)


def tense(vg: VG) -> Literal["former", "past", "present"]:
    """The tense of a verb group: "former" where it was so and is over, else "past" or "present"."""
    if vg.former:
        return "former"
    return "past" if vg.past else "present"


def fact_of(
    arguments: Arguments,
    ends: tuple[Argument, Argument],
    words: str,
    relations: tuple[str, ...],
    vg: VG,
    *,
    negated: bool = False,
) -> Fact:
    """The fact that a verb states of its subject and of what else belongs to it, `ends`."""
    who, what = ends
    universal = vg.never or arguments.universal(what)
    return Fact(
        who,
        words,
        what,
        relations=relations,
        object_type=arguments.type_of(what),
        negated=((vg.negated and not _until(what, vg)) or arguments.denied(what) or arguments.denied(who))
        != negated,
        universal=universal or arguments.universal(who),
        tense=tense(vg),
        predicate_span=arguments.reading.span(vg.first, vg.last),
    )


@rule("not-until", silent=False)
def _until(what: Argument, vg: VG) -> bool:
    """Whether it is a date up to which something is denied that then happened: "did not open until 1964"."""
    dated = what.value is not None and what.value.datatype == "date"
    return dated and what.modifier == "until" and vg.stem not in word_list("enduring")


def related(facts: Sequence[Fact]) -> bool:
    return any(fact.relations for fact in facts)


def extended(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Each complement's fact with the other complements as its attributes: FLEEK's extended triples.

    Of many, the first `MOST`: with all of them a list would cost its square.
    """
    attributes = [(fact, Attribute(_role(fact), fact.object)) for fact in facts]
    for fact in facts:
        others = (
            attribute
            for other, attribute in attributes
            if other is not fact and other.object.span != fact.object.span
        )
        yield replace(fact, attributes=tuple(islice(others, MOST)))


def _role(fact: Fact) -> str:
    """The name of an attribute: time, place, age, amount, role, or the preposition."""
    last = fact.predicate.rsplit(" ", 1)[-1]
    if fact.object_type in ("date", "year"):
        return "time"
    if "age of" in fact.predicate:
        return "age"
    if fact.object_type == "quantity":
        return "amount"
    if last == "as":
        return "role"
    if fact.object_type == "place" or last in ("in", "at", "near", "to"):
        return "place"
    return last


def distinct(facts: Sequence[Fact]) -> Iterator[Fact]:
    seen = set()
    for fact in facts:
        key = (
            fact.subject.text,
            fact.object.span,
            fact.object.text,
            fact.relations,
            fact.predicate if not fact.relations else "",
        )
        if key not in seen:
            seen.add(key)
            yield fact


@rule("founding-implies")
def implied(fact: Fact) -> Iterator[Fact]:
    """What a founding or a discovery also says of its object: when and where that began ("He founded Apple in 1976")."""
    turned = next((_IMPLIED[one] for one in fact.relations[:1] if one in _IMPLIED), None)
    if turned is None and _ISSUES.match(fact.predicate) and fact.object.value is None:
        (turned,) = ids("publication date")  # "X published On the Origin of Species in 1859"
    if turned is None:
        return
    for attribute in fact.attributes:
        if attribute.name == "time" and attribute.object.value is not None:
            yield replace(
                fact,
                subject=fact.object,
                object=attribute.object,
                relations=(turned,),
                object_type="date",
                attributes=(),
            )
