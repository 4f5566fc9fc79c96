"""What the rooms that read English find in a text by itself: sentences, words, clauses, values, kinds."""

from __future__ import annotations

from dataclasses import asdict

from guardrail.claims.checkable.fragments import unstated
from guardrail.claims.checkable.language import foreign, foreign_parts
from guardrail.claims.checkable.legibility import illegible
from guardrail.claims.checkable.selection import (
    as_rule,
    believed,
    hedged,
    introduced,
    kind_of,
    supposed,
)
from guardrail.claims.reading.chunks import NP, VG, chunk
from guardrail.claims.reading.tokens import tokenize
from guardrail.claims.splitting import pieces
from guardrail.claims.splitting.boundaries import boundaries
from guardrail.claims.splitting.lines import pair_at
from guardrail.language import parser
from guardrail.segment import segment
from guardrail.segment.markup import unmarked
from guardrail.segment.pointers import without_pointers
from guardrail.segment.spelling import written_out
from guardrail.segment.view import View
from guardrail.types import Claim, Kind, Sentence, Span
from guardrail.values import find_values
from guardrail.values.clock import find_clocks
from guardrail.values.comparisons import Comparison, Superlative, comparison, orders, superlative
from guardrail.values.fractions import find_fractions
from tests.constructions.corpus import Reader, plain
from tests.reading import read, tagged


def whole(text: str) -> Sentence:
    return Sentence(Span(0, len(text)), text)


def noun_phrases(text: str) -> list[str]:
    tokens = tagged(text)
    found = [item for item in chunk(tokens) if isinstance(item, NP)]
    return [" ".join(token.text for token in tokens[np.first : np.end + 1]) for np in found]


def verb_group(text: str) -> dict[str, object]:
    """The first one: stem, voice, and whether it speaks of the past."""
    group = next(item for item in chunk(tagged(text)) if isinstance(item, VG))
    return {"stem": group.stem, "voice": group.voice, "past": group.past}


def tags(text: str) -> dict[str, str]:
    """Of each word, as the words around it have it; of a word that comes twice the first."""
    found: dict[str, str] = {}
    for token in read(whole(text), []).tokens:
        found.setdefault(token.text, token.tag)
    return found


def clause_starts(text: str) -> list[str]:
    doc = parser().read(text)
    return [doc.tokens[at].text for at in sorted(boundaries(doc))]


def pair_mark(text: str) -> str:
    """What stands between a key and its value; "" where the line is no pair."""
    doc = parser().read(text)
    at = pair_at(doc)
    return doc.tokens[at].text if at else ""


def claims_in(text: str) -> list[str]:
    return [text[one.start : one.end] for one in pieces(parser().read(text))]


def kinds_of_claims(text: str) -> list[Kind | None]:
    return [one.kind for one in pieces(parser().read(text))]


def fragment(text: str) -> Kind | None:
    """What a text without a statement is."""
    (sentence,) = segment(text)
    return unstated(read(sentence, []))


def answering_fragment(text: str) -> Kind | None:
    """What it is where a question is open."""
    (sentence,) = segment(text)
    return unstated(read(sentence, []), short_answer=True)


def rule(text: str) -> Kind:
    """What an instruction is where documents tell what the reader may do."""
    return as_rule(Claim(0, Span(0, len(text)), text, text, kind=Kind.INSTRUCTION)).kind


def numbers(text: str) -> list[list[str | None]]:
    """Value and unit of each quantity."""
    values = [argument.value for argument in find_values(text) if argument.value is not None]
    return [[one.value, one.unit.label if one.unit else None] for one in values]


def dates(text: str) -> list[list[object]]:
    """Value and precision of each date."""
    values = [argument.value for argument in find_values(text) if argument.value is not None]
    return [[one.value, one.precision] for one in values if one.datatype == "date"]


def datatypes(text: str) -> list[str]:
    return [argument.value.datatype for argument in find_values(text) if argument.value]


def modifiers(text: str) -> list[str]:
    return [argument.modifier for argument in find_values(text)]


def fractions(text: str) -> list[list[str]]:
    """Words, value and unit of each amount told by a fraction."""
    found = [(one.text, one.value) for one in find_fractions(text)]
    return [[words, value.value, value.unit.label] for words, value in found if value and value.unit]


def fields(found: Comparison | Superlative | None) -> dict[str, object] | None:
    return None if found is None else {name: plain(value) for name, value in asdict(found).items()}


READERS = {
    "sentences": Reader(lambda text: [sentence.text for sentence in segment(text)]),
    "unmarked": Reader(lambda text: without_pointers(unmarked(View.of(text))).text),
    "written_out": Reader(lambda text: written_out(View.of(text)).text),
    "has_markup": Reader(lambda text: without_pointers(unmarked(View.of(text))).text != text),
    "spelled": Reader(lambda text: written_out(View.of(text)).text != text),
    "words": Reader(lambda text: [token.text for token in tokenize(text)]),
    "tags": Reader(tags, lambda observed, expected: bool(expected.items() <= observed.items())),
    "noun_phrases": Reader(noun_phrases),
    "verb_group": Reader(verb_group),
    "clause_starts": Reader(clause_starts),
    "pair_mark": Reader(pair_mark),
    "claims": Reader(claims_in),
    "kinds": Reader(kinds_of_claims),
    "kind": Reader(lambda text: kind_of(whole(text))),
    "fragment": Reader(fragment),
    "answering_fragment": Reader(answering_fragment),
    "rule": Reader(rule),
    "hedged": Reader(lambda text: bool(hedged(text))),
    "supposed": Reader(supposed),
    "told": Reader(lambda text: text[introduced(text) :]),
    "believed": Reader(lambda text: text[believed(text) :]),
    "language": Reader(foreign),
    "foreign_parts": Reader(lambda text: [span.of(text) for span, _ in foreign_parts(text)]),
    "hidden": Reader(illegible),
    "numbers": Reader(numbers),
    "dates": Reader(dates),
    "datatypes": Reader(datatypes),
    "modifiers": Reader(modifiers),
    "fractions": Reader(fractions),
    "clock": Reader(lambda text: [one.minutes for one in find_clocks(text)]),
    "comparison": Reader(lambda text: fields(comparison(text))),
    "superlative": Reader(lambda text: fields(superlative(text))),
    "orders": Reader(orders),
}
