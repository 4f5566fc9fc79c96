"""Claims and evidence by hand: what the rooms before this one would have handed over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from guardrail.types import (
    Answer,
    Argument,
    Candidate,
    Claim,
    Entity,
    Evidence,
    Fact,
    Mention,
    Node,
    Object,
    Property,
    Qualifier,
    Span,
    Triplet,
    Value,
)
from guardrail.values import find_values

PROPERTIES = {
    "P19": Property("P19", "place of birth", cardinality="single", hierarchical=True),
    "P569": Property("P569", "date of birth", datatype="date", cardinality="single"),
    "P26": Property("P26", "spouse", cardinality="list", symmetric=True, temporal=True),
    "P36": Property("P36", "capital", cardinality="list", temporal=True),
    "P39": Property("P39", "position held", cardinality="list", temporal=True),
    "P40": Property("P40", "child", cardinality="list"),
    "P50": Property("P50", "author", cardinality="list", complete=True),
    "P137": Property("P137", "operator", cardinality="list"),
    "P2048": Property("P2048", "height", datatype="quantity", cardinality="single"),
    "P17": Property("P17", "country", cardinality="list", temporal=True, hierarchical=True, complete=True),
    "P27": Property("P27", "country of citizenship", cardinality="list"),
    "P1082": Property("P1082", "population", datatype="quantity", cardinality="single", temporal=True),
    "P571": Property("P571", "inception", datatype="date", cardinality="single"),
    "P577": Property("P577", "publication date", datatype="date", cardinality="list"),
    "P575": Property("P575", "time of discovery or invention", datatype="date", cardinality="single"),
    "P246": Property("P246", "element symbol", datatype="string", cardinality="single"),
}


class Make:
    """Builders. Ids are made from labels: "Honolulu" is `Node("Q:Honolulu", "Honolulu")`."""

    def node(self, label: str) -> Node:
        return Node(f"Q:{label}", label)

    def date(self, iso: str) -> Value:
        return Value(iso, iso, "date", 9 + iso.lstrip("-").count("-"))

    def values(self, text: str) -> list[Argument]:
        return find_values(text)

    def argument(self, text: str, sentence: str, *names: str, modifier: str = "") -> Argument:
        """`text` where it stands in `sentence`, read as each of `names` (default: itself), or as the value that it is."""
        start = sentence.find(text)
        span = Span(start, start + len(text)) if start >= 0 else None
        values = [a for a in find_values(text) if a.text == text]
        if values and not names:
            return replace(values[0], span=span, modifier=modifier)
        candidates = tuple(
            Candidate(Entity(f"Q:{name}", name), -i) for i, name in enumerate(names or (text,))
        )
        mention = Mention(span or Span(0, 0), text, candidates)
        return Argument(text, span, (mention,), modifier=modifier)

    def unknown(self, text: str, sentence: str) -> Argument:
        """Words that name nothing the graph knows."""
        start = sentence.find(text)
        return Argument(text, Span(start, start + len(text)))

    def fact(
        self, subject: Argument, predicate: str, object_: Argument, *relations: str, **more: object
    ) -> Fact:
        return Fact(subject, predicate, object_, relations=relations, **more)  # type: ignore[arg-type]

    def claim(self, text: str, *facts: Fact, **more: object) -> Claim:
        mentions = tuple(
            m for fact in facts for argument in (fact.subject, fact.object) for m in argument.mentions
        )
        return Claim(0, Span(0, len(text)), text, text, facts, mentions, **more)  # type: ignore[arg-type]

    def statement(self, subject: str, property_: str, object_: str | Object, **qualifiers: str) -> Triplet:
        known = PROPERTIES.get(property_)
        end = self.node(object_) if isinstance(object_, str) else object_
        extra = tuple(Qualifier(Node(id_, id_), self.date(iso)) for id_, iso in qualifiers.items())
        predicate = Node(property_, known.label) if known else Node(property_, property_)
        return Triplet(
            self.node(subject), predicate, end, extra, id=f"{subject}-{property_}-{end.label}", source="kg"
        )

    def answer(
        self, asked: str, property_: str, statements: Sequence[Triplet] = (), **more: object
    ) -> Answer:
        index = int(str(more.pop("fact", 0)))
        return Answer(index, self.node(asked), PROPERTIES[property_], tuple(statements), **more)  # type: ignore[arg-type]

    def evidence(
        self, *answers: Answer, given: Sequence[tuple[str, str, str]] = (), **more: object
    ) -> Evidence:
        triplets = [t for answer in answers for t in answer.statements]
        triplets += [
            Triplet(Node("", s), Node("", p), Node("", o), id=f"given-{i}", source="request")
            for i, (s, p, o) in enumerate(given)
        ]
        return Evidence(triplets=tuple(triplets), answers=answers, **more)  # type: ignore[arg-type]


@pytest.fixture
def make() -> Make:
    return Make()
