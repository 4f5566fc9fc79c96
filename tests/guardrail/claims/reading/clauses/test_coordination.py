from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Sentence
from tests.reading import read


def test_second_post_behind_the_years_of_the_first(sentence_of: Callable[[str], Sentence]) -> None:
    """What follows "from 1983 to 1984 and" is what she served as next, not until when."""
    reading = read(sentence_of("Anna served as head of Velmora from 1983 to 1984 and head of Brenta."), [])
    posts = [comp for one in reading.clauses for comp in one.comps if comp.prep == "as"]
    assert len(posts) == 2


def test_further_predicate_behind_a_participle(sentence_of: Callable[[str], Sentence]) -> None:
    """ "A maker of cars based in Graz, and a subsidiary of Brenta": it is both."""
    reading = read(sentence_of("Velmora is a car maker based in Graz, and a subsidiary of Brenta."), [])
    last = reading.clauses[-1]
    assert last.subject is not None
    assert reading.tokens[last.subject.head].text == "Velmora"
    assert last.vg is not None
    assert last.vg.voice == "copula"
