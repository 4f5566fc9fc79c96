"""The graph's answers to a fact's typed question."""

from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.properties.completeness import mark
from guardrail.evidence.query.facts import MOST_BACKWARDS, answers, ask
from guardrail.evidence.store.graph import Graph
from guardrail.types import Answer, Argument, Claim, Fact, Node, Property, Span
from tests.world import day, node, triplet


def claim(
    graph: Graph, subject: str, predicate: str, item: str, relations: tuple[str, ...] = (), tense: str = ""
) -> Claim:
    """A claim of one fact; its arguments are linked as a whole."""

    def argument(text: str) -> Argument:
        return Argument(text, mentions=tuple(AliasLinker(graph).link(f"saw {text}")))

    fact = Fact(argument(subject), predicate, argument(item), relations=relations, tense=tense)  # type: ignore[arg-type]
    text = f"{subject} {predicate} {item}"
    return Claim(0, Span(0, len(text)), text, text, (fact,))


def ends(answer: Answer) -> list[str]:
    """What the graph says in the place of the claimed argument."""
    return [t.subject.label if answer.inverse else t.object.label for t in answer.statements]


def test_known_objects_stand_beside_the_claimed_one(graph: Graph) -> None:
    """Obama was born in Kenya: the graph says Honolulu, and that there is one place of birth."""
    [answer] = answers(graph, claim(graph, "Barack Obama", "was born in", "Kenya", ("P19",)))
    assert answer.subject == Node("Q76", "Barack Obama")
    assert ends(answer) == ["Honolulu"]
    assert answer.property.cardinality == "single"
    assert (answer.about, answer.inverse, answer.broader, answer.narrower) == ("subject", False, (), ())


def test_a_coarser_object_comes_with_its_chain(graph: Graph) -> None:
    """Born in the United States is supported by Honolulu, Hawaii."""
    [answer] = answers(graph, claim(graph, "Barack Obama", "was born in", "USA", ("P19",)))
    assert [t.object.label for t in answer.broader] == ["Hawaii", "United States"]
    assert answer.narrower == ()


def test_a_finer_object_comes_with_its_chain(graph: Graph) -> None:
    """The graph knows the country, the claim names the city."""
    with graph.write() as batch:
        batch.add_statements([triplet("Q25191", "P19", "Q30")])
    [answer] = answers(graph, claim(graph, "Christopher Nolan", "was born in", "Honolulu", ("P19",)))
    assert answer.broader == ()
    assert [t.subject.label for t in answer.narrower] == ["Honolulu", "Hawaii"]


def test_a_relation_that_reads_backwards_is_asked_from_both_ends(graph: Graph) -> None:
    """ "Obama directed Inception": his films, and the film's director."""
    found = answers(graph, claim(graph, "Barack Obama", "directed", "Inception", ("^P57",)))
    assert [(a.about, a.inverse, ends(a)) for a in found] == [
        ("subject", True, []),
        ("object", False, ["Christopher Nolan"]),
    ]


def test_an_unknown_subject_is_asked_for_from_the_object(graph: Graph) -> None:
    """Ada Zorbax is not in the graph, the film is."""
    [answer] = answers(graph, claim(graph, "Ada Zorbax", "directed", "Inception", ("^P57",)))
    assert (answer.about, ends(answer)) == ("object", ["Christopher Nolan"])


def test_an_inverse_property_answers_from_the_object(graph: Graph) -> None:
    """ "Honolulu is the capital of France": France says Paris."""
    found = answers(graph, claim(graph, "Honolulu", "is the capital of", "France", ("P1376",)))
    assert [(a.about, a.property.id, ends(a)) for a in found] == [
        ("subject", "P1376", []),
        ("object", "P36", ["Paris"]),
    ]


