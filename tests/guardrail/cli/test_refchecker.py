"""RefChecker's own files in and out, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from guardrail.cli.extract import extract
from guardrail.cli.extract_check import extract_check
from guardrail.cli.refchecker import Model, check_file
from guardrail.errors import BadRequest
from guardrail.models.encoder import MODELS
from tests.scripted_llm import Reply, Request, ScriptedLlm, refusal

ITEMS = [
    {
        "id": 1,
        "question": "who sang it",
        "response": "Chuck Berry sang it in 1957.",
        "reference": "It is by Peter, Paul and Mary.",
    },
    {"id": 2, "response": "I can't say.", "reference": ["One.", "Two."], "extra": {"kept": True}},
]
TRIPLETS = [["Chuck Berry", "sang", "it"], ["it", "sung in", "1957"]]


def play(request: Request) -> Reply:
    """An extractor and a checker in one."""
    if "List the facts" in request.prompt:
        return Reply(json.dumps({"triplets": TRIPLETS if "Chuck" in request.prompt else []}))
    asked = request.prompt.rsplit("Claims:", 1)[1].strip().splitlines()
    return Reply(json.dumps({"labels": ["Contradiction", "Neutral", "Neutral"][: len(asked)]}))


def write(path: Path, items: object) -> Path:
    path.write_text(json.dumps(items), encoding="utf-8")
    return path


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def invoke(command: click.Command, *arguments: object) -> Any:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_extract_adds_claims_and_keeps_the_rest(tmp_path: Path) -> None:
    """Every key of an item survives; claims are [head, relation, tail] as RefChecker writes them."""
    target = tmp_path / "out.json"
    with ScriptedLlm([play]) as server:
        # RefChecker's spelling of the options, so that its scripts run unchanged.
        done = invoke(
            extract,
            "--input_path",
            write(tmp_path / "in.json", ITEMS),
            "--output_path",
            target,
            "--extractor_name",
            "openai/m",
            "--extractor_api_base",
            server.url,
        )
    assert done.exit_code == 0, done.output
    first, second = read(target)
    places = [[[0, 11], [12, 16], [17, 19]], [[17, 19], None, [23, 27]]]
    assert first == ITEMS[0] | {"claims": TRIPLETS, "places": places}
    assert second == ITEMS[1] | {"claims": [], "places": []}


@pytest.mark.parametrize(
    ("aggregator", "whole", "abstain"),
    [
        ("strict", "Contradiction", "Abstain"),
        ("soft", {"Entailment": 0.0, "Neutral": 0.5, "Contradiction": 0.5, "Abstain": 0.0}, None),
        ("major", "Contradiction", "Abstain"),
    ],
)
def test_extract_check_is_the_whole_pipeline(
    tmp_path: Path, aggregator: str, whole: object, abstain: str | None
) -> None:
    """Claims, labels in order, and the roll-up; a response without claims is Abstain."""
    target = tmp_path / "out.json"
    with ScriptedLlm([play]) as server:
        done = invoke(
            extract_check,
            "--input-path",
            write(tmp_path / "in.json", ITEMS),
            "--output-path",
            target,
            "--extractor-name",
            "m",
            "--extractor-api-base",
            server.url,
            "--aggregator-name",
            aggregator,
        )
        assert done.exit_code == 0, done.output
        assert server.calls == 3
    first, second = read(target)
    assert (first["claims"], first["ys"], first["Y"]) == (TRIPLETS, ["Contradiction", "Neutral"], whole)
    assert second["ys"] == []
    assert abstain is None or second["Y"] == abstain
    assert list(tmp_path.iterdir()) != []


def test_check_shows_references_that_disagree(tmp_path: Path) -> None:
    """Several references: labels per passage and the claims in conflict, next to RefChecker's own keys."""
    replies = [
        Reply(json.dumps({"labels": [label]}), delay_s=0.0) for label in ("Entailment", "Contradiction")
    ]
    items = [{"response": "x", "claims": ["Lyon is old."], "reference": ["a", "b"]}]
    target = tmp_path / "out.json"
    with ScriptedLlm(replies) as server:
        assert (
            check_file(
                write(tmp_path / "in.json", items), target, Model("m", server.url), aggregator="strict"
            )
            == 0
        )
    (item,) = read(target)
    assert (item["ys"], item["Y"], item["conflicts"]) == (["Neutral"], "Neutral", [0])
    assert sorted(item["passage_ys"][0]) == ["Contradiction", "Entailment"]


def test_labels_from_an_endpoint_of_probabilities(tmp_path: Path) -> None:
    """`--checker-method decisions` needs no generated text."""
    shares = [("attributable", 0.1), ("extrapolatory", 0.1), ("contradictory", 0.8)]
    answer = {"probabilities": [{"value": name, "probability": share} for name, share in shares]}
    items = [{"claims": TRIPLETS, "reference": "x"}, {"claims": [], "reference": "x"}]
    target = tmp_path / "out.json"
    with ScriptedLlm([Reply(body={"answers": [answer, answer]})]) as server:
        model = Model("m", server.url, kind="decisions")
        assert check_file(write(tmp_path / "in.json", items), target, model, aggregator="strict") == 0
    first, second = read(target)
    assert (first["ys"], first["Y"], second["Y"]) == (["Contradiction"] * 2, "Contradiction", "Abstain")


