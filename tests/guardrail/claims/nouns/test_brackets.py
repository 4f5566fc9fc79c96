from __future__ import annotations

from collections.abc import Callable

Triples = Callable[..., set[tuple[str, str, str]]]


def test_acronym_is_no_claim(claims_of: Callable[..., list[object]]) -> None:
    """A bracket that only gives a short name does not split the claim."""
    assert len(claims_of("The American Broadcasting Company (ABC) is based in Berlin.")) == 1


def test_years_behind_a_place_are_somebodys_time_there(facts_of: Triples) -> None:
    """ "Taught in Ulm (1990–1995)" neither founds nor dissolves Ulm, and bears nobody."""
    found = facts_of("Albert Einstein taught in Ulm (1990–1995) and Paris (1995–2001).")
    assert not {relation for _, relation, _ in found} & {"P569", "P570", "P571", "P576"}
