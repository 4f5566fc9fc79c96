"""`guardrail extract` as a command; the file work is tested in test_refchecker.py."""

from __future__ import annotations

from click.testing import CliRunner

from guardrail.cli.extract import extract


def test_required_options_are_named() -> None:
    """Without paths and model the usage error says which option is missing."""
    done = CliRunner().invoke(extract, [])
    assert done.exit_code == 2
    assert "--input-path" in done.output


def test_an_unknown_form_lists_the_known_ones() -> None:
    """`--claim-format` takes triplet or subsentence."""
    done = CliRunner().invoke(
        extract, ["--input-path", "a", "--output-path", "b", "--extractor-name", "m", "--claim-format", "x"]
    )
    assert done.exit_code == 2
    assert "subsentence" in done.output
