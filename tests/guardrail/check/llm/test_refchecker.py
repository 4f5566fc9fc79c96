"""RefChecker's checking: joint calls, passages that disagree, localization."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from guardrail.check.llm.refchecker import (
    check,
    decided,
    entailed,
    localize,
    merge,
    question,
    segments,
)
from guardrail.errors import ModelMalformed, ModelRefused
from guardrail.llm import Llm, LlmSettings, open_llm
from guardrail.llm.endpoint import Decider
from guardrail.types import Claim, Evidence, Label, Verdict
from tests.scripted_llm import Reply, Request, Script, ScriptedLlm, refusal

A, E, C = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CLAIMS = ["Lyon is a city", "Lyon is the capital", "Lyon is old"]


def labels(*names: str) -> str:
    return json.dumps({"labels": list(names)})


@contextmanager
def model(script: Script) -> Iterator[tuple[ScriptedLlm, Llm]]:
    with ScriptedLlm(script) as server:
        llm = open_llm(LlmSettings("m", server.url, attempts=1, backoff_s=0.0))
        yield server, llm
        llm.close()


def test_all_claims_in_one_call() -> None:
    """Three claims and one reference cost one call; without a question none is invented."""
    with model([labels("Entailment", "Contradiction", "Neutral")]) as (server, llm):
        checked = check(llm, CLAIMS, ["Lyon is a city, Paris the capital."])
        assert [item.label for item in checked] == [A, C, E]
        assert server.calls == 1
        assert "Question:\nnone" in server.requests[0].prompt


def _one_label_per_claim(request: Request) -> Reply:
    asked = request.prompt.rsplit("Claims:", 1)[1].strip().splitlines()
    return Reply(labels(*["Neutral"] * len(asked)))


def test_joint_checking_by_number() -> None:
    """Five claims at a time is RefChecker's way; one at a time its way before."""
    with model([_one_label_per_claim]) as (server, llm):
        check(llm, [f"claim {number}" for number in range(7)], ["x"], joint=5, asked="Why?")
        assert server.calls == 2
        check(llm, CLAIMS, ["x"], joint=1)
        assert server.calls == 5
        assert '"Why?"' in server.requests[0].prompt


def _by_passage(request: Request) -> Reply:
    yes = "yes passage" in request.prompt
    return Reply(
        labels("Entailment" if yes else "Contradiction", "Neutral", "Entailment" if yes else "Neutral")
    )


def test_passages_that_disagree_are_shown_as_a_conflict() -> None:
    """No side wins by rule; a passage that is silent does not count against one that speaks."""
    with model([_by_passage]) as (_, llm):
        first, second, third = check(llm, CLAIMS, ["a yes passage", "a no passage"])
        assert (first.label, first.labels, first.conflict) == (E, (A, C), True)
        assert (second.label, second.conflict) == (E, False)
        assert (third.label, third.labels) == (A, (A, E))


@pytest.mark.parametrize(
    ("given", "expected"), [([A, E], A), ([E, C], C), ([A, C], E), ([E, E], E), ([C], C), ([A, A, E], A)]
)
def test_merging(given: list[Label], expected: Label) -> None:
    """One voice decides, silence abstains, disagreement decides nothing."""
    assert merge(given).label is expected


@pytest.mark.parametrize(
    "reply",
    [labels("Neutral"), labels(*["Neutral"] * 4), labels("Yes", "No", "No"), "contradiction", "{}"],
)
def test_labels_that_do_not_line_up_are_an_error(reply: str) -> None:
    """Too few, too many or unknown labels raise; none is filled up with Neutral."""
    with model([reply]) as (_, llm), pytest.raises(ModelMalformed):
        check(llm, CLAIMS, ["x"])


def test_a_refusal_is_an_error() -> None:
    """There is no label for what was not judged."""
    with model([refusal()]) as (_, llm), pytest.raises(ModelRefused):
        check(llm, CLAIMS, ["x"])


def test_nothing_to_check_costs_nothing() -> None:
    """No claims: no labels. No references: Neutral. Neither asks the model."""
    with model(["never"]) as (server, llm):
        assert check(llm, [], ["x"]) == ()
        assert [item.label for item in check(llm, CLAIMS, [])] == [E, E, E]
        assert server.calls == 0


