"""`guardrail policy lint | show | explain | backtest | calibrate | schema`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path

import click
import orjson

from guardrail.audit.record import Record
from guardrail.audit.store import AuditLog, Query
from guardrail.config import audit_file
from guardrail.errors import BadRequest, PolicyError
from guardrail.evidence.door import STARTER, open_all
from guardrail.report import from_dict
from guardrail.types import Report
from policies.backtest import Backtest
from policies.backtest import backtest as run_backtest
from policies.calibrate import Bin, Calibration, Sample, reliability
from policies.calibrate import calibrate as find_threshold
from policies.chosen import load_set
from policies.classes import GraphClasses
from policies.decide import decide
from policies.edit import render
from policies.explain import explain as sentences
from policies.notes import notes
from policies.policy import PRESETS, load, load_all, preset_text, problems
from policies.reader import Problem
from policies.reader import schema as published
from policies.terms import Policy

__all__ = ["policy"]

_INDENT = orjson.OPT_INDENT_2


@click.group()
def policy() -> None:
    """Check, explain, try out and calibrate policies."""


_knowledge_option = click.option(
    "--knowledge",
    "-k",
    "places",
    multiple=True,
    metavar="FILE|URL|starter",
    help="A graph with the classes that `entity_type` names. Repeatable, as for `serve`. Default: the starter knowledge.",
)


def _classes(places: tuple[str, ...]) -> GraphClasses:
    return GraphClasses(cache(lambda: open_all(places or [STARTER])))


@policy.command()
@click.argument("files", nargs=-1, required=True)
@_knowledge_option
def lint(files: tuple[str, ...], places: tuple[str, ...]) -> None:
    """List every problem of policy files with its line and key. The exit code is 1 if there is one. Notes are not problems."""
    classes = _classes(places)
    found = [(file, problem) for file in files for problem in problems(file, classes)]
    for file, problem in found:
        click.echo(_at(file, problem))
    if not found:
        try:
            together = load_set(files, classes)
        except PolicyError as error:  # each is fine, but not all of them together
            raise click.ClickException(str(error)) from error
        for file in files:
            for note in notes(file, classes):
                click.echo(f"note: {_at(file, note)}")
        if together.open_ended:
            click.echo(f"note: {together.open_ended}")
        click.echo(f"{len(files)} fine")
    else:
        raise click.exceptions.Exit(1)


def _at(file: str, problem: Problem) -> str:
    key = f" (key `{problem.key}`)" if problem.key else ""
    return f"{file}:{problem.line}: {problem.message}{key}"


@policy.command()
@click.argument("source", required=False)
@click.option("--json", "as_json", is_flag=True, help="The policy with every default filled in, as JSON.")
@_knowledge_option
def show(source: str | None, as_json: bool, places: tuple[str, ...]) -> None:
    """Show a preset's text, or what a file means. Without SOURCE: list the presets."""
    if source is None:
        for name in PRESETS:
            click.echo(f"{name:<10} {load(name).description}")
    elif as_json:
        for one in load_all(source, _classes(places)):
            click.echo(orjson.dumps(asdict(one), option=_INDENT))
    elif source in PRESETS:
        click.echo(preset_text(source), nl=False)
    else:
        for one in load_all(source, _classes(places)):
            click.echo("\n".join(_meaning(one)))


def _meaning(one: Policy) -> Iterator[str]:
    yield f"{one.name}: {one.description}".rstrip(": ")
    yield from (f"  {sentence}" for sentence in sentences(one))
    yield f"  ({one.hash})"


@policy.command()
@click.argument("report", type=click.Path(path_type=Path))
@click.option("--policy", "source", default="annotate", show_default=True, help="Preset or file.")
@_knowledge_option
def explain(report: Path, source: str, places: tuple[str, ...]) -> None:
    """Show rule by rule what a policy does with REPORT.json (as `guardrail check --json` prints it)."""
    chosen = load_all(source, _classes(places))
    try:
        found = from_dict(orjson.loads(report.read_bytes()))
    except OSError as error:
        raise BadRequest(f"{report}: {error.strerror}") from error
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRequest(f"{report} is not a report: {error!r}") from error
    click.echo("\n\n".join("\n".join(_decided(one, found)) for one in chosen))


def _decided(policy: Policy, report: Report) -> Iterator[str]:
    """What the policy makes of the report, why, and the text that the client gets."""
    decision = decide(policy, report)
    shadow = " (shadow: nothing is changed)" if decision.shadow else ""
    yield f"{policy.name}: {decision.action}, outcome {decision.outcome}{shadow}"
    for cause in decision.reasons:
        place = f" [{cause.span.start}:{cause.span.end}] “{cause.span.of(report.text)}”" if cause.span else ""
        yield f"  {cause.rule} -> {cause.action}{place}"
    if not decision.reasons:
        yield "  no rule holds"
    for edit in decision.edits:
        span = edit.span
        yield f"  edit [{span.start}:{span.end}] “{span.of(report.text)}” -> “{edit.replacement}”"
    yield "\n" + render(report, decision, policy)[0]


