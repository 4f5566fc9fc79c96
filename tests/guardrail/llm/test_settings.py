"""Settings of a checking model: every senseless one is refused with its name."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.errors import ConfigError
from guardrail.llm import LlmSettings


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"model": " "}, "name"),
        ({"base_url": "localhost:8000"}, "http://"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"attempts": 0}, "attempts"),
        ({"concurrency": -1}, "concurrency"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"temperature": -0.1}, "temperature"),
        ({"backoff_s": -1}, "backoff_s"),
    ],
)
def test_a_senseless_setting_is_refused(options: dict[str, Any], reason: str) -> None:
    """The message names the setting."""
    with pytest.raises(ConfigError, match=reason):
        LlmSettings(**{"model": "m", **options})


def test_the_key_is_not_shown() -> None:
    """A settings object that ends up in a log keeps its key to itself."""
    assert "sk-secret" not in repr(LlmSettings("m", api_key="sk-secret"))


def test_the_name_holds_no_credentials() -> None:
    """Reports, records and /readyz name the server, not who may ask it."""
    named = LlmSettings("m", "https://ada:s3cret@host:8000/v1?key=s3cret").name
    assert named == "m@https://host:8000/v1"
    assert LlmSettings("m").name == "m"
