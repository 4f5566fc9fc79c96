"""Which property of a subject a sentence speaks of: by its words, by the kind of value in it, and by what it means.

The words of the sentence without its names and values are compared with the names of each property of which a value in the
sentence may be one: word by word, and as a whole by the sentence encoder, which knows that "sells for" is said of a price.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from guardrail.check.kg.aligned.fillers import ClaimSentence, Named
from guardrail.check.kg.aligned.fit import family
from guardrail.check.kg.aligned.words import Word, akin, content, contrary, former, framing, idle, words_of
from guardrail.language import Doc
from guardrail.rules import rule
from guardrail.types import Embedder, Property, Span, Triplet
from guardrail.values.clock import opening
from guardrail.values.weekdays import weekdays

__all__ = ["VALUE", "Option", "Wording", "asked", "wording"]

_MODIFIERS = frozenset({"compound", "amod", "nmod"})
_TRUST = 0.9  # of the likeness: an encoder that was tuned on such sentences is surer than it is right
_COVERED = 0.25  # what it adds to the likeness that all words of a name are said
_OPPOSED = 0.5  # what it takes away that one is the opposite of the other, which an encoder holds for near
_MOST_NAMES = 6
# What narrows nothing: a regular ticket is a ticket.
_NEUTRAL = frozenset(
    "regular standard normal usual ordinary single total whole full official own new complete entire overall exact"
    " maximum minimum main same typical current present more fewer less many much greater larger bigger smaller higher"
    " lower longer shorter".split()
)

_BEHIND = re.compile(
    r"\b(?:in|at|under|during|for|with|without|on|to|from|after|before|above|below|by|when|if|while)\s+"
    r"(?:(?:the|a|an|its|their|his|her|high|low|very|some|every|each|all)\s+)*$",
    re.IGNORECASE,
)
_BEGINS_OR_ENDS = "opens closes shuts starts begins ends finishes leaves arrives runs lasts work"
# What a name of a property is called for, beside what it is of: "number of students", "year of foundation".
_LIGHT = frozenset("date year number count amount name total value level".split())

# What stands in the place of a value for the encoder: this, or its kind.
VALUE = "something"
_KINDS = {
    "length": "a length", "mass": "a weight", "time": "a period", "temperature": "a temperature", "clock": "a time of day",
    "date": "a date", "ratio": "a percentage", "speed": "a speed", "area": "an area", "USD": "a price", "EUR": "a price",
    "GBP": "a price", "JPY": "a price", "INR": "a price", "CHF": "a price",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wording:
    """What a sentence says beside its names and values. `texts` are that, without values and with their kinds ("a price") in
    their place; `words` its words; `former`: of what is over; `raw`: the sentence;
    `modifying`: where words begin that say which thing of its kind is meant; `turned`: the first text with the subject and the
    other name exchanged, where there is one other name and no value.
    """

    texts: tuple[str, ...]
    words: tuple[Word, ...]
    former: bool
    raw: str
    modifying: frozenset[int]
    turned: str = ""

    def measuring(self, word: str, measure: str) -> Wording:
        """The same with what a comparative measures in its place: "it is length than" for "it is longer than"."""
        return replace(self, texts=tuple(text.replace(word, measure) for text in self.texts))

    @property
    def solid(self) -> list[Word]:
        """The words that carry meaning."""
        return [word for word in self.words if content(word.key)]


@dataclass(frozen=True, slots=True)
class Option:
    """A property of which the sentence may speak. `likeness` in [0, 1.25]: how well its names fit the sentence's words.

    `whole`: all words of its name are said. `narrowed`: what is said is a kind of what the name names ("student ticket").
    `spare`: how many words of the sentence have nothing to do with its name; `conditional`: one of them says when or where it
    is so ("under high pressure"). `turned`: how much likelier the names fit with subject and value exchanged.
    """

    subject: Named
    record: Property
    statements: tuple[Triplet, ...]
    likeness: float
    whole: bool
    narrowed: bool
    spare: int
    place: Span | None
    conditional: bool = False
    turned: float = 0.0


class _Alike(NamedTuple):
    """How near a name is to the sentence's words, and how much nearer with subject and value exchanged."""

    likeness: float
    turned: float


def wording(sentence: ClaimSentence, subject: Named) -> Wording:
    """The sentence without its values and names, but for those in small letters that the graph says nothing of: they may name
    a property.
    """
    others = [one for one in sentence.named if one is not subject]
    of_property = {word for known in subject.profile.properties.values() for word in content(known.label)}
    names = [one for one in others if _is_name(one, of_property)]
    blank = [one.span for one in names] + [one.span for one in sentence.values]
    frames = framing(sentence.text, [one.span for one in sentence.named])
    places = [*blank, subject.span, *frames, *idle(sentence.text)]
    words = tuple(w for w in words_of(sentence.text) if not any(w.span.overlaps(place) for place in places))
    kinds = {one.span: _KINDS.get(family(one), "") for one in sentence.values if one.also is None}
    texts = (
        sentence.replaced(places, dict.fromkeys(blank, VALUE) | {subject.span: "it"}),
        sentence.replaced(places, {subject.span: "it"}),
        sentence.replaced(places, kinds | {subject.span: "it"}),
    )
    alone = len(others) == 1 and blank == [others[0].span]
    turned = sentence.replaced(places, {subject.span: VALUE, blank[0]: "it"}) if alone else ""
    return Wording(
        tuple(dict.fromkeys(texts)), words, former(texts[0]), sentence.text, _modifying(sentence.doc), turned
    )


