"""Whether a name stands for the one that the graph was asked about."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.identity import is_full_name, reading_of
from guardrail.types import Argument, Candidate, Claim, Entity, Mention, Span

CITY = Entity("Q3", "Newton", description="city in Utopia", types=("Q515",))


def argument(text: str, name: str, sentence: str, entity: Entity) -> tuple[Argument, Claim]:
    """`text` in `sentence`, of which `name` was taken for `entity`."""
    start = sentence.index(text)
    at = sentence.index(name, start)
    mention = Mention(Span(at, at + len(name)), name, (Candidate(entity, 0.0),))
    span = Span(start, start + len(text))
    return Argument(text, span, (mention,)), Claim(0, Span(0, len(sentence)), sentence, sentence)


@pytest.mark.parametrize(
    ("text", "name", "entity", "expected"),
    [
        ("Newton", "Newton", CITY, True),
        ("Newton's", "Newton", CITY, True),
        ("the Newton city", "Newton", CITY, True),
        ("several Newton clubs", "Newton", CITY, False),
        ("Newton in Utopia", "Newton", CITY, True),
        ("Utopian heavy metal", "heavy metal", Entity("Q6", "heavy metal"), False),
        ("the heavy metal", "heavy metal", Entity("Q6", "heavy metal"), True),
        ("Mayor Newton", "Newton", CITY, True),
    ],
)
def test_a_name_is_whole_without_another_noun(text: str, name: str, entity: Entity, expected: bool) -> None:
    """A noun behind it that is not what it is, or an adjective before a common noun, makes it another thing."""
    found, _ = argument(text, name, f"{text} is known.", entity)
    assert is_full_name(found, entity) is expected


def test_the_reading_is_found_by_its_id(make: Any) -> None:
    """Among the candidates of the name; none for an id that was not asked."""
    two = make.argument("Ada", "Ada sang.", "Ada", "Ada Lovelace")
    found = reading_of(two, "Q:Ada Lovelace")
    assert found is not None
    assert found.label == "Ada Lovelace"
    assert reading_of(two, "Q:Bob") is None
