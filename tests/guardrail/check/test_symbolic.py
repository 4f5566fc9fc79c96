"""Verdicts on hand-made claims and evidence: every row of the table of symbolic checks."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from guardrail.check.symbolic import SymbolicChecker
from guardrail.types import (
    Attribute,
    Evidence,
    Kind,
    Label,
    Node,
    Qualifier,
    Reason,
    Triplet,
    Value,
    Verdict,
)

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CHECKER = SymbolicChecker(today=lambda: date(2024, 6, 1))


def born(make: Any, place: str, *readings: str, known: str = "Honolulu", **more: Any) -> Verdict:
    text = f"Obama was born in {place}."
    fact = make.fact(
        make.argument("Obama", text), "was born in", make.argument(place, text, *readings), "P19", **more
    )
    answer = make.answer("Obama", "P19", [make.statement("Obama", "P19", known)])
    return CHECKER.check(make.claim(text, fact), make.evidence(answer))


# ── entities ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_known_place_agrees(make: Any) -> None:
    """The same entity is Attributable, with the statement as evidence and the slot as proof."""
    verdict = born(make, "Honolulu")
    assert verdict.label is ATT
    assert [t.object.label for t in verdict.evidence.triplets] == ["Honolulu"]
    assert verdict.slot is not None
    assert (verdict.slot.state, verdict.slot.known, verdict.reason) == ("agree", "Honolulu", None)
    assert verdict.rationale == "The knowledge graph says that Obama was born in Honolulu."


def test_another_place_of_birth_contradicts(make: Any) -> None:
    """One can be born in one place only; the slot shows claimed, known, cardinality and where it stands."""
    verdict = born(make, "Nairobi")
    assert verdict.label is CON
    slot = verdict.slot
    assert slot is not None
    assert (slot.property, slot.claimed, slot.known, slot.cardinality) == (
        "place of birth",
        "Nairobi",
        "Honolulu",
        "single",
    )
    assert slot.span is not None
    assert slot.span.of(verdict.claim.text) == "Nairobi"
    assert verdict.rationale == "The knowledge graph says that Obama was born in Honolulu, not Nairobi."


def test_any_reading_of_the_object_may_agree(make: Any) -> None:
    """A name that may be two places agrees when one of them is the known one."""
    assert born(make, "Honolulu", "Honolulu County", "Honolulu").label is ATT


def test_the_label_itself_agrees_whatever_the_linker_thought(make: Any) -> None:
    """Words equal to the known label are that label."""
    assert born(make, "Honolulu", "Honolulu (ship)").label is ATT


def test_a_name_within_a_name_is_unknown(make: Any) -> None:
    """ "New York" is not proven to be New York City, nor proven not to be."""
    verdict = born(make, "York", known="York City")
    assert (verdict.label, verdict.reason) == (EXT, Reason.INSUFFICIENT)


def test_a_description_contradicts_nothing(make: Any) -> None:
    """ "a small town" is no other place."""
    text = "Obama was born in a small town."
    fact = make.fact(make.argument("Obama", text), "was born in", make.unknown("a small town", text), "P19")
    answer = make.answer("Obama", "P19", [make.statement("Obama", "P19", "Honolulu")])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is EXT


def test_coarser_is_supported_and_finer_is_unknown(make: Any) -> None:
    """Hawaii holds Honolulu: born in Hawaii follows; born on a street of it does not."""
    text = "Obama was born in Hawaii."
    fact = make.fact(make.argument("Obama", text), "was born in", make.argument("Hawaii", text), "P19")
    chain = (make.statement("Honolulu", "P131", "Hawaii"),)
    known = [make.statement("Obama", "P19", "Honolulu")]
    coarser = CHECKER.check(
        make.claim(text, fact), make.evidence(make.answer("Obama", "P19", known, broader=chain))
    )
    assert coarser.label is ATT
    assert chain[0] in coarser.evidence.triplets
    known = [make.statement("Obama", "P19", "Pacific")]
    chain = (make.statement("Hawaii", "P131", "Pacific"),)
    finer = CHECKER.check(
        make.claim(text, fact), make.evidence(make.answer("Obama", "P19", known, narrower=chain))
    )
    assert (finer.label, finer.reason) == (EXT, Reason.INSUFFICIENT)
    assert "less exact" in finer.rationale


# ── lists ─────────────────────────────────────────────────────────────────────────────────────────────


def test_another_member_of_an_open_list_is_unknown(make: Any) -> None:
    """Another spouse is no contradiction; the known ones are shown."""
    text = "Ada married Bob."
    fact = make.fact(make.argument("Ada", text), "married", make.argument("Bob", text), "P26", tense="past")
    answer = make.answer("Ada", "P26", [make.statement("Ada", "P26", "Carl")])
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(answer))
    assert (verdict.label, verdict.reason) == (EXT, Reason.OPEN_LIST)
    assert verdict.evidence.triplets
    assert "list may go on" in verdict.rationale


def test_another_member_of_a_complete_list_contradicts(make: Any) -> None:
    """Authors are listed in full as a rule."""
    text = "Hamlet was written by Marlowe."
    fact = make.fact(make.argument("Hamlet", text), "was written by", make.argument("Marlowe", text), "P50")
    answer = make.answer("Hamlet", "P50", [make.statement("Hamlet", "P50", "Shakespeare")])
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(answer))
    assert verdict.label is CON
    assert verdict.confidence < 0.95


def test_backwards_the_subject_is_what_is_claimed(make: Any) -> None:
    """ "Marlowe wrote Hamlet" is decided by the authors of Hamlet, and Marlowe is at fault."""
    text = "Marlowe wrote Hamlet."
    fact = make.fact(make.argument("Marlowe", text), "wrote", make.argument("Hamlet", text), "^P50")
    works = make.answer("Marlowe", "P50", [make.statement("Faustus", "P50", "Marlowe")], inverse=True)
    authors = make.answer("Hamlet", "P50", [make.statement("Hamlet", "P50", "Shakespeare")], about="object")
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(works, authors))
    assert verdict.label is CON
    assert verdict.slot is not None
    assert (verdict.slot.claimed, verdict.slot.known) == ("Marlowe", "Shakespeare")
    alone = CHECKER.check(make.claim(text, fact), make.evidence(works))
    assert (alone.label, alone.reason) == (EXT, Reason.OPEN_LIST)


def test_a_symmetric_statement_is_read_from_either_end(make: Any) -> None:
    """(Bob, spouse, Ada) supports that Ada married Bob."""
    text = "Ada married Bob."
    fact = make.fact(make.argument("Ada", text), "married", make.argument("Bob", text), "P26", tense="past")
    answer = make.answer("Ada", "P26", [make.statement("Bob", "P26", "Ada")], inverse=True)
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is ATT


@pytest.mark.parametrize(
    ("words", "modifier", "label"),
    [
        ("three", "", EXT),
        ("two", "", ATT),
        ("one child", "", None),
        ("two", "at least", ATT),
        ("three", "at least", EXT),
    ],
)
def test_counts_need_a_closed_set(make: Any, words: str, modifier: str, label: Label | None) -> None:
    """Two known children support "two" and "at least two" and refute nothing above; one fewer is refuted."""
    if label is None:
        text, words, label = "Ada has 1 children.", "1", CON
    else:
        text = f"Ada has {words} children."
    fact = make.fact(
        make.argument("Ada", text), "has children", make.argument(words, text, modifier=modifier), "P40"
    )
    answer = make.answer("Ada", "P40", [make.statement("Ada", "P40", name) for name in ("Bob", "Carl")])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label


# ── values ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "label"),
    [("13 December 1989", ATT), ("1989", ATT), ("1990", CON), ("the 1980s", ATT), ("14 December 1989", CON)],
)
def test_dates_are_compared_at_their_precision(make: Any, words: str, label: Label) -> None:
    """A year agrees with a day in it; another day conflicts."""
    text = f"Swift was born on {words}."
    words = words.removeprefix("the ")
    fact = make.fact(make.argument("Swift", text), "was born on", make.argument(words, text), "P569")
    answer = make.answer("Swift", "P569", [make.statement("Swift", "P569", make.date("1989-12-13"))])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label


@pytest.mark.parametrize(
    ("words", "modifier", "label"),
    [("1,250 ft", "", ATT), ("400 m", "", CON), ("400 m", "about", ATT), ("300 m", "more than", ATT)],
)
def test_quantities_convert_and_hedge(make: Any, words: str, modifier: str, label: Label) -> None:
    """Units convert, "about" widens, "more than" bounds."""
    text = f"The tower is {words} tall."
    fact = make.fact(
        make.argument("tower", text), "is tall", make.argument(words, text, modifier=modifier), "P2048"
    )
    height = Value("381 m", "381", "quantity", unit=Node("Q11573", "metre"))
    answer = make.answer("tower", "P2048", [make.statement("tower", "P2048", height)])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label


def test_strings_are_compared_as_written(make: Any) -> None:
    """The symbol of gold is Au, not Ag."""
    for symbol, label in (("Au", ATT), ("Ag", CON)):
        text = f"The symbol of gold is {symbol}."
        fact = make.fact(make.argument("gold", text), "symbol", make.unknown(symbol, text), "P246")
        known = make.statement("gold", "P246", Value("Au", "Au", "string"))
        verdict = CHECKER.check(make.claim(text, fact), make.evidence(make.answer("gold", "P246", [known])))
        assert verdict.label is label


@pytest.mark.parametrize(("age", "label"), [("34 years old", ATT), ("30 years old", CON)])
def test_an_age_is_reckoned_from_the_birth(make: Any, age: str, label: Label) -> None:
    """Born on 13 December 1989 is 34 on 1 June 2024: FLEEK's example."""
    text = f"Swift is {age}."
    fact = make.fact(make.argument("Swift", text), "is", make.argument(age, text), "P569", object_type="age")
    known = make.statement("Swift", "P569", make.date("1989-12-13"))
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(make.answer("Swift", "P569", [known])))
    assert verdict.label is label
    assert "34" in verdict.rationale


