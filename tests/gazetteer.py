"""A small gazetteer in place of a linker, and the extractor over whole texts."""

from __future__ import annotations

import re
from functools import cache

from guardrail.claims.rules import RuleExtractor
from guardrail.extraction import claims_of as claims_in
from guardrail.types import Candidate, Claim, Context, Entity, Mention, Span

PERSON, CITY, COUNTRY, FILM, COMPANY, SERIES = "Q5", "Q515", "Q6256", "Q11424", "Q4830453", "Q5398426"
PEOPLE = {
    "Marie Curie": "f",
    "Pierre Curie": "m",
    "Albert Einstein": "m",
    "Taylor Swift": "f",
    "Niels Bohr": "m",
    "Ada Lovelace": "f",
}
THINGS = {
    "France": COUNTRY,
    "Germany": COUNTRY,
    "Spain": COUNTRY,
    "Portugal": COUNTRY,
    "United States": COUNTRY,
    "Ulm": CITY,
    "Paris": CITY,
    "Warsaw": CITY,
    "Toulouse": CITY,
    "Blagnac": CITY,
    "Berlin": CITY,
    "North America": "Q5107",
    "Titanic": FILM,
    "Batman & Robin": FILM,
    "Grey's Anatomy": SERIES,
    "Apple": COMPANY,
    "Southwest Airlines": COMPANY,
    "American Broadcasting Company": COMPANY,
    "Nobel Prize in Physics": "Q618779",
    "Boeing 737": "Q15056993",
    "Catholic Church": "Q43229",
    "Crater Lake National Park": "Q46169",
    "Crater Lake": "Q23397",
}


def link(text: str, offset: int = 0) -> list[Mention]:
    """The names of the gazetteer in a text, the longest first."""
    out: list[Mention] = []
    names = [(name, PERSON, gender) for name, gender in PEOPLE.items()]
    names += [(name, kind, "") for name, kind in THINGS.items()]
    for name, kind, gender in sorted(names, key=lambda one: -len(one[0])):
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            span = Span(match.start(), match.end())
            if not any(span.shift(offset).overlaps(other.span) for other in out):
                entity = Entity(f"Q:{name}", name, types=(kind,), gender=gender)  # type: ignore[arg-type]
                out.append(Mention(span.shift(offset), name, (Candidate(entity, 1.0),)))
    return sorted(out, key=lambda mention: mention.span)


class Names:
    """The gazetteer in the place of a linker."""

    def link(self, text: str, *, offset: int = 0, context: Context | None = None) -> list[Mention]:
        del context
        return link(text, offset)


@cache
def extractor() -> RuleExtractor:
    return RuleExtractor()


def claims_of(text: str, question: str = "") -> list[Claim]:
    """All claims of a text, sentence by sentence with the context that the sentences before have given."""
    return claims_in(text, extractor(), linker=Names(), question=question)


def facts_of(text: str, question: str = "") -> set[tuple[str, str, str]]:
    """(subject, best relation, object) of all facts of a text; the subject is the entity that a pronoun stands for."""
    out = set()
    for claim in claims_of(text, question):
        for fact in claim.facts:
            subject = fact.subject.mention.text if fact.subject.mention else fact.subject.text
            out.add((subject, fact.relations[0] if fact.relations else "", fact.object.text))
    return out
