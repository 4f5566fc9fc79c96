"""The roles and who takes them."""

from __future__ import annotations

import inspect

import pytest

from guardrail.types import Checker, Embedder, Extractor, Linker, Retriever
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    ("part", "role"),
    [("linker", Linker), ("extractor", Extractor), ("checker", Checker), ("embedder", Embedder)],
)
def test_the_shipped_parts_take_their_roles(verifier: Verifier, part: str, role: type) -> None:
    """Each part has the methods of its role, with the role's parameters."""
    _same(getattr(verifier, part), role)


def test_every_retriever_takes_its_role(verifier: Verifier) -> None:
    """Whatever the source, evidence is asked for in the same way."""
    for retriever in verifier.retrievers.values():
        _same(retriever, Retriever)


def _same(part: object, role: type) -> None:
    methods = [
        name for name, value in vars(role).items() if inspect.isfunction(value) and not name.startswith("_")
    ]
    assert methods
    for name in methods:
        wanted = list(inspect.signature(getattr(role, name)).parameters)[1:]
        assert list(inspect.signature(getattr(part, name)).parameters)[: len(wanted)] == wanted
