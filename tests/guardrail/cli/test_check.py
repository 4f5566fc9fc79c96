"""`guardrail check`: what a reader is shown, what a program gets, and every way to hand in a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from guardrail.cli.check import check
from guardrail.errors import BadRequest, ConfigError

WRONG = "Lyon is the capital of France."
RIGHT = "Paris is the capital of France."
OPEN = "Zorblatt is the capital of Mirkania."
FOREIGN = "Lyon ist die Hauptstadt von Frankreich."


@pytest.fixture
def invoke(knowledge: Path) -> Any:
    def run(*arguments: object, stdin: str | None = None) -> Any:
        words = [str(argument) for argument in arguments]
        return CliRunner().invoke(check, [*words, "--knowledge", str(knowledge)], input=stdin)

    return run


def test_a_reader_sees_the_mark_the_proof_and_the_revision(invoke: Any) -> None:
    """Colour is not needed to understand it."""
    shown = invoke(WRONG).output
    assert "[1✗]" in shown
    assert "Paris, not Lyon" in shown
    assert f"→ {RIGHT}" in shown
    assert "KAS 0." in shown
    assert "flagged   1 wrong" in shown


def test_a_reader_is_told_how_much_is_confirmed(invoke: Any) -> None:
    """In words: no label of the JSON form is needed to understand it."""
    shown = invoke(f"{RIGHT} {OPEN}").output
    assert "unconfirmed   1 of 2 confirmed · 1 not known" in shown
    assert "attributable" not in shown


def test_a_misspelt_corpus_is_refused(invoke: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check without the documents that somebody named would say "not known" of all of them."""
    monkeypatch.setenv("GUARDRAIL_CORPUS", str(tmp_path / "nope.db"))
    found = invoke(RIGHT)
    assert isinstance(found.exception, ConfigError)
    assert "nope.db" in str(found.exception)


def test_a_program_gets_the_report(invoke: Any) -> None:
    """`--json` is the object of the wire, with exact offsets."""
    report = json.loads(invoke(WRONG, "--json").output)
    (claim,) = report["claims"]
    assert (report["outcome"], claim["label"], WRONG[claim["start"] : claim["end"]]) == (
        "flagged",
        "contradictory",
        WRONG,
    )


def test_a_text_comes_from_an_argument_a_file_or_standard_input(invoke: Any, tmp_path: Path) -> None:
    """All three give the same claims."""
    file = tmp_path / "text.txt"
    file.write_text(WRONG, encoding="utf-8")
    claims = [
        json.loads(done.output)["claims"]
        for done in (invoke(WRONG, "--json"), invoke(file, "--json"), invoke("-", "--json", stdin=WRONG))
    ]
    assert claims[0] == claims[1] == claims[2] != []


@pytest.mark.parametrize(
    ("name", "reason"),
    [("answer.txt", "there is no file answer.txt"), ("a/b", "there is no file"), ("", "is a folder")],
)
def test_a_misspelt_file_name_is_not_checked_as_a_text(
    invoke: Any, tmp_path: Path, name: str, reason: str
) -> None:
    """Nobody takes the verdict on a name for one on the file."""
    error = invoke(name or tmp_path).exception
    assert isinstance(error, BadRequest)
    assert reason in str(error)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_an_error(invoke: Any, text: str, tmp_path: Path) -> None:
    """Nothing to check is a mistake that is named, wherever the text comes from."""
    file = tmp_path / "answer.txt"
    file.write_text(text)
    for given in ((text,), ("-",), (file,)):
        found = invoke(*given, stdin=text)
        assert isinstance(found.exception, BadRequest)
        assert "the text is empty" in str(found.exception)


def test_lines_of_json_give_a_report_each(invoke: Any, tmp_path: Path) -> None:
    """In their order, with the number of their line; one that is wrong has its error there, and the exit code tells."""
    file = tmp_path / "texts.jsonl"
    given = {
        "text": "It opened in 1889.",
        "references": ["The tower opened in 1889."],
        "question": "When did the tower open?",
    }
    file.write_text(f"{json.dumps({'text': WRONG})}\n\nnonsense\n{json.dumps(given)}\n", encoding="utf-8")
    done = invoke("--jsonl", file)
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert (first["line"], first["outcome"]) == (1, "flagged")
    assert (second["line"], "Expecting value" in second["error"]) == (3, True)
    assert (third["line"], third["text"], third["setting"]) == (4, given["text"], "accurate")
    assert done.exit_code == 1
    assert "1 line(s) could not be read" in done.stderr


