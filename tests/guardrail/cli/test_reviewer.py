"""The options for a language model, on `guardrail check`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from guardrail.cli.check import check
from guardrail.errors import BadRequest, ConfigError
from tests.scripted_llm import Reply, Request, ScriptedLlm

TEXT = "Australia exports a lot of wool."


def approve(request: Request) -> Reply:
    entry = {"claim": 1, "prediction": "Attributable", "evidence": ["P1"], "rationale": "It says so."}
    return Reply(json.dumps({"claims": [entry]}))


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(check, [str(argument) for argument in arguments])


def test_a_model_judges_what_is_left_open(knowledge: Path, tmp_path: Path) -> None:
    """`--checker-url` and `--checker-model` bring the model's verdict into the report."""
    reference = tmp_path / "reference.txt"
    reference.write_text("Australia is known for its wool.", encoding="utf-8")
    options = [TEXT, "--json", "--knowledge", knowledge, "--reference", reference]
    with ScriptedLlm([approve]) as server:
        done = invoke(*options, "--checker-url", server.url, "--checker-model", "m")
        assert done.exit_code == 0, done.output
        (claim,) = json.loads(done.output)["claims"]
        assert (claim["label"], claim["checker"], claim["rationale"]) == (
            "attributable",
            "llm:m",
            "It says so.",
        )
        assert server.calls == 1


def test_refcheckers_file_through_the_same_command(tmp_path: Path) -> None:
    """RefChecker's own options, underscores and all, lead to its file."""
    source, target = tmp_path / "in.json", tmp_path / "out.json"
    source.write_text(json.dumps([{"claims": [["a", "b", "c"]], "reference": "x"}]), encoding="utf-8")
    with ScriptedLlm([json.dumps({"labels": ["Entailment"]})]) as server:
        done = invoke(
            "--input_path", source, "--output_path", target, "--checker_name", "openai/m",
            "--checker_api_base", server.url, "--aggregator_name", "strict",
        )  # fmt: skip
    assert done.exit_code == 0, done.output
    (item,) = json.loads(target.read_text(encoding="utf-8"))
    assert (item["ys"], item["Y"]) == (["Entailment"], "Entailment")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--checker-url", "http://127.0.0.1:1"], BadRequest),
        (["--checker-model", "m", "--checker-method", "classify"], ConfigError),
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], error: type[Exception]) -> None:
    """Said before anything is checked."""
    assert isinstance(invoke(TEXT, *arguments).exception, error)


def test_neither_text_nor_file_is_a_usage_error() -> None:
    """As is a RefChecker file without a model."""
    assert invoke().exit_code == 2
    assert "TEXT" in invoke().output
    assert invoke("--input-path", "x.json").exit_code == 2
