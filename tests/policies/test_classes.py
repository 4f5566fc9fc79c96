"""Classes in policies: names are taken for the graph's ids, and what fits nothing is a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from policies.classes import GraphClasses, is_id
from policies.policy import load, parse, problems

RULE = "claims:\n- when: {label: contradictory, entity_type: %s}\n  then: attach\nmode: hold\n"


class Known:
    """Two classes, one of them under two ids."""

    def called(self, word: str, /) -> Sequence[str]:
        return {"medication": ["Q12140"], "drug": ["Q12140", "Q8386"]}.get(word.casefold(), [])

    def near(self, word: str, /) -> Sequence[str]:
        return ["medication (Q12140)"] if word.startswith("medic") else []


def test_a_name_stands_for_the_ids_of_its_classes() -> None:
    """Once each; ids stay as they are, and the hash is that of the policy with ids."""
    (policy,), wrong = parse(RULE % "[Drug, medication, Q12136]", "p.yaml", Known())
    assert wrong == []
    assert policy.claims[0].when.entity_type == ("Q12140", "Q8386", "Q12136")
    (with_ids,), _ = parse(RULE % "[Q12140, Q8386, Q12136]", "p.yaml")
    assert policy.hash == with_ids.hash


def test_a_name_that_no_class_has_is_a_mistake_with_what_may_be_meant(tmp_path: Path) -> None:
    """At its line; without a graph it cannot be told."""
    path = tmp_path / "p.yaml"
    path.write_text(RULE % "[medication, medicine]")
    (found,) = problems(path, Known())
    assert (found.line, found.key) == (2, "claims[0].when.entity_type")
    assert "no class is called `medicine`" in found.message
    assert "did you mean medication (Q12140)?" in found.message
    assert "guardrail kg classes" in found.message
    assert problems(path) == []


def test_an_exception_for_a_class_that_there_is_not_is_a_mistake_too() -> None:
    """`unless` would never hold either."""
    text = "claims:\n- when: {label: contradictory}\n  unless: {entity_type: nonsense}\n"
    assert [one.key for one in parse(text, "p.yaml", Known())[1]] == ["claims[0].unless.entity_type"]


def test_the_graph_is_opened_only_where_a_policy_names_a_class(tmp_path: Path) -> None:
    """A policy of ids needs none."""

    def closed() -> None:
        pytest.fail("the graph was opened")

    path = tmp_path / "p.yaml"
    path.write_text(RULE % "[Q12140, http://example.org/Drug]")
    assert load(path, GraphClasses(closed)).claims  # type: ignore[arg-type]
    assert load("block", GraphClasses(closed)).claims  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "expected"), [("Q5", True), ("urn:x:Drug", True), ("Queen", False), ("drug", False)]
)
def test_ids_are_told_by_their_form(word: str, expected: bool) -> None:
    """Of Wikidata, or an address."""
    assert is_id(word) is expected
