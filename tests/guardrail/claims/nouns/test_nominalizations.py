from __future__ import annotations

from collections.abc import Callable

Triples = Callable[..., set[tuple[str, str, str]]]


def test_a_role_in_a_work(facts_of: Triples) -> None:
    """Who has a part in a film is in its cast."""
    found = facts_of("Taylor Swift is known for her role in Titanic.")
    assert any(subject == "Taylor Swift" and what == "Titanic" for subject, _, what in found)
