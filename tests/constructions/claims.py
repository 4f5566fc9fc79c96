"""What the rules make of a text about the people and places of the gazetteer: claims, their kinds, wordings and facts."""

from __future__ import annotations

from fnmatch import fnmatchcase

from guardrail.types import Argument, Fact
from tests.constructions.corpus import Reader, plain
from tests.gazetteer import claims_of, facts_of

Triple = tuple[str, str, str]


def texts(text: str, question: str = "") -> list[str]:
    """The words of each claim, which stand at its place."""
    claims = claims_of(text, question)
    assert [claim.span.of(text) for claim in claims] == [claim.text for claim in claims]
    return [claim.text for claim in claims]


def all_facts(text: str, question: str = "") -> list[Fact]:
    return [fact for claim in claims_of(text, question) for fact in claim.facts]


def readings(text: str, question: str = "") -> set[Triple]:
    """Each fact with each relation that it may have."""
    return {
        (fact.subject.text, relation, fact.object.text)
        for fact in all_facts(text, question)
        for relation in fact.relations
    }


def short_answer(text: str, question: str) -> list[str]:
    """The one fact of a short answer as the graph has it; one of its ends stands in the question only, both in the claim's wording."""
    (claim,) = claims_of(text, question)
    (fact,) = claim.facts
    assert None in (fact.subject.span, fact.object.span)
    ends = [fact.subject.text, fact.object.text]
    assert all(end in claim.resolved for end in ends)
    relation = fact.relations[0]
    start, end = reversed(ends) if relation.startswith("^") else ends
    return [start, relation.removeprefix("^"), end]


def bounds(text: str) -> list[list[object]]:
    """Relation, modifier and value of the one fact of the first claim, which is not denied."""
    (fact,) = claims_of(text)[0].facts
    assert fact.object.value is not None
    assert not fact.negated
    return [[relation, fact.object.modifier, fact.object.value.value] for relation in fact.relations]


def antecedent(text: str) -> str | None:
    """The name that the subject of the last claim with facts stands for."""
    subjects: list[Argument] = [claim.facts[0].subject for claim in claims_of(text) if claim.facts]
    mention = subjects[-1].mention
    return mention.text if mention else None


def matched(observed: set[Triple], patterns: list[list[str]]) -> bool:
    """Each pattern (`*` for any words) is that of a fact."""
    return all(any(is_like(fact, pattern) for fact in observed) for pattern in patterns)


def unmatched(observed: set[Triple], patterns: list[list[str]]) -> bool:
    """No fact is like any of the patterns."""
    return not any(is_like(fact, pattern) for fact in observed for pattern in patterns)


def is_like(fact: Triple, pattern: list[str]) -> bool:
    return all(fnmatchcase(part, wanted) for part, wanted in zip(fact, pattern, strict=True))


def objects(observed: set[Triple], expected: dict[str, list[str]]) -> bool:
    """Of each relation just these objects are told."""
    return all(
        {what for _, relation, what in observed if relation == asked} == set(wanted)
        for asked, wanted in expected.items()
    )


def relations(observed: set[Triple], expected: dict[str, list[str]]) -> bool:
    """Of each object (`*` for any words) just these relations are told."""
    return all(
        {relation for _, relation, what in observed if fnmatchcase(what, asked)} == set(wanted)
        for asked, wanted in expected.items()
    )


def among(observed: list[object], expected: list[object]) -> bool:
    return all(one in plain(observed) for one in expected)


READERS = {
    "claims": Reader(texts),
    "kinds": Reader(lambda text, question="": [claim.kind for claim in claims_of(text, question)]),
    "wordings": Reader(lambda text, question="": [claim.resolved for claim in claims_of(text, question)]),
    "facts": Reader(facts_of, matched),
    "no_facts": Reader(facts_of, unmatched),
    "all_facts": Reader(facts_of, lambda observed, expected: plain(observed) == sorted(expected)),
    "objects": Reader(facts_of, objects),
    "relations": Reader(facts_of, relations),
    "readings": Reader(readings, matched),
    "subjects": Reader(lambda text: {subject for subject, _, _ in facts_of(text)}),
    "short_answer": Reader(short_answer),
    "bounds": Reader(bounds, among),
    "question": Reader(lambda text: claims_of(text)[0].facts[0].question),
    "antecedent": Reader(antecedent),
    "tenses": Reader(lambda text: {fact.tense for fact in all_facts(text)}),
    "denied": Reader(lambda text: {fact.object.text: fact.negated for fact in all_facts(text)}),
    "negated": Reader(lambda text: claims_of(text)[0].facts[0].negated),
}
