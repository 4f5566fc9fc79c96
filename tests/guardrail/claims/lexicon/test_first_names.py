from __future__ import annotations

import pytest

from guardrail.claims.lexicon.first_names import gender


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ada Lovelace", "f"),
        ("Niels Bohr", "m"),
        ("Dr. Ada Lovelace", "f"),
        ("Mrs. Fox", "f"),
        ("King Olav V", "m"),
        ("Robin Ash", ""),
        ("Acme", ""),
        ("Queen", ""),
        ("", ""),
    ],
)
def test_a_title_or_a_first_name_tells_the_gender(name: str, expected: str) -> None:
    """Names that men and women bear tell nothing."""
    assert gender(name) == expected
