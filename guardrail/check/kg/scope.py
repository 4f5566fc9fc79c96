"""The scope of a conflict: a claim is refuted only by what the graph says of the very thing, list, time and figure that is claimed.

Where the words around show that another one is meant (the land area, a namesake's year, a part of the list), a conflict becomes unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from guardrail import ontology
from guardrail.check.kg.aligned.parts import of_a_part, released_elsewhere
from guardrail.check.kg.aligned.words import akin
from guardrail.check.kg.compare.exclusion import PLACES, RELEASES
from guardrail.check.kg.compare.names import fold
from guardrail.check.kg.confidence import UNDECIDED
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.identity import is_full_name, reading_of
from guardrail.rules import rule
from guardrail.types import Argument, Claim, Evidence, Fact, Reason, Span, Value
from guardrail.values.dates import Moment, moment_of

__all__ = ["scoped"]

_MORE_WORDS = re.compile(r"^\W*\w+\W+(?!(?:is|are|was|were)\b)\w")  # "five members are …" are all of them
_COUNTS = ("count", "least")
_WORD = re.compile(r"\w")
_NUMBER_OF = re.compile(r"\bnumber of\b", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]+")
_AGENT = re.compile(r"[^\W\d_]{3,}(?:er|or)s?\Z")
_INSIDE = re.compile(r"\bin\s+(?:the\s+)?\Z")
# An adjective that leaves a figure what it is; any other makes it another figure: "land area", "average elevation".
_SAME_FIGURE = frozenset(
    "total current estimated official overall approximate whole entire surface human".split()
)
_MEDIUM = re.compile(
    r"\b(?:film|movie|novel|book|album|song|series|musical|play|game|remake)s?\b", re.IGNORECASE
)
_BIRTH, _INCEPTION = ontology.roles("date of birth"), ontology.roles("inception")
_BEGUN = _BIRTH | _INCEPTION
# How many years before and after what is known another work of that name may have come out: a book before its film, a
# remake. A wrong year is mostly a near one.
_EARLIER, _REMADE = 3, 15
_BRACKET = 3  # characters between a name and the date in the bracket behind it
_RECORDED = 1880  # before it there were no films and no records
_OLDEST = 120
_GROWN_UP = 15
_LEAD = 6  # words between a year and the name behind it: "the 1967 animated musical film, The Jungle Book"
# Years between two people of one name, and between the life of a body and the time that somebody was in it.
_NAMESAKE = {"date of birth": 40, "date of death": 40, "inception": 10, "dissolved": 10}
_LIFE = ontology.roles(*_NAMESAKE)


def scoped(finding: FactFinding, fact: Fact, claim: Claim, evidence: Evidence) -> FactFinding:
    """`finding`, unknown where it conflicts only by what the claim does not say."""
    if finding.state != "conflict":
        return finding
    if not any(rule(finding, fact, claim, evidence) for rule in _RULES):
        return finding
    return replace(finding, state="unknown", note="near", reason=Reason.INSUFFICIENT, confidence=UNDECIDED)


@rule("part-of-a-count", silent=False)
def _of_a_part(finding: FactFinding, fact: Fact, claim: Claim, evidence: Evidence) -> bool:
    """Of what was counted only a part is: "eight countries in Europe", "seven major moons", "most MVP awards, with six"."""
    end = fact.object.span
    if finding.note not in _COUNTS or end is None or not claim.span.contains(end):
        return False
    after = claim.text[end.end - claim.span.start :]
    alone = not _WORD.search(after) and not _NUMBER_OF.search(claim.text)
    whose = fact.subject.span
    if whose is not None and whose.start > end.end and claim.span.contains(whose):
        return _WORD.search(claim.text[whose.end - claim.span.start :]) is not None  # "three moons of Mars"
    return alone or _MORE_WORDS.search(_behind_noun(after, fact)) is not None


def _behind_noun(after: str, fact: Fact) -> str:
    """The text behind a number from the last word of the noun on that it counts: "members in 2019" of "board members in 2019"."""
    nouns = fact.predicate.split()[1:]
    said = after.split(maxsplit=len(nouns) - 1) if nouns else []
    leading = [fold(word) for word in said[:-1]]
    return said[-1] if leading and leading == [fold(word) for word in nouns[:-1]] else after


def _of_some(finding: FactFinding, fact: Fact, claim: Claim, evidence: Evidence) -> bool:
    """Likewise of a figure that the graph has: "twelve antennas of the array are on its northern arm"."""
    number, whose = finding.claimed.span, fact.subject.span
    value = finding.claimed.value
    if value is None or value.datatype != "quantity" or value.unit is not None or finding.note in _COUNTS:
        return False
    if number is None or whose is None or not (claim.span.contains(number) and claim.span.contains(whose)):
        return False
    return of_a_part(
        claim.text, number.shift(-claim.span.start), whose.shift(-claim.span.start), finding.relation
    )


@rule("another-referent", silent=False)
def _of_another(finding: FactFinding, fact: Fact, claim: Claim, evidence: Evidence) -> bool:
    """The name stands for another thing than the one that was asked about, or in another's name for the claimed place."""
    main = finding.main or finding
    anchor = fact.object if main.end == "object" else fact.subject
    entity = reading_of(anchor, main.reading)
    if entity is not None and not is_full_name(anchor, entity):
        return True
    claimed = finding.claimed.mention.entity if finding.claimed.mention else None
    return finding.plays(PLACES) and claimed is not None and not is_full_name(finding.claimed, claimed)


