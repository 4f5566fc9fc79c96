"""The defaults of the server are safe and need nothing."""

from __future__ import annotations

from proxy.settings import Settings


def test_defaults_are_the_embedded_server_on_loopback() -> None:
    """Without options: this machine only, demo model, policy annotate, starter knowledge."""
    settings = Settings()
    assert (settings.host, settings.port, settings.policy) == ("127.0.0.1", 8080, "annotate")
    assert settings.upstream is settings.knowledge is settings.audit is None
    assert (settings.admin_token, settings.require_key, settings.upstream_key) == ("", False, "")