def _is_name(one: Named, of_property: Collection[str]) -> bool:
    """Whether what is named is no word of a property's name: "the sauna" of "sauna included" is one."""
    if one.text[:1].isupper():
        return True
    known = one.profile.statements or one.profile.object_of
    return bool(known) and not content(one.text) <= set(of_property)


def _modifying(doc: Doc) -> frozenset[int]:
    """Where the words begin that hang on the noun behind them: "staff" in "the staff parking fee"."""
    return frozenset(
        one.start for one in doc.tokens if one.dep.partition(":")[0] in _MODIFIERS and one.head > one.at
    )


def asked(subject: Named, said: Wording, embedder: Embedder) -> list[Option]:
    """All properties of the subject, the likeliest first."""
    by_property: dict[str, list[Triplet]] = {}
    for triplet in subject.profile.statements:
        by_property.setdefault(triplet.predicate.id, []).append(triplet)
    records = subject.profile.properties
    known = {key: statements for key, statements in by_property.items() if key in records}
    alike = _alike(said, [name for key in known for name in _names(records[key])], embedder)
    found = [_option(subject, records[key], statements, said, alike) for key, statements in known.items()]
    return sorted(found, key=lambda one: -one.likeness)


def _names(record: Property) -> Sequence[str]:
    return (record.label, *record.aliases[: _MOST_NAMES - 1])


def _alike(said: Wording, names: Sequence[str], embedder: Embedder) -> Mapping[str, _Alike]:
    """How well each of the names fits the sentence's words: all texts and names are embedded together."""
    if not names:
        return {}
    turned = [said.turned] if said.turned else []
    table = embedder.similarities([*said.texts, *turned], names).T.tolist()
    texts = len(said.texts)
    return {
        name: _Alike(max(row[:texts]), row[-1] - row[0] if turned else 0.0)
        for name, row in zip(names, table, strict=True)
    }


def _option(
    subject: Named,
    record: Property,
    statements: Sequence[Triplet],
    said: Wording,
    alike: Mapping[str, _Alike],
) -> Option:
    best: Option | None = None
    for name in _names(record):
        covering = _covering(name, said)
        share = len({key for key, _ in covering}) / max(1, len(_keys(name)))
        likeness = _TRUST * alike[name].likeness + _days_told(name, said)
        likeness += _COVERED * share - (0.15 if former(name) != said.former else 0)
        likeness -= _OPPOSED if contrary(said.texts[0], name) and not name.endswith(("hours", "days")) else 0
        if best is None or likeness > best.likeness:
            places = [word for _, word in covering]
            told = [name, *(statement.object.label for statement in statements), *_of_clocks(statements)]
            spare = [w for w in said.solid if w not in places and not any(_near(w, one) for one in told)]
            best = Option(
                subject,
                record,
                tuple(statements),
                likeness,
                bool(covering) and share == 1,
                _narrowed(places, spare, said),
                len(spare),
                _hull(places),
                _conditional(spare, said),
                alike[name].turned,
            )
    assert best is not None
    return best


def _of_clocks(statements: Sequence[Triplet]) -> tuple[str, ...]:
    """What is said with any time of day: a shop closes, a class ends, somebody leaves."""
    clocks = all(opening(one.object.label) is not None for one in statements)
    return (_BEGINS_OR_ENDS,) if clocks else ()


def _days_told(name: str, said: Wording) -> float:
    """What it says for or against a property of some days of the week that the sentence speaks of these: "hours Mon-Fri"."""
    ours, theirs = weekdays(said.raw), weekdays(name)
    if not ours or not theirs:
        return 0.0
    return _COVERED if ours <= theirs else -_OPPOSED if ours.isdisjoint(theirs) else 0.0


def _keys(name: str) -> list[str]:
    """The words that a name is told by; all of them where none carries meaning ("from")."""
    solid = content(name) - _LIGHT or content(name)
    return [word.key for word in words_of(name) if word.key in solid] or [word.key for word in words_of(name)]


def _covering(name: str, said: Wording) -> list[tuple[str, Word]]:
    pairs = ((key, word) for key in _keys(name) for word in said.words if akin(key, word.key))
    return [(key, word) for key, word in pairs if not (key == "opened" and word.key == "open")]


def _near(word: Word, name: str) -> bool:
    return any(akin(word.key, one.key) for one in words_of(name))


@rule("narrowed-property", silent=False)
def _narrowed(places: Sequence[Word], spare: Sequence[Word], said: Wording) -> bool:
    """Whether a word that the name lacks stands right before one that it has: "student ticket", "day ticket"."""
    order = list(said.words)
    for word in places:
        at = order.index(word)
        if at and order[at - 1] in spare and order[at - 1].key not in _NEUTRAL:
            between = said.raw[order[at - 1].span.end : word.span.start]
            if between.strip(" -") == "" and order[at - 1].span.start in said.modifying:
                return True
    return False


@rule("conditional-property", silent=False)
def _conditional(spare: Sequence[Word], said: Wording) -> bool:
    """Whether a word that has nothing to do with the property stands behind a preposition."""
    return any(
        _BEHIND.search(said.raw, max(0, word.span.start - 40), word.span.start) is not None for word in spare
    )


def _hull(places: Sequence[Word]) -> Span | None:
    if not places:
        return None
    return Span(min(one.span.start for one in places), max(one.span.end for one in places))
