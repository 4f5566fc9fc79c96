"""`guardrail keys` as a person uses it."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from guardrail.errors import ConfigError
from proxy.access.cli import keys
from proxy.access.keys import KeyRing


def run(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(keys, [*arguments, "--file", str(file)])


def test_a_key_is_made_listed_and_revoked(tmp_path: Path) -> None:
    """The token is shown once and alone on standard output; the list never has it; revoking is final."""
    file = tmp_path / "k.db"
    options = [
        "--policy",
        "block",
        "--policy",
        "revise",
        "--requests",
        "60",
        "--tokens",
        "9000",
        "--concurrent",
        "4",
    ]
    made = run(file, "create", "alice", *options, "--expires", "30d")
    token = made.stdout.strip()
    ring = KeyRing(file)
    key = ring.find(token)
    assert key is not None
    assert (key.name, key.policies, key.requests, key.tokens, key.concurrent) == (
        "alice",
        ("block", "revise"),
        60,
        9000,
        4,
    )
    assert key.expires[:10] > key.created[:10]
    listed = run(file, "list").output
    assert "alice" in listed
    assert f"until {key.expires}" in listed
    assert token not in listed
    assert run(file, "revoke", key.id).output == f"key {key.id} is revoked\n"
    assert isinstance(run(file, "revoke", key.id).exception, ConfigError)
    (told,) = map(orjson.loads, run(file, "list", "--json").output.splitlines())
    assert told["revoked"]
    assert "digest" not in told
    ring.close()


@pytest.mark.parametrize(
    "options",
    [
        ["--expires", "soon"],
        ["--requests", "-1"],
        ["--tokens", "0"],
        ["--expires", "0d"],
        ["--policy", "a b"],
    ],
)
def test_nonsense_is_refused(tmp_path: Path, options: list[str]) -> None:
    """No key is made of wrong options."""
    assert run(tmp_path / "k.db", "create", "alice", *options).exit_code != 0
    assert not (tmp_path / "k.db").exists()


def test_an_empty_list_is_no_error(tmp_path: Path) -> None:
    """Before the first key there is nothing to show."""
    assert run(tmp_path / "k.db", "list", "--json").output == ""
