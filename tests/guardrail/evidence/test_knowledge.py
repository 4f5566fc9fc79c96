"""Both kinds of graph can stand in for each other."""

import inspect

import pytest

from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.sparql.graph import SparqlGraph
from guardrail.evidence.store.graph import Graph


@pytest.mark.parametrize("kind", [Graph, SparqlGraph])
def test_every_method_of_the_role_is_there_with_the_same_parameters(kind: type) -> None:
    """mypy sees it too; this names the one that is missing."""
    for name, method in inspect.getmembers(Knowledge, inspect.isfunction):
        if name.startswith("_"):
            continue
        wanted, given = inspect.signature(method), inspect.signature(getattr(kind, name))
        assert len(wanted.parameters) == len(given.parameters), name