@pytest.mark.skipif(not (MODELS / "nli.npz").exists(), reason="the embedded cross-encoder is not built")
def test_the_embedded_cross_encoder_is_refcheckers_nli(tmp_path: Path) -> None:
    """`--checker_name nli` needs no server and no download."""
    items = [
        {"claims": [["Paris", "is the capital of", "France"]], "reference": "Paris is the capital of France."}
    ]
    target = tmp_path / "out.json"
    assert check_file(write(tmp_path / "in.json", items), target, Model("nli"), aggregator="strict") == 0
    assert read(target)[0]["Y"] == "Entailment"


def test_a_missing_question_is_no_crash(tmp_path: Path) -> None:
    """RefChecker's joint checker fails on items without one; also on null."""
    items = [{"claims": TRIPLETS, "reference": "x"}, {"claims": TRIPLETS, "reference": "x", "question": None}]
    with ScriptedLlm([play]) as server:
        assert (
            check_file(write(tmp_path / "in.json", items), tmp_path / "out.json", Model("m", server.url)) == 0
        )


def test_an_item_that_fails_says_so_and_the_others_are_done(tmp_path: Path) -> None:
    """`error` instead of labels, exit code 1, and no label made up."""

    def moody(request: Request) -> Reply:
        return refusal() if "Chuck" in request.prompt else play(request)

    target = tmp_path / "out.json"
    with ScriptedLlm([moody]) as server:
        done = invoke(
            extract_check,
            "--input-path",
            write(tmp_path / "in.json", ITEMS),
            "--output-path",
            target,
            "--extractor-name",
            "m",
            "--extractor-api-base",
            server.url,
        )
    assert done.exit_code == 1
    first, second = read(target)
    assert first["error"].startswith("ModelRefused")
    assert "ys" not in first
    assert second["Y"]["Abstain"] == 1.0


@pytest.mark.parametrize("form", ["triplet", "subsentence"])
def test_the_whole_pipeline_runs_without_a_server(tmp_path: Path, form: str) -> None:
    """The embedded rules extract, the embedded cross-encoder checks; a refusal makes no claims and is Abstain."""
    items = [
        {
            "response": "Taylor Swift was born in 1989. She moved to Nashville.",
            "reference": "Taylor Swift was born in 1989 and moved to Nashville.",
        },
        {"response": "Hello! How can I help?", "reference": "Nothing."},
    ]
    source, target = write(tmp_path / "in.json", items), tmp_path / "out.json"
    options = ["--extractor_name", "rules", "--claim_format", form, "--aggregator_name", "strict"]
    done = invoke(extract_check, "--input_path", source, "--output_path", target, *options)
    assert done.exit_code == 0, done.output
    first, second = read(target)
    said = [claim if isinstance(claim, str) else " ".join(claim) for claim in first["claims"]]
    assert said[0].startswith("Taylor Swift was born in 1989")
    assert said[1].startswith("Taylor Swift moved to Nashville")
    assert (first["ys"], first["Y"]) == (["Entailment", "Entailment"], "Entailment")
    assert (second["claims"], second["Y"]) == ([], "Abstain")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("not json", "Expecting value"),
        ("{}", "expected a list"),
        ("[1]", "item 0 is not an object"),
        ('[{"claims": []}]', "item 0 lacks 'reference'"),
        ('[{"claims": "x", "reference": "y"}]', "'claims' must be a list"),
        ('[{"claims": [1], "reference": "y"}]', "'claims' must be a list"),
        ('[{"claims": [], "reference": {"a": 1}}]', "'reference' must be"),
        ('[{"claims": [], "reference": "y", "question": 3}]', "'question' must be"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, content: str, reason: str) -> None:
    """The message names file, item and key; nothing is written."""
    source = tmp_path / "in.json"
    source.write_text(content, encoding="utf-8")
    with pytest.raises(BadRequest, match=reason):
        check_file(source, tmp_path / "out.json", Model("m"))
    assert not (tmp_path / "out.json").exists()


def test_a_missing_file_and_an_unwritable_one(tmp_path: Path) -> None:
    """Both are named."""
    with pytest.raises(BadRequest, match="No such file"):
        check_file(tmp_path / "none.json", tmp_path / "out.json", Model("m"))
    with pytest.raises(BadRequest, match="directory"):
        check_file(write(tmp_path / "in.json", []), tmp_path, Model("m", "http://127.0.0.1:1"))


def test_the_cache_directory_saves_the_second_run(tmp_path: Path) -> None:
    """The same file again costs no call."""
    source = write(tmp_path / "in.json", [{"claims": TRIPLETS, "reference": "x"}])
    with ScriptedLlm([play]) as server:
        model = Model("m", server.url, cache_dir=tmp_path / "cache")
        check_file(source, tmp_path / "one.json", model)
        check_file(source, tmp_path / "two.json", model)
        assert server.calls == 1
    assert read(tmp_path / "one.json") == read(tmp_path / "two.json")
