"""`guardrail check TEXT|FILE|-`: a text with its claims coloured, and under it what was found.

With `--input-path` it is RefChecker's `check` instead: its JSON file in, its JSON file out.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import IO

import click
from rich.console import Console
from rich.text import Text

from guardrail.cli import options
from guardrail.cli.extract import FILE, finish
from guardrail.cli.lines import check_lines, told
from guardrail.cli.refchecker import Aggregator, Model, check_file
from guardrail.cli.reviewer import reviewer_options
from guardrail.config import corpus_is_there
from guardrail.errors import BadRequest
from guardrail.report import WORDS, headline, to_dict
from guardrail.review import ReviewerSettings, open_reviewer
from guardrail.types import Evidence, Label, Outcome, Passage, Report, Triplet, Unchecked, Verdict
from guardrail.values.render import shown
from guardrail.verifier import Verifier

# Colour is never the only sign: each span carries its claim's number and a mark.
_STYLE = {
    Label.ATTRIBUTABLE: ("green", "✓"),
    Label.EXTRAPOLATORY: ("yellow", "?"),
    Label.CONTRADICTORY: ("red", "✗"),
}
_UNCHECKED = ("magenta", "!")
_FAILURES = [one.value for one in (Outcome.FLAGGED, Outcome.NOT_CHECKED, Outcome.UNCONFIRMED)]
# No blank, and an ending or a folder: nobody has such a text checked, but many misspell a file's name.
_FILE_NAME = re.compile(r"\S*(?:/\S+|\.[A-Za-z]\w{0,4})")


@click.command()
@click.argument("text", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--jsonl",
    is_flag=True,
    help="TEXT is a file (or -) of JSON lines {text, id?, question?, references?, triplets?, sources?, setting?}. Prints one report per line.",
)
@options.knowledge
@options.recognizer
@options.model
@click.option("--question", default="", help="The question that the text answers.")
@click.option(
    "--reference",
    "references",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A text file to check against.",
)
@click.option(
    "--triplets",
    type=click.Path(path_type=Path),
    help="A JSON file with lists [subject, predicate, object] to check against.",
)
@click.option(
    "--fail-on",
    type=click.Choice(_FAILURES),
    help="Exit with 1 on this outcome or a worse one; flagged is the worst, then not_checked, then unconfirmed.",
)
@click.option(
    "--fail", "fail_on", flag_value=Outcome.NOT_CHECKED.value, help="The same as --fail-on not_checked."
)
@click.option(
    "--input-path",
    "--input_path",
    "source",
    type=FILE,
    help="A JSON file as RefChecker reads it, instead of TEXT.",
)
@click.option("--output-path", "--output_path", "target", type=FILE, help="The file for the labels.")
@click.option(
    "--aggregator-name",
    "--aggregator_name",
    "aggregator",
    type=click.Choice(["strict", "soft", "major"]),
    default="soft",
    help="How the labels of claims are combined into one for a response, with --input-path.",
)
@reviewer_options
def check(
    text: str | None,
    as_json: bool,
    jsonl: bool,
    knowledge: tuple[str, ...],
    recognizer: str | None,
    model: str | None,
    question: str,
    references: tuple[Path, ...],
    triplets: Path | None,
    fail_on: str | None,
    source: Path | None,
    target: Path | None,
    aggregator: Aggregator,
    reviewer: ReviewerSettings | None,
) -> None:
    """Check TEXT, a file, or standard input (-) claim by claim."""
    if source is not None:
        _check_file(source, target, aggregator, reviewer)
        return
    if text is None:
        raise click.UsageError("Missing argument 'TEXT': a text, a file, or -.")
    verifier = _opened(knowledge, recognizer, model, reviewer)
    try:
        if jsonl:
            worst = _check_lines(verifier, text)
        else:
            report = _report(verifier, text, question, references, triplets)
            _print(report, as_json=as_json)
            worst = report.outcome.rank
    except ValueError as error:
        raise BadRequest(str(error)) from error
    finally:
        if verifier.reviewer is not None:
            verifier.reviewer.close()
    if fail_on is not None and worst <= Outcome(fail_on).rank:
        raise click.exceptions.Exit(1)


def _opened(
    knowledge: tuple[str, ...], recognizer: str | None, model: str | None, reviewer: ReviewerSettings | None
) -> Verifier:
    corpus_is_there()
    verifier = Verifier.open(knowledge or None, recognizer=recognizer, model=model)
    return verifier if reviewer is None else verifier.reviewed_by(open_reviewer(reviewer))


def _report(
    verifier: Verifier, text: str, question: str, references: tuple[Path, ...], triplets: Path | None
) -> Report:
    return verifier.check(
        _filled(_text(text)),
        question=question,
        references=[_read(path) for path in references],
        triplets=_triplets(triplets) if triplets else (),
    )


def _print(report: Report, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(to_dict(report), ensure_ascii=False, indent=2))
    else:
        show(report, Console(highlight=False))


def _check_lines(verifier: Verifier, source: str) -> int:
    """The rank of the worst outcome. Lines at fault have their error in their place, and are the exit code 1 at the end."""
    worst, wrong = Outcome.NOT_CHECKABLE.rank, 0
    with _lines(source) as lines:
        for number, found in check_lines(verifier, lines):
            click.echo(told(number, found))
            wrong += isinstance(found, str)
            worst = min(worst, found.outcome.rank) if isinstance(found, Report) else worst
    if wrong:
        click.echo(f"{wrong} line(s) could not be read; see `error` in the output", err=True)
        raise click.exceptions.Exit(1)
    return worst


def _lines(source: str) -> IO[bytes]:
    """A file of lines, opened, or standard input (-). Raises BadRequest where there is none."""
    try:
        return click.open_file(source, "rb")
    except OSError as error:
        raise BadRequest(f"{source}: {error.strerror}") from error


def _check_file(
    source: Path, target: Path | None, aggregator: Aggregator, reviewer: ReviewerSettings | None
) -> None:
    if target is None or reviewer is None:
        raise click.UsageError("--input-path needs --output-path and --checker-model.")
    kind = None if reviewer.method == "verdicts" or reviewer.method == "claimver" else reviewer.method
    model = Model(reviewer.model, reviewer.url, reviewer.key, kind=kind)
    finish(check_file(source, target, model, aggregator=aggregator), target)


def _filled(text: str) -> str:
    if not text.strip():
        raise BadRequest("the text is empty; give a text, a file, or - for standard input")
    return text


def _text(argument: str) -> str:
    if not argument.strip():
        return argument
    if argument == "-":
        with click.open_file("-", encoding="utf-8") as stdin:
            return str(stdin.read())
    path = Path(argument)
    try:
        if path.is_file():
            return _read(path)
        if path.is_dir():
            raise BadRequest(f"{path} is a folder; name a file in it")
    except OSError:  # a long text is no file name
        return argument
    if _FILE_NAME.fullmatch(argument):
        raise BadRequest(
            f"there is no file {argument}; to check the words themselves, pass them through standard input, with - as TEXT"
        )
    return argument


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadRequest(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadRequest(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error


def _triplets(path: Path) -> list[object]:
    try:
        found = json.loads(_read(path))
    except json.JSONDecodeError as error:
        raise BadRequest(f"{path}:{error.lineno}: {error.msg}") from error
    if not isinstance(found, list):
        raise BadRequest(f"{path}: expected a list of triplets")
    return found


def show(report: Report, console: Console) -> None:
    """Print a report for a reader: the text with its spans, then each claim, then the KAS."""
    console.print(_coloured(report), soft_wrap=True)
    for verdict in report.verdicts:
        _show_verdict(verdict, console)
    for item in report.unchecked:
        why = f"{item.reason}: {item.detail}" if item.detail else item.reason.value
        console.print(Text.assemble("\n", _mark(item), f" not checked: {item.text}  ({why})"))
    console.print(
        Text.assemble(
            "\nKAS ", (f"{report.kas:.3f}", "bold"), f"   {report.outcome}   {headline(report.counts)}"
        )
    )


def _coloured(report: Report) -> Text:
    text = Text(report.text)
    found: list[Verdict | Unchecked] = [*report.verdicts, *report.unchecked]
    for item in found:
        span = item.claim.span if isinstance(item, Verdict) else item.span
        text.stylize(_style(item)[0], span.start, span.end)
    marks = [(item.claim.span.end, item) for item in report.verdicts]
    for end, verdict in sorted(marks, key=lambda pair: -pair[0]):
        text = Text.assemble(text[:end], _mark(verdict), text[end:])
    return text


def _style(item: Verdict | Unchecked) -> tuple[str, str]:
    return _STYLE[item.label] if isinstance(item, Verdict) else _UNCHECKED


def _mark(item: Verdict | Unchecked) -> tuple[str, str]:
    colour, sign = _style(item)
    number = str(item.claim.id + 1) if isinstance(item, Verdict) else ""
    return f"[{number}{sign}]", f"bold {colour}"


def _show_verdict(verdict: Verdict, console: Console) -> None:
    colour, _ = _style(verdict)
    reason = f" ({verdict.reason.value})" if verdict.reason else ""
    console.print(
        Text.assemble(
            "\n",
            _mark(verdict),
            " ",
            (f"{WORDS[verdict.label]}{reason}", f"bold {colour}"),
            f"   TMS {verdict.tms:.2f}   confidence {verdict.confidence:.2f}   {verdict.checker}",
        )
    )
    console.print(Text(f"     {verdict.claim.resolved}", style="italic"), soft_wrap=True)
    console.print(Text(f"     {verdict.rationale}"), soft_wrap=True)
    for line in _evidence(verdict.evidence):
        console.print(Text(f"       · {line}", style="dim"), soft_wrap=True)
    if verdict.conflict:
        _show_sides(verdict, console)
    for revision in verdict.revisions:
        console.print(Text.assemble("     → ", (revision.text, "green")), soft_wrap=True)


def _show_sides(verdict: Verdict, console: Console) -> None:
    """Sources that disagree, one under the other, the most trusted first."""
    for side in verdict.by_source:
        colour, sign = _STYLE[side.label]
        console.print(
            Text.assemble("     ⇄ ", (f"{side.source.value}: {WORDS[side.label]} {sign}", f"bold {colour}"))
        )
        for line in _evidence(side.evidence):
            console.print(Text(f"         · {line}", style="dim"), soft_wrap=True)


def _evidence(evidence: Evidence) -> list[str]:
    lines = [_triplet(triplet) for triplet in evidence.triplets]
    lines += [f"“{passage.text.strip()}” ({_place(passage)})" for passage in evidence.passages]
    return lines + [f"not read: {item}" for item in evidence.unread]


def _place(passage: Passage) -> str:
    """Where a passage is to be found again, and of when it is."""
    parts = [passage.title or passage.source.value, passage.url or passage.id]
    return ", ".join(
        [
            *dict.fromkeys(part for part in parts if part),
            *([f"as of {passage.as_of}"] if passage.as_of else []),
        ]
    )


def _triplet(triplet: Triplet) -> str:
    qualifiers = "".join(f", {q.predicate.label} {q.object.label}" for q in triplet.qualifiers)
    source = f"  [{', as of '.join(filter(None, (triplet.source, triplet.as_of)))}]" if triplet.source else ""
    return (
        f"{triplet.subject.label} — {triplet.predicate.label} — {shown(triplet.object)}{qualifiers}{source}"
    )
