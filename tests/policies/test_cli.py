"""`guardrail policy` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from guardrail.audit.store import AuditLog
from guardrail.errors import BadRequest, PolicyError
from guardrail.report import to_dict
from policies.calibrate import TooFewLabels
from policies.cli import policy
from policies.policy import PRESETS
from policies.reader import schema
from tests.findings import BETTER, report, verdict
from tests.records import record


def call(*arguments: object) -> Result:
    return CliRunner().invoke(policy, [str(argument) for argument in arguments])


def test_lint_lists_every_problem_with_its_line(tmp_path: Path) -> None:
    """Exit code one, a line for each; nought for files that are fine."""
    path = tmp_path / "p.yaml"
    path.write_text("mode: hold\non_flag: blok\nshadow: 3\n")
    result = call("lint", path)
    assert result.exit_code == 1
    assert [line.split(": ")[0] for line in result.output.splitlines()] == [f"{path}:2", f"{path}:3"]
    path.write_text("claims:\n\t- name: tabs\n")
    (line,) = call("lint", path).output.splitlines()
    assert line.startswith(f"{path}:2: not valid YAML")
    assert line.endswith("indent with spaces")
    path.write_text("mode: hold\non_flag: block\n")
    assert (call("lint", path).exit_code, call("lint", tmp_path / "none").exit_code) == (0, 1)
    assert call("lint", "annotate", "block").exit_code == 1


def test_lint_notes_that_requests_may_match_no_policy(tmp_path: Path) -> None:
    """Of all files together."""
    path = tmp_path / "p.yaml"
    path.write_text("match: {language: [en]}\n")
    note, last = call("lint", path).output.splitlines()
    assert note.startswith("note: a request that matches no policy is not checked")
    assert (last, call("lint", path, "annotate").output) == ("1 fine", "2 fine\n")


def test_lint_asks_the_graph_for_the_classes_that_a_policy_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that none has is a problem with a suggestion; one that fits, and an id, are fine; notes do not fail."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    path = tmp_path / "p.yaml"
    rule = "extends: block\nclaims:\n- {when: {label: contradictory, entity_type: %s}, then: attach}\n"
    path.write_text(rule % "medicine")
    result = call("lint", path)
    assert result.exit_code == 1
    assert f"{path}:3: no class is called `medicine`" in result.output
    assert "did you mean medication (Q12140)?" in result.output
    path.write_text(rule % "Medication")
    result = call("lint", path)
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "1 fine")
    assert f"note: {path}:3: `attach` is milder than `block`" in result.output
    assert json.loads(call("show", path, "--json").output)["claims"][0]["when"]["entity_type"] == ["Q12140"]


def test_show_lists_presets_prints_them_and_explains_files(tmp_path: Path) -> None:
    """Three ways to see what a policy is."""
    assert [line.split()[0] for line in call("show").output.splitlines()] == list(PRESETS)
    assert call("show", "block").output.startswith("# An answer with a contradicted statement")
    path = tmp_path / "clinic.yaml"
    path.write_text(
        "extends: block\nmatch: {tenant: [a, b]}\nclaims:\n- {name: drugs, when: {entity_type: Q12140, confidence: {min: 0.3}}, unless: {kind: hedged}}\n"
        "answer:\n- {name: many, when: {count: {contradictory: {min: 2}}}, then: block}\n"
    )
    shown = call("show", path).output
    assert "It applies to requests with tenant a or b." in shown
    assert "an entity of type Q12140, unless it is of kind hedged, the answer is withheld" in shown
    assert "a number of contradictory claims of at least 2" in shown
    assert json.loads(call("show", path, "--json").output)["claims"][0]["when"]["entity_type"] == ["Q12140"]
    assert isinstance(call("show", tmp_path / "none").exception, PolicyError)


def test_explain_says_what_happens_and_why(tmp_path: Path) -> None:
    """Rule by rule, and the text as the client would get it."""
    path = tmp_path / "report.json"
    path.write_text(json.dumps(to_dict(report(verdict(revisions=(BETTER,))))))
    told = call("explain", path, "--policy", "revise").output
    assert "revise: revise, outcome flagged" in told
    assert "contradicted -> revise [0:30] “Ada Lovelace was born in 1816.”" in told
    assert "“1816” -> “1815”" in told
    assert "Ada Lovelace was born in 1815. She wrote" in told


def test_explain_tells_of_each_policy_of_a_file(tmp_path: Path) -> None:
    """One after the other: which is active is a matter of the request."""
    (tmp_path / "report.json").write_text(json.dumps(to_dict(report(verdict(revisions=(BETTER,))))))
    (tmp_path / "two.yaml").write_text("name: strict\nextends: block\nmatch: {model: m}\n---\nname: mild\n")
    told = call("explain", tmp_path / "report.json", "--policy", tmp_path / "two.yaml").output
    assert told.index("strict: block") < told.index("mild: annotate")


@pytest.mark.parametrize("content", ["", "{}", "[]", "null", '{"text": 3}', "nonsense"])
def test_explain_refuses_what_is_no_report(tmp_path: Path, content: str) -> None:
    """Without a traceback."""
    (tmp_path / "r.json").write_text(content)
    assert isinstance(call("explain", tmp_path / "r.json").exception, BadRequest)
    assert isinstance(call("explain", tmp_path / "none.json").exception, BadRequest)


def test_backtest_reads_the_log(tmp_path: Path) -> None:
    """For people and as JSON; bounded by time."""
    with AuditLog.open(tmp_path / "audit.db") as log:
        log.append_now(record(1, action="annotate"))
        log.append_now(record(2000, action="annotate"))
    told = call("backtest", "block", "--audit", tmp_path / "audit.db").output
    assert "2 answers, 2 treated differently" in told
    assert "annotate -> block" in told
    assert "e.g. grd_1: annotate -> block (contradicted, on_timeout; claims [0])" in told
    found = call(
        "backtest", "block", "--audit", tmp_path / "audit.db", "--until", "2026-03-02", "--json"
    ).output
    assert json.loads(found)["moves"] == [{"before": "annotate", "after": "block", "answers": 1}]


def test_calibrate_gives_a_threshold_that_can_be_pasted(tmp_path: Path) -> None:
    """With its promise, its price and the reliability plot."""
    path = tmp_path / "labels.jsonl"
    lines = [
        {
            "label": "contradictory",
            "confidence": 0.5 + n / 1000,
            "truth": "contradictory" if n >= 40 else "extrapolatory",
        }
        for n in range(100)
    ]
    path.write_text(
        "\n".join(
            json.dumps(line) for line in [*lines, {"label": "attributable", "confidence": 1, "truth": "x"}]
        )
    )
    told = call("calibrate", "--labels", path, "--max-wrong-block", "5%").output
    assert "act on contradictory at confidence >= 0.536" in told
    assert "misses 0.0% of the right ones" in told
    assert "confidence: {min: 0.536}" in told
    found = json.loads(call("calibrate", "--labels", path, "--max-wrong-block", "0.05", "--json").output)
    assert found["calibration"]["samples"] == 100
    few = call("calibrate", "--labels", path, "--max-wrong-block", "1%", "--confidence", "95%")
    assert isinstance(few.exception, TooFewLabels)


@pytest.mark.parametrize(
    ("arguments", "content"),
    [
        (("--max-wrong-block", "0"), ""),
        (("--max-wrong-block", "100%"), ""),
        (("--max-wrong-block", "x"), ""),
        (("--max-wrong-block", "1%", "--confidence", "2"), ""),
        (("--max-wrong-block", "1%"), "nonsense"),
        (("--max-wrong-block", "1%"), '{"label": "contradictory"}'),
        (("--max-wrong-block", "1%"), "[]"),
    ],
)
def test_calibrate_refuses_nonsense(tmp_path: Path, arguments: tuple[str, ...], content: str) -> None:
    """A share that is none, a file that holds no labels."""
    (tmp_path / "l").write_text(content)
    assert isinstance(call("calibrate", "--labels", tmp_path / "l", *arguments).exception, BadRequest)


def test_the_schema_can_be_given_to_an_editor() -> None:
    """It is the one that files are checked against."""
    assert json.loads(call("schema").output) == schema()