def test_words_find_the_property_where_the_lexicon_has_none(graph: Graph) -> None:
    """No relation ids: the predicate's words are matched with labels and aliases."""
    found = answers(graph, claim(graph, "Inception", "was directed by", "Barack Obama"))
    assert found[0].property.id == "P57"
    assert ends(found[0]) == ["Christopher Nolan"]


def test_a_known_subject_without_the_property_says_so(graph: Graph) -> None:
    """An answer without statements: the graph knows the subject, not this of it."""
    [answer] = answers(graph, claim(graph, "Michelle Obama", "was born in", "Kenya", ("P19",)))
    assert answer.statements == ()


def test_an_unknown_property_gives_no_answer(graph: Graph) -> None:
    """Nothing to ask with."""
    assert answers(graph, claim(graph, "Barack Obama", "frobnicates", "Kenya", ("P404",))) == ()
    assert answers(graph, claim(graph, "Ada Zorbax", "was born in", "Zorbaxia", ("P19",))) == ()


def test_the_tense_orders_the_statements(graph: Graph) -> None:
    """Who "is" head of state comes first, who was comes after."""
    [present, *_] = answers(
        graph, claim(graph, "United States", "has head of state", "Barack Obama", ("P35",), "present")
    )
    assert ends(present)[0] == "Joe Biden"
    assert set(ends(present)) == {"Joe Biden", "Barack Obama", "Donald Trump"}


def test_literals_are_answers_too(graph: Graph) -> None:
    """A date of birth."""
    [answer] = answers(graph, claim(graph, "Barack Obama", "was born on", "1990", ("P569",)))
    assert ends(answer) == ["1961-08-04"]


def test_deprecated_statements_answer_nothing(graph: Graph) -> None:
    """The graph itself calls them wrong."""
    with graph.write() as batch:
        batch.add_statements([triplet("Q76", "P569", day("1963"), rank="deprecated")])
    [answer] = answers(graph, claim(graph, "Barack Obama", "was born on", "1963", ("P569",)))
    assert ends(answer) == ["1961-08-04"]


def test_a_symmetric_relation_is_asked_from_both_ends(graph: Graph) -> None:
    """The marriage may be stated at either spouse."""
    found = answers(graph, claim(graph, "Michelle Obama", "is married to", "Barack Obama", ("P26",)))
    assert [(a.about, ends(a)) for a in found] == [("subject", []), ("object", ["Michelle Obama"])]


def test_what_a_limit_cuts_off_is_said(graph: Graph) -> None:
    """And the claimed one is read even then."""
    with graph.write() as batch:
        batch.add_properties([Property("P57", "director")])
        batch.add_statements(triplet(f"F{i}", "P57", "Q25191") for i in range(MOST_BACKWARDS + 20))
    found = ask(graph, claim(graph, "Christopher Nolan", "directed", "Inception", ("^P57",)))
    assert found.unread == (f"Christopher Nolan: director, beyond the first {MOST_BACKWARDS}",)
    assert "Inception" in ends(found.answers[0])


def test_an_answer_says_whether_its_list_is_whole(graph: Graph) -> None:
    """Marked for this film, in this direction."""
    question = claim(graph, "Inception", "starred", "Leonardo DiCaprio", ("P161",))
    assert [a.complete for a in answers(graph, question)] == [False]
    with graph.write() as batch:
        batch.add_statements([mark(node("Q25188"), "P161"), mark(node("Q25191"), "^P57")])
    assert [a.complete for a in answers(graph, question)] == [True]
    made = claim(graph, "Christopher Nolan", "directed", "Inception", ("^P57",))
    assert [(a.about, a.complete) for a in answers(graph, made)] == [("subject", True), ("object", False)]


def test_the_mark_itself_is_no_answer(graph: Graph) -> None:
    """A claim that something is complete is not about lists."""
    with graph.write() as batch:
        batch.add_statements([mark(node("Q25188"), "P161")])
    assert answers(graph, claim(graph, "Inception", "complete", "Honolulu")) == ()