def test_the_dead_have_no_age(make: Any) -> None:
    """With a date of death in the evidence an age today is neither right nor wrong."""
    text = "Swift is 30 years old."
    fact = make.fact(make.argument("Swift", text), "is", make.argument("30 years old", text), "P569")
    known = make.statement("Swift", "P569", make.date("1989-12-13"))
    evidence = make.evidence(make.answer("Swift", "P569", [known]))
    dead = make.statement("Swift", "P570", make.date("2020"))
    verdict = CHECKER.check(
        make.claim(text, fact), Evidence((*evidence.triplets, dead), answers=evidence.answers)
    )
    assert verdict.label is EXT


# ── time ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("tense", "who", "label"),
    [
        ("present", "Bush", CON),
        ("present", "Biden", ATT),
        ("past", "Bush", ATT),
        ("former", "Bush", ATT),
        ("former", "Biden", CON),
    ],
)
def test_tense_against_start_and_end(make: Any, tense: str, who: str, label: Label) -> None:
    """ "is" needs a statement that still holds, "former" one that is over, the past takes both."""
    text = f"The head is {who}."
    fact = make.fact(make.argument("head", text), "is", make.argument(who, text), "P39", tense=tense)
    answer = make.answer(
        "head",
        "P39",
        [
            make.statement("head", "P39", "Bush", P580="2001-01-20", P582="2009-01-20"),
            make.statement("head", "P39", "Biden", P580="2021-01-20"),
        ],
    )
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(answer))
    assert verdict.label is label
    if (tense, who) == ("present", "Bush"):
        assert verdict.slot is not None
        assert verdict.slot.known == "Biden"


