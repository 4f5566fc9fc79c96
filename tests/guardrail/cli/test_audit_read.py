"""Reading the log on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from guardrail.audit.events import PolicyText
from guardrail.audit.record import ClaimWords
from guardrail.audit.reviews import review
from guardrail.audit.store import AuditLog
from guardrail.cli.audit import audit
from guardrail.errors import BadRequest
from tests.records import WORDS, record

Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path) -> Call:
    """Calls a command on a log of three answers, one of them reviewed by two people."""
    path = tmp_path / "audit.db"
    with AuditLog.open(path) as log:
        log.append_now(record(1))
        log.append_now(
            record(2, model="[bold]other", action="pass", outcome="clean", words=None, claims=(), flagged=())
        )
        log.append_now(record(3, shadow=True))
        review(log, "grd_1", 0, reviewer="ada", judgement="agree")
        review(log, "grd_1", 0, reviewer="bo", judgement="wrong_label", label="attributable", comment="no")
    return lambda *arguments: CliRunner().invoke(audit, ["--log", str(path), *arguments])


def test_list_shows_the_newest_first(call: Call) -> None:
    """One line each, with nothing cut off and nothing read as markup."""
    lines = call("list").output.splitlines()
    assert [line.split()[1] for line in lines] == ["id", "grd_3", "grd_2", "grd_1"]
    assert "[bold]other" in lines[2]
    assert "revise (shadow)" in lines[1]
    assert len(call("list", "--limit", "1").output.splitlines()) == 2


def test_an_outcome_that_there_is_not_is_an_error(call: Call) -> None:
    """A misspelt filter does not look like a log without such records."""
    result = call("list", "--outcome", "flaged")
    assert result.exit_code == 2
    assert "not_checked" in result.output


def test_list_as_json_gives_whole_records(call: Call) -> None:
    """One object a line."""
    found = [json.loads(line) for line in call("list", "--json", "--outcome", "flagged").output.splitlines()]
    assert [one["id"] for one in found] == ["grd_3", "grd_1"]
    assert found[0]["words"]["claims"]["0"]["known"] == "1815"


def test_show_gives_claims_words_evidence_and_reviews(call: Call) -> None:
    """All that is known of an answer."""
    shown = call("show", "grd_1").output
    for words in (
        "contradictory",
        "“Ada Lovelace was born in 1816.”",
        "triplet s1 date of birth",
        "deadline",
        "by bo: wrong_label attributable no",
        "because contradicted -> revise for claim 0",
        "replaced [25:29] “1816” by “1815”",
        "shadow strict would block (flagged)",
    ):
        assert words in shown
    assert json.loads(call("show", "grd_1", "--json").output)["reviews"][0]["reviewer"] == "ada"


def test_show_gives_each_side_where_sources_disagree(call: Call) -> None:
    """Who says what, how surely, and by which piece of evidence."""
    shown = call("show", "grd_1").output
    assert "kg alone: wrong confidence 0.90 by symbolic" in shown
    assert "corpus alone: confirmed confidence 0.80 by nli\n    passage c7" in shown


def test_records_of_before_are_found_by_the_word_they_hold(call: Call) -> None:
    """What was recorded as clean is shown, searched for and counted as it was written."""
    (found,) = map(json.loads, call("list", "--json", "--outcome", "clean").output.splitlines())
    assert (found["id"], found["outcome"]) == ("grd_2", "clean")
    assert json.loads(call("stats", "--json").output)["stats"]["outcomes"]["clean"] == 1
    assert call("list", "--outcome", "confirmed", "--json").output == ""


def test_show_of_an_unknown_record_is_an_error(call: Call) -> None:
    """It is said which."""
    assert isinstance(call("show", "grd_9").exception, BadRequest)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("LOVELACE was", ["grd_1", "grd_3"]),
        ("q7259", ["grd_1", "grd_3"]),
        ("Date of birth", ["grd_1", "grd_3"]),
        ("Kenya", []),
    ],
)
def test_search_finds_words_entities_and_properties(call: Call, text: str, ids: list[str]) -> None:
    """Without regard to case."""
    assert [json.loads(line)["id"] for line in call("search", text, "--json").output.splitlines()] == ids


def test_stats_count_and_compare(call: Call) -> None:
    """Counts and kappa, for people and as JSON."""
    shown = call("stats").output
    assert "3 answers" in shown
    assert "ada and bo: Cohen's kappa 0.000" in shown
    found = json.loads(call("stats", "--json", "--model", "demo").output)
    assert found["stats"]["outcomes"] == {"flagged": 2}
    assert found["agreement"][0]["claims"] == 1


def test_export_writes_every_format(call: Call, tmp_path: Path) -> None:
    """JSON lines to standard output or a file, Parquet to a file, labels for calibration."""
    assert [json.loads(line)["seq"] for line in call("export").output.splitlines()] == [1, 2, 3]
    assert call("export", "--format", "parquet", "--out", str(tmp_path / "c.parquet")).exit_code == 0
    assert pq.read_table(tmp_path / "c.parquet").num_rows == 2
    labels = [json.loads(line) for line in call("export", "--format", "labels").output.splitlines()]
    assert [(one["reviewer"], one["truth"]) for one in labels] == [
        ("ada", "contradictory"),
        ("bo", "attributable"),
    ]
    assert isinstance(call("export", "--format", "parquet").exception, BadRequest)


@pytest.mark.parametrize("time", ["yesterday", "2026", "01.02.2026", "' OR 1"])
def test_a_time_that_is_none_is_an_error(call: Call, time: str) -> None:
    """It does not silently select nothing."""
    result = call("list", "--since", time)
    assert isinstance(result.exception, BadRequest)
    assert "--since" in str(result.exception)


def test_what_a_model_wrote_cannot_steer_the_terminal(tmp_path: Path) -> None:
    """Escape sequences in names and words are shown as what they are: not printable."""
    path = tmp_path / "evil.db"
    words = replace(WORDS, claims={"0": ClaimWords("born \x1b[2J in 1816", rationale="\x1b]0;x\x07no")})
    with AuditLog.open(path) as log:
        log.append_now(record(1, model="\x1b[31mred", words=words))
    for command in (["list"], ["show", "grd_1"]):
        shown = CliRunner().invoke(audit, ["--log", str(path), *command]).output
        assert "\x1b" not in shown
        assert "\x07" not in shown
        assert "\ufffd[31mred" in shown


def test_the_policy_of_a_record_can_be_looked_up_by_its_hash(tmp_path: Path) -> None:
    """Long after its file has changed."""
    path = tmp_path / "audit.db"
    with AuditLog.open(path) as log:
        log.append_now(
            PolicyText("pol_ab12", "2026-01-01T00:00:00.000Z", "strict", "sha256:ab12", '{"name":"strict"}')
        )
    found = CliRunner().invoke(audit, ["--log", str(path), "policy", "sha256:ab12"])
    assert json.loads(found.output) == {"name": "strict"}
    missing = CliRunner().invoke(audit, ["--log", str(path), "policy", "sha256:00"])
    assert isinstance(missing.exception, BadRequest)


def test_the_beginning_of_a_policys_hash_is_enough(tmp_path: Path) -> None:
    """As `audit stats` and the log print it; where it fits several they are named."""
    path = tmp_path / "audit.db"
    with AuditLog.open(path) as log:
        for digits in ("ab12", "ab34"):
            told = json.dumps({"name": digits})
            log.append_now(
                PolicyText(f"pol_{digits}", "2026-01-01T00:00:00.000Z", digits, f"sha256:{digits}", told)
            )

    def asked(word: str) -> Result:
        return CliRunner().invoke(audit, ["--log", str(path), "policy", word])

    for short in ("ab1", "sha256:ab1", "AB1"):
        assert json.loads(asked(short).output) == {"name": "ab12"}
    for wrong, why in (("ab", "sha256:ab12 (ab12), sha256:ab34 (ab34)"), ("", "empty"), ("b1", "no policy")):
        error = asked(wrong).exception
        assert isinstance(error, BadRequest)
        assert why in str(error)


def test_an_answer_that_did_not_end_is_shown_by_its_sentences(tmp_path: Path) -> None:
    """`show` takes the id that the client saw; `list` and `export` have them on request."""
    path = tmp_path / "audit.db"
    with AuditLog.open(path) as log:
        log.append_now(record(1, id="grd_1#0", kind="part", response="grd_1"))
        log.append_now(record(1, id="grd_1#1", kind="part", response="grd_1"))
        log.append_now(record(2))

    def call(*arguments: str) -> str:
        result = CliRunner().invoke(audit, ["--log", str(path), *arguments])
        assert result.exit_code == 0, result.output
        return result.output

    shown = call("show", "grd_1")
    assert shown.index("grd_1#0") < shown.index("grd_1#1")
    assert "grd_1" not in call("list")
    assert [line.split()[1] for line in call("list", "--parts").splitlines()[1:]] == [
        "grd_2",
        "grd_1#1",
        "grd_1#0",
    ]
    assert len(call("export").splitlines()) == 1
    assert len(call("export", "--parts").splitlines()) == 3