@policy.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--audit", "source", metavar="FILE|URL", help="The log. Default: the log in $GUARDRAIL_HOME.")
@click.option("--since", metavar="TIME", help="Only answers from this time on.")
@click.option("--until", metavar="TIME", help="Only answers before this time.")
@click.option("--json", "as_json", is_flag=True)
@_knowledge_option
def backtest(
    files: tuple[str, ...],
    source: str | None,
    since: str | None,
    until: str | None,
    as_json: bool,
    places: tuple[str, ...],
) -> None:
    """Show what FILES (or presets) would have done with the answers in the audit log."""
    policies = load_set(files, _classes(places))
    with AuditLog.open(source or str(audit_file()), read_only=True) as log:
        entries = log.scan(query=Query(since=since, until=until), words=False)
        result = run_backtest(
            policies, (stored.item for stored in entries if isinstance(stored.item, Record))
        )
    if as_json:
        click.echo(orjson.dumps(_plain(result), option=_INDENT))
        return
    click.echo(f"{result.answers} answers, {result.changed} treated differently", nl=not result.unmatched)
    if result.unmatched:
        click.echo(f"; {result.unmatched} that no policy matches")
    click.echo(f"flagged claims: {result.flagged_before} before, {result.flagged_after} after")
    for (before, after), count in sorted(result.moves.items(), key=lambda item: -item[1]):
        click.echo(f"  {before:>8} -> {after:<8} {count:>9}")
    for title, counts in (("model", result.models), ("rule", result.rules)):
        for name, count in counts.most_common(10):
            click.echo(f"  changed by {title}: {name} {count}")
    for changes in result.examples.values():
        for one in changes:
            click.echo(
                f"  e.g. {one.record}: {one.before} -> {one.after} ({', '.join(one.rules)}; claims {list(one.claims)})"
            )


def _plain(result: Backtest) -> dict[str, object]:
    return {
        "answers": result.answers,
        "changed": result.changed,
        "unmatched": result.unmatched,
        "flagged_before": result.flagged_before,
        "flagged_after": result.flagged_after,
        "moves": [{"before": b, "after": a, "answers": count} for (b, a), count in result.moves.items()],
        "models": result.models,
        "rules": result.rules,
        "examples": [one for changes in result.examples.values() for one in changes],
    }


@policy.command()
@click.option(
    "--labels",
    required=True,
    type=click.Path(path_type=Path),
    help="`guardrail audit export --format labels`.",
)
@click.option(
    "--max-wrong-block",
    required=True,
    metavar="1%",
    help="The share of actions on this label that may be wrong.",
)
@click.option(
    "--confidence",
    metavar="95%",
    help="The probability with which the limit is kept. Default: it is kept on average over data like these.",
)
@click.option(
    "--label", default="contradictory", show_default=True, help="The label that the policy acts on."
)
@click.option("--json", "as_json", is_flag=True)
def calibrate(labels: Path, max_wrong_block: str, confidence: str | None, label: str, as_json: bool) -> None:
    """Find the lowest confidence threshold that keeps wrong actions below a limit, and say how many it misses."""
    samples = _samples(labels, label)
    promise = _share(max_wrong_block, "--max-wrong-block")
    sure = None if confidence is None else _share(confidence, "--confidence")
    result = find_threshold(samples, max_wrong=promise, confidence=sure)
    bins = reliability(samples)
    if as_json:
        click.echo(orjson.dumps({"calibration": result, "reliability": bins}, option=_INDENT))
        return
    for line in _told(result, bins, label):
        click.echo(line)


def _told(result: Calibration, bins: list[Bin], label: str) -> Iterator[str]:
    yield f"act on {label} at confidence >= {result.threshold:.4g}"
    how = "on average" if result.confidence is None else f"with {result.confidence:.0%} confidence"
    yield f"  wrong in at most {result.max_wrong:.2%} of the {label} verdicts {how} (bound {result.bound:.2%}, seen {result.observed:.2%})"
    yield f"  acts on {result.acted} of {result.samples} labels; misses {result.missed:.1%} of the right ones"
    yield "  assumed: these labels are a fair sample of the verdicts to come"
    yield "  confidence   labels   right"
    for one in bins:
        bar = "#" * round(one.accuracy * 30)
        yield f"  {one.low:.1f} - {one.high:.1f}  {one.count:>8}   {one.accuracy:>5.1%}  {bar}"
    yield f"policy:\n  claims:\n    - when: {{label: {label}, confidence: {{min: {result.threshold:.4g}}}}}"


def _share(text: str, option: str) -> float:
    """0.01 or 1%."""
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise BadRequest(f"{option}: `{text}` is not a share between 0 and 1; write 1% or 0.01")
    return value


def _samples(path: Path, label: str) -> list[Sample]:
    found: list[Sample] = []
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadRequest(f"{path}: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            given = orjson.loads(line)
            if given["label"] == label:
                found.append(Sample(float(given["confidence"]), given["truth"] != label))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise BadRequest(f"{path}:{number}: not a label: {error!r}") from error
    return found


@policy.command()
def schema() -> None:
    """Print the JSON schema of policy files, for editors."""
    click.echo(orjson.dumps(published(), option=_INDENT))