@pytest.mark.parametrize(
    ("when", "modifier", "label"),
    [
        ("2005", "", ATT),
        ("2012", "", CON),
        ("2001", "from", ATT),
        ("2003", "from", CON),
        ("2009", "to", ATT),
        ("2011", "to", CON),
    ],
)
def test_time_attributes_against_qualifiers(make: Any, when: str, modifier: str, label: Label) -> None:
    """An extended triple's time is verified against the same statement's start and end."""
    text = f"Bush was president in {when}."
    fact = make.fact(
        make.argument("Bush", text),
        "was",
        make.argument("president", text),
        "P39",
        attributes=(Attribute("time", make.argument(when, text, modifier=modifier)),),
        tense="past",
    )
    statement = make.statement("Bush", "P39", "president", P580="2001-01-20", P582="2009-01-20")
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(make.answer("Bush", "P39", [statement])))
    assert verdict.label is label
    if label is CON:
        assert verdict.slot is not None
        assert verdict.slot.claimed == when


def test_an_attribute_that_is_not_known_leaves_the_claim_open(make: Any) -> None:
    """The post is known, its time is not: not fully supported."""
    text = "Bush was president in 2005."
    fact = make.fact(
        make.argument("Bush", text),
        "was",
        make.argument("president", text),
        "P39",
        attributes=(Attribute("time", make.argument("2005", text)),),
        tense="past",
    )
    answer = make.answer("Bush", "P39", [make.statement("Bush", "P39", "president")])
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(answer))
    assert (verdict.label, verdict.reason) == (EXT, Reason.INSUFFICIENT)
    assert "2005" in verdict.rationale


