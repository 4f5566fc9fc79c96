"""The label that all signals together speak for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from guardrail.check.nli.records import RecordsChecker
from guardrail.check.text.checker import TextChecker
from guardrail.check.weighing import RECORDS, Limits, Trees, Weighing, weighing_for
from guardrail.errors import ConfigError
from guardrail.models.encoder import MODELS
from guardrail.models.nli import Embedded
from guardrail.models.opened import open_statement_reader
from guardrail.types import Claim, Evidence, Label, Node, Passage, Source, Span, Triplet
from tests.scripted_nli import Scripted

TREES = Trees(  # one tree for each label: the first asks for "for", the last for "against" and then for "for"
    asked=np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0]]),
    least=np.array([[0.5, 9.0, 9.0], [9.0, 9.0, 9.0], [0.5, 9.0, 0.5]]),
    given=np.array([[0.0, 0.0, 4.0, 4.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0, 2.0]]),
    start=np.zeros(3),
)
TOLD = Weighing("made up", ("for", "against"), TREES, (Limits(0.0, 0.8, 0.9), Limits(0.5, 0.9, 0.9)))


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({"for": 1.0, "against": 0.0}, Label.ATTRIBUTABLE),
        ({"for": 0.0, "against": 1.0}, Label.CONTRADICTORY),
        ({"for": 0.0, "against": 0.4}, Label.EXTRAPOLATORY),
        ({"for": 1.0, "against": 1.0}, Label.ATTRIBUTABLE),
        ({"for": 1.0, "against": 1.0, "covered": 0.5}, Label.EXTRAPOLATORY),
    ],
)
def test_a_label_is_given_where_its_share_is_large_enough(given: dict[str, float], label: Label) -> None:
    """How large is large enough depends on how many of the claim's words the evidence has."""
    shares = TOLD.shares(given)
    assert sum(shares) == pytest.approx(1.0)
    assert TOLD.label(given, shares) is label


def test_trees_that_ask_for_another_signal_are_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"ask for 'against', .*grow them again"):
        TOLD.shares({"for": 1.0})


def test_a_folder_brings_trees_of_its_own(tmp_path: Path) -> None:
    """They count for the model they were grown for alone."""
    told = json.loads((MODELS / "verdict.json").read_text(encoding="utf-8"))
    model = Scripted({})
    model.folder = tmp_path
    assert weighing_for(model) is None
    other = Scripted({})
    (tmp_path / "own").mkdir()
    other.folder = tmp_path / "own"
    (other.folder / "verdict.json").write_text(json.dumps({**told, "model": "scripted"}))
    found = weighing_for(other)
    assert found is not None
    assert found.names == tuple(told["names"])
    other.name = "another"
    assert weighing_for(other) is None


def test_trees_of_an_earlier_version_are_refused_with_what_to_do(tmp_path: Path) -> None:
    told = json.loads((MODELS / "verdict.json").read_text(encoding="utf-8"))
    del told["limits"]
    model = Scripted({})
    model.folder = tmp_path
    (tmp_path / "verdict.json").write_text(json.dumps({**told, "attributable": 0.9, "contradictory": 0.9}))
    with pytest.raises(ConfigError, match="grow the trees again"):
        weighing_for(model)


def test_the_shipped_trees_are_of_the_shipped_model_and_of_its_signals() -> None:
    """With any other model its own thresholds decide."""
    model = Embedded()
    weighing = weighing_for(model)
    assert weighing is not None
    assert weighing_for(Scripted({})) is None
    text = "The pool is heated."
    claim = Claim(0, Span(0, len(text)), text, text)
    passage = Passage("p", "The pool is not heated. It opens at noon.", Source.REQUEST)
    found = TextChecker(model).signals(claim, Evidence(passages=(passage,)))
    assert sorted(weighing.names) == sorted(found)
    assert TextChecker(model).signals(claim, Evidence(passages=())) == {}


def test_the_shipped_trees_for_statements_are_of_their_signals() -> None:
    """Those of the shipped model, too."""
    model = open_statement_reader()
    weighing = weighing_for(model, RECORDS)
    assert weighing is not None
    assert weighing_for(Scripted({}), RECORDS) is None
    near = (Triplet(Node("h", "Hotel"), Node("d", "dogs"), Node("", "not allowed")),)
    found = RecordsChecker(model).signals("You may bring your dog.", Evidence(nearest=near))
    assert sorted(weighing.names) == sorted(found)
