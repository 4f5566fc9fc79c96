from __future__ import annotations

from guardrail.claims.lexicon.kinds import load_kinds
from guardrail.types import Entity, Mention, Span


def test_kind_by_class() -> None:
    """The classes of an entity decide, and a narrow kind brings the wider one."""
    kinds = load_kinds()
    assert kinds.entity(Entity("Q1", "x", types=("Q5",))) == {"person"}
    assert kinds.entity(Entity("Q2", "x", types=("Q6256",))) == {"country", "place"}


def test_kind_by_description() -> None:
    """Without a known class the head of the description decides; without either nothing is known."""
    kinds = load_kinds()
    assert kinds.entity(Entity("Q3", "x", description="American film director and actor")) == {"person"}
    assert kinds.entity(Entity("Q3", "x", description="novel by a famous writer")) == {"work"}
    assert kinds.entity(Entity("Q4", "x")) == frozenset()
    assert kinds.mention(Mention(Span(0, 1), "x")) == frozenset()


def test_kind_of_a_noun() -> None:
    """Common nouns, singular or plural, name a kind."""
    kinds = load_kinds()
    assert [kinds.noun(word) for word in ("company", "cities", "film", "abstraction")] == [
        "org",
        "place",
        "work",
        "",
    ]
