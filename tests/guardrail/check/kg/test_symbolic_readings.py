"""Verdicts on hand-made claims and evidence: several readings, relations and facts, given triplets, and why nothing was decided."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.types import (
    Attribute,
    Evidence,
    Kind,
    Label,
    Node,
    Reason,
    Triplet,
)

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CHECKER = SymbolicChecker(today=lambda: date(2024, 6, 1))


def test_a_contradiction_must_hold_under_every_reading(make: Any) -> None:
    """Two people of one name: what contradicts the one and says nothing of the other is unknown."""
    text = "Jordan was born in Chicago."
    fact = make.fact(
        make.argument("Jordan", text, "Jordan1", "Jordan2"),
        "was born in",
        make.argument("Chicago", text),
        "P19",
    )
    first = make.answer("Jordan1", "P19", [make.statement("Jordan1", "P19", "Brooklyn")], apart=True)
    silent = make.answer("Jordan2", "P19")
    other = make.answer("Jordan2", "P19", [make.statement("Jordan2", "P19", "Boston")], apart=True)
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(first, silent))
    assert (verdict.label, verdict.reason) == (EXT, Reason.AMBIGUOUS_ENTITY)
    assert CHECKER.check(make.claim(text, fact), make.evidence(first, other)).label is CON


def test_a_silent_relation_of_lesser_rank_does_not_hide_a_conflict(make: Any) -> None:
    """The best-ranked relation that the graph has statements for decides; an open list before it forbids a conflict."""
    text = "Ada is from Chicago."
    fact = make.fact(make.argument("Ada", text), "is from", make.argument("Chicago", text), "P27", "P19")
    birth = make.answer("Ada", "P19", [make.statement("Ada", "P19", "Boston")], apart=True)
    silent = make.answer("Ada", "P27")
    citizen = make.answer("Ada", "P27", [make.statement("Ada", "P27", "Canada")])
    assert CHECKER.check(make.claim(text, fact), make.evidence(silent, birth)).label is CON
    assert CHECKER.check(make.claim(text, fact), make.evidence(citizen, birth)).label is EXT


def test_several_facts(make: Any) -> None:
    """One conflict contradicts; one unknown leaves open; all agree supports."""
    text = "Obama was born in Honolulu on 4 August 1961."
    place = make.fact(make.argument("Obama", text), "was born in", make.argument("Honolulu", text), "P19")
    time = make.fact(
        make.argument("Obama", text), "was born on", make.argument("4 August 1961", text), "P569"
    )
    claim = make.claim(text, place, time)
    where = make.answer("Obama", "P19", [make.statement("Obama", "P19", "Honolulu")])
    right = make.answer("Obama", "P569", [make.statement("Obama", "P569", make.date("1961-08-04"))], fact=1)
    wrong = make.answer("Obama", "P569", [make.statement("Obama", "P569", make.date("1960-08-04"))], fact=1)
    assert CHECKER.check(claim, make.evidence(where, right)).label is ATT
    assert CHECKER.check(claim, make.evidence(where)).label is EXT
    refuted = CHECKER.check(claim, make.evidence(where, wrong))
    assert refuted.label is CON
    assert [t.predicate.id for t in refuted.evidence.triplets] == ["P569", "P19"]
    assert refuted.slot is not None
    assert refuted.slot.fact == 1


def test_hedged_claims_are_never_decided(make: Any) -> None:
    """ "may have been born in Nairobi" is neither supported nor refuted, though the evidence is shown."""
    text = "Obama may have been born in Nairobi."
    fact = make.fact(make.argument("Obama", text), "born in", make.argument("Nairobi", text), "P19")
    answer = make.answer("Obama", "P19", [make.statement("Obama", "P19", "Honolulu")])
    verdict = CHECKER.check(make.claim(text, fact, kind=Kind.HEDGED), make.evidence(answer))
    assert (verdict.label, verdict.reason) == (EXT, Reason.HEDGED)
    assert verdict.evidence.triplets


def test_every_extrapolatory_verdict_has_a_reason(make: Any) -> None:
    """No entity, no property, an ambiguous reference and unread evidence are told apart."""
    text = "Ada married Bob."
    fact = make.fact(make.argument("Ada", text), "married", make.argument("Bob", text), "P26", tense="past")
    nameless = make.fact(make.unknown("Ada", text), "married", make.unknown("Bob", text), "P26")
    claim = make.claim(text, fact)
    assert CHECKER.check(claim, make.evidence(make.answer("Ada", "P26"))).reason is Reason.NO_PROPERTY
    assert CHECKER.check(claim, Evidence()).reason is Reason.NO_PROPERTY
    assert CHECKER.check(make.claim(text, nameless), Evidence()).reason is Reason.NO_ENTITY
    assert CHECKER.check(make.claim(text), Evidence()).reason is Reason.NO_ENTITY
    unclear = make.claim(text, fact, reason=Reason.AMBIGUOUS_REFERENCE)
    assert CHECKER.check(unclear, Evidence()).reason is Reason.AMBIGUOUS_REFERENCE
    answer = make.answer("Ada", "P26", [make.statement("Ada", "P26", "Carl")])
    cut = CHECKER.check(claim, make.evidence(answer, unread=("spouses beyond the first 200",)))
    assert cut.reason is Reason.NOT_READ


def test_deprecated_statements_are_no_evidence(make: Any) -> None:
    """A statement that its own source withdrew neither supports nor refutes."""
    text = "Obama was born in Nairobi."
    fact = make.fact(make.argument("Obama", text), "was born in", make.argument("Nairobi", text), "P19")
    withdrawn = Triplet(
        make.node("Obama"), Node("P19", "place of birth"), make.node("Nairobi"), rank="deprecated"
    )
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(make.answer("Obama", "P19", [withdrawn])))
    assert verdict.label is EXT


# ── triplets given in words ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "subject", "predicate", "object_", "given", "label"),
    [
        ("George O'Malley is a fictional character from Grey's Anatomy.", "George O'Malley", "is a fictional character from",
         "Grey's Anatomy", ("Grey's Anatomy", "characters", "George O'Malley"), ATT),
        ("Batman & Robin was directed by Joel Schumacher.", "Batman & Robin", "was directed by", "Joel Schumacher",
         ("Batman & Robin", "director", "Joel Schumacher"), ATT),
        ("Crater Lake is the main feature of Crater Lake National Park.", "Crater Lake", "is the main feature of",
         "Crater Lake National Park", ("Crater Lake", "located in protected area", "Crater Lake National Park"), ATT),
        ("Ada was born in 1990.", "Ada", "was born in", "1990", ("Ada", "date of birth", "13 December 1989"), CON),
        ("Ada was born in 1989.", "Ada", "was born in", "1989", ("Ada", "date of birth", "13 December 1989"), ATT),
        ("Ada married Bob.", "Ada", "married", "Bob", ("Ada", "spouse", "Carl"), EXT),
        ("Ada married Bob.", "Ada", "married", "Bob", ("Ada", "child", "Bob"), EXT),
    ],
)  # fmt: skip
def test_given_triplets_are_matched_by_words(
    make: Any,
    text: str,
    subject: str,
    predicate: str,
    object_: str,
    given: tuple[str, str, str],
    label: Label,
) -> None:
    """ClaimVer's ret_triplets have neither ids nor a vocabulary: names and relation words must do."""
    fact = make.fact(make.argument(subject, text), predicate, make.argument(object_, text))
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(given=[given]))
    assert verdict.label is label
    if label is not EXT:
        assert verdict.evidence.triplets[0].source == "request"
        assert verdict.rationale.startswith("The given evidence says")


