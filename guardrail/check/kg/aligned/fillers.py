"""What a sentence says of its subject: the names, numbers, dates and times of day in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from guardrail.check.kg.aligned.words import akin, content
from guardrail.language import Doc, Parse
from guardrail.rules import rule
from guardrail.types import Argument, Claim, Profile, Span, Value
from guardrail.values import find_values
from guardrail.values.clock import Clock, find_clocks
from guardrail.values.codes import find_codes, is_code
from guardrail.values.meanings import other_reading, read_as
from guardrail.values.units import ORDINAL
from guardrail.values.weekdays import find_weekdays, weekdays

__all__ = ["ClaimSentence", "Filler", "Named", "read"]

_COUNTED = re.compile(r"\s+(?:(?:more|fewer|other|different|new|of (?:our|the|your)) )?([^\W\d_]{3,})")
_FREE = re.compile(
    r"\bfree of charge\b|\bfor free\b|\bfor nothing\b|\bat no (?:extra )?(?:cost|charge)\b|\bfree(?=[.!]?$)|\bwithout (?:paying|charge)\b"
    r"|(?:\b(?:not|never|no longer)|\b\w+n['’]t)(?: have to)? (?:pay|cost|charge)s?(?: you| us| anybody)? (?:anything|a (?:thing|penny|cent))(?: at all)?\b"
    r"|\b(?:pays?|costs?|charges?)(?: you)? nothing\b",
    re.IGNORECASE,
)
_NOTHING = Value("0", "0", "quantity")
# What tells a day or a year more closely than a graph does.
_CLOSER = re.compile(
    r"days?\s(?P<closer>(?:mornings?|afternoons?|evenings?|nights?)\b)"
    r"|\b(?P<closer2>(?:spring|summer|autumn|fall|winter))(?:\sof)?\s(?=\d{4}\b)|\b(?P<closer3>all (?:day|night)(?: long)?)\b",
    re.IGNORECASE,
)
_RANKING = re.compile(r"\s+(?=[£$€\d])")
_HYPHENATED = re.compile(r"-[^\W\d_]")
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
    `named`: what it names; `phrase`: the known text that it is the same as; `of`: ids of properties that take it; `days`: of the week; `code`: of a version, or an article number and the like;
    `also`: the value in another unit that its words may name; `counted`: the noun behind a bare number; `free`: that nothing is to be paid.
    `span` is a place of the sentence.
    """

    span: Span
    argument: Argument
    clock: Clock | None = None
    named: Named | None = None
    phrase: str = ""
    days: frozenset[int] = frozenset()
    code: str = ""
    of: frozenset[str] = frozenset()
    counted: str = ""
    also: Value | None = None
    free: bool = False

    @property
    def says_no_value(self) -> bool:
        """Whether it is a name or a text, and no number, date or time."""
        return bool(self.phrase) or self.named is not None

    def in_unit_of(self, known: Value, value: Value) -> Value:
        """The value in the unit that the known one calls for, where its words may name either."""
        return read_as(value, known) if self.also is not None else value


@dataclass(frozen=True, slots=True)
class ClaimSentence:
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


def read(claim: Claim, profiles: Sequence[Profile], parse: Parse) -> ClaimSentence:
    """The claim as a sentence about the entities of the profiles."""
    own = _named(claim, profiles)
    if own:
        doc = parse(claim.text)
        sentence = _sentence(doc, [one for one in own if not _is_verb(one, doc)], claim.span.start)
        return replace(sentence, unknown=(*sentence.unknown, *_unknown(claim)))
    return _sentence(parse(claim.resolved), _told(claim, profiles), None)


def _sentence(doc: Doc, named: Sequence[Named], offset: int | None) -> ClaimSentence:
    text = doc.text
    # "the Ulme Viaduct (120 m)" holds a value, "Route 66" does not: what is part of a name is no value
    taken = [one.span for one in named if not _value_like(one)]
    names = {content(known.label) for one in named for known in one.profile.properties.values()}
    values = [
        one
        for one in _values(text, _codes(text, named))
        if not (
            any(one.span.overlaps(span) for span in taken) or _part_of_a_property(one, names, content(text))
        )
    ]
    kept = [one for one in named if not any(value.span.overlaps(one.span) for value in values)]
    closer = tuple(Span(*match.span(match.lastgroup or 0)) for match in _CLOSER.finditer(text))
    return ClaimSentence(text, tuple(kept), tuple(values), offset, doc, closer)