def test_the_time_of_a_birth_is_a_statement_of_its_own(make: Any) -> None:
    """Born in Honolulu in 1961: the year is compared with the date of birth."""
    for year, label in (("1961", ATT), ("1962", CON)):
        text = f"Obama was born in Honolulu in {year}."
        fact = make.fact(
            make.argument("Obama", text),
            "was born in",
            make.argument("Honolulu", text),
            "P19",
            attributes=(Attribute("time", make.argument(year, text)),),
        )
        evidence = make.evidence(make.answer("Obama", "P19", [make.statement("Obama", "P19", "Honolulu")]))
        birth = make.statement("Obama", "P569", make.date("1961-08-04"))
        verdict = CHECKER.check(
            make.claim(text, fact), Evidence((*evidence.triplets, birth), answers=evidence.answers)
        )
        assert verdict.label is label


# ── negation ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("place", "label"), [("Honolulu", CON), ("Nairobi", ATT)])
def test_negation_of_a_single_value(make: Any, place: str, label: Label) -> None:
    """Denying the known value contradicts; denying another one is supported, since there is only one."""
    assert born(make, place, negated=True).label is label


def test_never_is_refuted_by_one_example(make: Any) -> None:
    """ClaimVer's Table 2, last row, with the triplets given in words."""
    text = "Southwest Airlines has never operated any Boeing 737 models."
    fact = make.fact(
        make.argument("Southwest Airlines", text),
        "has never operated",
        make.unknown("any Boeing 737 models", text),
        negated=True,
        universal=True,
    )
    given = [("Boeing 737 MAX", "operator", "Southwest Airlines")]
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(given=given))
    assert verdict.label is CON
    assert "Boeing 737 MAX" in verdict.rationale


def test_never_anyone_is_refuted_by_anyone(make: Any) -> None:
    """ClaimVer's Table 2, row five: one appointment refutes "never appointed anyone"."""
    text = "Pope Benedict XVI never appointed anyone significant."
    fact = make.fact(
        make.argument("Pope Benedict XVI", text, "Benedict XVI"),
        "never appointed",
        make.unknown("anyone significant", text),
        negated=True,
        universal=True,
    )
    given = [("Rutilio del Riego Jáñez", "appointed by", "Benedict XVI")]
    assert CHECKER.check(make.claim(text, fact), make.evidence(given=given)).label is CON


