"""One plain sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.rationale import rationale, shown, statement
from guardrail.types import Argument, Claim, Kind, Node, Object, Reason, Span, Triplet, Value

CLAIM = Claim(0, Span(0, 1), "x", "x")


@pytest.mark.parametrize(
    ("predicate", "object_", "clause"),
    [
        (Node("P36", "capital"), "Canberra", "the capital of Australia is Canberra"),
        (Node("P31", "instance of"), "country", "Australia is an instance of country"),
        (Node("", "instance of"), "country", "Australia is an instance of country"),
        (Node("", "member of"), "UN", "Australia is a member of UN"),
        (Node("", "owned by"), "nobody", "Australia is owned by nobody"),
        (Node("", "has part"), "Tasmania", "Australia has part Tasmania"),
        (Node("", "shares border with"), "none", '"shares border with" of Australia is none'),
        (Node("P131", "located in the administrative territorial entity"), "X", "Australia is located in X"),
    ],
)
def test_clauses_read_as_english(predicate: Node, object_: str, clause: str) -> None:
    """Labels of relations are nouns, verbs or phrases; each becomes a clause."""
    assert statement(Triplet(Node("", "Australia"), predicate, Node("", object_))) == clause


def test_days_are_on_and_years_are_in(make: Any) -> None:
    """Born on a day, born in a year."""
    assert statement(make.statement("Ada", "P569", make.date("1989-12-13"))) == "Ada was born on 1989-12-13"
    assert statement(make.statement("Ada", "P569", make.date("1989"))) == "Ada was born in 1989"


def test_every_kind_of_finding_gives_one_sentence(make: Any) -> None:
    """Whatever was found, the reason starts with a capital, ends with a full stop, and is one sentence."""
    triplets = tuple(make.statement("Ada", "P26", name) for name in ("Bob", "Carl", "Dan", "Eve"))
    base = FactFinding(0, "unknown", "spouse", Argument("Fred"), known=(make.node("Bob"),), triplets=triplets)
    notes = (
        "",
        "coarser",
        "finer",
        "near",
        "open",
        "ended",
        "current",
        "part",
        "age",
        "count",
        "path",
        "example",
        "only",
    )
    sentences = set()
    for state in ("agree", "conflict", "unknown"):
        for note in notes:
            for negated in (False, True):
                found = replace(base, state=state, note=note, negated=negated)
                for reason in (
                    None,
                    Reason.OPEN_LIST,
                    Reason.AMBIGUOUS_ENTITY,
                    Reason.NOT_READ,
                    Reason.HEDGED,
                ):
                    sentence = rationale(CLAIM, [found], found, reason)
                    assert sentence[0].isupper()
                    assert sentence.endswith(".")
                    assert ". " not in sentence
                    assert "  " not in sentence
                    sentences.add(sentence)
    assert (
        "The knowledge graph says that the spouse of Ada is Bob, Carl, Dan and 1 more, not Fred." in sentences
    )


def test_without_evidence_it_says_so() -> None:
    """Nothing known, nothing linked, nothing clear: each has its own words."""
    said = {
        rationale(CLAIM, [], None, reason)
        for reason in (Reason.NO_ENTITY, Reason.NO_EVIDENCE, Reason.AMBIGUOUS_REFERENCE, Reason.NOT_READ)
    }
    said.add(rationale(replace(CLAIM, kind=Kind.HEDGED), [], None, None))
    silent = FactFinding(0, "unknown", "spouse", Argument("Fred"), note="nothing")
    said.add(rationale(CLAIM, [silent], silent, Reason.NO_PROPERTY))
    assert len(said) == 6


def test_given_evidence_is_named_as_such(make: Any) -> None:
    """What the request brought is not laid at the graph's door."""
    given = replace(make.statement("Ada", "P26", "Bob"), source="request")
    found = FactFinding(0, "agree", "spouse", Argument("Bob"), triplets=(given,))
    assert rationale(CLAIM, [found], found, None).startswith("The given evidence says")


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (Value("80975000", "80975000", "quantity"), "80,975,000"),
        (Value("381 Q11573", "381", "quantity", unit=Node("Q11573", "")), "381 metres"),
        (
            Value("90 degree Celsius", "90", "quantity", unit=Node("Q25267", "degree Celsius")),
            "90 degrees Celsius",
        ),
        (Value("12000 square foot", "12000", "quantity", unit=Node("", "square foot")), "12,000 square feet"),
        (
            Value("1 kilometre per hour", "1", "quantity", unit=Node("", "kilometre per hour")),
            "1 kilometre per hour",
        ),
        (Value("7 knot", "7", "quantity", unit=Node("", "knot")), "7 knots"),
        (Value("7 percent", "7", "quantity", unit=Node("Q11229", "percent")), "7 percent"),
        (Value("381 m", "381", "quantity", unit=Node("Q11573", "metre")), "381 m"),
        (Value("1889", "1889", "date", 9), "1889"),
        (Node("Q1", "1234567"), "1234567"),
    ],
)
def test_figures_are_shown_as_people_write_them(known: Object, words: str) -> None:
    """Thousands are set apart, and a unit that a source gave by its id gets its name."""
    assert shown(known) == words


def test_an_abbreviation_ends_its_sentence() -> None:
    """With one full stop."""
    item = Value("8 a.m.", "8 a.m.", "string")
    opens = Triplet(Node("gym", "Gym"), Node("opens", "opening time"), item)
    found = FactFinding(0, "agree", "opening time", Argument("8 a.m."), triplets=(opens,))
    told = rationale(CLAIM, [found], found, None)
    assert told == "The knowledge graph says that the opening time of Gym is 8 a.m."
