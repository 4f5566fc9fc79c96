"""The configured model servers: from the options of `guardrail serve`, or from a file with more settings for each.

--upstream https://a/v1  --upstream 'gpt-*=https://b/v1'  --upstream 'claude-*=litellm:anthropic'

upstreams:                          # --upstreams FILE; tried in this order
  - url: https://b.example/v1
    models: [gpt-*, o3*]            # default: every model
    key_env: B_KEY                  # the variable that holds the key; without it the client's goes on
    timeouts: {connect: 5, first: 60, read: 120}
    attempts: 3
    proxy: http://proxy.example:3128
    tls: {ca: ca.pem, certificate: us.pem, key: us.key}
  - provider: anthropic             # through litellm; `url` where it is not the usual one
    models: [claude-*]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from guardrail.errors import ConfigError
from proxy.demo import DemoUpstream
from proxy.settings import Settings
from proxy.upstream.http import HttpUpstream, Timeouts, Tls, Upstream
from proxy.upstream.routing import Route, Routed

LITELLM = "litellm:"
_ENTRY = frozenset(("url", "provider", "models", "key_env", "timeouts", "attempts", "proxy", "tls"))
_PHASES = ("connect", "first", "read")


def open_upstream(settings: Settings) -> Upstream:
    """All servers as one; the demo model where none is named. Raises ConfigError."""
    timeouts = Timeouts(
        connect=settings.connect_timeout, first=settings.first_timeout, read=settings.read_timeout
    )
    routes = [] if settings.upstreams is None else _read(settings.upstreams, timeouts)
    # The key is for the server it was given with, not for the others.
    named = [] if settings.upstream is None else [(settings.upstream, settings.upstream_key)]
    for option, key in [*named, *((route, "") for route in settings.routes)]:
        pattern, url = split(option)
        routes.append(Route((pattern,), _server(url, timeouts, key)))
    return Routed(routes) if routes else DemoUpstream(pace=settings.pace)


def split(option: str) -> tuple[str, str]:
    """`PATTERN=URL` or `URL` as (pattern, URL); a URL's own `=` stands behind its `://`."""
    head, equals, url = option.partition("=")
    return (head, url) if equals and "://" not in head else ("*", option)


def _server(url: str, timeouts: Timeouts, key: str) -> Upstream:
    if url.startswith(LITELLM):
        return _provider(url.removeprefix(LITELLM), timeouts, key)
    return HttpUpstream(url, timeouts=timeouts, key=key)


def _provider(name: str, timeouts: Timeouts, key: str, base: str = "") -> Upstream:
    from proxy.upstream.provider import Provider  # the only way to litellm, which takes seconds to import

    return Provider(name, base=base, key=key, timeouts=timeouts)


def _read(path: Path, timeouts: Timeouts) -> list[Route]:
    try:
        told = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    entries = told.get("upstreams") if isinstance(told, dict) else None
    if not isinstance(entries, list) or not entries:
        raise ConfigError(f"{path}: the list `upstreams` is missing")
    routes = []
    for number, entry in enumerate(entries, 1):
        try:
            routes.append(_route(entry, timeouts, path.parent))
        except ConfigError as error:
            raise ConfigError(f"{path}: upstream {number}: {error}") from error
    return routes


def _route(entry: object, timeouts: Timeouts, folder: Path) -> Route:
    told = _mapping(entry, _ENTRY, "an upstream")
    models = told.get("models", ["*"])
    if not isinstance(models, list) or not models or not all(isinstance(one, str) for one in models):
        raise ConfigError("models must be a list of patterns")
    phases = _mapping(told.get("timeouts", {}), _PHASES, "timeouts")
    for phase, seconds in phases.items():
        if type(seconds) not in (int, float) or seconds <= 0:
            raise ConfigError(f"timeouts.{phase} must be a number of seconds")
    attempts = told.get("attempts", timeouts.attempts)
    if type(attempts) is not int or attempts < 1:
        raise ConfigError("attempts must be a number of at least 1")
    timeouts = replace(timeouts, **phases, attempts=attempts)
    return Route(tuple(models), _upstream(told, timeouts, folder))


def _upstream(told: Mapping[str, Any], timeouts: Timeouts, folder: Path) -> Upstream:
    url, provider = _text(told, "url"), _text(told, "provider")
    key = ""
    if variable := _text(told, "key_env"):
        key = os.environ.get(variable, "")
        if not key:
            raise ConfigError(f"key_env: the variable {variable} is not set")
    if provider:
        if wrong := sorted({"proxy", "tls"} & told.keys()):
            raise ConfigError(f"{wrong[0]} cannot be set for a provider: litellm reads the usual variables")
        return _provider(provider, timeouts, key, base=url)
    files = {
        name: folder / str(value)
        for name, value in _mapping(told.get("tls", {}), ("ca", "certificate", "key"), "tls").items()
    }
    tls = Tls(**files) if files else None
    return HttpUpstream(url, timeouts=timeouts, key=key, proxy=_text(told, "proxy"), tls=tls)


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name, "")
    if not isinstance(value, str):
        raise ConfigError(f"{name} must be a string")
    return value


def _mapping(value: object, allowed: Sequence[str] | frozenset[str], what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{what} must have keys: {', '.join(sorted(allowed))}")
    if unknown := [str(name) for name in value if name not in allowed]:
        raise ConfigError(f"{what}: unknown key {unknown[0]}; allowed: {', '.join(sorted(allowed))}")
    return value
