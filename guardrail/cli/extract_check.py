"""`guardrail extract-check`: RefChecker's whole pipeline, from its JSON file to its JSON file."""

from __future__ import annotations

from pathlib import Path

import click

from guardrail.claims.llm.refchecker import ClaimFormat
from guardrail.cli.extract import FILE, extractor_options, finish
from guardrail.cli.refchecker import Aggregator, Model, extract_check_file


@click.command("extract-check")
@click.option(
    "--input-path",
    "--input_path",
    "source",
    required=True,
    type=FILE,
    help="JSON list with `response`, `reference` and, optionally, `question`.",
)
@click.option(
    "--output-path",
    "--output_path",
    "target",
    required=True,
    type=FILE,
    help="The same list, with `claims`, `ys` and `Y` added.",
)
@extractor_options
@click.option(
    "--checker-name", "--checker_name", help="Model. Default: the extractor's. `nli`: the built-in model."
)
@click.option("--checker-api-base", "--checker_api_base", help="Default: the extractor's.")
@click.option(
    "--aggregator-name",
    "--aggregator_name",
    "aggregator",
    type=click.Choice(["strict", "soft", "major"]),
    default="soft",
    show_default=True,
)
def extract_check(
    source: Path,
    target: Path,
    extractor_name: str,
    extractor_api_base: str | None,
    checker_name: str | None,
    checker_api_base: str | None,
    api_key: str | None,
    form: ClaimFormat,
    aggregator: Aggregator,
    cache_dir: Path | None,
    workers: int,
) -> None:
    """Extract the claims of model responses and check them against their references."""
    extractor = Model(extractor_name, extractor_api_base, api_key, cache_dir, workers)
    checker = Model(
        checker_name or {"rules": "nli"}.get(extractor_name, extractor_name),
        checker_api_base or extractor_api_base,
        api_key,
        cache_dir,
        workers,
    )
    failed = extract_check_file(source, target, extractor, checker, form=form, aggregator=aggregator)
    finish(failed, target)
