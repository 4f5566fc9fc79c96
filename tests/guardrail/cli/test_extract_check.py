"""`guardrail extract-check` as a command; the file work is tested in test_refchecker.py."""

from __future__ import annotations

from click.testing import CliRunner

from guardrail.cli.extract_check import extract_check


def test_an_unknown_aggregator_lists_the_known_ones() -> None:
    """`--aggregator-name` takes strict, soft or major."""
    done = CliRunner().invoke(
        extract_check,
        ["--input-path", "a", "--output-path", "b", "--extractor-name", "m", "--aggregator-name", "mean"],
    )
    assert done.exit_code == 2
    assert "strict" in done.output
