"""One fact against one answer."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.compare.slots import judge, match
from guardrail.types import Answer, Argument, Node, Property, Reason, Value

TODAY = date(2024, 6, 1)


def test_no_statement_says_nothing(make: Any) -> None:
    """The subject is known and the property is not."""
    fact = make.fact(make.argument("Ada", "Ada"), "born in", make.argument("Bonn", "Bonn"), "P19")
    finding = judge(3, fact, make.answer("Ada", "P19"), today=TODAY)
    assert (finding.fact, finding.state, finding.reason, finding.note) == (
        3,
        "unknown",
        Reason.NO_PROPERTY,
        "nothing",
    )


@pytest.mark.parametrize(("tense", "state"), [("present", "conflict"), ("past", "unknown")])
def test_one_capital_at_a_time(make: Any, tense: str, state: str) -> None:
    """Sydney is not the capital; whether it ever was is another question."""
    text = "Sydney is the capital of Australia."
    fact = make.fact(
        make.argument("Sydney", text), "capital of", make.argument("Australia", text), "^P36", tense=tense
    )
    statements = [make.statement("Australia", "P36", "Canberra")]
    assert (
        judge(0, fact, make.answer("Australia", "P36", statements, about="object"), today=TODAY).state
        == state
    )


def test_a_number_and_a_name_exclude_nothing(make: Any) -> None:
    """A claimed year is no other place than the known place."""
    fact = make.fact(make.argument("Ada", "Ada"), "born in", make.argument("1990", "1990"), "P19")
    answer = make.answer("Ada", "P19", [make.statement("Ada", "P19", "Bonn")])
    assert judge(0, fact, answer, today=TODAY).state == "unknown"


def test_match_by_kind(make: Any) -> None:
    """Names with nodes, values with values, words with strings."""
    assert match(make.argument("Bonn", "Bonn"), make.node("Bonn")) == "same"
    assert match(make.argument("1990", "1990"), make.date("1990-05-01")) == "same"
    assert match(make.argument("1990", "1990"), make.node("Bonn")) == "unknown"
    assert match(make.argument("Bonn", "Bonn"), make.date("1990")) == "unknown"
    assert match(Argument("Au"), Value("Au", "Au", "string")) == "same"


def test_of_many_figures_that_agree_one_holds_today(make: Any) -> None:
    """A height that was measured every few years agrees with "is" where any of its like figures is not over."""
    over = [make.statement("tower", "P2048", figure(n), P582="2010") for n in (384, 384, 384, 385)]
    now = make.statement("tower", "P2048", figure(386))
    claimed = make.argument("384", "384", modifier="about")
    fact = make.fact(make.argument("tower", "tower"), "is", claimed, "P2048", tense="present")
    assert judge(0, fact, make.answer("tower", "P2048", [*over, now]), today=TODAY).state == "agree"
    assert judge(0, fact, make.answer("tower", "P2048", over), today=TODAY).state == "conflict"


def figure(number: int) -> Value:
    return Value(str(number), str(number), "quantity")


@pytest.mark.parametrize(
    ("words", "year", "state"),
    [
        ("was founded in", "1889", "conflict"),
        ("was completed in", "1889", "unknown"),
        ("was completed in", "1880", "conflict"),
    ],
)
def test_what_was_begun_may_be_completed_later(make: Any, words: str, year: str, state: str) -> None:
    """The date of a beginning refutes no later completion, but one before it."""
    fact = make.fact(make.argument("Tower", "Tower"), words, make.argument(year, year), "P571")
    statements = [make.statement("Tower", "P571", make.date("1887-01-28"))]
    assert judge(0, fact, make.answer("Tower", "P571", statements), today=TODAY).state == state


def test_an_invention_may_be_dated_a_year_apart(make: Any) -> None:
    """1989 or 1990, the idea or the first model; ten years are too many."""
    for year, state in (("1989", "unknown"), ("1980", "conflict")):
        fact = make.fact(make.argument("Web", "Web"), "was invented in", make.argument(year, year), "P575")
        statements = [make.statement("Web", "P575", make.date("1990"))]
        assert judge(0, fact, make.answer("Web", "P575", statements), today=TODAY).state == state


def test_nothing_refutes_itself(make: Any) -> None:
    """A pronoun resolved to the owner, "as its currency", is a misreading and no claim."""
    fact = make.fact(make.argument("Ada", "Ada"), "born in", make.argument("Ada", "Ada"), "P19")
    answer = make.answer("Ada", "P19", [make.statement("Ada", "P19", "Bonn")])
    assert judge(0, fact, answer, today=TODAY).state == "unknown"


def test_a_stale_list_refutes_nothing(make: Any) -> None:
    """All capitals that are known are over: which one it is now nobody wrote down."""
    fact = make.fact(
        make.argument("Land", "Land"), "capital", make.argument("B", "B"), "P36", tense="present"
    )
    over = make.statement("Land", "P36", "A", P582="1990")
    assert judge(0, fact, make.answer("Land", "P36", [over]), today=TODAY).state == "unknown"


@pytest.mark.parametrize(("tense", "state"), [("present", "conflict"), ("past", "unknown")])
def test_one_spouse_at_a_time(make: Any, tense: str, state: str) -> None:
    """Whose wife she is excludes another husband now, and none before."""
    fact = make.fact(
        make.argument("Ada", "Ada"), "is married to", make.argument("Bob", "Bob"), "P26", tense=tense
    )
    answer = make.answer("Ada", "P26", [make.statement("Ada", "P26", "Carl")])
    assert judge(0, fact, answer, today=TODAY).state == state


def test_a_place_that_never_changed_is_the_same_in_the_past(make: Any) -> None:
    """Games that were held in one country were held in no other, unless the graph dates where they lay."""
    fact = make.fact(make.argument("Cup", "Cup"), "was held in", make.argument("B", "B"), "P17", tense="past")
    always = make.answer("Cup", "P17", [make.statement("Cup", "P17", "A")], apart=True)
    dated = make.answer("Cup", "P17", [make.statement("Cup", "P17", "A", P580="1990")], apart=True)
    assert judge(0, fact, always, today=TODAY).state == "conflict"
    assert judge(0, fact, dated, today=TODAY).state == "unknown"


def test_another_citizenship_needs_more_than_a_list(make: Any) -> None:
    """A second passport is possible; the graph says where nothing ties the person to the country."""
    fact = make.fact(make.argument("Ada", "Ada"), "is from", make.argument("B", "B"), "P27", tense="past")
    statements = [make.statement("Ada", "P27", "A")]
    assert judge(0, fact, make.answer("Ada", "P27", statements), today=TODAY).state == "unknown"
    assert judge(0, fact, make.answer("Ada", "P27", statements, apart=True), today=TODAY).state == "conflict"


@pytest.mark.parametrize(
    ("office", "tense", "since", "state"),
    [
        ("President of France", "present", "2017", "conflict"),
        ("President of France", "past", "2017", "unknown"),
        ("President of France", "present", "", "unknown"),
        ("Member of Parliament", "present", "2017", "unknown"),
    ],
)
def test_an_office_of_one_has_its_holder(make: Any, office: str, tense: str, since: str, state: str) -> None:
    """Who is known to be president now excludes another, not one of many members, and nobody in the past."""
    text = f"Ada is {office}."
    fact = make.fact(make.argument("Ada", text), "is", make.argument(office, text), "P39", tense=tense)
    held = {"P580": since} if since else {}
    statements = [
        make.statement("Bob", "P39", office, **held),
        make.statement("Carl", "P39", office, P580="2000", P582="2005"),
    ]
    answer = make.answer(office, "P39", statements, about="object", inverse=True)
    finding = judge(0, fact, answer, today=TODAY)
    assert finding.state == state
    if state == "conflict":
        assert (finding.claimed.text, [node.label for node in finding.known]) == ("Ada", ["Bob"])


@pytest.mark.parametrize(
    ("words", "author", "state"),
    [
        ("was written before", "Apple", "unknown"),
        ("was written after", "Shakespeare", "unknown"),
        ("was written by", "Apple", "conflict"),
        ("was written by", "Shakespeare", "agree"),
    ],
)
def test_a_name_behind_before_is_no_author(make: Any, words: str, author: str, state: str) -> None:
    """It says when, so that it neither agrees nor conflicts with who."""
    text = f"Hamlet {words} {author}."
    relations = ("P50",) if words.endswith("by") else ()
    fact = make.fact(make.argument("Hamlet", text), words, make.argument(author, text), *relations)
    answer = make.answer("Hamlet", "P50", [make.statement("Hamlet", "P50", "Shakespeare")])
    assert judge(0, fact, answer, today=date(2024, 1, 1)).state == state


@pytest.mark.parametrize(("figure", "state"), [("64 million", "unknown"), ("120 million", "conflict")])
def test_a_figure_of_another_year_is_not_wrong(make: Any, figure: str, state: str) -> None:
    """People are counted every year: what is within a tenth of the known figure may be true of some other year."""
    known = Value("68,512,806", "68512806", "quantity")
    fact = make.fact(
        make.argument("France", "France"),
        "population",
        make.argument(figure, figure),
        "P1082",
        tense="present",
    )
    answer = make.answer("France", "P1082", [make.statement("France", "P1082", known)])
    assert judge(0, fact, answer, today=TODAY).state == state


@pytest.mark.parametrize(("figure", "state"), [("3,770 km", "unknown"), ("2,000 km", "conflict")])
def test_a_river_is_measured_otherwise_by_another(make: Any, figure: str, state: str) -> None:
    """Sources differ by some hundredths about the length of a river; half of it is wrong."""
    text = f"The river is {figure} long."
    length = Property("P2043", "length", datatype="quantity", cardinality="single")
    fact = make.fact(make.argument("river", text), "is long", make.argument(figure, text), "P2043")
    known = Value("3,726 km", "3726", "quantity", unit=Node("Q828224", "kilometre"))
    answer = Answer(0, make.node("river"), length, (make.statement("river", "P2043", known),))
    assert judge(0, fact, answer, today=TODAY).state == state


def test_what_lies_in_itself_says_nothing_of_another_place(make: Any) -> None:
    """A country's country is itself; nobody who is in a camp elsewhere is refuted by that."""
    text = "Utopia was held in Arcadia."
    fact = make.fact(make.argument("Utopia", text), "held in", make.argument("Arcadia", text), "P17")
    answer = make.answer("Utopia", "P17", [make.statement("Utopia", "P17", "Utopia")], apart=True)
    assert judge(0, fact, answer, today=TODAY).state == "unknown"


