"""`guardrail batch` on real files with the real verifier, killed and begun again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from guardrail.cli.batch import Progress, batch
from guardrail.errors import BadRequest, ConfigError
from tests.batching import COMMAND, ROOT, lines, told

RIGHT, WRONG = "Canberra is the capital of Australia.", "The capital of Australia is Sydney."


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(batch, [str(one) for one in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_texts_become_reports(tmp_path: Path, knowledge: Path) -> None:
    """As `guardrail check` judges them; the same command again has nothing left to do."""
    pytest.importorskip("pyarrow")
    lines(tmp_path / "in.jsonl", [RIGHT, WRONG, ""])
    given = (tmp_path / "in.jsonl", "--into", tmp_path / "out", "--knowledge", knowledge, "--workers", 1)
    result = run(*given)
    assert "3 rows in 1 parts, 0 rows are done" in result.stderr
    assert "3 reports were written" in result.stderr
    found = told(tmp_path / "out")
    assert [(one["id"], one["outcome"]) for one in found] == [
        ("r1", "confirmed"),
        ("r2", "flagged"),
        ("r3", "not_checkable"),
    ]
    assert "3 rows are done\n" in run(*given).stderr
    with pytest.raises(BadRequest, match="another batch"):
        run(*given, "--rows", 5)


def test_each_run_says_how_many_rows_are_set_aside(tmp_path: Path, knowledge: Path) -> None:
    """Also one that finds nothing left to do."""
    (tmp_path / "in.jsonl").write_text('nonsense\n{"text": 3}\n')
    given = (
        tmp_path / "in.jsonl",
        "--into",
        tmp_path / "out",
        "--knowledge",
        knowledge,
        "--format",
        "jsonl",
        "--workers",
        1,
    )
    first, again = run(*given), run(*given)
    assert "2 rows were set aside;" in first.stderr
    assert "2 rows were set aside (0 by this run);" in again.stderr
    assert (first.exit_code, again.exit_code) == (1, 1)
    assert run(*given, "--allow-bad").exit_code == 0


def test_killed_again_and_again_it_does_each_row_once(tmp_path: Path, knowledge: Path) -> None:
    """kill -9 at any moment loses no row, doubles none, and what was done is not done again."""
    count = 60
    lines(tmp_path / "in.jsonl", [f"{RIGHT} It has the number {number}." for number in range(count)])
    command = [
        *COMMAND,
        tmp_path / "in.jsonl",
        "--into",
        tmp_path / "out",
        "--format",
        "jsonl",
        "--rows",
        "20",
    ]
    command += ["--workers", "2", "--knowledge", knowledge]
    given = {**os.environ, "GUARDRAIL_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    journals = (tmp_path / "home" / "batch").glob
    kills = 0
    for _ in range(2):
        process = subprocess.Popen([str(one) for one in command], env=given, stderr=subprocess.DEVNULL)
        before = sum(path.stat().st_size for path in journals("*/*.jsonl"))
        while process.poll() is None:  # until it has done something more
            if sum(path.stat().st_size for path in journals("*/*.jsonl")) > before + 5000:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
            time.sleep(0.01)
    kept = [path.read_bytes() for path in journals("*/*.jsonl")]
    last = subprocess.run(
        [str(one) for one in command], env=given, capture_output=True, timeout=300, check=True
    )
    assert kills
    found = told(tmp_path / "out")
    assert [one["row"] for one in found] == list(range(1, count + 1))
    reports = {one["report"]["id"] for one in found}
    for journal in kept:
        for line in journal.splitlines():
            if b'"report"' in line and line.endswith(b"}"):
                assert any(identifier.encode() in line for identifier in reports), "a row was checked again"
    assert b"of 60 rows" in last.stderr
    assert not list(journals("*/*.jsonl"))


def test_a_table_that_does_not_fit_is_refused_before_it_is_begun(tmp_path: Path) -> None:
    """A column that is misspelt, or is not there, is no reason to set a million rows aside."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"answer": ["x"], "model": ["m"]}), tmp_path / "in.parquet")
    into = ("--into", tmp_path / "out")
    with pytest.raises(BadRequest, match="no column 'text'"):
        run(tmp_path / "in.parquet", *into)
    with pytest.raises(BadRequest, match="unknown field 'model'"):
        run(tmp_path / "in.parquet", *into, "--text", "answer")
    assert not (tmp_path / "out").exists()


def test_a_misspelt_corpus_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a row is read: all would be "not known"."""
    monkeypatch.setenv("GUARDRAIL_CORPUS", str(tmp_path / "nope.db"))
    with pytest.raises(ConfigError, match=r"nope\.db"):
        run(tmp_path, "--into", tmp_path / "out")


def test_the_output_does_not_lie_in_the_input(tmp_path: Path) -> None:
    """Its files would be read as rows."""
    lines(tmp_path / "in.jsonl", ["x"])
    with pytest.raises(BadRequest, match="would be read"):
        run(tmp_path, "--into", tmp_path / "out")


def test_progress_tells_rate_and_time_left() -> None:
    """The rate is that of this run, the rest what no run has done."""
    progress = Progress(1000, 400, _began=100.0)
    assert progress.line(110.0) == "400 of 1,000 rows, 0.0 rows/s, no row yet"
    progress._rows = 200
    assert progress.line(110.0) == "600 of 1,000 rows, 20.0 rows/s, 20 s left"


def test_without_the_extra_reports_are_lines(
    tmp_path: Path, knowledge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no format was asked for; the same command goes on with them once the extra is installed."""
    lines(tmp_path / "in.jsonl", [RIGHT])
    given = (tmp_path / "in.jsonl", "--into", tmp_path / "out", "--knowledge", knowledge, "--workers", 1)
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "pyarrow", None)
        result = run(*given)
    assert result.exit_code == 0
    assert "the reports are written as JSONL; Parquet needs: pip install" in result.stderr
    assert [one["outcome"] for one in told(tmp_path / "out")] == ["confirmed"]
    assert "1 rows are done" in run(*given).stderr