@pytest.mark.parametrize(("text", "code"), [(WRONG, 1), (RIGHT, 0)])
def test_fail_holds_for_lines_too(invoke: Any, text: str, code: int) -> None:
    """One text with a wrong claim is enough."""
    lines = f"{json.dumps({'text': RIGHT})}\n{json.dumps({'text': text})}\n"
    assert invoke("--jsonl", "-", "--fail", stdin=lines).exit_code == code


@pytest.mark.parametrize(("text", "code"), [(WRONG, 1), (RIGHT, 0), ("Is it?", 0)])
def test_fail_is_an_exit_code(invoke: Any, text: str, code: int) -> None:
    """1 where something is wrong or was not checked; without `--fail` always 0."""
    assert invoke(text, "--fail").exit_code == code
    assert invoke(text).exit_code == 0


@pytest.mark.parametrize(
    ("text", "codes"),
    [(WRONG, [1, 1, 1]), (FOREIGN, [0, 1, 1]), (OPEN, [0, 0, 1]), (RIGHT, [0, 0, 0]), ("Is it?", [0, 0, 0])],
)
def test_fail_on_names_the_least_that_is_a_failure(invoke: Any, text: str, codes: list[int]) -> None:
    """`flagged`, `not_checked` and `unconfirmed`: each holds for those before it, too, of a text and of lines."""
    limits, line = ("flagged", "not_checked", "unconfirmed"), json.dumps({"text": text})
    assert [invoke(text, "--fail-on", limit).exit_code for limit in limits] == codes
    assert [invoke("--jsonl", "-", "--fail-on", limit, stdin=line).exit_code for limit in limits] == codes


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("--triplets", b"[", "t:1: Expecting value"),
        ("--triplets", b"{}", "expected a list"),
        ("--triplets", b"[[1]]", "triplets"),
        ("--reference", b"\xff\xfe\xff", "not UTF-8"),
    ],
)
def test_a_bad_file_is_one_sentence(
    invoke: Any, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    """The message names the file or the argument."""
    file = tmp_path / "t"
    file.write_bytes(content)
    done = invoke(RIGHT, name, file)
    assert isinstance(done.exception, BadRequest)
    assert reason in str(done.exception)


def test_a_missing_file_is_named(invoke: Any, tmp_path: Path) -> None:
    """With the system's own reason."""
    done = invoke(RIGHT, "--reference", tmp_path / "none.txt")
    assert isinstance(done.exception, BadRequest)
    assert "none.txt: No such file" in str(done.exception)


def test_sources_that_disagree_stand_one_under_the_other(invoke: Any, tmp_path: Path) -> None:
    """A reader sees both sides with their evidence, the one that decides first."""
    path = tmp_path / "reference.txt"
    path.write_text("Taylor Swift, born 13 December 1990, is a singer.")
    shown = invoke("Taylor Swift was born in 1989.", "--reference", str(path)).output
    assert shown.index("⇄ request: wrong") < shown.index("⇄ kg: confirmed")
    assert "“Taylor Swift, born 13 December 1990, is a singer.” (request, ref-0)" in shown
    assert "Taylor Swift — date of birth — 13 December 1989" in shown.partition("⇄ kg")[2]


def test_a_missing_file_of_lines_is_named(invoke: Any, tmp_path: Path) -> None:
    """As any other file."""
    done = invoke("--jsonl", tmp_path / "none.jsonl")
    assert isinstance(done.exception, BadRequest)
    assert "none.jsonl: No such file" in str(done.exception)


def test_the_graph_has_a_short_option(invoke: Any, knowledge: Path) -> None:
    """As in `guardrail kg -k`."""
    assert invoke(RIGHT, "-k", knowledge).exit_code == 0
