"""The reason for a verdict as one plain sentence that names the evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from guardrail import ontology
from guardrail.check.kg.finding import FactFinding, Note
from guardrail.types import Claim, Kind, Node, Object, Reason, Triplet, Value
from guardrail.values.render import as_sentence
from guardrail.values.units import unit_of

__all__ = ["rationale", "shown", "statement"]

_IS = (
    "located",
    "named",
    "owned",
    "operated",
    "followed",
    "based",
    "part of",
    "said",
    "different",
    "used",
    "born",
)
_DENIALS: Mapping[Note, str] = {"ranked": "so that it is not", "ended": "and that this is over"}
_CONFLICTS: Mapping[Note, str] = {
    "": "{facts}, not {claimed}",
    "age": "{facts}, which makes the age {known} and not {claimed}",
    "count": "there are {known}: {facts}",
    "least": "there are at least {known}: {facts}",
    "ranked": "{facts}, so that it is not as the claim says",
    "term": "{facts}, so that it is not as the claim says",
    "only": "{facts}, so that it is not only what is claimed",
    "swapped": "{facts}, and not the other way round",
    "ended": "{facts}, and that what is claimed is over",
    "current": "{facts}, and gives no end of it",
    "part": "{facts}, with {known} as the {relation}, not {claimed}",
}
_OPEN: Mapping[Note, str] = {
    "": "{facts}, which neither confirms nor refutes the claim",
    "finer": "{facts}, which is less exact than the claim",
    "part": '{facts}, but nothing about "{claimed}"',
    "level": '{facts}, but not whether "{claimed}" is in it, or around it',
    "open": '{facts}, but such a list may go on, so "{claimed}" is neither confirmed nor refuted',
    "ended": "{facts}, but that this is over",
    "current": "{facts}, but not that it is over",
}
_IS_A = ("instance of", "subclass of", "member of", "capital of", "participant in", "parent of", "child of")


def statement(triplet: Triplet) -> str:
    """A triplet as a clause: "Taylor Swift was born on 13 December 1989"."""
    phrase = ontology.saying(triplet.predicate.id, "say")
    label = triplet.predicate.label
    subject, object_ = triplet.subject.label, shown(triplet.object)
    if phrase:
        precision = getattr(triplet.object, "precision", None)
        if phrase.endswith(" on {o}") and precision is not None and precision < 11:
            phrase = phrase.replace(" on {o}", " in {o}")  # only of a day
        return phrase.format(s=subject, o=object_)
    if label.startswith(_IS):
        return f"{subject} is {label} {object_}"
    if label in _IS_A:
        return f"{subject} is {'an' if label[0] in 'aeiou' else 'a'} {label} {object_}"
    if label.startswith(("has ", "have ", "does ", "do ", "did ", "can ", "may ", "must ")):
        return f"{subject} {label} {object_}"
    if label.endswith((" by", " in", " at", " to", " from", " with", " for", " as", " on")):
        return f'"{label}" of {subject} is {object_}'
    return f"the {label} of {subject} is {object_}"


def shown(known: Object) -> str:
    """A node's label, or a value as people write it: "80,975,000", "381 metres" where a source gave the unit's id or label."""
    if isinstance(known, Node) or known.datatype != "quantity":
        return known.label
    match = re.fullmatch(r"(-?\d+)(\.\d+)?", known.value)
    if match is None:
        return known.label
    whole, decimals = match.groups(default="")
    number = (f"{int(whole):,}" if len(whole) > 4 else whole) + decimals
    if known.unit is None:
        return number if known.label == known.value else known.label
    unit = unit_of(known.unit)
    plain = known.label in {f"{one} {known.unit.id}" for one in (known.value, number)}
    plain = plain or known.label in {f"{one} {known.unit.label}" for one in (known.value, number)}
    return f"{number} {unit.label(number)}" if unit and plain else known.label


def rationale(
    claim: Claim, findings: Sequence[FactFinding], decisive: FactFinding | None, reason: Reason | None
) -> str:
    """One sentence: `decisive` is the finding that settled the label, `findings` are those of all facts."""
    if reason is Reason.AMBIGUOUS_REFERENCE:
        return "It is not clear whom or what this refers to, so it was not checked against anything."
    if decisive is None:
        return _nothing(claim, reason)
    source = _source(decisive.triplets)
    if reason is Reason.HEDGED or claim.kind is Kind.HEDGED:
        about = f": {source} says that {_listed(decisive.triplets)}" if decisive.triplets else ""
        return as_sentence(
            f"The claim is put as a possibility, which can be neither confirmed nor refuted{about}"
        )
    if decisive.note == "none" and decisive.state != "unknown":
        whose = decisive.triplets[0].subject.label
        return f'{_capital(source)} says that its list of "{decisive.relation}" is complete for {whose}, and that it is empty.'
    if decisive.state == "agree":
        return as_sentence(f"{_capital(source)} says that {_agreeing(findings, decisive)}")
    if decisive.state == "conflict":
        return as_sentence(f"{_capital(source)} says that {_conflicting(decisive)}")
    return _undecided(decisive, source, reason)


def _agreeing(findings: Sequence[FactFinding], decisive: FactFinding) -> str:
    if decisive.note == "age":
        return f"{_listed(decisive.triplets)}, which makes the age {decisive.known[0].label}"
    if decisive.negated:
        return f"{_listed(decisive.triplets)}, {_denying(decisive)}"
    triplets = [t for finding in findings if finding.state == "agree" for t in finding.triplets]
    return _in_time(triplets) if decisive.note == "term" else _listed(triplets)


def _in_time(triplets: Sequence[Triplet]) -> str:
    """Statements, each with the dates that it is qualified by."""
    told = dict.fromkeys(
        ", ".join(
            [
                statement(t),
                *(f"{q.predicate.label} {q.object.label}" for q in t.qualifiers if _dated(q.object)),
            ]
        )
        for t in triplets[:4]
    )
    return "; ".join(told)


def _dated(item: Object) -> bool:
    return isinstance(item, Value) and item.datatype == "date"


def _denying(finding: FactFinding) -> str:
    """Why a denial holds."""
    alone = "and there is only one such value, " if finding.cardinality == "single" else ""
    return _DENIALS.get(finding.note, f"{alone}so the denial holds")


def _conflicting(finding: FactFinding) -> str:
    if finding.negated:
        return f"{_listed(finding.triplets)}, which the claim denies"
    note = "" if finding.note == "part" and not finding.known else finding.note
    return _filled(_CONFLICTS.get(note, _CONFLICTS[""]), finding)


def _undecided(finding: FactFinding, source: str, reason: Reason | None) -> str:
    if reason is Reason.AMBIGUOUS_ENTITY:
        return f"A name in the claim may stand for more than one thing, and {source} does not say the same of each."
    if reason is Reason.NOT_READ:
        return "Part of the evidence was not read, so the claim is neither confirmed nor refuted."
    if not finding.triplets:
        return _silent(finding)
    return as_sentence(f"{_capital(source)} says that {_filled(_OPEN.get(finding.note, _OPEN['']), finding)}")


def _filled(template: str, finding: FactFinding) -> str:
    """`{facts}` are the statements, `{known}` is the first known value, `{claimed}` the words of the claim."""
    facts = _in_time(finding.triplets) if finding.note == "term" else _listed(finding.triplets)
    known = finding.known[0].label if finding.known else ""
    return template.format(facts=facts, known=known, claimed=finding.claimed.text, relation=finding.relation)


def _silent(finding: FactFinding) -> str:
    relation = f'the "{finding.relation}"' if finding.relation else "what is claimed"
    return f"The knowledge graph says nothing about {relation} here, so the claim is neither confirmed nor refuted."


def _nothing(claim: Claim, reason: Reason | None) -> str:
    if reason is Reason.NO_ENTITY:
        return "The knowledge graph does not know what this is about, so the claim is neither confirmed nor refuted."
    if reason is Reason.NOT_READ:
        return "Part of the evidence was not read, so the claim is neither confirmed nor refuted."
    if claim.kind is Kind.HEDGED:
        return "The claim is put as a possibility, and no evidence about it was found."
    return "No evidence was found that bears on this claim, so it is neither confirmed nor refuted."


def _source(triplets: Sequence[Triplet]) -> str:
    if triplets and all(triplet.source == "request" for triplet in triplets):
        return "the given evidence"
    return "the knowledge graph"


def _listed(triplets: Sequence[Triplet], most: int = 3) -> str:
    """Clauses joined; several values of one relation share its clause."""
    grouped: dict[tuple[str, str], list[Triplet]] = {}
    for triplet in triplets:
        grouped.setdefault((triplet.subject.label, triplet.predicate.label), []).append(triplet)
    clauses = []
    for group in list(grouped.values())[:most]:
        labels = list(dict.fromkeys(shown(t.object) for t in group))
        more = [f"{len(labels) - most} more"] if len(labels) > most else []
        ends = _and([*labels[:most], *more])
        clauses.append(statement(_with_object(group[0], Node("", ends)) if len(labels) > 1 else group[0]))
    return _and(clauses)


def _with_object(triplet: Triplet, object_: Object) -> Triplet:
    return Triplet(triplet.subject, triplet.predicate, object_)


def _and(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
