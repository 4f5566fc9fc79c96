"""Statements that are near in meaning are read together and each alone, trees weigh what is found, and what decides is shown."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from guardrail.check.embedded import embedded
from guardrail.check.nli.records import RecordsChecker
from guardrail.models.embed import Embedder, PropertyEmbedder
from guardrail.types import Evidence, Kind, Label, Node, Reason, Triplet
from tests.scripted_nli import Scripted, claim

SURE, AGAINST = (0.97, 0.02, 0.01), (0.01, 0.02, 0.97)
CLAIM = claim("You can cancel two days before.")
TREES = {  # what the model makes of the statements together decides
    "model": "scripted",
    "limits": [{"covered": 0.0, "attributable": 0.9, "contradictory": 0.9}],
    "names": ["together_supports", "together_contradicts"],
    "start": [0.0, 0.0, 0.0],
    "asked": [[0, 0, 0], [0, 0, 0], [1, 0, 0]],
    "least": [[0.5, 9.0, 9.0], [9.0, 9.0, 9.0], [0.5, 9.0, 9.0]],
    "given": [[0.0, 0.0, 4.0, 4.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0, 4.0]],
}


def near(*values: str) -> Evidence:
    return Evidence(
        nearest=tuple(
            Triplet(Node("h", "Hotel"), Node("p", f"rule {n}"), Node("", v)) for n, v in enumerate(values)
        )
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "records.json").write_text(json.dumps(TREES), encoding="utf-8")
    return tmp_path


def checker(folder: Path | None, rows: Mapping[str, tuple[float, float, float]]) -> RecordsChecker:
    model = Scripted(rows)
    model.folder = folder
    return RecordsChecker(model)


def test_the_statement_that_decides_by_itself_is_shown(folder: Path) -> None:
    """Of all that were read together."""
    verdict = checker(folder, {"48 hours": SURE}).check(CLAIM, near("breakfast", "48 hours", "dogs"))
    assert verdict is not None
    assert verdict.label is Label.ATTRIBUTABLE
    assert verdict.confidence > 0.9
    assert verdict.rationale == "The statement “Hotel: rule 1: 48 hours.” supports the claim."
    assert [one.object.label for one in verdict.evidence.triplets] == ["48 hours"]


def test_what_only_several_tell_is_shown_with_the_nearest(folder: Path) -> None:
    """No statement has both words, the nearest together do; the farthest adds nothing."""
    found = checker(folder, {"rule 0: one; rule 1: two": AGAINST})
    verdict = found.check(CLAIM, near("one", "two", "three", "four"))
    assert verdict is not None
    assert verdict.label is Label.CONTRADICTORY
    assert verdict.rationale == (
        "The statements “Hotel: rule 0: one; rule 1: two; rule 2: three.” contradict the claim."
    )
    assert len(verdict.evidence.triplets) == 3


def test_it_says_nothing_where_it_is_not_sure(folder: Path) -> None:
    """Nor where nothing is near, nor of what is no fact or was said with doubt."""
    sure = checker(folder, {"48 hours": SURE})
    assert checker(folder, {"48 hours": (0.4, 0.5, 0.1)}).check(CLAIM, near("48 hours")) is None
    assert sure.check(CLAIM, Evidence()) is None
    assert sure.check(replace(CLAIM, kind=Kind.OPINION), near("48 hours")) is None
    assert sure.check(replace(CLAIM, reason=Reason.HEDGED), near("48 hours")) is None


def test_a_model_without_trees_is_not_asked(tmp_path: Path) -> None:
    """Nobody has measured what it makes of many statements."""
    found = checker(tmp_path, {"48 hours": SURE})
    assert found.check(CLAIM, near("48 hours")) is None
    assert found.signals(CLAIM.resolved, near("48 hours"))["together_supports"] == pytest.approx(0.97)


def test_nothing_is_confirmed_while_evidence_went_unread(folder: Path) -> None:
    """What a limit left out may say otherwise; it does not undo a contradiction."""
    unread = replace(near("48 hours"), unread=("300 more statements",))
    assert checker(folder, {"48 hours": SURE}).check(CLAIM, unread) is None
    against = checker(folder, {"48 hours": AGAINST}).check(CLAIM, unread)
    assert against is not None
    assert against.label is Label.CONTRADICTORY


def test_what_does_not_fit_beside_the_claim_is_left_out(folder: Path) -> None:
    """The farthest first; where nothing fits, nothing is said."""
    model = Scripted({"long": SURE})
    model.folder = folder
    found = RecordsChecker(model)
    assert found.check(CLAIM, near("short", " ".join(["long"] * 60))) is None
    assert all("long" not in premise for premise, _ in model.asked)
    assert found.signals(CLAIM.resolved, near(" ".join(["long"] * 60))) == {}


def test_what_speaks_of_nobody_of_all_or_of_one_alone_is_left_open(folder: Path) -> None:
    """The nearest statements are not all there are."""
    sure = checker(folder, {"48 hours": SURE})
    for text in ("Nobody can cancel two days before.", "Only members can cancel two days before."):
        assert sure.check(claim(text), near("48 hours")) is None


def test_what_values_tell_is_shown_with_the_values(tmp_path: Path) -> None:
    """Also where one of them stands behind the nearest statements."""
    trees = TREES | {"names": ["borne_out", "together_contradicts"]}
    (tmp_path / "records.json").write_text(json.dumps(trees), encoding="utf-8")
    known = [
        Triplet(Node(name, name), Node("b", "berths"), Node("", value))
        for name, value in (("North pier", "64"), ("South pier", "88"))
    ]
    found = checker(tmp_path, {"nothing": SURE}).check(
        claim("South pier has more berths than North pier."),
        Evidence(nearest=(known[1],), peers=(known[0],)),
    )
    assert found is not None
    assert found.label is Label.ATTRIBUTABLE
    assert set(found.evidence.triplets) == set(known)


def test_where_all_together_say_nothing_none_is_read_alone(folder: Path) -> None:
    """It costs a pair for each of them."""
    model = Scripted({"one; rule 1: two": (0.1, 0.8, 0.1), "one": SURE})
    model.folder = folder
    assert RecordsChecker(model).check(CLAIM, near("one", "two")) is None
    assert len(model.asked) == 1


def test_another_judges_where_the_model_of_passages_has_no_trees(folder: Path, tmp_path: Path) -> None:
    """As where a server's model reads passages and nobody has grown trees for it: the reader of statements is asked, and it is not."""
    other = Scripted({"48 hours": SURE})
    other.folder = folder
    served = Scripted({"48 hours": AGAINST})
    served.folder = tmp_path / "none"
    verdict = embedded(served, other, Embedder(), PropertyEmbedder()).check(CLAIM, near("48 hours"))
    assert verdict.label is Label.ATTRIBUTABLE
    assert verdict.checker == "records:scripted"
    assert not served.asked
