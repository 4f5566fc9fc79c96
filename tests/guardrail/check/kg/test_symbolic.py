"""Verdicts on hand-made claims and evidence: every row of the table of symbolic checks."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.types import (
    Label,
    Reason,
    Verdict,
)

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CHECKER = SymbolicChecker(today=lambda: date(2024, 6, 1))


def born(make: Any, place: str, *readings: str, known: str = "Honolulu", **more: Any) -> Verdict:
    text = f"Obama was born in {place}."
    fact = make.fact(
        make.argument("Obama", text), "was born in", make.argument(place, text, *readings), "P19", **more
    )
    answer = make.answer("Obama", "P19", [make.statement("Obama", "P19", known)], apart=True)
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
        ("two", "", EXT),
        ("one child", "", None),
        ("two", "at least", ATT),
        ("three", "at least", EXT),
    ],
)
def test_counts_need_a_closed_set(make: Any, words: str, modifier: str, label: Label | None) -> None:
    """Two known children support "at least two" and refute one; whether there are just two, or three, nobody says."""
    if label is None:
        text, words, label = "Ada has 1 children.", "1", CON
    else:
        text = f"Ada has {words} children."
    fact = make.fact(
        make.argument("Ada", text), "has children", make.argument(words, text, modifier=modifier), "P40"
    )
    answer = make.answer("Ada", "P40", [make.statement("Ada", "P40", name) for name in ("Bob", "Carl")])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label


@pytest.mark.parametrize(
    ("words", "modifier", "label"),
    [
        ("three", "", CON),
        ("two", "", ATT),
        ("two", "exactly", ATT),
        ("three", "at least", CON),
        ("three", "at most", ATT),
        ("two", "more than", CON),
        ("two", "less than", CON),
    ],
)
def test_a_list_that_the_graph_calls_whole_is_counted(
    make: Any, words: str, modifier: str, label: Label
) -> None:
    """Of two children and no more, every number is right or wrong."""
    text = f"Ada has {words} children."
    fact = make.fact(
        make.argument("Ada", text), "has children", make.argument(words, text, modifier=modifier), "P40"
    )
    known = [make.statement("Ada", "P40", name) for name in ("Bob", "Carl")]
    answer = make.answer("Ada", "P40", known, complete=True)
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label


# ── with the knowledge that is shipped ────────────────────────────────────────────────────────────────
