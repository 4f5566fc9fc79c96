"""A part of a batch: a report or a reason for each row, and none of them twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guardrail.cli.batch_job import Checking, Layout
from guardrail.cli.batch_rows import Part, divide, sources
from guardrail.cli.batch_work import Done, open_verifier
from guardrail.errors import KnowledgeMissing
from tests.batching import Making, lines, told


def part(path: Path) -> Part:
    (found,) = divide(sources(str(path))[0], 100)
    return found


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_each_row_has_a_report_or_a_reason(tmp_path: Path, kind: str) -> None:
    """What cannot be read, what is misspelt and what breaks the checker are set aside; the rest is in columns."""
    pytest.importorskip("pyarrow")
    rows = [
        '{"id": 7, "text": "It is wrong. It is true."}',
        "nonsense",
        '{"text": 3}',
        '{"text": "x", "refrences": []}',
        '{"text": "a bug"}',
        '{"text": "\\ud800 is true"}',
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(rows))
    given = part(tmp_path / "in.jsonl")
    layout = Layout(str(tmp_path / "out"), kind)  # type: ignore[arg-type]
    assert Making(layout)().do(given) == Done(given, 2, 4)
    first, last = told(tmp_path / "out")
    assert (first["source"], first["row"], first["id"]) == (given.source, 1, "7")
    counted = ("outcome", "attributable", "extrapolatory", "contradictory", "not_checked")
    assert [first[name] for name in counted] == ["flagged", 1, 0, 1, 0]
    report = json.loads(first["report"]) if kind == "parquet" else first["report"]
    assert report["text"] == "It is wrong. It is true."
    assert (last["row"], last["id"], last["outcome"]) == (6, None, "confirmed")
    aside = told(tmp_path / "out", "set-aside")
    assert [one["row"] for one in aside] == [2, 3, 4, 5]
    for reason, one in zip(
        ["not JSON", "must be a string", "unknown field 'refrences'", "internal error: RuntimeError: a bug"],
        aside,
        strict=True,
    ):
        assert reason in one["reason"]
    assert aside[0]["given"] == "nonsense\n"
    assert not list(layout.journals.glob("*.jsonl"))


def test_a_part_goes_on_behind_its_last_row(tmp_path: Path) -> None:
    """Rows of the journal are not checked again; a line that was cut off is; the whole part is not done twice."""
    given = part(lines(tmp_path / "in.jsonl", ["It is true."] * 4))
    layout = Layout(str(tmp_path / "out"), "jsonl")
    ticks: list[int] = []
    worker = Making(layout)(lambda: ticks.append(1))
    worker.do(given)
    whole = told(tmp_path / "out")
    layout.report(0) and Path(layout.report(0)).unlink()
    kept = [
        json.dumps({"row": n, "id": f"r{n}", "report": whole[n - 1]["report"] | {"id": "kept"}})
        for n in (1, 2)
    ]
    layout.journal(0).write_text("\n".join([*kept, '{"begun": 3}', '{"row": 3, "rep']))
    ticks.clear()
    assert worker.do(given) == Done(given, 4, 0)
    assert [one["row"] for one in told(tmp_path / "out")] == [1, 2, 3, 4]
    assert [one["report"]["id"] == "kept" for one in told(tmp_path / "out")] == [True, True, False, False]
    assert len(ticks) == 2
    assert worker.do(given) == Done(given, 0, 0)
    assert len(ticks) == 2


@pytest.mark.parametrize(("deaths", "aside"), [(1, 0), (2, 1)])
def test_a_row_of_which_two_processes_died_is_set_aside(tmp_path: Path, deaths: int, aside: int) -> None:
    """The row that was begun and not ended, and no other; after one death it is tried again."""
    given = part(lines(tmp_path / "in.jsonl", ["It is true."] * 3))
    layout = Layout(str(tmp_path / "out"), "jsonl")
    layout.journal(0).parent.mkdir(parents=True, exist_ok=True)
    layout.journal(0).write_text('{"begun": 2}\n')
    assert Making(layout)().do(given, deaths) == Done(given, 3 - aside, aside)
    assert [one["row"] for one in told(tmp_path / "out", "set-aside")] == [2][:aside]


def test_fields_can_have_other_names_and_others_left_alone(tmp_path: Path) -> None:
    """`text` names the field that is checked."""
    (tmp_path / "in.jsonl").write_text('{"answer": "It is true.", "model": "m"}\n{"model": "m"}\n')
    layout = Layout(str(tmp_path / "out"), "jsonl")
    given = part(tmp_path / "in.jsonl")
    assert Making(layout, Checking(text="answer", others=True))().do(given) == Done(given, 1, 1)


def test_without_knowledge_nothing_is_set_aside(tmp_path: Path) -> None:
    """What is wrong is not the row: the batch ends."""
    with pytest.raises(KnowledgeMissing):
        open_verifier(Checking(knowledge=(str(tmp_path / "none.db"),)))


def test_a_row_without_the_field_to_check_is_set_aside_by_its_name(tmp_path: Path) -> None:
    """The field is called as `--text` says."""
    (tmp_path / "in.jsonl").write_text('{"id": 1}\n{"answer": "It is true."}\n')
    layout = Layout(str(tmp_path / "out"), "jsonl")
    assert Making(layout, Checking("answer"))().do(part(tmp_path / "in.jsonl")).set_aside == 1
    assert [one["reason"] for one in told(tmp_path / "out", "set-aside")] == ["answer is missing"]
