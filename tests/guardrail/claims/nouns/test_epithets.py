"""Facts of names, from the words around them."""

from __future__ import annotations

import pytest

from guardrail.claims.rules import RuleExtractor
from guardrail.segment import segment
from guardrail.types import Candidate, Context, Entity, Mention, Span

PERSON, COMPANY, FILM = "Q5", "Q4830453", "Q11424"


def facts(text: str, **names: str) -> set[tuple[str, tuple[str, ...], str]]:
    """(subject, relations, object) of all facts; `names` gives each name's class, with "_" for a blank."""
    mentions = []
    for name, kind in names.items():
        words = name.replace("_", " ")
        start = text.index(words)
        entity = Entity(f"Q:{words}", words, types=(kind,) if kind else ())
        mentions.append(Mention(Span(start, start + len(words)), words, (Candidate(entity, 0.0),)))
    mentions.sort(key=lambda mention: mention.span)
    claims = RuleExtractor().extract(segment(text)[0], mentions, Context())
    return {(f.subject.text, f.relations, f.object.text) for claim in claims for f in claim.facts}


def test_a_year_before_the_noun_of_a_work() -> None:
    """The clause is about what came before it; the year is the film's."""
    found = facts("It was preceded by the 1992 film Patriot Games.", Patriot_Games=FILM)
    assert ("Patriot Games", ("P577",), "1992") in found


def test_whose_work_it_is() -> None:
    """An owner before the noun has made it."""
    found = facts("It was included on Parton's 1977 album Heartsongs.", Parton=PERSON, Heartsongs="")
    assert ("Heartsongs", ("P175", "P86"), "Parton") in found
    assert ("Heartsongs", ("P577",), "1977") in found


def test_a_title_in_quotation_marks_and_whose_it_is() -> None:
    """A title by somebody."""
    found = facts('It stayed behind "Windy" by The Association.', Windy="", The_Association="")
    assert ("Windy", ("P175", "P50", "P86", "P170"), "The Association") in found


def test_a_nation_before_a_person() -> None:
    """Nationality and trade before a name."""
    found = facts(
        "It was sung by Australian recording artist and songwriter Kylie Minogue.", Kylie_Minogue=PERSON
    )
    assert any(s == "Kylie Minogue" and r[:1] == ("P27",) and o == "Australian" for s, r, o in found)


@pytest.mark.parametrize(("noun", "relation"), [("founder", "P112"), ("CEO", "P169")])
def test_a_role_between_two_names(noun: str, relation: str) -> None:
    """The noun between a company and a person is the person's part in it."""
    found = facts(f"They met Fabtek {noun} Frank Ballouz.", Fabtek=COMPANY, Frank_Ballouz=PERSON)
    assert any(s == "Fabtek" and relation in r and o == "Frank Ballouz" for s, r, o in found)


def test_names_that_only_stand_side_by_side_say_nothing() -> None:
    """A noun that is no relation, or another sentence part between, makes no fact."""
    found = facts("They met Fabtek colleague Frank Ballouz.", Fabtek=COMPANY, Frank_Ballouz=PERSON)
    assert not any(s == "Fabtek" and o == "Frank Ballouz" for s, _, o in found)


def test_a_work_and_its_maker_without_quotation_marks() -> None:
    """Behind the noun of a work the title needs no marks, and a nationality is no maker."""
    found = facts(
        "It won a prize for the novel Harbour by the Irish writer Carl Bo.",
        Harbour="",
        Irish="",
        Carl_Bo=PERSON,
    )
    assert ("Harbour", ("P50",), "Carl Bo") in found
    assert not any(what == "Irish" and "P50" in relations for _, relations, what in found)


def test_a_body_makes_works_in_other_ways() -> None:
    """A company's film is produced by it, not directed."""
    found = facts("They saw Delta Corp's 1999 children's film Harbour.", Delta_Corp=COMPANY, Harbour=FILM)
    assert any(who == "Harbour" and relations[0] == "P272" for who, relations, _ in found)
    assert ("Harbour", ("P577",), "1999") in found


def test_a_son_is_not_in_a_post() -> None:
    """ "Emil and his son Karl" says nothing of a team or an employer."""
    found = facts("Emil Berg and his son Karl opened a shop.", Emil_Berg="", Karl=PERSON)
    assert not any("P108" in relations for _, relations, _ in found)


def test_a_candidate_is_of_the_party() -> None:
    """The name of a body before a noun of politics is the party."""
    found = facts("They lost to Delta Union candidate Carl Bo.", Delta_Union=COMPANY, Carl_Bo=PERSON)
    assert any(
        {"Delta Union", "Carl Bo"} == {who, what} and {"P102", "^P102"} & set(relations)
        for who, relations, what in found
    )


@pytest.mark.parametrize(
    ("text", "names", "maker"),
    [
        ("He adapted Jean Holm's The Balcony.", {"Jean_Holm": PERSON, "The_Balcony": ""}, "Jean Holm"),
        ("It was inspired by Taivo's 1986 Arkanda.", {"Taivo": COMPANY, "Arkanda": ""}, "Taivo"),
    ],
)
def test_a_work_of_somebody_without_a_noun(text: str, names: dict[str, str], maker: str) -> None:
    """What the graph knows without its kind may be a work; that it is somebody's does not say how: the predicate is "of"."""
    found = facts(text, **names)
    assert any(o == maker and "P170" in relations for _, relations, o in found)


def test_what_is_no_work_is_nobodys() -> None:
    """A company that belongs to a person is no work of theirs, nor is what a noun goes on behind."""
    found = facts("They like Anna Holm's Velmora shares.", Anna_Holm=PERSON, Velmora="")
    assert not any(s == "Velmora" for s, _, _ in found)
    found = facts("They like Anna Holm's Velmora.", Anna_Holm=PERSON, Velmora=COMPANY)
    assert not any("P170" in relations for _, relations, _ in found)


def test_the_words_before_a_work_end_where_its_owner_does() -> None:
    """An adjective before the noun does not hide the owner, nor a pronoun its antecedent."""
    found = facts("It was shown in Olof Stone's grim film Velmora.", Olof_Stone=PERSON, Velmora="")
    assert ("Velmora", ("P57",), "Olof Stone") in found
    found = facts(
        "It was sung by Kyla Berg, taken from her third studio album Heartsongs.",
        Kyla_Berg=PERSON,
        Heartsongs="",
    )
    assert ("Heartsongs", ("P175", "P86"), "Kyla Berg") in found


def test_where_an_institution_is() -> None:
    """A university "in" a town lies there, whoever went to it; a company in one may be elsewhere, too."""
    found = facts("He taught at Velmora University in Lund.", Velmora_University="", Lund="Q515")
    assert any(s == "Velmora University" and "P159" in r and o == "Lund" for s, r, o in found)
    found = facts("He worked for Velmora in Lund.", Velmora=COMPANY, Lund="Q515")
    assert not any(s == "Velmora" and "P159" in r for s, r, _ in found)


def test_a_series_and_whose_it_is() -> None:
    """The noun between title and "by" tells that a title it is."""
    found = facts("She drew for The Lund Club series by Jean Holm.", The_Lund_Club="", Jean_Holm=PERSON)
    assert ("The Lund Club", ("P50", "P170"), "Jean Holm") in found
