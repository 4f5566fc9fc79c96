"""Who is said of whom."""

from __future__ import annotations

import pytest

from guardrail.check.kg.aligned.direction import backwards
from guardrail.check.kg.aligned.fillers import ClaimSentence
from guardrail.language import parser
from guardrail.types import Span


@pytest.mark.parametrize(
    ("text", "name", "said", "expected"),
    [
        ("Ann is the manager of Bob.", "manager", "manager", True),
        ("Bob is the manager of Ann.", "manager", "manager", False),
        ("Ann's manager is Bob.", "manager", "manager", False),
        ("Ann has a manager, Bob.", "manager", "manager", False),
        ("Ann reports to Bob.", "reports to", "reports", False),
        ("Ann is managed by Bob.", "managed by", "managed", False),
        ("Bob managed Ann.", "managed by", "managed", False),
        ("Ann managed Bob.", "managed by", "managed", True),
        ("Ann was born in Bob.", "place of birth", "born", False),
        ("Bob was originally based at Ann.", "base", "based", True),
        ("Ann and Bob met.", "manager", "", None),
    ],
)
def test_the_order_of_the_words_tells_who_has_the_property(
    text: str, name: str, said: str, expected: bool | None
) -> None:
    """Ann has the property, and Bob is its value, unless the words have it the other way round."""
    ann, bob = (Span(text.index(one), text.index(one) + 3) for one in ("Ann", "Bob"))
    place = Span(text.index(said), text.index(said) + len(said)) if said else None
    assert backwards(ClaimSentence(text, (), (), 0, parser().read(text)), ann, bob, name, place) is expected
