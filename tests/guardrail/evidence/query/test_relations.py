"""Words of a predicate find the property that is called so."""

import pytest

from guardrail.evidence.query.relations import RelationIndex, content, relevance
from guardrail.types import Property

BIRTH = Property("P19", "place of birth", ("born in", "birthplace"))
DIRECTOR = Property("P57", "director", ("directed by", "film director"))
EMPLOYER = Property("P108", "employer", ("works for", "working at"))
INDEX = RelationIndex([BIRTH, DIRECTOR, EMPLOYER])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("born in", "P19"),
        ("was born in", "P19"),
        ("is the place of birth of", "P19"),
        ("was directed by", "P57"),
        ("directs", "P57"),
        ("worked for", "P108"),
    ],
)
def test_the_predicate_finds_its_property(words: str, expected: str) -> None:
    """Exact names, names with an auxiliary before, and other forms of the same word."""
    assert INDEX.match(words)[0].id == expected


@pytest.mark.parametrize("words", ["", "of", "flew over", "is a"])
def test_other_words_find_nothing(words: str) -> None:
    """No property is better than a wrong one."""
    assert INDEX.match(words) == []


def test_relevance_is_the_share_of_the_claims_words() -> None:
    """In [0, 1]; without words nothing is relevant."""
    assert relevance([DIRECTOR], content("directed")) == 1.0
    assert relevance([DIRECTOR], content("directed in Paris")) == 0.5
    assert relevance([BIRTH], content("directed")) == 0.0
    assert relevance([BIRTH], frozenset()) == 0.0