@pytest.mark.parametrize(
    ("label", "year", "state"),
    [
        ("founded", "1999", "agree"),
        ("founded", "1998", "conflict"),
        ("employees", "1998", "unknown"),
    ],
)
def test_a_table_s_number_is_a_year_where_its_column_says_so(
    make: Any, label: str, year: str, state: str
) -> None:
    """ "founded | 1999" of a table is a year; a number of employees never is."""
    text = f"The company was founded in {year}."
    column = Property(label, label, datatype="quantity", cardinality="single")
    fact = make.fact(make.argument("company", text), "was founded in", make.argument(year, text), label)
    known = make.statement("company", label, Value("1999", "1999", "quantity"))
    assert judge(0, fact, Answer(0, make.node("company"), column, (known,)), today=TODAY).state == state


@pytest.mark.parametrize(("relations", "state"), [(("P50",), "agree"), ((), "unknown")])
def test_somebody_needs_a_relation_that_is_meant(make: Any, relations: tuple[str, ...], state: str) -> None:
    """Of "nobody follows the book" it says nothing that the book has an author."""
    text = "Somebody follows the book."
    fact = make.fact(make.argument("book", text), "follows", make.unknown("Somebody", text), *relations)
    answer = make.answer("book", "P50", [make.statement("book", "P50", "Ann")])
    assert judge(0, fact, answer, today=TODAY).state == state


@pytest.mark.parametrize(("claimed", "answers"), [("sequel", 0), ("Macbeth", 1)])
def test_a_common_noun_is_compared_with_no_name(make: Any, claimed: str, answers: int) -> None:
    """ "A sequel" beside a title is no other answer; another title is."""
    text = f"The book was followed by {claimed}."
    fact = make.fact(make.argument("book", text), "was followed by", make.unknown(claimed, text), "P137")
    answer = make.answer("book", "P137", [make.statement("book", "P137", "Hamlet")])
    finding = judge(0, fact, answer, today=TODAY)
    assert (finding.state, finding.answers) == ("unknown", answers)
