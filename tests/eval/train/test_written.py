"""Written units: both versions give pairs, what stands around a passage is the same for both, and broken lines are passed over."""

import json
import random
from pathlib import Path

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY
from eval.train.written import Unit, kept_aside, pairs, tuned_on, units


def line(number: int) -> str:
    """A unit of which one claim changes its label between the versions."""
    claims = [
        {"text": f"Ship {number} has two masts.", "kind": "number", "passage": "A", "variant": "C"},
        {"text": f"Ship {number} is blue.", "kind": "open", "passage": "E", "variant": "E"},
    ]
    passage, variant = f"Ship {number} has two masts.", f"Ship {number} has three masts."
    return json.dumps({"id": f"u{number}", "passage": passage, "variant": variant, "claims": claims})


def read(tmp_path: Path, count: int = 40) -> list[Unit]:
    text = "\n".join(
        [line(number) for number in range(count)] + ['{"id": "half a line', '{"id": "no claims"}']
    )
    (tmp_path / "w1.jsonl").write_text(text, encoding="utf-8")
    return list(units(tmp_path))


def test_a_line_that_is_no_unit_is_passed_over(tmp_path: Path) -> None:
    """Files are written while others read them: what is whole is read."""
    found = read(tmp_path)
    assert len(found) == 40
    assert found[3].claims[0].labels == (ATTRIBUTABLE, CONTRADICTORY)


def test_a_claim_stands_beside_both_versions_in_the_same_surroundings(tmp_path: Path) -> None:
    """The two pairs of a claim follow each other and differ in what the versions differ in, and in nothing else."""
    made = [e for e in pairs(read(tmp_path), random.Random(0)) if e.source == "written"]
    assert len(made) == 160
    for first, second in zip(made[::2], made[1::2], strict=True):
        assert first.hypothesis == second.hypothesis
        number = first.group.removeprefix("u")
        changed = f"Ship {number} has two masts.", f"Ship {number} has three masts."
        assert first.premise.replace(changed[0], changed[1]) == second.premise.replace(changed[0], changed[1])
    surrounded = sum("\n" in e.premise for e in made) / len(made)
    assert 0.3 < surrounded < 0.6


def test_a_foreign_passage_is_silent_on_a_claim(tmp_path: Path) -> None:
    """Some claims stand beside a passage of another unit, and are Extrapolatory there."""
    foreign = [e for e in pairs(read(tmp_path), random.Random(0)) if e.source == "foreign"]
    assert foreign
    assert all(e.labels == EXTRAPOLATORY and e.hypothesis[:7].strip() not in e.premise[:7] for e in foreign)


def test_the_same_few_units_are_kept_aside_in_every_run(tmp_path: Path) -> None:
    """About five of a hundred, by the name of the unit alone."""
    found = read(tmp_path, 600)
    aside = [unit.id for unit in found if kept_aside(unit)]
    assert {unit.id for unit in found if tuned_on(unit)} < set(aside)
    assert 10 < len(aside) < 60
    assert aside == [unit.id for unit in reversed(found) if kept_aside(unit)][::-1]
