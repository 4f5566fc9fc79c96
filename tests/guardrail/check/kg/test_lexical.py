"""Statements that no question asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.lexical import connected, judge_by_words, link_between
from guardrail.types import Attribute, Evidence, Node, Path, Qualifier


def test_a_path_supports_and_never_contradicts(make: Any) -> None:
    """A statement on a path between the claim's entities supports by its words; another value on it refutes nothing."""
    text = "Bob sang with Ada."
    fact = make.fact(make.argument("Bob", text), "sang with", make.argument("Ada", text))
    singer = replace(
        make.statement("Bob", "P175", "Ada"), predicate=replace(make.node("performer"), id="P175")
    )
    found = judge_by_words(0, fact, Evidence((singer,), paths=(Path((singer,)),)))
    assert found is not None
    assert found.state == "agree"
    other = replace(singer, object=make.node("Carl"))
    assert judge_by_words(0, fact, Evidence((other,), paths=(Path((other,)),))) is None


def test_nothing_related_is_none(make: Any) -> None:
    """Statements about something else do not bear on the fact."""
    text = "Bob sang with Ada."
    fact = make.fact(make.argument("Bob", text), "sang with", make.argument("Ada", text))
    assert judge_by_words(0, fact, make.evidence(given=[("Bob", "height", "Ada")])) is None
    assert judge_by_words(0, fact, Evidence()) is None


def test_several_examples_are_all_shown(make: Any) -> None:
    """Both Boeings of Table 2 are evidence."""
    text = "Southwest operated Boeing 737."
    fact = make.fact(make.argument("Southwest", text), "operated", make.argument("Boeing 737", text))
    given = [("Boeing 737 MAX", "operator", "Southwest"), ("Boeing 737 #1491", "operator", "Southwest")]
    found = judge_by_words(0, fact, make.evidence(given=given))
    assert found is not None
    assert len(found.triplets) == 2


def test_link_between_needs_a_place(make: Any) -> None:
    """ABC is linked to the United States by its country, not by its owner."""
    place = make.argument("United States", "United States")
    country = replace(make.statement("ABC", "P17", "United States"), predicate=make.node("country"))
    owner = replace(country, predicate=make.node("owner"))
    assert link_between([make.node("ABC")], place, [owner, country]) is country
    assert link_between([make.node("NBC")], place, [country]) is None


def test_a_role_is_in_the_qualifiers_or_nowhere(make: Any) -> None:
    """Bane was portrayed by Swenson in the film: supported unless the statement says that he played somebody else."""
    text = "Bane was portrayed by Swenson in Batman & Robin."
    work, actor = make.argument("Batman & Robin", text), make.argument("Swenson", text)
    by = make.fact(
        make.argument("Bane", text), "was portrayed by", actor, attributes=(Attribute("place", work),)
    )
    in_ = make.fact(
        make.argument("Bane", text), "was portrayed in", work, attributes=(Attribute("by", actor),)
    )
    given = make.evidence(given=[("Batman & Robin", "cast member", "Swenson")])
    for fact in (by, in_):
        found = judge_by_words(0, fact, given)
        assert found is not None
        assert found.state == "agree"
    base = replace(make.statement("Batman & Robin", "P161", "Swenson"), predicate=Node("P161", "cast member"))
    for role, state in (("Bane", "agree"), ("Robin", "unknown")):
        statement = replace(base, qualifiers=(Qualifier(Node("P453", "character role"), make.node(role)),))
        found = judge_by_words(0, by, Evidence((statement,)))
        assert (found.state if found else "unknown") == state


def test_a_statement_between_two_names_is_further_evidence(make: Any) -> None:
    """What joins two names of the claim by a word of it is shown, decides nothing, and is left out where it is denied."""
    text = "Ada, educated at Oxford, sang."
    ends = make.fact(make.argument("Ada", text), "", make.argument("Oxford", text))
    claim = replace(make.claim(text, ends), facts=())
    study = replace(make.statement("Ada", "P69", "Oxford"), predicate=Node("P69", "educated at"))
    evidence = Evidence((study,), paths=(Path((study,)),))
    [found] = connected(claim, [], evidence)
    assert (found.state, found.note, found.claimed.text) == ("agree", "path", "Oxford")
    assert connected(claim, [found], evidence) == []
    other = replace(study, predicate=Node("P26", "spouse"))
    assert connected(claim, [], Evidence((other,), paths=(Path((other,)),))) == []
    denied = "Ada, never educated at Oxford, sang."
    ends = make.fact(make.argument("Ada", denied), "", make.argument("Oxford", denied))
    assert connected(replace(make.claim(denied, ends), facts=()), [], evidence) == []


def test_a_longer_name_refutes_nothing_of_the_shorter(make: Any) -> None:
    """Where Airbus Corporate Jets has its seat says nothing against where Airbus has its own."""
    text = "Airbus is headquartered in Blagnac."
    fact = make.fact(
        make.argument("Airbus", text), "is headquartered in", make.argument("Blagnac", text), "P159"
    )
    for name, state in (("Airbus Corporate Jets", "unknown"), ("Airbus", "conflict")):
        found = judge_by_words(0, fact, make.evidence(given=[(name, "headquarters location", "Toulouse")]))
        assert found is not None
        assert found.state == state


def test_a_relation_that_has_a_direction_is_not_read_backwards(make: Any) -> None:
    """Ada taught Bob: that says nothing of Bob having taught Ada, and refutes it neither."""
    text = "Bob taught Ada."
    statement = replace(
        make.statement("Ada", "P802", "Bob"), predicate=replace(make.node("student"), id="P802")
    )
    bob, ada = make.argument("Bob", text), make.argument("Ada", text)
    assert judge_by_words(0, make.fact(bob, "taught", ada, "P802"), Evidence((statement,))) is None
    found = judge_by_words(0, make.fact(bob, "was taught by", ada, "^P802"), Evidence((statement,)))
    assert found is not None
    assert found.state == "agree"


@pytest.mark.parametrize(
    ("tense", "until", "state"),
    [("present", "2018", "unknown"), ("past", "2018", "agree"), ("present", "2030", "agree")],
)
def test_what_is_over_supports_no_present(make: Any, tense: str, until: str, state: str) -> None:
    """Whoever led a house until 2018 does not lead it now; words alone led to the statement, so nothing is refuted."""
    text = "Bob is the warden of Utopia House."
    fact = make.fact(
        make.argument("Bob", text), "is warden of", make.argument("Utopia House", text), tense=tense
    )
    led = replace(
        make.statement("Utopia House", "urn:warden", "Bob", P582=until), predicate=Node("urn:w", "warden")
    )
    found = judge_by_words(0, fact, Evidence((led,)), today=date(2024, 6, 1))
    assert found is not None
    assert found.state == state