def test_a_broadcaster_in_its_country(make: Any) -> None:
    """Table 2, row one: the second triplet places what the first one names."""
    text = "Grey's Anatomy airs on ABC in the United States."
    fact = make.fact(
        make.argument("Grey's Anatomy", text),
        "airs on",
        make.argument("ABC", text, "American Broadcasting Company"),
        attributes=(Attribute("place", make.argument("United States", text, "United States of America")),),
    )
    given = [
        ("Grey's Anatomy", "original broadcaster", "American Broadcasting Company"),
        ("American Broadcasting Company", "country", "United States of America"),
    ]
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(given=given))
    assert verdict.label is ATT
    assert len(verdict.evidence.triplets) == 2


def test_the_noun_of_a_relation_is_no_class_besides(make: Any) -> None:
    """ "the chief executive of Tesla" is one statement, and says nothing of occupations."""
    text = "Ada is the author of Hamlet."
    work = make.fact(make.argument("Ada", text), "is author of", make.argument("Hamlet", text), "^P50")
    trade = make.fact(make.argument("Ada", text), "is", make.unknown("author", text), "P106", "P39", "P31")
    answer = make.answer("Hamlet", "P50", [make.statement("Hamlet", "P50", "Ada")], about="object")
    assert CHECKER.check(make.claim(text, work, trade), make.evidence(answer)).label is ATT


