"""What a claim says beyond its facts: a superlative, an ordinal, a name or a value that no fact took up.

"Mercury is the largest planet" is not supported by Mercury being a planet. Facts are what was read of a claim; where a part
of it was not read, agreement of the rest does not support the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from guardrail import ontology
from guardrail.check.kg.compare.identifiers import fabricated
from guardrail.check.kg.compare.names import fold, like_words
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.qualifiers.attributes import as_told, with_attributes
from guardrail.check.kg.qualifiers.entailment import not_entailed
from guardrail.check.kg.qualifiers.polarity import denies
from guardrail.rules import rule
from guardrail.types import (
    Argument,
    Attribute,
    Claim,
    Evidence,
    Mention,
    Node,
    Qualifier,
    Span,
    Triplet,
    Value,
)
from guardrail.values import compare, find_values
from guardrail.values.numbers import ORDINAL_WORDS, WORDS, read_number

__all__ = ["left_over_words", "misnumbered", "numbered"]

_RESTRICTING = re.compile(
    r"\b(?<!\bat )(?:(?:second|third|fourth|fifth)[- ])?(?:most|least|only|best|worst|first|last|second|third|fourth|fifth|sixth|seventh|"
    r"eighth|ninth|tenth|\d+(?:st|nd|rd|th)|"
    r"(?!(?:east|west|north|south|for|inter|har|hon|mod|pro|con|re|gu|qu|pri|lat|t|r|n|p|j|arr|manif|inv|sugg|b|f|ch|cr|v)est\b)\w{3,}est)\b",
    re.IGNORECASE,
)
# "was first published in 1813" and "in the first century" restrict nothing.
_ADVERB = re.compile(
    r"\b(?:first|last|originally|best)\s+(?:\w+ed|known|shown|sold|seen|came|aired|held|built|written)\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    rf"(\d+)(?:st|nd|rd|th)|\b({'|'.join(sorted(ORDINAL_WORDS, key=len, reverse=True))})\b", re.IGNORECASE
)
_CLASSES = ontology.roles("class")
_WORKS = [
    [word]
    for word in "novel film movie book series show song album play opera painting band group game".split()
]
_PRAISE = frozenset(
    "a an the and of famous renowned prominent influential notable acclaimed celebrated leading well known great major important"
    " iconic legendary popular award winning critically pioneering distinguished eminent noted successful former retired late"
    " professional independent modern contemporary classic historic historical ancient most one very highly widely world best greatest".split()
)
_OFTEN = re.compile(
    rf"\b(?:twice|thrice|(?P<number>\d+|{WORDS}) (?:different )?times)\b(?! (?:as|the|more|larger)\b)",
    re.IGNORECASE,
)
_SERIES = ontology.names("series ordinal")


def left_over_words(claim: Claim, findings: Sequence[FactFinding], evidence: Evidence) -> str:
    """The first words of the claim that no fact took up and no statement knows; "" when all of it was read.

    A name that one statement joins to what was cited is known: "a planet in the Solar System" of what is part of it.
    """
    triplets = [triplet for finding in findings for triplet in finding.triplets]
    triplets += [path.triplets[0] for path in evidence.paths if path.hops == 1]
    arguments = list(_arguments(claim))
    # A date is read where a cited statement held at that time.
    arguments += [
        v for v in _dates(claim) if any(_timed(v, f, claim, evidence).state == "agree" for f in findings)
    ]
    if cited := fabricated(claim.text, " ".join(triplet.object.label for triplet in triplets)):
        return cited[0]
    if words := next(_described(claim, findings), "") or next(not_entailed(claim, findings, evidence), ""):
        return words
    placed = any(finding.note in ("ranked", "only") and finding.state == "agree" for finding in findings)
    if repeated := _repeated(claim, findings):
        return repeated
    restriction = "" if placed else next(_restrictions(claim, triplets, arguments), "")
    return restriction or next(_left_out(claim, findings, triplets, arguments), "")


@rule("how-often", silent="")
def _repeated(claim: Claim, findings: Sequence[FactFinding]) -> str:
    """The words that say how often something was so, where not as many statements say that it was."""
    for match in _OFTEN.finditer(claim.text):
        often = {"twice": 2, "thrice": 3}.get(match[0].casefold()) or read_number(match["number"] or "")
        counted = [len({t for t in one.triplets if t.qualifiers}) for one in findings if one.state == "agree"]
        if not any(often == number for number in counted):
            return match[0]
    return ""


@rule("adjectives-of-classes")
def _described(claim: Claim, findings: Sequence[FactFinding]) -> Iterator[str]:
    """Adjectives of a class that no statement has: "a beautiful city", "a landlocked country".

    Praise and age are let pass, and genres, of which a graph knows some and a language all: "a dystopian novel".
    """
    for finding in findings:
        if finding.state != "agree" or not finding.plays(_CLASSES) or finding.fact >= len(claim.facts):
            continue
        argument = claim.facts[finding.fact].object
        known = [node.label for triplet in finding.triplets for node in _nodes(triplet)]
        if fold(argument.text).split()[-1:] in _WORKS:
            continue
        told = {
            word for text in (*known, *(m.text for m in argument.mentions)) for word in fold(text).split()
        }
        for word in fold(argument.text).split():
            if word not in told and word not in _PRAISE and word.rstrip("s") not in told:
                yield word


@rule("misnumbered")
def misnumbered(claim: Claim, findings: Sequence[FactFinding]) -> FactFinding | None:
    """A conflict where a cited statement says that it is another one of its series than the claim does: the 44th, not the 45th."""
    names = [mention.span for mention in claim.mentions]
    for match in _ORDINAL.finditer(claim.text):
        span = Span(match.start(), match.end()).shift(claim.span.start)
        if any(other.overlaps(span) for other in names):
            continue
        for finding in findings:
            known = [q.object for triplet in finding.triplets for q in triplet.qualifiers if _series(q)]
            if finding.state == "agree" and known and _number(match) not in {one.label for one in known}:
                claimed = Argument(match[0], span)
                return replace(
                    finding,
                    state="conflict",
                    note="part",
                    relation="series ordinal",
                    claimed=claimed,
                    known=tuple(known),
                )
    return None


def numbered(claim: Claim) -> bool:
    """Whether the claim says which one of a series something is, beside the names in it."""
    names = [mention.span for mention in claim.mentions]
    return any(
        not any(name.overlaps(Span(*match.span()).shift(claim.span.start)) for name in names)
        for match in _ORDINAL.finditer(claim.text)
    )


def _timed(value: Argument, finding: FactFinding, claim: Claim, evidence: Evidence) -> FactFinding:
    return with_attributes(finding, [as_told(Attribute("time", value), claim)], evidence)


def _dates(claim: Claim) -> Iterator[Argument]:
    """The dates of the claim that no fact took up."""
    spans = [a.span for a in _arguments(claim) if a.span is not None] + [m.span for m in claim.mentions]
    for value in find_values(claim.text, offset=claim.span.start):
        is_date = value.value is not None and value.value.datatype == "date"
        if is_date and value.span and not any(span.overlaps(value.span) for span in spans):
            yield value


def _arguments(claim: Claim) -> Iterator[Argument]:
    for fact in claim.facts:
        yield fact.subject
        yield fact.object
        yield from (attribute.object for attribute in fact.attributes)


@rule("restricting-words")
def _restrictions(claim: Claim, triplets: Sequence[Triplet], arguments: Sequence[Argument]) -> Iterator[str]:
    """Words such as "mainly", "first" or "eastern", which nothing took up."""
    names = [mention.span for mention in claim.mentions]
    values = [a.span for a in arguments if a.value is not None and a.span is not None]
    adverbs = [match.span() for match in _ADVERB.finditer(claim.text)]
    for match in _RESTRICTING.finditer(claim.text):
        span = Span(match.start(), match.end()).shift(claim.span.start)
        if any(start <= match.start() < end for start, end in adverbs):
            continue
        if any(other.overlaps(span) for other in (*names, *values)) or _counted(match[0], triplets):
            continue
        yield match[0]


def _counted(words: str, triplets: Sequence[Triplet]) -> bool:
    """Whether a statement says itself which one of a series it is."""
    match = _ORDINAL.search(words)
    return match is not None and any(
        q.object.label == _number(match) for triplet in triplets for q in triplet.qualifiers if _series(q)
    )


def _number(match: re.Match[str]) -> str:
    return match[1] or str(ORDINAL_WORDS[match[2].casefold()])


def _series(qualifier: Qualifier) -> bool:
    return not _SERIES.isdisjoint((qualifier.predicate.id.casefold(), qualifier.predicate.label.casefold()))


@rule("names-left-out")
def _left_out(
    claim: Claim, findings: Sequence[FactFinding], triplets: Sequence[Triplet], arguments: Sequence[Argument]
) -> Iterator[str]:
    """The names and values that no fact took up."""
    spans = [argument.span for argument in arguments if argument.span is not None]
    named = [mention.span for argument in arguments for mention in argument.mentions]
    named += [fact.predicate_span for fact in claim.facts if fact.predicate_span is not None]
    yield from _names_left_out(claim, findings, triplets, [*spans, *named])
    yield from _values_left_out(claim, triplets, spans)


def _names_left_out(
    claim: Claim, findings: Sequence[FactFinding], triplets: Sequence[Triplet], taken: Sequence[Span]
) -> Iterator[str]:
    predicates = {word for fact in claim.facts for word in fold(fact.predicate).split()}
    nodes = [node for triplet in triplets for node in _nodes(triplet)]
    alone = any(finding.state == "agree" and finding.cardinality == "single" for finding in findings)
    for mention in claim.mentions:
        if alone and denies(claim.text[: max(0, mention.span.start - claim.span.start)]):
            continue  # "Jane Austen, not Charlotte Brontë": of one author another is none
        if mention.text.islower() or predicates.issuperset(fold(mention.text).split()):
            continue  # a common noun, or the words of a relation, and no name
        if not _is_among(nodes, mention) and not any(span.overlaps(mention.span) for span in taken):
            yield mention.text


def _is_among(nodes: Sequence[Node], mention: Mention) -> bool:
    """Whether one of the things is what a name may stand for; where triplets in words give it no id, by its words."""
    ids = {candidate.entity.id for candidate in mention.candidates}
    if any(node.id in ids for node in nodes if node.id):
        return True
    return any(like_words(mention.text, node.label) != "other" for node in nodes if not node.id)


def _values_left_out(claim: Claim, triplets: Sequence[Triplet], taken: Sequence[Span]) -> Iterator[str]:
    told = [*taken, *(mention.span for mention in claim.mentions)]
    for value in find_values(claim.text, offset=claim.span.start):
        if _ORDINAL.fullmatch(value.text):
            continue  # a restriction, looked at above
        taken_up = value.span is None or any(span.overlaps(value.span) for span in told)
        if not taken_up and not _restated(value, triplets):
            yield value.text


@rule("value-in-another-unit", silent=False)
def _restated(value: Argument, triplets: Sequence[Triplet]) -> bool:
    """Whether a value says a cited one again in another unit: "8,849 metres (29,032 feet)"."""
    if value.value is None or value.value.unit is None:
        return False
    known = [t.object for t in triplets if isinstance(t.object, Value) and t.object.datatype == "quantity"]
    return any(compare(value.value, one, modifier=value.modifier) == "agree" for one in known)


def _nodes(triplet: Triplet) -> Iterator[Node]:
    for item in (triplet.subject, triplet.object, *(q.object for q in triplet.qualifiers)):
        if isinstance(item, Node):
            yield item
