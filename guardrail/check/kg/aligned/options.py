"""Which property of a subject a sentence speaks of: by its words, by the kind of value in it, and by what it means.

The words of the sentence without its names and values are compared with the names of each property of which a value in the
sentence may be one: word by word, and as a whole by the sentence encoder, which knows that "sells for" is said of a price.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from guardrail.check.kg.aligned.fillers import Named, Sentence
from guardrail.check.kg.aligned.fit import family
from guardrail.check.kg.aligned.words import Word, akin, content, contrary, former, words_of
from guardrail.language import Doc
from guardrail.types import Embedder, Property, Span, Triplet

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


def wording(sentence: Sentence, subject: Named) -> Wording:
    """The sentence without its values and names, but for those in small letters that the graph says nothing of: they may name
    a property.
    """
    others = [one for one in sentence.named if one is not subject]
    names = [one for one in others if one.text[:1].isupper() or one.profile.statements]
    blank = [one.span for one in names] + [one.span for one in sentence.values]
    places = [*blank, subject.span]
    words = tuple(w for w in words_of(sentence.text) if not any(w.span.overlaps(place) for place in places))
    kinds = {one.span: _KINDS.get(family(one), "") for one in sentence.values}
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
    found = [
        _option(subject, records[key], statements, said, embedder)
        for key, statements in by_property.items()
        if key in records
    ]
    return sorted(found, key=lambda one: -one.likeness)


def _option(
    subject: Named, record: Property, statements: Sequence[Triplet], said: Wording, embedder: Embedder
) -> Option:
    best: Option | None = None
    for name in (record.label, *record.aliases[: _MOST_NAMES - 1]):
        covering = _covering(name, said)
        alike = _TRUST * max(embedder.similarity(text, name) for text in said.texts)
        share = len({key for key, _ in covering}) / max(1, len(_keys(name)))
        likeness = alike + _COVERED * share - (0.15 if former(name) != said.former else 0)
        likeness -= _OPPOSED if contrary(said.texts[0], name) and not name.endswith("hours") else 0
        if best is None or likeness > best.likeness:
            places = [word for _, word in covering]
            told = [name, *(statement.object.label for statement in statements)]
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
                _turned(name, said, embedder),
            )
    assert best is not None
    return best


def _turned(name: str, said: Wording, embedder: Embedder) -> float:
    if not said.turned:
        return 0.0
    return embedder.similarity(said.turned, name) - embedder.similarity(said.texts[0], name)


def _keys(name: str) -> list[str]:
    """The words that a name is told by; all of them where none carries meaning ("from")."""
    solid = content(name) - _LIGHT or content(name)
    return [word.key for word in words_of(name) if word.key in solid] or [word.key for word in words_of(name)]


def _covering(name: str, said: Wording) -> list[tuple[str, Word]]:
    return [(key, word) for key in _keys(name) for word in said.words if akin(key, word.key)]


def _near(word: Word, name: str) -> bool:
    return any(akin(word.key, one.key) for one in words_of(name))


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


def _conditional(spare: Sequence[Word], said: Wording) -> bool:
    """Whether a word that has nothing to do with the property stands behind a preposition."""
    return any(
        _BEHIND.search(said.raw, max(0, word.span.start - 40), word.span.start) is not None for word in spare
    )


def _hull(places: Sequence[Word]) -> Span | None:
    if not places:
        return None
    return Span(min(one.span.start for one in places), max(one.span.end for one in places))