def test_a_long_reference_is_read_in_segments() -> None:
    """What one segment says, the passage says; no word is lost between them."""
    reference = "word " * 60 + "yes passage " + "word " * 60
    with model([_by_passage_or_silent]) as (server, llm):
        assert check(llm, CLAIMS[:1], [reference], segment_length=200)[0].label is A
        assert server.calls > 2


def _by_passage_or_silent(request: Request) -> Reply:
    return Reply(labels("Entailment" if "yes passage" in request.prompt else "Neutral"))


@pytest.mark.parametrize("length", [0, 1, 7, 50, 10_000])
def test_segments_add_up(length: int) -> None:
    """Cut anywhere, together they are the reference."""
    text = "The quick brown fox jumps over the lazy dog. " * 5 + "x" * 90
    assert "".join(segments(text, length)) == text


def test_the_reference_comes_before_the_claims() -> None:
    """Claims of one reference share its tokens as a prefix."""
    one = question(CLAIMS[:1], "REFERENCE").messages[0].content
    two = question(CLAIMS[1:], "REFERENCE").messages[0].content
    assert one[: one.index("Claims:")] == two[: two.index("Claims:")]


class Reader:
    """A cross-encoder: what it reads decides, what it does not know it passes on."""

    name = "reader"

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        (reference,) = evidence.passages
        if claim.text in reference.text:
            return Verdict(claim, A, 0.9, evidence, "It says so.", self.name)
        return Verdict(claim, C, 0.9, evidence, "It denies.", self.name) if "not" in reference.text else None


def test_a_checker_of_ours_in_the_place_of_a_model() -> None:
    """RefChecker's NLI checker: claim by claim and reference by reference, merged in the same way."""
    both, said, denied, unknown = entailed(
        Reader(),
        ["Lyon is old", "Paris is big", "Rome is far", "x"],
        ["Lyon is old. Paris is big.", "Lyon is not old."],
    )
    assert (both.label, both.conflict) == (E, True)
    assert (said.label, said.conflict) == (E, True)
    assert denied.label is C
    assert unknown.labels == (E, C)
    assert entailed(Reader(), ["x"], ["a", "b"])[0].label is E


def test_an_endpoint_of_probabilities_in_the_place_of_a_model() -> None:
    """The likeliest label counts, one call per reference."""

    def answer(request: Request) -> Reply:
        shares = (0.7, 0.2, 0.1) if "yes" in request.body["input"] else (0.1, 0.3, 0.6)
        names = ("attributable", "extrapolatory", "contradictory")
        given = [{"value": n, "probability": p} for n, p in zip(names, shares, strict=True)]
        return Reply(body={"answers": [{"probabilities": given} for _ in request.body["questions"]]})

    with ScriptedLlm([answer]) as server:
        decider = Decider(server.url, "m")
        first, _ = decided(decider, ["a", "b"], ["a yes passage", "another"])
        assert (first.labels, first.conflict) == ((A, C), True)
        assert server.calls == 2
        assert decided(decider, ["a"], [])[0].label is E
        decider.close()


REFERENCE = "Marie Skłodowska Curie, born in Warsaw, won the Nobel Prize in Physics in 1903."


def test_localization_of_literal_parts() -> None:
    """Words that stand there are found exactly; a relation that does not is none."""
    head, relation, tail = localize(["born in", "discovered", "warsaw"], REFERENCE)
    assert head is not None
    assert tail is not None
    assert (head.of(REFERENCE), relation, tail.of(REFERENCE)) == ("born in", None, "Warsaw")


def test_localization_of_most_of_the_words() -> None:
    """A name with a part in between is found as the shortest stretch that holds it."""
    place, prize = localize(["Marie Curie", "Physics Nobel Prize"], REFERENCE)
    assert place is not None
    assert prize is not None
    assert place.of(REFERENCE) == "Marie Skłodowska Curie"
    assert prize.of(REFERENCE) == "Nobel Prize in Physics"


def test_localization_of_what_is_not_there() -> None:
    """One word of four is no place."""
    assert localize(["Albert Einstein in Berlin", "?!"], REFERENCE) == (None, None)
