"""Names as people say them, in a small graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from guardrail.evidence.linking import spoken_names
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.store.writes import NewEntity
from guardrail.types import Entity

_NAMES = (
    "Gym", "Main pool", "Books", "Family", "Ferry Lane Office", "Tanner Street Office", "Orla Fenwick", "Piers Okoro", "Piers Lund",
    "Central Library", "IT", "May", "Jones & Co.", "Jones Travel", "Smith and Sons Ltd", "Smith Bros", "B&Q Depot",
)  # fmt: skip


@pytest.fixture
def linked(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """What the linker finds in a text, over a graph of these names."""
    graph = Graph.create(tmp_path / "own.db")
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity(name, name)) for name in _NAMES])
    linker = AliasLinker(graph)
    return lambda text: {m.text: m.entity.id for m in linker.link(text) if m.entity is not None}


@pytest.mark.parametrize(
    ("text", "name", "meant"),
    [
        ("You have to be 16 to use the gym.", "gym", "Gym"),
        ("The main pool opens early.", "main pool", "Main pool"),
        ("You may borrow a book.", "book", "Books"),
        ("Families pay £40.", "Families", "Family"),
        ("There is no lift at Ferry Lane.", "Ferry Lane", "Ferry Lane Office"),
        ("Orla is in charge.", "Orla", "Orla Fenwick"),
        ("The tanner street office is open.", "tanner street office", "Tanner Street Office"),
        ("It is run by Jones and Co. today.", "Jones and Co", "Jones & Co."),
        ("It is run by Jones and Co, as ever.", "Jones and Co", "Jones & Co."),
        ("It is run by Smith & Sons Ltd.", "Smith & Sons Ltd", "Smith and Sons Ltd"),
        ("It is run by Smith & Sons.", "Smith & Sons", "Smith and Sons Ltd"),
        ("It is run by B and Q Depot.", "B and Q Depot", "B&Q Depot"),
    ],
)
def test_a_small_graph_is_meant(
    linked: Callable[[str], dict[str, str]], text: str, name: str, meant: str
) -> None:
    """Small letters, singular and plural, the first words of a proper name, and "and" for "&"."""
    assert linked(text).get(name) == meant


@pytest.mark.parametrize(
    "text",
    [
        "Piers is in charge.",  # two are called so
        "Their Office is closed.",  # two names end so
        "It is central to us.",  # an ordinary word
        "I like it.",  # an acronym is written in capitals
        "We may be late.",  # a word that holds sentences together
        "Jones and Smith are in charge.",  # two names
    ],
)
def test_what_could_be_another_is_not_linked(linked: Callable[[str], dict[str, str]], text: str) -> None:
    """Nor is an ordinary word that is only a part of a name."""
    assert linked(text) == {}


def test_a_large_graph_is_read_as_it_is_written(
    linked: Callable[[str], dict[str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """There "gym" may mean anything."""
    graph = Graph.create(tmp_path / "large.db")
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity(f"Q{n}", f"Thing {n}")) for n in range(spoken_names.MOST_NAMES)])
        batch.add_entities([NewEntity(Entity("Gym", "Gym"))])
    assert all(m.entity is None for m in AliasLinker(graph).link("You have to be 16 to use the gym."))
