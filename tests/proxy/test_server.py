"""The socket of the server."""

from __future__ import annotations

import pytest

from guardrail.errors import ConfigError
from proxy.server import listen
from proxy.settings import Settings


def test_port_zero_takes_a_free_one() -> None:
    """Two servers on port 0 have two ports."""
    with listen(Settings(port=0)) as first, listen(Settings(port=0)) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_a_port_that_is_taken_is_told() -> None:
    """A taken port and an address that is not ours are errors of ours."""
    with listen(Settings(port=0)) as first, pytest.raises(ConfigError, match="cannot listen on"):
        listen(Settings(port=first.getsockname()[1]))
    with pytest.raises(ConfigError, match="cannot listen on"):
        listen(Settings(host="203.0.113.1", port=0))
