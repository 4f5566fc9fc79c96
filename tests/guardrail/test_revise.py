"""Proposals for revisions: the claimed words replaced in their own form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from guardrail.errors import ModelUnavailable
from guardrail.revise import first_different, propose, verified
from guardrail.types import (
    Argument,
    Claim,
    Evidence,
    Fact,
    Label,
    Mention,
    Node,
    Object,
    Revision,
    Sentence,
    Slot,
    Span,
    Value,
    Verdict,
)

BIRTH = Value("13 December 1989", "1989-12-13", "date", 11)


def contradicted(
    text: str, claimed: str, *known: Object, offset: int = 0, **more: bool
) -> tuple[Claim, Verdict, Sentence]:
    start = text.find(claimed)
    span = Span(offset + start, offset + start + len(claimed)) if start >= 0 else None
    whole = Span(offset, offset + len(text))
    fact = Fact(Argument("s"), "p", Argument(claimed, span), **more)
    claim = Claim(0, whole, text, text, (fact,))
    slot = Slot("property", claimed, "known", "single", "conflict", span, 0, tuple(known))
    verdict = Verdict(claim, Label.CONTRADICTORY, 0.9, Evidence(), "Because.", "symbolic", slot=slot)
    return claim, verdict, Sentence(whole, text)


@pytest.mark.parametrize(
    ("text", "claimed", "known", "revised"),
    [
        ("She was born on March 3, 1990.", "March 3, 1990", BIRTH, "She was born on December 13, 1989."),
        ("It opens at 9.", "9", Value("8 a.m.", "8 a.m.", "string"), "It opens at 8 a.m."),
        ("It opens at 9, and it is free.", "9", Value("8 a.m.", "8 a.m.", "string"), "It opens at 8 a.m., and it is free."),
        ("She was born in 1990.", "1990", BIRTH, "She was born in 1989."),
        ("She is 30 years old.", "30 years old", Value("34", "34", "quantity"), "She is 34 years old."),
        ("Sydney is the capital.", "Sydney", Node("Q", "Canberra"), "Canberra is the capital."),
        ("Lyon's mayor met him.", "Lyon's", Node("Q", "Paris"), "Paris's mayor met him."),
        ("He was a chemist.", "chemist", Node("Q", "engineer"), "He was an engineer."),
        ("He was a chemist.", "a chemist", Node("Q", "engineer"), "He was an engineer."),
        ("He was an actor.", "actor", Node("Q", "university teacher"), "He was a university teacher."),
        ("Chemist was his trade.", "Chemist", Node("Q", "engineer"), "Engineer was his trade."),
        ("He is a Brazilian footballer.", "Brazilian", Node("Q414", "Argentina"), "He is an Argentine footballer."),
        ("He was born in Brazil.", "Brazil", Node("Q414", "Argentina"), "He was born in Argentina."),
        ("140 million people live there.", "140 million", Value("x", "1419316933", "quantity"), "1.4 billion people live there."),
        ("It was formed on 3 May 2012.", "3 May 2012", Value("2011", "2011", "date", 9), "It was formed in 2011."),
        ("It stars Ann.", "Ann", Node("Q", "Eve (actress)"), "It stars Eve."),
        ("It is 400 m tall.", "400 m", Value("381", "381", "quantity", unit=Node("Q11573", "metre")), "It is 381 m tall."),
    ],
)  # fmt: skip
def test_surface_form(text: str, claimed: str, known: Object, revised: str) -> None:
    """Dates, units, articles, possessives and capitals fit their place; brackets of a label are dropped."""
    [revision] = propose(*contradicted(text, claimed, known))
    assert revision.text == revised


def test_spans_point_into_the_original() -> None:
    """A sentence further down its text is edited at the right place, article included."""
    text = "He was a chemist."
    [revision] = propose(*contradicted(text, "chemist", Node("Q", "engineer"), offset=50))
    assert revision.span == Span(57, 66)
    assert revision.replacement == "an engineer"
    assert revision.text == "He was an engineer."


def test_several_values_give_several_proposals() -> None:
    """Each known value is an alternative, in order, without repeats and without the sentence as it was."""
    nodes = [Node("Q1", "Ann"), Node("Q2", "Eve"), Node("Q3", "Ann"), Node("Q4", "Bob")]
    revisions = propose(*contradicted("It was led by Bob.", "Bob", *nodes))
    assert [r.replacement for r in revisions] == ["Ann", "Eve"]


@pytest.mark.parametrize(
    ("text", "revised"),
    [
        ("Southwest has never operated any Boeing 737.", "Southwest has operated Boeing 737."),
        ("He was not born there.", "He was born there."),
        ("He wasn't born there.", "He was born there."),
        ("He never appointed anyone.", "He appointed someone."),
        ("He has no child.", "He has a child."),
    ],
)
def test_a_denial_is_taken_back(text: str, revised: str) -> None:
    """Without its negation the sentence says what is known; the verifier reads it again before it is offered."""
    revisions = propose(*contradicted(text, "missing", negated=True))
    assert [r.text for r in revisions] == [revised]


def test_nothing_is_proposed_without_a_slot_or_a_place() -> None:
    """Only a contradicted claim whose words at fault stand in the sentence can be revised."""
    claim, verdict, sentence = contradicted("She was born in 1990.", "1990", BIRTH)
    assert propose(claim, replace(verdict, slot=None), sentence) == []
    assert propose(claim, replace(verdict, label=Label.EXTRAPOLATORY), sentence) == []
    elsewhere = replace(verdict, slot=replace(verdict.slot, span=Span(90, 94)) if verdict.slot else None)
    assert propose(claim, elsewhere, sentence) == []
    assert propose(replace(claim, facts=()), verdict, sentence) == []


@pytest.mark.parametrize("label", ["none", "None", "n/a", "No"])
@pytest.mark.parametrize("kind", [Node, lambda _, label: Value(label, label, "string")])
def test_nothing_is_proposed_where_there_is_none(
    label: str, kind: Callable[[str, str], Node | Value]
) -> None:
    """ "It has a None motor." would be no sentence."""
    text = "The Swift has a Bosch motor."
    assert propose(*contradicted(text, "Bosch", kind("", label))) == []
    [other] = propose(*contradicted(text, "Bosch", kind("", "Shimano")))
    assert other.text == "The Swift has a Shimano motor."


def test_no_words_are_proposed_that_the_sentence_denies() -> None:
    """ "Sydney, not Canberra, is the capital" cannot become "Canberra, not Canberra"."""
    known = Node("Q", "Canberra")
    assert propose(*contradicted("Sydney, not Canberra, is the capital.", "Sydney", known)) == []
    assert propose(*contradicted("Sydney, not Perth, is the capital.", "Sydney", known))


def test_nothing_is_said_twice() -> None:
    """A correction that repeats what the claim says beside it is no sentence of the same shape."""
    ulm, bo = Node("Q1", "Ulm"), Node("Q2", "Bo Ek")
    assert not propose(*contradicted("She was born in Ulm in Jena.", "Jena", ulm))
    proposed = propose(
        *contradicted("The members are Ann Lee and Cy Day.", "Cy Day", Node("Q3", "Ann Lee"), bo)
    )
    assert [one.text for one in proposed] == ["The members are Ann Lee and Bo Ek."]


def test_all_conflicting_slots_are_put_right_at_once() -> None:
    """A wrong day and a wrong place in one claim are one revision from the first to the last of them."""
    text = "She was born on March 3, 1990 in Nashville."
    claim, verdict, sentence = contradicted(text, "March 3, 1990", BIRTH)
    place = Span(33, 42)
    assert place.of(text) == "Nashville"
    second = Slot("place", "Nashville", "Reading", "single", "conflict", place, 1, (Node("Q", "Reading"),))
    claim = replace(claim, facts=(*claim.facts, Fact(Argument("s"), "p", Argument("Nashville", place))))
    assert verdict.slot is not None
    both = replace(verdict, slots=(verdict.slot, second))
    revisions = propose(claim, both, sentence)
    assert revisions[0].text == "She was born on December 13, 1989 in Reading."
    assert revisions[0].replacement == "December 13, 1989 in Reading"
    assert revisions[0].span == Span(16, 42)
    assert revisions[1].text == "She was born on December 13, 1989 in Nashville."


def test_two_wrong_members_of_a_list_become_two_right_ones() -> None:
    """Of two founders that are wrong no known one takes both places."""
    text = "It was founded by Bill and Paul."
    nodes = (Node("Q1", "Steve"), Node("Q2", "Ronald"))
    claim, verdict, sentence = contradicted(text, "Bill", *nodes)
    assert verdict.slot is not None
    span = Span(text.index("Paul"), text.index("Paul") + 4)
    second = replace(verdict.slot, claimed="Paul", span=span, fact=1)
    claim = replace(claim, facts=(*claim.facts, Fact(Argument("s"), "p", Argument("Paul", span))))
    revisions = propose(claim, replace(verdict, slots=(verdict.slot, second)), sentence)
    assert [r.text for r in revisions][0::2] == [
        "It was founded by Steve and Ronald.",
        "It was founded by Ronald and Steve.",
    ]
    assert not any("Steve and Steve" in r.text or "Ronald and Ronald" in r.text for r in revisions)


def test_no_more_revisions_are_made_than_are_offered() -> None:
    """The first ones that make different texts; those behind them are not even looked at."""
    made: list[str] = []

    def revisions() -> Iterator[Revision]:
        for text in ("a", "a", "b", "c", "d"):
            made.append(text)
            yield Revision(Span(0, 1), text, text)

    assert [one.text for one in first_different(revisions(), 3)] == ["a", "b", "c"]
    assert made == ["a", "a", "b", "c"]


def test_a_revision_that_no_model_could_judge_is_not_offered() -> None:
    """The claim stays contradicted, without a revision."""
    claim, verdict, sentence = contradicted("She was born in 1990.", "1990", BIRTH)

    def read(one: Sentence) -> tuple[list[Claim], list[Mention]]:
        return [replace(claim, text=one.text)], []

    def agrees(one: Claim) -> tuple[Verdict, Evidence]:
        return replace(verdict, claim=one, label=Label.ATTRIBUTABLE), Evidence()

    def away(one: Claim) -> tuple[Verdict, Evidence]:
        raise ModelUnavailable("the model is away")

    (offered,) = verified(sentence, [verdict], read=read, check=agrees)
    assert isinstance(offered, Verdict)
    assert [one.text for one in offered.revisions] == ["She was born in 1989."]
    (kept,) = verified(sentence, [verdict], read=read, check=away)
    assert isinstance(kept, Verdict)
    assert (kept.label, kept.revisions) == (Label.CONTRADICTORY, ())


@pytest.mark.parametrize(
    ("cut", "directed", "starring", "offered"),
    [
        ("It was directed by John Stahl|starring Ann Lee.", "agree", Label.EXTRAPOLATORY, 1),
        ("It was directed by John Stahl|starring Ann Lee.", "conflict", Label.EXTRAPOLATORY, 0),
        ("It was directed by John Stahl|starring Ann Lee.", "agree", Label.CONTRADICTORY, 0),
        ("starring Ann Lee.|Ann Lee.", "agree", Label.EXTRAPOLATORY, 0),
    ],
)
def test_a_revised_sentence_may_be_cut_into_other_claims(
    cut: str, directed: str, starring: Label, offered: int
) -> None:
    """With other words in it the sentence is two claims: the words at fault are put right, the others not made wrong."""
    text = "It was directed by Kurt Neumann and starring Ann Lee."
    _, verdict, sentence = contradicted(text, "Kurt Neumann", Node("Q", "John Stahl"), offset=7)
    verdict = replace(verdict, slots=tuple(filter(None, [verdict.slot])))

    def read(revised: Sentence) -> tuple[list[Claim], list[Mention]]:
        places = [(part, revised.text.find(part) + revised.span.start) for part in cut.split("|")]
        return [Claim(at, Span(at, at + len(part)), part, part) for part, at in places], []

    def check(claim: Claim) -> tuple[Verdict, Evidence]:
        label = starring if "starring" in claim.text else Label.EXTRAPOLATORY
        assert verdict.slot is not None
        slots = (replace(verdict.slot, state="agree" if directed == "agree" else "conflict"),)
        return replace(verdict, claim=claim, label=label, slot=slots[0], slots=slots), Evidence()

    (found,) = verified(sentence, [verdict], read=read, check=check)
    assert isinstance(found, Verdict)
    assert len(found.revisions) == offered


@pytest.mark.parametrize(("founded", "offered"), [(Label.ATTRIBUTABLE, 1), (Label.EXTRAPOLATORY, 0)])
def test_the_claims_behind_longer_words_keep_their_labels(founded: Label, offered: int) -> None:
    """Their places have moved: each is compared with the claim that stood there."""
    text = "It was directed by Jo Li and by Al Fry, and founded in 1901."
    _, verdict, sentence = contradicted(text, "Jo Li", Node("Q", "Maximilian Featherstonehaugh"))
    verdict = replace(
        verdict, claim=replace(verdict.claim, span=Span(0, 24)), slots=tuple(filter(None, [verdict.slot]))
    )
    behind = Claim(1, Span(text.find("founded"), len(text) - 1), "founded in 1901", "founded in 1901")
    other = replace(verdict, claim=behind, label=Label.ATTRIBUTABLE, slot=None, slots=())

    def read(revised: Sentence) -> tuple[list[Claim], list[Mention]]:
        at, by = revised.text.find("founded"), revised.text.find(" and by")
        places = [(0, by), (by + 1, by + 14), (at, len(revised.text) - 1)]
        return [Claim(n, Span(*place), revised.text[slice(*place)], "") for n, place in enumerate(places)], []

    def check(claim: Claim) -> tuple[Verdict, Evidence]:
        if claim.text.startswith("founded"):
            return replace(other, claim=claim, label=founded), Evidence()
        slots = tuple(replace(slot, state="agree") for slot in verdict.slots)
        return replace(verdict, claim=claim, label=Label.EXTRAPOLATORY, slots=slots), Evidence()

    revised, kept = verified(sentence, [verdict, other], read=read, check=check)
    assert kept is other
    assert isinstance(revised, Verdict)
    assert len(revised.revisions) == offered
