"""Claims from a language model: exact spans, facts with places, and the rules when it fails."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from guardrail.claims.llm.extractor import LlmExtractor, worth_asking
from guardrail.llm import LlmSettings, open_llm
from guardrail.types import BlockKind, Candidate, Claim, Context, Entity, Mention, Sentence, Span
from tests.scripted_llm import Script, ScriptedLlm, refusal

TEXT = "She was born in 1989 and moved to Nashville at the age of 14."
SENTENCE = Sentence(Span(100, 100 + len(TEXT)), TEXT)
SWIFT = Entity("Q26876", "Taylor Swift")
SHE = Mention(Span(100, 103), "She", (Candidate(SWIFT, 0.0),))
NASHVILLE = Mention(Span(134, 143), "Nashville", (Candidate(Entity("Q23197", "Nashville"), 0.0),))
FACT = {
    "subject": "Taylor Swift",
    "predicate": "born",
    "object": "1989",
    "attributes": [],
    "object_type": "year",
    "question": "In which year was Taylor Swift born?",
    "negated": False,
}
MOVE = FACT | {
    "predicate": "moved to",
    "object": "Nashville",
    "attributes": [{"name": "age", "value": "14"}],
    "object_type": "city",
    "question": "To which city did Taylor Swift move at the age of 14?",
}
CLAIMS = [
    {
        "text_span": "moved to Nashville at the age of 14",
        "resolved": "Taylor Swift moved to Nashville at the age of 14.",
        "facts": [MOVE],
    },
    {"text_span": "She was born in 1989", "resolved": "Taylor Swift was born in 1989.", "facts": [FACT]},
]
GOOD = json.dumps({"claims": CLAIMS})


class Rules:
    """The embedded extractor: the sentence as one claim."""

    def extract(
        self, sentence: Sentence, mentions: Sequence[Mention], context: Context, *, first_id: int = 0
    ) -> list[Claim]:
        return [Claim(first_id, sentence.span, sentence.text, "by rule")]


@contextmanager
def extracting(script: Script) -> Iterator[tuple[ScriptedLlm, LlmExtractor]]:
    with ScriptedLlm(script) as server:
        llm = open_llm(LlmSettings("m", server.url, attempts=1, backoff_s=0.0))
        yield server, LlmExtractor(llm, Rules())
        llm.close()


def test_claims_come_with_exact_places_and_in_order() -> None:
    """Spans point into the original text, whatever order the model answered in; ids count on."""
    with extracting([GOOD]) as (server, extractor):
        born, moved = extractor.extract(
            SENTENCE, [SHE, NASHVILLE], Context(question="Who is she?"), first_id=7
        )
        assert (born.id, moved.id) == (7, 8)
        assert born.span == Span(100, 120)
        assert born.span.shift(-100).of(TEXT) == born.text == "She was born in 1989"
        assert born.resolved == "Taylor Swift was born in 1989."
        assert moved.mentions == (NASHVILLE,)
        assert server.calls == 1
        assert '"Who is she?"' in server.requests[0].prompt


def test_facts_are_flat_and_extended_with_typed_questions() -> None:
    """FLEEK's own examples: a typed question for the flat triple, the attribute as context for the extended one."""
    with extracting([GOOD]) as (_, extractor):
        born, moved = extractor.extract(SENTENCE, [SHE, NASHVILLE], Context())
        year = born.facts[0]
        assert (year.object_type, year.question) == ("year", "In which year was Taylor Swift born?")
        assert year.object.value is not None
        assert year.object.value.value == "1989"
        assert year.object.span == Span(116, 120)
        assert year.subject.mention == SHE
        move = moved.facts[0]
        assert [(item.name, item.object.text) for item in move.attributes] == [("age", "14")]
        assert move.object.mention == NASHVILLE
        assert move.question.endswith("at the age of 14?")


@pytest.mark.parametrize(
    "reply",
    [
        refusal(),
        "nothing",
        json.dumps({"claims": [CLAIMS[0] | {"text_span": "She relocated"}]}),
        json.dumps({"claims": [CLAIMS[0] | {"facts": [FACT | {"negated": "no"}]}]}),
        json.dumps({"claims": []}),
    ],
)
def test_when_the_model_fails_the_rules_take_over(reply: object) -> None:
    """A refusal, another form, invented words or an empty list: the embedded extractor answers."""
    with extracting([reply]) as (_, extractor):  # type: ignore[list-item]
        assert [claim.resolved for claim in extractor.extract(SENTENCE, [], Context())] == ["by rule"]


def test_one_invented_span_does_not_cost_the_others() -> None:
    """What does not stand in the sentence is dropped, the rest stays."""
    reply = json.dumps({"claims": [CLAIMS[0], CLAIMS[1] | {"text_span": "She is a singer"}]})
    with extracting([reply]) as (_, extractor):
        assert [claim.text for claim in extractor.extract(SENTENCE, [], Context())] == [
            CLAIMS[0]["text_span"]
        ]


@pytest.mark.parametrize(
    ("text", "kind", "worth"),
    [
        ("Paris is nice.", BlockKind.PROSE, False),
        ("The city of Paris is old.", BlockKind.PROSE, True),
        ("It has 20 districts.", BlockKind.PROSE, True),
        ("Is it Paris in France?", BlockKind.PROSE, False),
        ("print(Paris, 20)", BlockKind.CODE, False),
        ("Sure!", BlockKind.PROSE, False),
        ("that is how it works", BlockKind.PROSE, False),
    ],
)
def test_the_gate_keeps_sentences_without_facts_from_the_model(
    text: str, kind: BlockKind, worth: bool
) -> None:
    """Code, questions, and what names and counts nothing cost no call."""
    assert worth_asking(Sentence(Span(0, len(text)), text, kind), []) is worth
