"""RefChecker's claims: triplets or sub-sentences of a whole response, in one call, with their places in the response.

The fine-tuned extractors write lines of ("head", "relation", "tail"); those are read by a small parser, where RefChecker
gave them to `eval`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Literal

from guardrail.claims.reading.chunks.parts import MEASURES
from guardrail.llm import Llm, Message, Question, Schema
from guardrail.llm.match import find_span
from guardrail.llm.prompts import fill
from guardrail.llm.reply import closed, find_json, read_json
from guardrail.segment import segment
from guardrail.types import Argument, Claim, Fact, Span
from guardrail.values.numbers import DIGITS, MAGNITUDES, WORDS

__all__ = ["ClaimFormat", "RefClaim", "extract", "question", "without_model"]

ClaimFormat = Literal["triplet", "subsentence"]
_TEXT = {"type": "string"}
_TRIPLETS = Schema(
    "triplets",
    closed(
        triplets={
            "type": "array",
            "items": {"type": "array", "items": _TEXT, "minItems": 3, "maxItems": 3},
        }
    ),
)
_SUBSENTENCES = Schema(
    "claims",
    closed(
        claims={
            "type": "array",
            "items": closed(text=_TEXT, sentences={"type": "array", "items": {"type": "integer"}}),
        }
    ),
)
# ("a", 'b', "c"): quoted parts, where a quote inside is escaped or is not followed by a comma or the end. The length of a part is
# bounded, so that a reply of nothing but openings is read in linear time.
_PART = (
    r"""[ \t]{0,4}(?:"((?:\\.|[^"\\\n]|"(?![ \t]{0,4}[,)])){0,300})"|"""
    r"""'((?:\\.|[^'\\\n]|'(?![ \t]{0,4}[,)])){0,300})')[ \t]{0,4}"""
)
_NUMBER = re.compile(rf"(?i)(?<!\w)(?:{DIGITS}|{WORDS})(?: (?:{'|'.join(MAGNITUDES)}))*\s$")
_DIMENSION = re.compile(rf"\s(?:{'|'.join(sorted(MEASURES))})\b")
_TUPLE = re.compile(rf"\({_PART},{_PART},{_PART}\)")


@dataclass(frozen=True, slots=True)
class RefClaim:
    """`parts`: head, relation and tail, or one sub-sentence. `places`: where each part stands in the response, None if not.

    `sentences`: the 1-based numbers of the response's sentences that a sub-sentence comes from.
    """

    parts: tuple[str, ...]
    places: tuple[Span | None, ...] = ()
    sentences: tuple[int, ...] = ()

    @property
    def content(self) -> list[str] | str:
        """As RefChecker's files hold it."""
        return list(self.parts) if len(self.parts) == 3 else self.parts[0]

    @property
    def text(self) -> str:
        return " ".join(self.parts)


def extract(
    llm: Llm, response: str, *, asked: str = "", form: ClaimFormat = "triplet", deadline: float | None = None
) -> tuple[RefClaim, ...]:
    """The claims of a response; () for one that makes none (RefChecker's Abstain). Raises ModelError."""
    if not response.strip():
        return ()
    return llm.ask(question(response, asked=asked, form=form), deadline=deadline).value


def without_model(claims: Iterable[Claim], *, form: ClaimFormat = "triplet") -> tuple[RefClaim, ...]:
    """The same of claims that were read by rules. One without facts is a sub-sentence in either form."""
    found: list[RefClaim] = []
    for claim in claims:
        if claim.kind.checkable:
            triplets = list(_read_triplets(claim)) if form == "triplet" else []
            found += triplets or [RefClaim((claim.resolved,), (claim.span,))]
    return tuple({one.parts: one for one in reversed(found)}.values())[::-1]


def _read_triplets(claim: Claim) -> Iterator[RefClaim]:
    """One for each fact. What is told behind an object of the same event ("won the cup in 1998") stays with it where alone
    ("won in 1998") it would say something else; a relation of its own ("born in Ulm in 1879") does not.
    """
    alone = {fact.object.span for fact in claim.facts if fact.relations}
    told: set[Span] = set()
    for fact in claim.facts:
        if fact.object.span in told:
            continue
        behind = _told_behind(fact, alone)
        told.update(behind)
        place = _whole(claim, fact.object.span, behind)
        parts = (_named(fact.subject), _relation(fact), _tail(claim, fact.object, place))
        yield RefClaim(parts, (fact.subject.span, fact.predicate_span, place))


