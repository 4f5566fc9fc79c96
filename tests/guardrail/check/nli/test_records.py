"""Statements that are near in meaning are read together and each alone, trees weigh what is found, and what decides is shown."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from guardrail import ontology
from guardrail.check.nli.records import RecordsChecker
from guardrail.types import Evidence, Kind, Label, Node, Profile, Reason, Triplet, Value
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


def test_what_was_compared_before_is_not_decided_by_how_it_reads(folder: Path) -> None:
    """A statement that comparing had at hand; another one counts."""
    evidence = near("48 hours", "dogs")
    sure = checker(folder, {"48 hours": SURE})
    assert sure.check(CLAIM, replace(evidence, triplets=evidence.nearest[:1])) is None
    assert sure.check(CLAIM, replace(evidence, triplets=evidence.nearest[1:])) is not None


def test_a_place_and_a_date_refute_only_what_tells_one(folder: Path) -> None:
    """A wider place may hold the one that is known, and a claim without a date is of something else."""
    lenin = Node("Q1394", "Vladimir Lenin")
    born, where = ontology.record("P569"), ontology.record("P19")
    date = Value("22 April 1870", "1870-04-22", "date")
    known = Profile(lenin, properties={"P569": born, "P19": where})
    against = checker(folder, {born.label: AGAINST, where.label: AGAINST})
    for statement, text, decided in (
        (
            Triplet(lenin, Node("P19", where.label), Node("Q1", "Simbirsk")),
            "Lenin was born in Russia.",
            False,
        ),
        (Triplet(lenin, Node("P569", born.label), date), "Lenin was born in Simbirsk.", False),
        (Triplet(lenin, Node("P569", born.label), date), "Lenin was born in 1871.", True),
    ):
        verdict = against.check(claim(text), Evidence(nearest=(statement,), profiles=(known,)))
        assert (verdict is not None) is decided


def test_a_thing_that_the_claim_does_not_name_supports_nothing(folder: Path) -> None:
    """Whom somebody married does not say who somebody is."""
    spouse = Triplet(Node("Q1", "Marie Curie"), Node("P26", "spouse"), Node("Q2", "Pierre Curie"))
    sure = checker(folder, {"spouse": SURE})
    assert sure.check(claim("The person is Marie Curie."), Evidence(nearest=(spouse,))) is None
    assert sure.check(claim("Marie Curie's husband was Pierre."), Evidence(nearest=(spouse,))) is not None


def test_what_is_open_and_what_was_opened_are_two_things(folder: Path) -> None:
    """So are a lower and an upper bound."""
    opened = Evidence(nearest=(Triplet(Node("h", "Hall"), Node("o", "opened"), Node("", "12 October 1931")),))
    assert checker(folder, {"opened": AGAINST}).check(claim("The Hall was open in 1950."), opened) is None
    most = Evidence(nearest=(Triplet(Node("s", "Sauna"), Node("m", "max. people"), Node("", "12")),))
    for text in ("The Sauna takes at least 12 people.", "The Sauna is for groups from 12."):
        assert checker(folder, {"max. people": SURE}).check(claim(text), most) is None


@pytest.mark.parametrize(("text", "decided"), [("It seats 12.", True), ("It is enough for 8.", False)])
def test_a_bound_decides_about_its_own_value_alone(folder: Path, text: str, decided: bool) -> None:
    """Whether eight people are too many where twelve may come is reckoned, not read."""
    most = Evidence(nearest=(Triplet(Node("s", "Sauna"), Node("m", "max. people"), Node("", "12")),))
    verdict = checker(folder, {"max. people": SURE}).check(claim(text), most)
    assert (verdict is not None) is decided


POLICIES = Evidence(
    nearest=(
        Triplet(Node("c", "Cat Basic"), Node("i", "insurer"), Node("a", "Anchor")),
        Triplet(Node("d", "Dog Basic"), Node("n", "does not cover"), Node("", "liability")),
        Triplet(Node("a", "Anchor"), Node("s", "seat"), Node("", "Sarn")),
    )
)


@pytest.mark.parametrize(
    ("text", "decides", "decided"),
    [
        ("cat basic covers liability", "does not cover", False),
        ("Dog Basic covers liability", "does not cover", True),
        ("The cheap policy covers liability", "does not cover", True),
        ("The insurer of Cat Basic sits in Bran", "seat", True),
    ],
)
def test_a_thing_that_is_named_is_not_judged_by_what_is_said_of_another(
    folder: Path, text: str, decides: str, decided: bool
) -> None:
    """However its name is spelt; what is said of its values counts, and all counts where nothing is named."""
    verdict = checker(folder, {decides: AGAINST}).check(claim(text), POLICIES)
    assert (verdict is not None) is decided


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


def test_another_judges_where_the_model_has_no_trees(folder: Path, tmp_path: Path) -> None:
    """As where a server's model reads passages and nobody has grown trees for it."""
    other = checker(folder, {"48 hours": SURE})
    served = Scripted({"48 hours": AGAINST})
    served.folder = tmp_path / "none"
    verdict = RecordsChecker(served, other).check(CLAIM, near("48 hours"))
    assert verdict is not None
    assert verdict.label is Label.ATTRIBUTABLE
    assert not served.asked


def test_one_of_several_values_refutes_nothing(folder: Path) -> None:
    """There may be more of them; what they support stands."""
    colours = [Triplet(Node("d", "Desk"), Node("c", "colours"), Node("", value)) for value in ("blue", "red")]
    purple, given = claim("It comes in purple."), Evidence(nearest=tuple(colours))
    against = checker(folder, {"blue": AGAINST, "red": (0.1, 0.8, 0.1)})
    assert against.check(purple, given) is None
    assert against.check(purple, Evidence(nearest=(colours[0],))) is not None
    assert checker(folder, {"blue": SURE}).check(purple, given) is not None
