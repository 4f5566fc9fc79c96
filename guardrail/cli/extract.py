"""`guardrail extract`: RefChecker's extraction, from its JSON file to its JSON file."""

from __future__ import annotations

from pathlib import Path

import click

from guardrail.claims.llm.refchecker import ClaimFormat
from guardrail.cli.refchecker import Model, extract_file

FILE = click.Path(path_type=Path, dir_okay=False)
_EXTRACTOR = (
    click.option(
        "--extractor-name",
        "--extractor_name",
        required=True,
        help="Model, by litellm's name. `rules`: the built-in rules.",
    ),
    click.option("--extractor-api-base", "--extractor_api_base", help="URL of an OpenAI-compatible server."),
    click.option(
        "--api-key",
        envvar="GUARDRAIL_LLM_API_KEY",
        help="The provider's key. Default: the provider's own variable.",
    ),
    click.option(
        "--claim-format",
        "--claim_format",
        "form",
        type=click.Choice(["triplet", "subsentence"]),
        default="triplet",
        show_default=True,
    ),
    click.option(
        "--cache-dir",
        "--cache_dir",
        type=click.Path(path_type=Path),
        help="Keep the model's answers here for the next run.",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1, 256),
        default=16,
        show_default=True,
        help="Calls at the same time.",
    ),
)


def extractor_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options of whatever extracts: which model, where, what it writes, how many calls at once."""
    for option in reversed(_EXTRACTOR):
        command = option(command)
    return command


@click.command()
@click.option(
    "--input-path",
    "--input_path",
    "source",
    required=True,
    type=FILE,
    help="JSON list with `response` and, optionally, `question`.",
)
@click.option(
    "--output-path",
    "--output_path",
    "target",
    required=True,
    type=FILE,
    help="The same list, with `claims` added.",
)
@extractor_options
def extract(
    source: Path,
    target: Path,
    extractor_name: str,
    extractor_api_base: str | None,
    api_key: str | None,
    form: ClaimFormat,
    cache_dir: Path | None,
    workers: int,
) -> None:
    """Extract the claims of model responses into triplets or sub-sentences."""
    model = Model(extractor_name, extractor_api_base, api_key, cache_dir, workers)
    finish(extract_file(source, target, model, form=form), target)


def finish(failed: int, target: Path) -> None:
    """Say what was not done; it carries `error` in the file."""
    if failed:
        click.echo(f"{failed} item(s) failed; see `error` in {target}", err=True)
        raise click.exceptions.Exit(1)