def test_a_contrast_denies_the_other_name_only(make: Any) -> None:
    """Canberra, not Sydney: the capital is not denied."""
    text = "Canberra, not Sydney, is the capital of Australia."
    fact = make.fact(
        make.argument("Canberra", text),
        "is capital of",
        make.argument("Australia", text),
        "^P36",
        negated=True,
        tense="present",
    )
    answer = make.answer("Australia", "P36", [make.statement("Australia", "P36", "Canberra")], about="object")
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is not CON


def test_a_claim_without_a_fact_is_supported_by_its_only_words(make: Any) -> None:
    """Nothing was read but two names; a statement joins them by the very words between, or by some of them only."""
    for text, label in (("Ada married Bob.", ATT), ("Ada married Bob in splendour.", EXT)):
        ends = make.fact(make.argument("Ada", text), "", make.argument("Bob", text))
        claim = replace(make.claim(text, ends), facts=())
        assert CHECKER.check(claim, make.evidence(given=[("Ada", "spouse", "Bob")])).label is label


def test_the_place_around_an_agreeing_place_is_not_refuted(make: Any) -> None:
    """Born in Windham, Connecticut: nothing says that Windham is not there."""
    text = "Ada was born in Windham, Connecticut."
    town = make.fact(make.argument("Ada", text), "was born in", make.argument("Windham", text), "P19")
    state = make.fact(make.argument("Ada", text), "was born in", make.argument("Connecticut", text), "P19")
    known = [make.statement("Ada", "P19", "Windham")]
    both = make.evidence(
        make.answer("Ada", "P19", known), make.answer("Ada", "P19", known, fact=1, apart=True)
    )
    assert CHECKER.check(make.claim(text, town, state), both).label is EXT
    alone = make.evidence(make.answer("Ada", "P19", known, apart=True))
    assert CHECKER.check(make.claim(text, state), alone).label is CON


def test_a_second_member_is_not_refuted_by_the_first(make: Any) -> None:
    """A graph that knows one author of a book may not know the other, unless there is only one."""
    text = "Ada and Bob wrote Hymns."
    facts = [
        make.fact(make.argument(name, text), "wrote", make.argument("Hymns", text), "^P50")
        for name in ("Ada", "Bob")
    ]
    known = [make.statement("Hymns", "P50", "Ada")]
    both = make.evidence(*(make.answer("Hymns", "P50", known, about="object", fact=i) for i in (0, 1)))
    assert CHECKER.check(make.claim(text, *facts), both).label is EXT
    alone = make.evidence(make.answer("Hymns", "P50", known, about="object"))
    assert CHECKER.check(make.claim("Bob wrote Hymns.", facts[1]), alone).label is CON


def test_words_that_the_lexicon_does_not_know_for_a_property_refute_no_date(make: Any) -> None:
    """ "Introduced in" may be said of a product of the company."""
    text = "Apple introduced it in 2007."
    answer = make.answer("Apple", "P571", [make.statement("Apple", "P571", make.date("1976"))])
    for relations, label in (((), EXT), (("P571",), CON)):
        fact = make.fact(
            make.argument("Apple", text), "introduced in", make.argument("2007", text), *relations
        )
        assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label
