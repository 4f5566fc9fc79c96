"""What stands in brackets behind a name: "Curie (7 November 1867 in Warsaw – 4 July 1934)", "Parasite (2019)", "(founded 1947)".

It is read from the text between the brackets, whatever the sentence around it is about: dates by the words and dashes before
them and by what is named, places by the date that they follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.reading.chunks import NP
from guardrail.ontology import ids
from guardrail.rules import rule
from guardrail.types import Argument, Fact, Span

__all__ = ["Brackets"]

_DASH = re.compile(r"[–—-]|\b(?:to|until|till)\b")
_REIGN = re.compile(r"\b(?:r\.|reign|ruled|fl\.|O\.S\.|N\.S\.)", re.IGNORECASE)
_EMPTY = re.compile(r"(?:\(\s*[;,]?\s*\)\s*)+$")
# What may stand between a name and its bracket: letters behind it, and the name it had at birth.
_BESIDE = re.compile(r"(?:,\s[A-Z]{2,5})+,?$|,?\s(?:née|né|nee)\s[^,()]{2,40},?$")
_OTHER_NAME = re.compile(
    r",?\s(?:née|né|born(?: as)?|(?:better |also |formerly )?known as|alias|a\.?k\.?a\.?)\s+(?:[A-Z][\w’'.-]*\s?){1,5}$"
)
_CLOSERS = "\"”’'*_»"
_OPENERS = "\"“‘'*_«"
# Words right before a date, and what the date is then.
_SAID = (
    (re.compile(r"\b(?:b\.|born|née|né)[^\d;]{0,40}\Z|\*\s*\Z", re.IGNORECASE), ids("date of birth")),
    (re.compile(r"\b(?:d\.|died|deceased)[^\d;]{0,40}\Z|†\s*\Z", re.IGNORECASE), ids("date of death")),
    (re.compile(r"\b(?:founded|established|formed|est\.|incorporated|created|built|since)\b[^\d;]{0,12}\Z", re.IGNORECASE), ids("inception")),
    (re.compile(r"\b(?:released|published|premiered|first aired)\b[^\d;]{0,12}\Z", re.IGNORECASE), ids("publication date")),
    (re.compile(r"\b(?:dissolved|disbanded|defunct|closed|abolished)\b[^\d;]{0,12}\Z", re.IGNORECASE), ids("dissolved")),
    (re.compile(r"\b(?:opened)\b[^\d;]{0,12}\Z", re.IGNORECASE), ids("date of official opening")),
)  # fmt: skip
_WORDS = {
    ids(part): word
    for part, word in {
        "date of birth": "born",
        "date of death": "died",
        "inception": "founded",
        "dissolved": "dissolved",
        "start time": "began",
        "end time": "ended",
        "place of birth": "born in",
        "place of death": "died in",
    }.items()
}
# Where it took place, of the dates of a life.
_PLACES = {ids("date of birth"): ids("place of birth"), ids("date of death"): ids("place of death")}
_SYMBOL, _SYMBOL_OF = ids("element symbol"), re.compile(r"[A-Z][a-z]?")
_THINGS = frozenset({"thing", "class", "substance", "element"})
_RELEASED = ids("publication date")
# From when to when, by what it is that is named.
_FROM_TO = {
    "person": (ids("date of birth"), ids("date of death")),
    "event": (ids("start time"), ids("end time")),
    "work": (ids("start time", "publication date"), ids("end time")),
    "org": (ids("inception"), ids("dissolved")),
    "place": (ids("inception"), ids("dissolved")),
}
_SPANS_OF_BODIES = (
    ids("inception"),
    ids("dissolved"),
    ids("inception", "publication date", "start time"),
    ids("dissolved", "end time"),
)
_AWARDED = re.compile(
    r"\b(?:Best|Oscars?|Awards?|Prizes?|Globes?|Emmys?|Grammys?|nominat\w+|won)\b[^.;]*\bfor\b", re.IGNORECASE
)
_ONCE = {
    "work": ids("publication date"),
    "event": ids("point in time", "start time"),
    "": ids("publication date", "inception", "point in time"),
}


@dataclass(frozen=True, slots=True)
class Brackets:
    """Facts of what stands in brackets behind the names of one sentence."""

    arguments: Arguments

    def facts(self) -> Iterator[Fact]:
        """In the order of the brackets; every object is a place within them."""
        text = self.arguments.reading.sentence.text
        at = text.find("(")
        while at >= 0:
            yield from self.at(at)
            at = text.find("(", _closed(text, at))

    @rule("brackets")
    def at(self, start: int) -> Iterator[Fact]:
        """The facts of the bracket that opens at `start` of the sentence; none where another character stands."""
        text = self.arguments.reading.sentence.text
        if text[start] == "(" and (who := self._before(start)) is not None:
            yield from self._inside(who, start + 1, _closed(text, start))

    # ── whose ─────────────────────────────────────────────────────────────────────────────────────────

    def _before(self, at: int) -> Argument | None:
        """The name that ends before the bracket, or before another bracket right before it."""
        sentence = self.arguments.reading.sentence
        end = sentence.span.start + _end_of_name(sentence.text, at)
        for chunk in self.arguments.reading.chunks:
            for np in _names(chunk) if isinstance(chunk, NP) else ():
                place = self.arguments.of(np)
                if place.span is not None and place.span.end == end:
                    return place
        found = [m for m in self.arguments.reading.mentions if m.span.end == end]
        return Argument(found[0].text, found[0].span, (found[0],)) if found else None

    def _kind(self, who: Argument, dates: int) -> str:
        """One of the kinds of `_FROM_TO`, "" where that cannot be told."""
        kinds = self.arguments.kinds_of(who)
        sure = () if self._doubtful(who, kinds) else kinds
        if found := next((kind for kind in _FROM_TO if kind in sure), ""):
            return found
        if self._titled(who):
            return "work"
        return "person" if dates > 1 and not kinds and self.arguments.discourse.like_person(who.text) else ""

    def _doubtful(self, who: Argument, kinds: frozenset[str]) -> bool:
        """Made up, or guessed from its name to be something else than a person."""
        return "character" in kinds or ("person" not in kinds and self.arguments.seeming(who))

    def _titled(self, who: Argument) -> bool:
        """A name in quotation marks or italics is a title."""
        sentence = self.arguments.reading.sentence
        start = who.span.start - sentence.span.start if who.span is not None else 0
        return start > 0 and sentence.text[start - 1] in _OPENERS

    # ── what ──────────────────────────────────────────────────────────────────────────────────────────

    def _inside(self, who: Argument, start: int, end: int) -> Iterator[Fact]:
        text, dates = self.arguments.reading.sentence.text, self._dates(start, end)
        if not dates:
            yield from self._symbol(who, Span(start, end).shift(self.arguments.reading.sentence.span.start))
            return
        kind, behind = self._kind(who, len(dates)), start
        ends = [*(self._place(date).start for date in dates[1:]), end]
        for number, (date, until) in enumerate(zip(dates, ends, strict=True)):
            place = self._place(date)
            relations = self._meaning(text[behind : place.start], number, dates, kind)
            if relations in _SPANS_OF_BODIES and self._of_the_subject(who, dates):
                continue  # "worked in Munich (2003–2015)" says nothing of Munich
            behind = place.end
            if relations[:1] == _RELEASED and _AWARDED.search(text[:start]):
                continue  # "Best Director for Blue Sky (2014)": the year of the award
            if relations or (kind == "person" and date.modifier == "since"):
                yield self._fact(
                    who, relations, date
                )  # "Satya Nadella (since 2014)": in office, and not founded
            yield from self._happened(who, relations, behind, until)

    def _dates(self, start: int, end: int) -> list[Argument]:
        """The first two dates between these places of the sentence, but for those of a reign or of another calendar."""
        text, found = self.arguments.reading.sentence.text, []
        for value in self.arguments.reading.values:
            if value.span is not None and value.value is not None and value.value.datatype == "date":
                at = self._place(value).start
                if start <= at < end and not _REIGN.search(text[max(start, at - 8) : at]):
                    found.append(value)
        return found[:2]

    def _place(self, date: Argument) -> Span:
        """Where it stands in the sentence."""
        assert date.span is not None
        return date.span.shift(-self.arguments.reading.sentence.span.start)

    def _happened(self, who: Argument, dated: tuple[str, ...], start: int, end: int) -> Iterator[Fact]:
        """Where that was which a date tells, by the names between these places."""
        for named in self._places(start, end) if dated[:1] in _PLACES else ():
            yield self._fact(who, _PLACES[dated[:1]], named)

    def _meaning(self, before: str, number: int, dates: list[Argument], kind: str) -> tuple[str, ...]:
        """The relations that a date in brackets may stand for."""
        for pattern, relation in _SAID:
            if pattern.search(before):
                # "Satya Nadella (since 2014)": nobody is founded
                return () if kind == "person" and relation == ids("inception") else relation
        if len(dates) == 1:
            if kind == "person":
                return ids("date of birth") if self._dated_birth(dates[0]) else ()
            return _ONCE.get(kind, ())
        if not self._range(dates):
            return ()
        return (
            _FROM_TO[kind][number]
            if kind
            else (ids("inception", "publication date", "start time"), ids("dissolved", "end time"))[number]
        )

    def _dated_birth(self, date: Argument) -> bool:
        """A single date behind a person is that of birth where it has a day, or a dash without a second date behind it."""
        rest = self.arguments.reading.sentence.text[self._place(date).end :]
        exact = date.value is not None and date.value.precision == 11
        return bool(re.match(r"\s*[–—-]\s*\)", rest)) or (
            exact and bool(re.match(r"\s*(?:\)|,? in\b|,\s*[A-Z])", rest))
        )

    def _of_the_subject(self, who: Argument, dates: list[Argument]) -> bool:
        """Two dates behind a name that the sentence does not begin with may be said of the one it begins with."""
        start = self.arguments.reading.sentence.span.start
        return len(dates) > 1 and (who.span is None or who.span.start - start > 6)

    def _range(self, dates: list[Argument]) -> bool:
        first, second = (self._place(date) for date in dates)
        between = self.arguments.reading.sentence.text[first.end : second.start]
        return bool(_DASH.search(between)) and ";" not in between

    @rule("places-in-brackets")
    def _places(self, start: int, end: int) -> Iterator[Argument]:
        """The names between two dates, or behind the last one: "in Heiligenstadt, Germany"."""
        sentence = self.arguments.reading.sentence
        at = start
        for mention in self.arguments.reading.mentions:
            left = mention.span.start - sentence.span.start
            if not at <= left < end:
                continue
            if not re.fullmatch(r",?\s*(?:(?:in|at|near)\s+)?(?:the\s+)?", sentence.text[at:left]):
                return
            if "person" not in self.arguments.kinds.mention(mention):
                yield Argument(mention.text, mention.span, (mention,))
            at = mention.span.end - sentence.span.start

    @rule("symbols-in-brackets")
    def _symbol(self, who: Argument, span: Span) -> Iterator[Fact]:
        """A chemical symbol behind the name of what may be an element: "gold (Au)"."""
        sentence = self.arguments.reading.sentence
        words = span.shift(-sentence.span.start).of(sentence.text)
        known = who.mention is not None and bool(who.mention.candidates)
        if known and _SYMBOL_OF.fullmatch(words) and self.arguments.kinds_of(who) <= _THINGS:
            yield Fact(who, "has the symbol", Argument(words, span), relations=_SYMBOL, object_type="text")

    def _fact(self, who: Argument, relations: tuple[str, ...], what: Argument) -> Fact:
        return Fact(
            who,
            _WORDS.get(relations[:1], "is from" if relations else "served since"),
            what,
            relations=relations,
            object_type=self.arguments.type_of(what) or "place",
            tense="past",
        )


def _end_of_name(text: str, at: int) -> int:
    """Where a name ends before the bracket at `at`, with what else it is called and other brackets between them."""
    before = text[max(0, at - 60) : at]
    behind = _BESIDE.sub("", _EMPTY.sub("", before).rstrip())  # "Anna, () (1900–1990)"
    stop = at - len(before) + len(behind.rstrip().rstrip(_CLOSERS).rstrip(","))
    if stop and text[stop - 1] == ")" and (opened := text.rfind("(", 0, stop)) >= 0:
        stop = len(text[:opened].rstrip().rstrip(_CLOSERS))
    other = _OTHER_NAME.search(text[:stop])
    return other.start() if other is not None else stop  # "Eva Holm, née Berg (1931–1991)"


def _closed(text: str, at: int) -> int:
    """Where the bracket that opens at `at` closes; the end of the text where it does not."""
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return place
    return len(text)


def _names(np: NP) -> Iterator[NP]:
    if np.kind == "name":
        yield np
    for inner in np.of:
        yield from _names(inner)
