"""What a sentence says of its subject: the names, numbers, dates and times of day in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from guardrail.check.kg.aligned.words import content
from guardrail.language import Doc
from guardrail.types import Argument, Claim, Profile, Span
from guardrail.values import find_values
from guardrail.values.clock import Clock, find_clocks
from guardrail.values.units import ORDINAL

__all__ = ["Filler", "Named", "Sentence", "read", "weekdays"]

_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_HYPHENATED = re.compile(r"-[^\W\d_]")
_DAYS = re.compile(rf"\b{_DAY}(?:(?:, | and | or ){_DAY})*\b", re.IGNORECASE)
_ONE_DAY = re.compile(_DAY, re.IGNORECASE)
_VERSION = re.compile(r"\b(?:version|release)\s+(?P<code>\d+(?:\.\d+)*)(?![\w]|\.\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A place of the sentence that names something the graph knows."""

    span: Span
    text: str
    profile: Profile


@dataclass(frozen=True, slots=True)
class Filler:
    """Words that may be a value. `argument.value`: the quantity or date; `clock`: the time of day, where it may be one;
    `named`: what it names; `phrase`: the known text that it is the same as; `of`: ids of properties that take it; `days`: of the week; `code`: of a version.
    `span` is a place of the sentence.
    """

    span: Span
    argument: Argument
    clock: Clock | None = None
    named: Named | None = None
    phrase: str = ""
    days: frozenset[str] = frozenset()
    code: str = ""
    of: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is aligned: the words of a claim with what they name and the values among them, all in order.

    `text` is the claim's own where it names its subject, else what it is resolved to. `offset`: of `text` in the delivered
    text; None where it is not a part of it. `doc`: its parse. `unknown`: names that the graph does not know.
    """

    text: str
    named: tuple[Named, ...]
    values: tuple[Filler, ...]
    offset: int | None
    doc: Doc
    unknown: tuple[Span, ...] = ()

    def replaced(self, spans: Sequence[Span], instead: Mapping[Span, str]) -> str:
        """The text with other words, or none, in these places, and single spaces."""
        text = self.text
        for span in sorted(spans, reverse=True):
            text = f"{text[: span.start]} {instead.get(span, '')} {text[span.end :]}"
        return " ".join(text.split())


def read(claim: Claim, profiles: Sequence[Profile], parse: Callable[[str], Doc]) -> Sentence:
    """The claim as a sentence about the entities of the profiles."""
    own = _named(claim, profiles)
    if own:
        return replace(_sentence(parse(claim.text), own, claim.span.start), unknown=tuple(_unknown(claim)))
    return _sentence(parse(claim.resolved), _told(claim, profiles), None)


def weekdays(text: str) -> frozenset[str]:
    """The days of the week that a text names, singular, in small letters."""
    return frozenset(match[0].casefold().rstrip("s") for match in _ONE_DAY.finditer(text))


def _day(match: re.Match[str]) -> Filler:
    span = Span(*match.span())
    return Filler(span, Argument(match[0], span), days=weekdays(match[0]))


def _sentence(doc: Doc, named: Sequence[Named], offset: int | None) -> Sentence:
    text = doc.text
    # "the Ulme Viaduct (120 m)" holds a value, "Route 66" does not: what is part of a name is no value
    taken = [one.span for one in named if not _value_like(one)]
    names = {content(known.label) for one in named for known in one.profile.properties.values()}
    values = [
        one
        for one in _values(text)
        if not (any(one.span.overlaps(span) for span in taken) or _names_one(one, names, content(text)))
    ]
    kept = [one for one in named if not any(value.span.overlaps(one.span) for value in values)]
    return Sentence(text, tuple(kept), tuple(values), offset, doc)


def _names_one(filler: Filler, names: Collection[frozenset[str]], words: frozenset[str]) -> bool:
    """Whether an ordinal belongs to the name of a property that the words say: "the first consultation" of "first consultation
    length".
    """
    value = filler.argument.value
    if value is None or value.unit != ORDINAL:
        return False
    ordinal = content(filler.argument.text)
    return any(ordinal <= name and not words.isdisjoint(name - ordinal) for name in names)


def _value_like(named: Named) -> bool:
    """Whether what is named is itself a value, "38 knots", that some table wrote as a name."""
    values = find_values(named.text)
    whole = len(values) == 1 and values[0].span == Span(0, len(named.text))
    return whole and not named.profile.statements


def _named(claim: Claim, profiles: Sequence[Profile]) -> list[Named]:
    """What the claim's own words name."""
    by_id = {profile.entity.id: profile for profile in profiles}
    found: dict[Span, Named] = {}
    for mention in claim.mentions:
        known = mention.entity is not None and by_id.get(mention.entity.id)
        if known and claim.span.contains(mention.span):
            place = mention.span.shift(-claim.span.start)
            found[place] = Named(place, mention.text, known)
    return sorted(found.values(), key=lambda one: one.span.start)


def _unknown(claim: Claim) -> Iterator[Span]:
    for mention in claim.mentions:
        inside = claim.span.contains(mention.span)
        if mention.entity is None and inside and mention.span.start > claim.span.start:
            yield mention.span.shift(-claim.span.start)


def _told(claim: Claim, profiles: Sequence[Profile]) -> list[Named]:
    """What the words that the claim is resolved to name."""
    found: list[Named] = []
    for mention in claim.mentions:
        for profile in profiles:
            if mention.entity is None or profile.entity.id != mention.entity.id:
                continue
            at = claim.resolved.find(mention.text)
            if at >= 0 and not any(one.span.start == at for one in found):
                found.append(Named(Span(at, at + len(mention.text)), mention.text, profile))
    return sorted(found, key=lambda one: one.span.start)


def _compounded(argument: Argument, text: str) -> bool:
    """Whether a number is part of an adjective: "a two-bedroom home" has no count of two."""
    value, span = argument.value, argument.span
    bare = value is not None and value.datatype == "quantity" and value.unit is None
    return bare and span is not None and _HYPHENATED.match(text, span.end) is not None


def _values(text: str) -> list[Filler]:
    """Quantities, dates and times of day, disjoint; a time of day stands for the numbers in it."""
    clocks = find_clocks(text)
    found = [Filler(one.span, Argument(one.text, one.span), one) for one in clocks if one.sure]
    found += [_day(match) for match in _DAYS.finditer(text)]
    found += [
        Filler(
            Span(*match.span("code")), Argument(match["code"], Span(*match.span("code"))), code=match["code"]
        )
        for match in _VERSION.finditer(text)
    ]
    for argument in find_values(text):
        span = argument.span
        if span is None or any(span.overlaps(one.span) for one in found) or _compounded(argument, text):
            continue
        clock = next((one for one in clocks if one.span == span), None)
        found.append(Filler(span, replace(argument, mentions=()), clock))
    return sorted(found, key=lambda one: one.span.start)