def _of_another_release(finding: FactFinding, fact: Fact, claim: Claim, evidence: Evidence) -> bool:
    """The date is that of an edition: "published in Norway in 2008"."""
    if not _is_date(finding.claimed):
        return False
    own = fact.subject.span
    names = [own.shift(-claim.span.start)] if own is not None and claim.span.contains(own) else []
    return released_elsewhere(claim.text, finding.relation, names, finding.triplets)


@rule("another-figure", silent=False)
def _of_another_figure(finding: FactFinding, fact: Fact, claim: Claim, evidence: Evidence) -> bool:
    """The land area is not the area, nor the urban population the population."""
    value = finding.claimed.value
    if value is None or value.datatype != "quantity" or not finding.relation or finding.note in _COUNTS:
        return False
    said = re.search(rf"(\w+)\s+{re.escape(fold(finding.relation))}\b", fold(fact.predicate))
    if said is None:
        words = re.escape(finding.relation.casefold())
        said = re.search(rf"\b(?:a|an|the|its|with)\s+(\w+)\s+{words}\b", claim.text.casefold())
    return said is not None and said[1] not in _SAME_FIGURE


@rule("place-of-an-agent", silent=False)
def _of_its_agent(finding: FactFinding, fact: Fact, claim: Claim, evidence: Evidence) -> bool:
    """Whoever does something is not where it is done: "published in Norway" says nothing of the publisher."""
    span, agent = finding.claimed.span, _AGENT.search(fold(finding.relation))
    if span is None or agent is None or not claim.span.contains(span):
        return False
    if not _INSIDE.search(claim.text[: span.start - claim.span.start]):
        return False
    verbs = _WORDS.findall(fold(fact.predicate))
    return any(akin(agent[0], verb) and not verb.startswith(agent[0].removesuffix("s")) for verb in verbs)


@rule("namesake-by-year", silent=False)
def _of_a_namesake(finding: FactFinding, fact: Fact, claim: Claim, evidence: Evidence) -> bool:
    """A year that only tells which one is meant, "Ragtime (1975)", and is far from all that are known: another one is meant."""
    name, date = fact.subject.span, finding.claimed.span
    if not _is_date(finding.claimed) or name is None or date is None:
        return False
    if finding.plays(_LIFE):
        bracketed = _behind(name, date) or _in_bracket(date, claim)
        return bracketed and _of_another_life(finding, fact, claim, evidence)
    return finding.plays(RELEASES) and _of_another_work(finding, name, date, claim)


def _behind(name: Span, date: Span) -> bool:
    return 0 <= date.start - name.end <= _BRACKET


def _of_another_work(finding: FactFinding, name: Span, date: Span, claim: Claim) -> bool:
    """Whether a year in a bracket behind a name, or before the name, is too far from when that work came out."""
    years = _years_apart(finding)
    if _behind(name, date):
        return not -_EARLIER <= years <= _REMADE
    return abs(years) > _EARLIER and _year(finding) >= _RECORDED and _leads_to(name, date, claim)


