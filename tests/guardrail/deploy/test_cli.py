"""`guardrail deploy ray`: what it takes, before a cluster is started."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from click.testing import CliRunner

from guardrail.deploy.cli import deploy
from guardrail.errors import ConfigError


@pytest.mark.parametrize("given", ["many", "2..", "1...3", "-1"])
def test_replicas_are_a_number_or_a_range(given: str) -> None:
    """Anything else is refused with the form that is meant."""
    told = CliRunner().invoke(deploy, ["ray", "--verifiers", given])
    assert told.exit_code == 2
    assert "LEAST..MOST" in told.output


def test_a_range_that_makes_no_sense_starts_nothing() -> None:
    """Options are checked before the cluster is."""
    told = CliRunner().invoke(deploy, ["ray", "--verifiers", "5..2"])
    assert isinstance(told.exception, ConfigError)
    assert "5 to 2 replicas" in str(told.exception)


@pytest.mark.skipif(find_spec("ray") is not None, reason="ray is installed")
def test_without_the_extra_it_is_named() -> None:
    """The message says what to install."""
    told = CliRunner().invoke(deploy, ["ray"])
    assert "claim-guardrail[ray]" in str(told.exception)