def test_never_is_not_proved_by_silence(make: Any) -> None:
    """Absence proves nothing in an open world."""
    text = "Ada never married Bob."
    fact = make.fact(
        make.argument("Ada", text), "married", make.argument("Bob", text), "P26", negated=True, universal=True
    )
    answer = make.answer("Ada", "P26", [make.statement("Ada", "P26", "Carl")])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is EXT
    assert CHECKER.check(make.claim(text, fact), make.evidence(make.answer("Ada", "P26"))).label is EXT


def test_only_is_not_proved_by_one(make: Any) -> None:
    """That Bob is a child of Ada does not make him the only one."""
    text = "Bob is the only child of Ada."
    fact = make.fact(
        make.argument("Ada", text), "only child", make.argument("Bob", text), "P40", universal=True
    )
    answer = make.answer("Ada", "P40", [make.statement("Ada", "P40", "Bob")])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is EXT


# ── readings, relations, reasons ──────────────────────────────────────────────────────────────────────


def test_a_contradiction_must_hold_under_every_reading(make: Any) -> None:
    """Two people of one name: what contradicts the one and says nothing of the other is unknown."""
    text = "Jordan was born in Chicago."
    fact = make.fact(
        make.argument("Jordan", text, "Jordan1", "Jordan2"),
        "was born in",
        make.argument("Chicago", text),
        "P19",
    )
    first = make.answer("Jordan1", "P19", [make.statement("Jordan1", "P19", "Brooklyn")])
    silent = make.answer("Jordan2", "P19")
    other = make.answer("Jordan2", "P19", [make.statement("Jordan2", "P19", "Boston")])
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(first, silent))
    assert (verdict.label, verdict.reason) == (EXT, Reason.AMBIGUOUS_ENTITY)
    assert CHECKER.check(make.claim(text, fact), make.evidence(first, other)).label is CON


def test_a_silent_relation_of_lesser_rank_does_not_hide_a_conflict(make: Any) -> None:
    """The best-ranked relation that the graph has statements for decides; an open list before it forbids a conflict."""
    text = "Ada is from Chicago."
    fact = make.fact(make.argument("Ada", text), "is from", make.argument("Chicago", text), "P27", "P19")
    birth = make.answer("Ada", "P19", [make.statement("Ada", "P19", "Boston")])
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


@pytest.mark.parametrize(("words", "label"), [("president", CON), ("16th president", ATT)])
def test_what_is_over_is_not_so_now(make: Any, words: str, label: Label) -> None:
    """An end in the past refutes "is", though nothing else is known; the 16th of a series stays the 16th."""
    text = f"Lincoln is the {words}."
    fact = make.fact(
        make.argument("Lincoln", text), "is", make.argument("president", text), "P39", tense="present"
    )
    base = make.statement("Lincoln", "P39", "president", P580="1861", P582="1865")
    rank = Qualifier(Node("P1545", "series ordinal"), Value("16", "16", "string"))
    statement = replace(base, qualifiers=(*base.qualifiers, rank))
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(make.answer("Lincoln", "P39", [statement])))
    assert verdict.label is label


def test_the_place_around_an_agreeing_place_is_not_refuted(make: Any) -> None:
    """Born in Windham, Connecticut: nothing says that Windham is not there."""
    text = "Ada was born in Windham, Connecticut."
    town = make.fact(make.argument("Ada", text), "was born in", make.argument("Windham", text), "P19")
    state = make.fact(make.argument("Ada", text), "was born in", make.argument("Connecticut", text), "P19")
    known = [make.statement("Ada", "P19", "Windham")]
    both = make.evidence(make.answer("Ada", "P19", known), make.answer("Ada", "P19", known, fact=1))
    assert CHECKER.check(make.claim(text, town, state), both).label is EXT
    alone = make.evidence(make.answer("Ada", "P19", known))
    assert CHECKER.check(make.claim(text, state), alone).label is CON
