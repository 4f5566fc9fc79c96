"""A hospital that nobody's lexicon knows, and how a sentence about it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache

from guardrail.check.kg.aligned.alignment import Alignment
from guardrail.check.kg.aligned.decide import align
from guardrail.check.kg.aligned.fillers import ClaimSentence, read
from guardrail.language import parser
from guardrail.models.embed import PropertyEmbedder
from guardrail.types import (
    Candidate,
    Claim,
    Entity,
    Mention,
    Node,
    Object,
    Profile,
    Property,
    Qualifier,
    Span,
    Triplet,
    Value,
)
from guardrail.values import find_values


def value(text: str) -> Value:
    """The date or quantity that a text is, or the text itself."""
    found = [one.value for one in find_values(text) if one.span == Span(0, len(text)) and one.value]
    return found[0] if found else Value(text, text, "string")


def node(name: str) -> Node:
    return Node(name, name)


def stated(subject: str, label: str, object_: Object, source: str = "", **times: str) -> Triplet:
    qualifiers = tuple(Qualifier(node(key), value(text)) for key, text in times.items())
    key = f"{subject} {label} {object_.label}"
    return Triplet(node(subject), node(label), object_, qualifiers, source=source, id=key)


STATEMENTS = (
    stated("Elm Clinic", "parking fee", value("£3")),
    stated("Elm Clinic", "notice period", value("8 weeks")),
    stated("Elm Clinic", "beds", value("312")),
    stated("Elm Clinic", "operating theatres", value("9")),
    stated("Elm Clinic", "opening hours", Value("08:30-18:00", "08:30-18:00", "string")),
    stated("Elm Clinic", "has a helipad", Value("no", "no", "string")),
    stated("Elm Clinic", "director", node("Ann Lee"), start="2020"),
    stated("Elm Clinic", "director", node("Bo Kay"), start="2010", end="2019"),
    stated("Elm Clinic", "storage temperature", value("4 °C")),
    stated("Oak Clinic", "beds", value("40")),
    stated("Oak Clinic", "opening hours", Value("09:30-19:30", "09:30-19:30", "string")),
    stated("Oak Clinic", "treats ages", replace(value("8"), label="8-17", lower="8", upper="17")),
    stated("Fir Hall", "minimum age of visitors", value("14")),
    stated("Oak Clinic", "director", node("Cy Moe"), start="2021"),
    stated("Oak Clinic", "architect", node("Di Ray")),
    stated("Oak Clinic", "patron", node("Ed Fox")),
    stated("Fir Hall", "maximum attendee capacity", value("9000")),
    stated("Oak Clinic", "employees", value("2270")),
    stated("Oak Clinic", "average stay", value("5 days")),
    stated("Fir Hall", "first visit length", value("30 minutes")),
    stated("Oak Clinic", "car spaces", value("0")),
    stated("Elm Clinic", "state", value("under repair")),
    stated("Elm Clinic", "facade", node("brick")),
    stated("Fir Hall", "ceiling height", value("9 m"), source="plans.csv"),
    stated("Fir Hall", "ceiling height", value("7 m"), source="site.csv"),
    stated("Elm Clinic", "price", value("£9 million")),
    stated("Oak Clinic", "price", value("£4 million")),
    stated("Fir Hall", "hire price weekday", value("£200")),
    stated("Fir Hall", "site code", value("FH-1042")),
    stated("Fir Hall", "hire price weekend", value("£260")),
    stated("Oak Clinic", "storage temperature", value("9 °C")),
    stated("Gus Orr", "date of birth", value("3 May 1950")),
    stated("Hal Ude", "date of birth", value("9 June 1985")),
    stated("Gus Orr", "post", node("treasurer"), start="2015", end="2018"),
    stated("Hal Ude", "post", node("treasurer"), start="2019"),
)
LISTS = {
    "state": Property(
        "state",
        "state",
        datatype="string",
        cardinality="single",
        values=("in use", "out of order", "under repair"),
    ),
    "facade": Property("facade", "facade", cardinality="single", values=("brick", "painted wood", "yes")),
    "architect": Property("architect", "architect", cardinality="list", complete=True),
    "patron": Property("patron", "patron", cardinality="list"),
    "employees": Property("employees", "employees", datatype="quantity", cardinality="list", temporal=True),
}
RECORDS: Mapping[str, Property] = {
    label: Property(label, label, cardinality="single", temporal=label == "director")
    for label in {one.predicate.label for one in STATEMENTS}
} | LISTS
NAMES = (
    "Elm Clinic",
    "Oak Clinic",
    "Ann Lee",
    "Bo Kay",
    "Cy Moe",
    "Di Ray",
    "Ed Fox",
    "Fir Hall",
    "Gus Orr",
    "Hal Ude",
)


def profile(name: str) -> Profile:
    own = tuple(one for one in STATEMENTS if one.subject.label == name)
    records = {one.predicate.id: RECORDS[one.predicate.id] for one in own}
    of = {one.predicate.id for one in STATEMENTS if one.object.label == name}
    terms = tuple(one for one in STATEMENTS if one.object.label == name and one.qualifiers)
    return Profile(node(name), own, records, frozenset(of), (name,), terms=terms)


def claimed(text: str) -> Claim:
    mentions = sorted(
        (
            Mention(Span(at, at + len(name)), name, (Candidate(Entity(name, name), 1.0),))
            for name in NAMES
            if (at := text.find(name)) >= 0
        ),
        key=lambda one: one.span.start,
    )
    return Claim(0, Span(0, len(text)), text, text, (), tuple(mentions))


def sentence(text: str) -> ClaimSentence:
    claim = claimed(text)
    return read(claim, [profile(one.text) for one in claim.mentions], parser().read)


@cache
def embedder() -> PropertyEmbedder:
    return PropertyEmbedder()


def aligned(text: str) -> Alignment:
    """The values of a sentence beside what the graph has, on the first day of 2025."""
    return align(sentence(text), embedder(), date(2025, 1, 1))


def told(text: str) -> list[tuple[str, str, str]]:
    """State, property and claimed words of each value of a sentence."""
    return [(one.state, one.option.record.label, one.claimed.text) for one in aligned(text).values]
