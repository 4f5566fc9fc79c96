from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Sentence
from tests.reading import read


def test_second_post_behind_the_years_of_the_first(sentence_of: Callable[[str], Sentence]) -> None:
    """What follows "from 1983 to 1984 and" is what she served as next, not until when."""
    reading = read(sentence_of("Anna served as head of Velmora from 1983 to 1984 and head of Brenta."), [])
    posts = [comp for one in reading.clauses for comp in one.comps if comp.prep == "as"]
    assert len(posts) == 2
