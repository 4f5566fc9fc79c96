"""`guardrail extract-check`: RefChecker's whole pipeline, from its JSON file to its JSON file."""

from __future__ import annotations

from pathlib import Path

import click

from guardrail.claims.refchecker import ClaimFormat
from guardrail.cli.extract import FILE, finish
from guardrail.cli.refchecker import Aggregator, Model, extract_check_file


@click.command("extract-check")
@click.option(
    "--input-path",
    "--input_path",
    "source",
    required=True,
    type=FILE,
    help="JSON list with `response`, `reference`, `question`?.",
)
@click.option(
    "--output-path",
    "--output_path",
    "target",
    required=True,
    type=FILE,
    help="The same with `claims`, `ys` and `Y`.",
)
@click.option(
    "--extractor-name",
    "--extractor_name",
    required=True,
    help="Model, as litellm names it; `rules`: the embedded ones.",
)
@click.option("--extractor-api-base", "--extractor_api_base", help="URL of an OpenAI-compatible server.")
@click.option(
    "--checker-name", "--checker_name", help="Model; default: the extractor's; `nli`: the embedded one."
)
@click.option("--checker-api-base", "--checker_api_base", help="Default: the extractor's.")
@click.option(
    "--api-key", envvar="GUARDRAIL_LLM_API_KEY", help="Its key; default: the provider's own variable."
)
@click.option(
    "--claim-format",
    "--claim_format",
    "form",
    type=click.Choice(["triplet", "subsentence"]),
    default="triplet",
)
@click.option(
    "--aggregator-name",
    "--aggregator_name",
    "aggregator",
    type=click.Choice(["strict", "soft", "major"]),
    default="soft",
)
@click.option(
    "--cache-dir", "--cache_dir", type=click.Path(path_type=Path), help="Keep answers here for the next run."
)
@click.option("--workers", type=click.IntRange(1, 256), default=16, show_default=True, help="Calls at once.")
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