def _told_behind(fact: Fact, alone: Set[Span | None]) -> list[Span]:
    """The places of what is told behind the object of a fact and is not told `alone`."""
    at, others = fact.object.span, (one.object.span for one in fact.attributes)
    return [span for span in others if at and span and span > at and span not in alone]


def _whole(claim: Claim, at: Span | None, behind: Sequence[Span]) -> Span | None:
    """The place of an object with what is told behind it, its number and its dimension."""
    if not at:
        return None
    return _counted(claim, Span(at.start, max(behind).end) if behind else at)


def _tail(claim: Claim, argument: Argument, place: Span | None) -> str:
    """The words of the claim for an object, as far as they are more than its own."""
    if place is None or place == argument.span or not claim.span.contains(place):
        return _named(argument)
    return place.shift(-claim.span.start).of(claim.text)


def _counted(claim: Claim, place: Span) -> Span:
    """A place with the number before it and the dimension behind it: "seven Nobel Prizes", "61 m wide"."""
    if not claim.span.contains(place):
        return place
    before = _NUMBER.search(claim.text[: place.start - claim.span.start])
    behind = _DIMENSION.match(claim.text[place.end - claim.span.start :])
    start = place.start - (len(before.group()) if before else 0)
    return Span(start, place.end + (behind.end() if behind else 0))


def _relation(fact: Fact) -> str:
    said = re.search(r"\b(?:not|never|no)\b|n't\b", fact.predicate)
    return f"not {fact.predicate}" if fact.negated and not said else fact.predicate


def _named(argument: Argument) -> str:
    """A pronoun's name, as a triplet has to stand alone."""
    return argument.mention.text if argument.mention is not None else argument.text


def question(
    response: str, *, asked: str = "", form: ClaimFormat = "triplet"
) -> Question[tuple[RefClaim, ...]]:
    room = 256 + 2 * len(response)
    quoted = json.dumps(asked, ensure_ascii=False) if asked else "none"
    if form == "triplet":
        prompt = fill("triplets", question=quoted, response=json.dumps(response, ensure_ascii=False))
        return Question(
            (Message("user", prompt),), lambda reply: _triplets(reply, response), _TRIPLETS, max_tokens=room
        )
    sentences = segment(response)
    numbered = " ".join(f"[{number}] {sentence.text}" for number, sentence in enumerate(sentences, 1))
    prompt = fill("subsentences", question=quoted, response=json.dumps(numbered, ensure_ascii=False))
    spans = [sentence.span for sentence in sentences]
    return Question(
        (Message("user", prompt),), lambda reply: _subsentences(reply, spans), _SUBSENTENCES, max_tokens=room
    )


def _triplets(reply: str, response: str) -> tuple[RefClaim, ...]:
    """Triplets in JSON, or as lines of tuples. Raises ValueError."""
    found = list(_tuples(reply))
    if not found:
        found = [tuple(parts) for parts in _rows(reply)]
    unique = [parts for parts in dict.fromkeys(found) if all(part.strip() for part in parts)]
    return tuple(RefClaim(parts, tuple(find_span(response, part) for part in parts)) for parts in unique)


def _rows(reply: str) -> Sequence[Sequence[str]]:
    value = find_json(reply)
    if isinstance(value, list):  # without response_format some models leave the object away
        reply = json.dumps({"triplets": value})
    rows: Sequence[Sequence[str]] = read_json(reply, _TRIPLETS.body)["triplets"]
    return rows


def _tuples(reply: str) -> Iterator[tuple[str, ...]]:
    for match in _TUPLE.finditer(reply):
        double, single = match.groups()[0::2], match.groups()[1::2]
        parts = (one if one is not None else two for one, two in zip(double, single, strict=True))
        yield tuple(re.sub(r"\\(.)", r"\1", part or "").strip() for part in parts)


def _subsentences(reply: str, spans: Sequence[Span]) -> tuple[RefClaim, ...]:
    claims = []
    for entry in read_json(reply, _SUBSENTENCES.body)["claims"]:
        numbers = tuple(sorted({number for number in entry["sentences"] if 1 <= number <= len(spans)}))
        if not numbers or not entry["text"].strip():
            raise ValueError("every claim needs a text and the number of a sentence of the response")
        place = Span(spans[numbers[0] - 1].start, spans[numbers[-1] - 1].end)
        claims.append(RefClaim((entry["text"].strip(),), (place,), numbers))
    return tuple(claims)
