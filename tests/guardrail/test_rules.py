"""The register of rules: each has an example that it has something to say about, and can be switched off."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from eval.suites.own_graph import HERE, imported, judged
from guardrail.rules import fired, registered, rule, without
from guardrail.verifier import Verifier

DATA = Path(__file__).parents[1] / "data"
EXAMPLES: dict[str, dict[str, Any]] = yaml.safe_load((DATA / "rules.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def over(verifier: Verifier, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The verifier over a graph of `eval/own_graph/open` or `tests/data`, imported once; over the starter knowledge for none."""

    @cache
    def opened(graph: str) -> Verifier:
        target = tmp_path_factory.mktemp("graph") / f"{graph}.db"
        folder = HERE / "open" / graph
        imported(folder if folder.exists() else DATA / graph, target)
        return Verifier.open(target)

    return lambda graph: opened(graph) if graph else verifier


def labelled(verifier: Verifier, example: dict[str, Any]) -> str:
    """What is said of an example."""
    more = {key: example[key] for key in ("question", "references") if key in example}
    return str(judged(verifier, example["text"], **more))


@pytest.mark.parametrize("name", [one.name for one in registered()])
def test_a_rule_has_something_to_say_about_its_example(name: str, over: Any) -> None:
    """Each example stands in `tests/data/rules.yaml`, with the question, references or graph that it needs."""
    example = EXAMPLES[name]
    with fired() as names:
        label = labelled(over(example.get("graph", "")), example)
    assert name in names
    assert label == example.get("label", label)


@pytest.mark.parametrize("name", [name for name, example in EXAMPLES.items() if "label" in example])
def test_a_rule_decides_on_its_example(name: str, over: Any) -> None:
    """Something else is said of it where the rule is switched off."""
    example = EXAMPLES[name]
    with without(name):
        assert labelled(over(example.get("graph", "")), example) != example["label"]


def test_examples_are_of_rules() -> None:
    """What is deleted leaves no example behind."""
    assert set(EXAMPLES) == {one.name for one in registered()}


def test_every_rule_names_its_phenomenon() -> None:
    """The first line of its docstring."""
    assert [one.name for one in registered() if not one.phenomenon] == []


def test_a_rule_that_is_switched_off_finds_nothing(verifier: Verifier) -> None:
    """And finds it again afterwards."""
    text = "I believe that Berlin is the capital of France."
    with without("beliefs"), fired() as names:
        assert [one.label.value for one in verifier.check(text).verdicts] != ["contradictory"]
        assert "beliefs" not in names
    assert [one.label.value for one in verifier.check(text).verdicts] == ["contradictory"]


def test_a_name_is_of_one_rule() -> None:
    """A name that is taken is refused, and so is one that nobody has."""
    with pytest.raises(ValueError, match="beliefs"):
        rule("beliefs")
    with pytest.raises(KeyError, match="no such"), without("no such"):
        pass
