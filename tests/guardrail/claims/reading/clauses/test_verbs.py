from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Sentence
from tests.reading import read


def subjects(text: str, sentence_of: Callable[[str], Sentence]) -> list[tuple[str, str]]:
    reading = read(sentence_of(text), [])
    return [
        (reading.tokens[clause.subject.head].text, clause.vg.stem)
        for clause in reading.clauses
        if clause.subject is not None and clause.vg is not None
    ]


def test_coordinated_verbs(sentence_of: Callable[[str], Sentence]) -> None:
    """Each verb has the one subject."""
    assert subjects("Anna wrote books and moved to Rome.", sentence_of) == [("Anna", "writ"), ("Anna", "mov")]


def test_fronted_participle(sentence_of: Callable[[str], Sentence]) -> None:
    """A participle before the subject is about the subject that comes."""
    assert subjects("Born in Rome, Anna wrote books.", sentence_of) == [("Anna", "bear"), ("Anna", "writ")]


def test_participle_behind_a_noun(sentence_of: Callable[[str], Sentence]) -> None:
    """A participle behind a noun is about that noun."""
    assert ("Ulysses", "writ") in subjects("She read Ulysses, written by Joyce.", sentence_of)


def test_inverted_verb(sentence_of: Callable[[str], Sentence]) -> None:
    """ "Nor did he teach" has its subject behind the auxiliary."""
    assert subjects("Bob never wrote, nor did Anna teach children.", sentence_of)[-1] == ("Anna", "teach")


def test_participle_behind_an_apposition(sentence_of: Callable[[str], Sentence]) -> None:
    """What a name was just called is the name."""
    assert ("Vela", "found") in subjects("Anna is the head of Vela, a label founded in 1981.", sentence_of)


def test_verb_behind_a_relative_clause(sentence_of: Callable[[str], Sentence]) -> None:
    """The main clause goes on with its verb."""
    assert ("Anna", "found") in subjects("Anna, who lives in Rome, founded Vela.", sentence_of)


def test_participle_behind_a_body_and_its_head(sentence_of: Callable[[str], Sentence]) -> None:
    """What was founded or is based somewhere is the company, not who leads it."""
    found = subjects("Anna is the founder of Velmora, established in 1998.", sentence_of)
    assert ("Velmora", "establish") in found
    assert ("Velmora", "bas") in subjects("Anna is the CEO of Velmora, based in Rome.", sentence_of)
    assert ("Anna", "marri") in subjects("Anna is the CEO of Velmora, married to Karl.", sentence_of)


def test_a_participle_that_only_introduces_a_name(sentence_of: Callable[[str], Sentence]) -> None:
    """ "A studio called Velmora" is Velmora, and nobody calls; a company called upon is no name."""
    text = "Anna opened a studio called Velmora in 1998."
    assert subjects(text, sentence_of) == [("Anna", "open")]
    opened = read(sentence_of(text), []).clauses[0].comps[0].np
    assert opened is not None
    assert [one.kind for one in opened.said] == ["name"]
