"""FLEEK's decisions: object replacement, single and list, majority, revision."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from guardrail.check.llm.fleek import Answers, Row, decide, entailed, revise, vote
from guardrail.errors import ModelError, ModelMalformed
from guardrail.llm import Llm, LlmSettings, open_llm
from guardrail.scoring import FleekClass
from tests.scripted_llm import Reply, Request, Script, ScriptedLlm, refusal

AGE = Row("Taylor Swift", "age", "30")
MOVE = Row("Taylor Swift", "moved", "Nashville", "move_1", "place")
STRONG, LIKELY, QUESTIONABLE = (
    FleekClass.STRONGLY_SUPPORTED,
    FleekClass.LIKELY_SUPPORTED,
    FleekClass.QUESTIONABLE,
)


@contextmanager
def model(script: Script) -> Iterator[tuple[ScriptedLlm, Llm]]:
    with ScriptedLlm(script) as server:
        llm = open_llm(LlmSettings("m", server.url, attempts=1))
        yield server, llm
        llm.close()


def words(*answers: str) -> str:
    return json.dumps({"entailed": list(answers)})


def by_object(request: Request) -> Reply:
    """A model that compares: the pairs whose two triples read the same are entailed."""
    lines = [line for line in request.prompt.splitlines() if line[:1].isdigit() and "evidence:" in line]
    same = [line.split("claim: ")[1].split(", evidence: ") for line in lines]
    return Reply(words(*("yes" if claim == evidence else "no" for claim, evidence in same)))


def test_the_object_is_replaced_and_the_rest_stays() -> None:
    """Flat and extended triples read as in §2.1.1."""
    assert str(AGE.with_object("33")) == "(Taylor Swift; age; 33)"
    assert str(MOVE) == "(Taylor Swift; moved; move_1; place; Nashville)"


@pytest.mark.parametrize(
    ("answers", "label"),
    [
        (Answers(("30",)), STRONG),
        (Answers(("33",)), QUESTIONABLE),
        (Answers(("33",), ("30",)), QUESTIONABLE),
        (Answers(("33",), ("30",), open_list=True), LIKELY),
        (Answers(("29", "30")), LIKELY),
        (Answers(("29", "33")), QUESTIONABLE),
        (Answers(("29", "33"), ("30",)), LIKELY),
        (Answers((), ("30", "33")), LIKELY),
        (Answers((), ("33",)), QUESTIONABLE),
        (Answers(), None),
    ],
)
def test_single_list_and_web(answers: Answers, label: FleekClass | None) -> None:
    """A singular answer of the graph decides alone; a list, or nothing, takes the web into account."""
    with model([by_object]) as (server, llm):
        (decision,) = decide(llm, [AGE], [answers])
        assert decision.label is label
        assert server.calls == (1 if answers.all else 0)
        assert set(decision.supporting) | set(decision.against) == set(answers.all)


def test_all_rows_of_a_sentence_in_one_call() -> None:
    """Three rows with five answers cost one call."""
    with model([by_object]) as (server, llm):
        rows = [AGE, MOVE, Row("Taylor Swift", "award", "Grammy")]
        found = decide(
            llm, rows, [Answers(("30",)), Answers(("Reading",)), Answers(("Emmy", "Grammy", "Oscar"))]
        )
        assert [decision.label for decision in found] == [STRONG, QUESTIONABLE, LIKELY]
        assert server.calls == 1


def test_a_majority_of_samples_decides() -> None:
    """Two of three say yes; the samples are asked apart, and one that fails does not count."""
    with model([words("yes"), words("no"), words("yes")]) as (server, llm):
        assert entailed(llm, [(AGE, AGE)], samples=3) == [(True, pytest.approx(2 / 3))]
        assert server.calls == 3
    with model([refusal()]) as (_, llm), pytest.raises(ModelError):
        entailed(llm, [(AGE, AGE)], samples=3)


@pytest.mark.parametrize(
    ("votes", "expected"),
    [([True], (True, 1.0)), ([True, False], (False, 0.5)), ([False, False, True], (False, 2 / 3))],
)
def test_a_tie_is_no_entailment(votes: list[bool], expected: tuple[bool, float]) -> None:
    """Support needs more than half."""
    assert vote(votes) == expected


@pytest.mark.parametrize("reply", [words(), words("yes", "no"), words("maybe"), "yes"])
def test_answers_that_do_not_line_up_are_an_error(reply: str) -> None:
    """One word per pair, or none at all."""
    with model([reply]) as (_, llm), pytest.raises(ModelMalformed):
        entailed(llm, [(AGE, AGE)])


def test_revisions_come_one_per_alternative() -> None:
    """§2.2's own example; every known answer is an alternative."""

    def rewrite(request: Request) -> Reply:
        age = "33" if "age; 33)" in request.prompt.rsplit("Right:", 1)[1] else "34"
        return Reply(json.dumps({"sentence": f"Taylor Swift is {age} years old."}))

    with model([rewrite]) as (_, llm):
        found = revise(llm, "Taylor Swift is 30 years old.", AGE, ["33", "34"])
        assert found == ["Taylor Swift is 33 years old.", "Taylor Swift is 34 years old."]


@pytest.mark.parametrize("sentence", ["Taylor Swift is 30 years old.", "", "Taylor Swift is a singer."])
def test_a_rewrite_that_is_none_is_refused(sentence: str) -> None:
    """Unchanged, empty, or without the new object."""
    with model([json.dumps({"sentence": sentence})]) as (_, llm), pytest.raises(ModelMalformed):
        revise(llm, "Taylor Swift is 30 years old.", AGE, ["33"])