def _leads_to(name: Span, date: Span, claim: Claim) -> bool:
    """Whether a date stands before a name, with nothing between them or only the kind of work that it is."""
    if date.end >= name.start or not claim.span.contains(Span(date.end, name.start)):
        return False
    between = Span(date.end, name.start).shift(-claim.span.start).of(claim.text)
    noun = len(between.split()) <= _LEAD and _MEDIUM.search(between) is not None
    return noun or not between.strip(" \"“‘'*_")


def _of_another_life(finding: FactFinding, fact: Fact, claim: Claim, evidence: Evidence) -> bool:
    """Whether both ends of a range are others than the known ones, and one is far from them: it is the life of a namesake,
    or the time of something else, as in "Gandhi (1921–1947)". A range that is no life is a mistake.
    """
    others = _other_ends(fact, claim)
    lasting = _lasting(finding, others)
    if lasting is None:
        return False
    known = _moments_known((finding.main or finding).reading, evidence)
    if _within_life(known, *lasting):
        return True
    apart = [abs(_years_apart(finding))]
    apart += [
        abs(ours.year - theirs.year) for part, ours in others if (theirs := known.get(part)) is not None
    ]
    return min(apart) > 0 and max(apart) > min(
        years for part, years in _NAMESAKE.items() if finding.plays(frozenset({part}))
    )


def _lasting(finding: FactFinding, others: Sequence[tuple[str, Moment]]) -> tuple[int, int] | None:
    """The first and the last year of a range that may be a life; None for any other, and where only one end is told."""
    years = [(finding.plays(_BEGUN), _year(finding)), *((part in _BEGUN, one.year) for part, one in others)]
    first = next((year for begins, year in years if begins), None)
    last = next((year for begins, year in years if not begins), None)
    if first is None or last is None or not 0 <= last - first <= _OLDEST:
        return None
    return first, last


def _moments_known(id_: str, evidence: Evidence) -> dict[str, Moment | None]:
    """By the parts that an entity's properties play, the dates that they have; None for what is no date."""
    return {
        part: moment_of(t.object) if isinstance(t.object, Value) else None
        for t in evidence.triplets
        if t.subject.id == id_
        for part in ontology.record(t.predicate.id, evidence.properties).roles
    }


def _within_life(known: Mapping[str, Moment | None], first: int, last: int) -> bool:
    """Whether a range lies within what is known of a grown-up life: "Bill Gates (1975–2000)" tells when he was something."""
    born, died = known.get("date of birth"), known.get("date of death")
    return born is not None and first - born.year >= _GROWN_UP and (died is None or last < died.year)


def _other_ends(fact: Fact, claim: Claim) -> list[tuple[str, Moment]]:
    """The other dates of a life or a duration that the claim gives of the same subject, with the parts that their relations play."""
    found = []
    for other in claim.facts:
        moment = moment_of(other.object.value) if other.object.value else None
        played = {role for relation in other.relations for role in ontology.record(relation).roles}
        part = next(iter(sorted(_LIFE & played)), "")
        if other is not fact and other.subject.span == fact.subject.span and part and moment:
            found.append((part, moment))
    return found


def _year(finding: FactFinding) -> int:
    moment = moment_of(finding.claimed.value) if finding.claimed.value else None
    return moment.year if moment else 0


def _in_bracket(date: Span, claim: Claim) -> bool:
    """Whether the date stands in a bracket of the claim: the second one of a life's two."""
    before = claim.text[: max(0, date.start - claim.span.start)]
    return before.rfind("(") > before.rfind(")")


def _years_apart(finding: FactFinding) -> int:
    """The years from the nearest known date to the claimed one, below 0 before it; 0 where they cannot be told."""
    ours = moment_of(finding.claimed.value) if finding.claimed.value else None
    known = [moment_of(one) for one in finding.known if isinstance(one, Value)]
    years = [ours.year - one.year for one in known if one is not None and ours is not None]
    return min(years, key=abs, default=0)


def _is_date(argument: Argument) -> bool:
    return argument.value is not None and argument.value.datatype == "date"


_Rule = Callable[[FactFinding, Fact, Claim, Evidence], bool]
_RULES: tuple[_Rule, ...] = (
    _of_a_part,
    _of_some,
    _of_another,
    _of_another_figure,
    _of_another_release,
    _of_its_agent,
    _of_a_namesake,
)