def _part_of_a_property(filler: Filler, names: Collection[frozenset[str]], words: frozenset[str]) -> bool:
    """Whether words of a value are words of a property's name: "free of charge", "weekend price", "first consultation length"."""
    if filler.free and any("free" in name for name in names):
        return True
    if filler.days and any(len(name) > 1 and _days_named(filler, name) for name in names):
        return True
    value = filler.argument.value
    if value is None or value.unit != ORDINAL:
        return False
    ordinal = content(filler.argument.text)
    return any(ordinal <= name and not words.isdisjoint(name - ordinal) for name in names)


def _days_named(filler: Filler, name: frozenset[str]) -> bool:
    """Whether "weekend" is a word of a property's name: "weekend price"."""
    return any(akin(day, word) for day in content(filler.argument.text) for word in name)


def _value_like(named: Named) -> bool:
    """Whether what is named is itself a value, "38 knots", that some table wrote as a name."""
    if weekdays(named.text) and not named.profile.statements:
        return True
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


@rule("verb-like-a-name", silent=False)
def _is_verb(named: Named, doc: Doc) -> bool:
    """Whether a word in small letters is a verb and names nothing: "you can book" of "Books"."""
    return named.text.islower() and any(
        token.start == named.span.start and token.end == named.span.end and token.tag.startswith("VB")
        for token in doc.tokens
    )


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


def _says_which(argument: Argument, text: str) -> bool:
    """Whether a number is no value: "a two-bedroom home" has no count of two, and "the first £75" is £75."""
    value, span = argument.value, argument.span
    ranks = value is not None and value.unit == ORDINAL
    return span is not None and (
        _compounded(argument, text) or (ranks and _RANKING.match(text, span.end) is not None)
    )


def _compounded(argument: Argument, text: str) -> bool:
    """Whether it is part of an adjective."""
    span = argument.span
    return _bare(argument) and span is not None and _HYPHENATED.match(text, span.end) is not None


def _bare(argument: Argument) -> bool:
    """Whether a number has no unit."""
    value = argument.value
    return value is not None and value.datatype == "quantity" and value.unit is None


@rule("codes", silent=list)
def _codes(text: str, named: Sequence[Named]) -> list[Filler]:
    """What has the form of a code that the graph has of a subject: "AB-1043" beside the article number AB-1042."""
    labels = {one.object.label for subject in named for one in subject.profile.statements}
    places = {span for known in labels if is_code(known) for span in find_codes(text, known)}
    return [Filler(span, Argument(span.of(text), span), code=span.of(text)) for span in sorted(places)]


def _values(text: str, codes: Sequence[Filler]) -> list[Filler]:
    """Codes, quantities, dates and times of day, disjoint; a code or a time of day stands for the numbers in it."""
    clocks = [one for one in find_clocks(text) if not any(one.span.overlaps(code.span) for code in codes)]
    found = [*codes, *_told_in_words(text, clocks)]
    for argument in find_values(text):
        span = argument.span
        if span is None or any(span.overlaps(one.span) for one in found) or _says_which(argument, text):
            continue
        clock = next((one for one in clocks if one.span == span), None)
        noun = _COUNTED.match(text, span.end)
        counted = noun[1] if noun is not None and _bare(argument) else ""
        also = other_reading(argument, text)
        found.append(Filler(span, replace(argument, mentions=()), clock, counted=counted, also=also))
    return sorted(found, key=lambda one: one.span.start)


def _told_in_words(text: str, clocks: Sequence[Clock]) -> list[Filler]:
    """Times of day, days of the week, versions, and that nothing is to be paid."""
    found = [Filler(one.span, Argument(one.text, one.span), one) for one in clocks if one.sure]
    found += [
        Filler(one.span, Argument(one.span.of(text), one.span), days=one.days) for one in find_weekdays(text)
    ]
    found += [
        Filler(
            Span(*match.span("code")), Argument(match["code"], Span(*match.span("code"))), code=match["code"]
        )
        for match in _VERSION.finditer(text)
    ]
    found += [
        Filler(Span(*match.span()), Argument(match[0], Span(*match.span()), value=_NOTHING), free=True)
        for match in _FREE.finditer(text)
    ]
    return found
