"""Statements that no answer of the graph contains, compared by names and by the words of the relation.

They are the paths between the claim's entities, and triplets that came with the request in words. A path supports what it connects and
never contradicts; a given triplet contradicts only where its relation has one value per subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from guardrail import ontology
from guardrail.check.kg.aligned.words import denied_by_name
from guardrail.check.kg.compare.names import indefinite, like_node, like_words
from guardrail.check.kg.compare.slots import Match, match, match_bounded
from guardrail.check.kg.compare.timeline import ended
from guardrail.check.kg.confidence import UNDECIDED
from guardrail.check.kg.ends import forwards
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.relations import belongs, functional, locates, negates, related
from guardrail.rules import rule
from guardrail.types import Argument, Claim, Evidence, Fact, Node, Object, Property, Reason, Triplet, Value
from guardrail.values import find_values

__all__ = ["connected", "judge_by_words", "link_between"]

GIVEN, PATH, WRONG = 0.9, 0.8, 0.85
LOCATING = frozenset(ontology.ids("lies in"))

# Both ends may be swapped: what is said of one holds of the other.
# Nobody is a parent of his own parent, so the swapped statement refutes.
_PARENTAGE = ontology.roles("parentage")


def judge_by_words(
    index: int, fact: Fact, evidence: Evidence, *, today: date = date.min
) -> FactFinding | None:
    """What statements outside the answers say about `fact`; None when none bears on it. What is over by `today` supports no "is"."""
    asked = {triplet for answer in evidence.answers for triplet in answer.statements}
    pool = dict.fromkeys([*evidence.triplets, *(t for path in evidence.paths for t in path.triplets)])
    relevant = [t for t in pool if t not in asked and _bears_on(fact, t)]
    found = [
        _in_tense(finding, fact, today)
        for t in relevant
        if (finding := _best(index, fact, t, evidence)) is not None
    ]
    agreeing = [finding for finding in found if finding.state == "agree"]
    if agreeing:
        triplets = tuple(dict.fromkeys(t for finding in agreeing for t in finding.triplets))
        return replace(agreeing[0], triplets=triplets, known=tuple(k for f in agreeing for k in f.known))
    conflicts = [finding for finding in found if finding.state == "conflict"]
    if conflicts:
        return conflicts[0]
    return _placed(index, fact, pool) or (found[0] if found else None)


def _bears_on(fact: Fact, triplet: Triplet) -> bool:
    """Whether a statement may tell the fact: not where its property's name is a denial."""
    label = triplet.predicate.label
    return triplet.rank != "deprecated" and related(fact, triplet.predicate) and not denied_by_name(label)


def _in_tense(finding: FactFinding, fact: Fact, today: date) -> FactFinding:
    """Without the support of a statement that is over, where the fact is said to be so, or is not, where it is said that it used to
    be. Words alone led to it, so it refutes nothing.
    """
    over = all(ended(triplet, today) for triplet in finding.triplets)
    fits = not over if fact.tense == "present" else over or "used to" not in fact.predicate
    if finding.state != "agree" or fits:
        return finding
    return replace(finding, state="unknown", note="near", reason=Reason.INSUFFICIENT, confidence=UNDECIDED)


def _best(index: int, fact: Fact, triplet: Triplet, evidence: Evidence) -> FactFinding | None:
    """The alignment that says most: one that agrees, else one that conflicts."""
    known = ontology.record(triplet.predicate.id, evidence.properties)
    found = [*_aligned(index, fact, triplet, known), *_in_role(index, fact, triplet)]
    order = {"agree": 0, "conflict": 1, "unknown": 2}
    return min(found, key=lambda finding: order[finding.state], default=None)


@rule("roles-in-works")
def _in_role(index: int, fact: Fact, triplet: Triplet) -> Iterable[FactFinding]:
    """The work is an attribute and the subject a qualifier: "Bane was portrayed by Swenson in Batman & Robin".

    Where the triplet keeps no qualifiers it supports what it says of the other two; where it does, one must be the subject.
    """
    given = not triplet.subject.id
    ends = [(fact.object, a.object) for a in fact.attributes] + [
        (a.object, fact.object) for a in fact.attributes
    ]
    if not any(
        _names(work, triplet.subject, given) and match(who, triplet.object) == "same" for who, work in ends
    ):
        return
    roles = [q.object for q in triplet.qualifiers if isinstance(q.object, Node)]
    if any(_names(fact.subject, role, given) for role in roles) or (given and not roles):
        known = triplet.object if match(fact.object, triplet.object) == "same" else triplet.subject
        finding = _compared(index, fact.object, known, triplet, given=given)
        yield replace(finding, confidence=GIVEN if roles else 0.7)


def _aligned(index: int, fact: Fact, triplet: Triplet, known: Property) -> Iterable[FactFinding]:
    """The fact's subject at one end of the triplet, its object compared with the other; both ways round."""
    given = not triplet.subject.id
    for anchor, claimed, end, other in _named_ends(fact, triplet, given):
        finding = _compared(index, claimed, other, triplet, given=given)
        forwards = end is triplet.subject
        if _swapped(fact, known, anchor if forwards else claimed):
            yield from _wrong_parentage(finding, known)
            continue
        if finding.state != "agree" and not (forwards and given):
            continue  # whom else somebody directed says nothing; what the graph was not asked for only supports
        # Airbus Corporate Jets is not Airbus: what it has instead refutes nothing of the other
        certain = functional(triplet.predicate) and like_node(anchor, end) == "same"
        if finding.state == "conflict" and not certain:
            finding = replace(
                finding,
                state="unknown",
                reason=Reason.OPEN_LIST,
                note="open",
                confidence=UNDECIDED,
                answers=0,
            )
        yield finding


