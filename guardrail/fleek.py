"""FLEEK from text to decisions: extract facts, ask the graph and the web, decide by entailment, revise.

A way of working of its own, next to the verifier: the model extracts and compares, the graph and the passages answer. At
most two calls per sentence, whatever the number of facts, plus one per revision that is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from guardrail.check.llm.fleek import Answers, Decision, Row, decide, revise
from guardrail.claims.llm.extractor import question as extraction
from guardrail.claims.llm.extractor import worth_asking
from guardrail.llm import Llm
from guardrail.scoring import FleekClass
from guardrail.segment import segment
from guardrail.types import Claim, Context, Evidence, Fact, Linker, Retriever, Sentence
from guardrail.values.render import shown

__all__ = ["Checked", "Fleek", "rows"]

_WEB = 5  # §2.1.3: "the top-k (e.g., 5) web passages"


@dataclass(frozen=True, slots=True)
class Checked:
    """One row of one fact of one claim, with its question, its answers and FLEEK's class."""

    claim: Claim
    fact: Fact
    row: Row
    question: str
    answers: Answers
    decision: Decision
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Fleek:
    """Thread-safe as far as its parts are. `web`: a second retriever, whose passages' marked words are short answers."""

    llm: Llm
    linker: Linker
    graph: Retriever
    web: Retriever | None = None
    samples: int = 1

    def check(self, text: str, *, question: str = "", deadline: float | None = None) -> list[Checked]:
        """Every fact of `text`. Raises ModelError."""
        context = Context(question=question)
        found: list[Checked] = []
        for sentence in segment(text):
            claims = self._claims(sentence, context, deadline)
            found += self._decided(sentence, claims, deadline)
            context = replace(context, earlier=(*context.earlier, *claims))
        return found

    def revisions(self, checked: Checked, *, deadline: float | None = None) -> list[str]:
        """The sentence with each known answer in the place of a Questionable object. Raises ModelError."""
        if checked.decision.label is not FleekClass.QUESTIONABLE:
            return []
        known = checked.answers.graph or checked.answers.web
        return revise(self.llm, checked.sentence.text, checked.row, known, deadline=deadline)

    def _claims(self, sentence: Sentence, context: Context, deadline: float | None) -> list[Claim]:
        mentions = self.linker.link(sentence.text, offset=sentence.span.start, context=context)
        if not worth_asking(sentence, mentions):
            return []
        return self.llm.ask(extraction(sentence, mentions, context), deadline=deadline).value

    def _decided(self, sentence: Sentence, claims: Sequence[Claim], deadline: float | None) -> list[Checked]:
        asked = [
            (claim, fact, row, _answers(known, web, number, row))
            for claim, known, web in ((claim, *self._evidence(claim)) for claim in claims)
            for number, fact in enumerate(claim.facts)
            for row in rows(fact, number)
        ]
        decisions = decide(
            self.llm, [row for _, _, row, _ in asked], [found for *_, found in asked],
            samples=self.samples, deadline=deadline,
        )  # fmt: skip
        return [
            Checked(claim, fact, row, fact.question, found, decision, sentence)
            for (claim, fact, row, found), decision in zip(asked, decisions, strict=True)
        ]

    def _evidence(self, claim: Claim) -> tuple[Evidence, Evidence]:
        return self.graph.retrieve(claim), self.web.retrieve(claim) if self.web else Evidence()


def rows(fact: Fact, number: int = 0) -> list[Row]:
    """§2.1.1: a binary predicate is one flat triple; one with several objects an extended triple, a row for each object."""
    if not fact.attributes:
        return [Row(fact.subject.text, fact.predicate, fact.object.text)]
    event = f"{fact.predicate.split()[0] if fact.predicate.split() else 'event'}_{number + 1}"
    objects = [(fact.object_type or "object", fact.object.text)]
    objects += [(attribute.name, attribute.object.text) for attribute in fact.attributes]
    return [Row(fact.subject.text, fact.predicate, words, event, name) for name, words in objects]


def _answers(known: Evidence, web: Evidence, number: int, row: Row) -> Answers:
    """The short answers to one fact: the statements' objects, or for a further argument their qualifiers of that name."""
    given = [answer for answer in known.answers if answer.fact == number]
    found: list[str] = []
    for answer in given:
        for statement in answer.statements:
            qualifiers = [
                q for q in statement.qualifiers if row.attribute and _named(q.predicate.label, row.attribute)
            ]
            if qualifiers:
                found += [shown(qualifier.object) for qualifier in qualifiers]
            else:
                found.append(shown(statement.subject if answer.inverse else statement.object))
    open_list = any(answer.property.cardinality == "list" for answer in given)
    return Answers(tuple(dict.fromkeys(found)), _short_answers(web), open_list)


def _named(predicate: str, attribute: str) -> bool:
    return attribute.casefold() in predicate.casefold()


def _short_answers(evidence: Evidence) -> tuple[str, ...]:
    """The highlighted words of the best passages; a passage without any is no short answer."""
    best = sorted(evidence.passages, key=lambda passage: -passage.relevance)[:_WEB]
    return tuple(dict.fromkeys(mark.of(passage.text) for passage in best for mark in passage.marks))
