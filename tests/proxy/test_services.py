"""What the routes need is opened once, from settings, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.errors import BadRequest, ConfigError, PolicyError
from policies.terms import Request
from proxy.services import Services
from proxy.settings import Settings
from tests.fakes import FakeVerifier


def services(tmp_path: Path, **given: object) -> Services:
    settings = Settings(**{"audit": str(tmp_path / "a.db"), **given})  # type: ignore[arg-type]
    return Services.open(settings, verifier=FakeVerifier())  # type: ignore[arg-type]


def test_policies_are_tried_in_order(tmp_path: Path) -> None:
    """The first policy whose match holds is taken; none matching means nothing is checked."""
    file = tmp_path / "p.yaml"
    file.write_text(
        "name: big\nextends: block\nmatch: {model: 'gpt-*'}\n---\nname: demo\nextends: annotate\nmatch: {model: demo}\n"
    )
    opened = services(tmp_path, policy=str(file))
    assert opened.policy(Request(model="gpt-5"), None).name == "big"  # type: ignore[union-attr]
    assert opened.policy(Request(model="demo"), None).name == "demo"  # type: ignore[union-attr]
    assert opened.policy(Request(model="other"), None) is None
    assert opened.policy(Request(model="other"), "revise").name == "revise"  # type: ignore[union-attr]
    opened.close()


def test_only_allowed_policies_can_be_asked_for(tmp_path: Path) -> None:
    """A request cannot choose what the operator did not allow, nor switch checking off."""
    opened = services(tmp_path, allow=("shadow",))
    assert opened.policy(Request(), "shadow").name == "shadow"  # type: ignore[union-attr]
    for name in ("block", "off", "../x"):
        with pytest.raises(BadRequest):
            opened.policy(Request(), name)
    opened.close()


def test_wrong_settings_are_refused(tmp_path: Path) -> None:
    """Policies and upstreams that cannot be used raise when they are opened."""
    with pytest.raises(PolicyError):
        services(tmp_path, policy="nonsense")
    with pytest.raises(ConfigError):
        services(tmp_path, upstream="nonsense")