def _named_ends(
    fact: Fact, triplet: Triplet, given: bool
) -> Iterable[tuple[Argument, Argument, Node, Object]]:
    """Each argument of the fact that names an end of the triplet: this one and the other, this end and the other."""
    for anchor, claimed in ((fact.subject, fact.object), (fact.object, fact.subject)):
        for end, other in ((triplet.subject, triplet.object), (triplet.object, triplet.subject)):
            if isinstance(end, Node) and _names(anchor, end, given):
                yield anchor, claimed, end, other


@rule("swapped-ends", silent=False)
def _swapped(fact: Fact, known: Property, subject: Argument) -> bool:
    """Whether `subject` is the wrong end of the fact for the subject of such a statement: "Irène is the mother of Marie"."""
    way = forwards(fact, known)
    return way is not None and subject is not (fact.subject if way else fact.object)


def _wrong_parentage(finding: FactFinding, known: Property) -> Iterable[FactFinding]:
    """What a statement says of a fact that has its two ends exchanged: of parents that it is wrong, else nothing."""
    if finding.state == "agree" and ontology.plays(known, _PARENTAGE):
        yield replace(finding, state="conflict", note="swapped", known=(), answers=0, confidence=WRONG)


def _names(argument: Argument, node: Node, given: bool) -> bool:
    likeness = like_node(argument, node)
    return likeness == "same" or (given and likeness == "near")


def _compared(index: int, claimed: Argument, known: Object, triplet: Triplet, *, given: bool) -> FactFinding:
    found: Match = (
        "same" if indefinite(claimed) else match_bounded(claimed, _typed(known), triplet.predicate.label)
    )
    blank = FactFinding(
        fact=index,
        state="unknown",
        relation=triplet.predicate.label,
        claimed=claimed,
        known=(known,),
        triplets=(triplet,),
        note="near",
        reason=Reason.INSUFFICIENT,
        confidence=UNDECIDED,
        cardinality="single" if functional(triplet.predicate) else "unknown",
        answers=1,
    )
    if found == "same" or (found == "near" and given):
        confidence = GIVEN if found == "same" else PATH
        return replace(blank, state="agree", reason=None, note="", confidence=confidence)
    if found == "other":
        return replace(blank, state="conflict", reason=None, note="", confidence=WRONG)
    return replace(blank, answers=0)


def _typed(known: Object) -> Object:
    """A node given in words that is a date or a number is read as one."""
    if isinstance(known, Value) or known.id:
        return known
    values = find_values(known.label)
    if len(values) == 1 and values[0].text == known.label.strip() and values[0].value:
        return values[0].value
    return known


@rule("part-is-where-its-whole-is")
def _placed(index: int, fact: Fact, pool: Iterable[Triplet]) -> FactFinding | None:
    """A part is where its whole is: "Crater Lake is the main feature of Crater Lake National Park"."""
    words = fact.predicate.casefold().split()
    if (
        not LOCATING.issuperset(fact.relations)
        or not words
        or words[-1] not in ("of", "in", "within", "at", "inside")
    ):
        return None
    for triplet in pool:
        if not locates(triplet.predicate) or not _names(
            fact.subject, triplet.subject, not triplet.subject.id
        ):
            continue
        if match(fact.object, triplet.object) == "same":
            return FactFinding(
                fact=index,
                state="agree",
                relation=triplet.predicate.label,
                claimed=fact.object,
                known=(triplet.object,),
                triplets=(triplet,),
                note="path",
                confidence=0.7,
            )
    return None


@rule("further-evidence", silent=list)
def connected(claim: Claim, findings: Sequence[FactFinding], evidence: Evidence) -> list[FactFinding]:
    """Statements that join two names of the claim by words it has, besides those that answered its facts.

    They are evidence for what nobody read as a fact, and decide nothing.
    """
    cited = {triplet for finding in findings for triplet in finding.triplets}
    rest = claim.text
    for mention in claim.mentions:
        rest = rest.replace(mention.text, " ")
    if negates(rest):
        return []
    found = []
    for triplet in (path.triplets[0] for path in evidence.paths if path.hops == 1):
        if triplet in cited or not related(Fact(Argument(""), rest, Argument("")), triplet.predicate):
            continue
        ends = [_named_by(claim, end) for end in (triplet.subject, triplet.object)]
        if ends[0] is not None and ends[1] is not None:
            relation, known = triplet.predicate.label, (triplet.object,)
            found.append(
                FactFinding(
                    len(claim.facts), "agree", relation, ends[1], known, (triplet,), note="path", answers=1
                )
            )
    return found


def _named_by(claim: Claim, end: Object) -> Argument | None:
    """The words of the claim that name `end`."""
    for mention in claim.mentions:
        if isinstance(end, Node) and claim.span.contains(mention.span):
            argument = Argument(mention.text, mention.span, (mention,))
            if like_node(argument, end) == "same":
                return argument
    return None


def link_between(known: Sequence[Object], argument: Argument, pool: Iterable[Triplet]) -> Triplet | None:
    """The statement that puts one of `known` into the place or body that `argument` names."""
    nodes = [item for item in known if isinstance(item, Node)]
    for triplet in pool:
        if not (locates(triplet.predicate) or belongs(triplet.predicate)) or not isinstance(
            triplet.object, Node
        ):
            continue
        given = not triplet.object.id
        if any(_same(node, triplet.subject) for node in nodes) and _names(argument, triplet.object, given):
            return triplet
    return None


def _same(left: Node, right: Node) -> bool:
    if left.id and right.id:
        return left.id == right.id
    return like_words(left.label, right.label) == "same"
