"""Looks up what a path of the API is: checked, checked when it is fetched, passed on, or not known. The table is `paths.yaml`.

A path is put into its one spelling before it is looked up, since a model's server may take many for the same: percent-encoding
is undone, doubled and trailing slashes, dots, `;parameters` and blanks at the ends of a segment are taken out, and case does
not count. What is checked goes on to the server in the table's spelling.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote, unquote

import yaml

from guardrail.errors import BadRequest

STATE = "guardrail.place"
PREFIXES = (("v1",), ("openai", "v1"), ("openai",))  # all stand for the base URL of the model's server
_ROUNDS = 3  # of percent-encoding; more are nobody's
_TAME = "~:@!$&'()*+,="  # besides letters, digits and -._, what a segment may hold unencoded (RFC 3986, 3.3)
_CONTROLS = frozenset(map(chr, (*range(32), 127)))


class Kind(StrEnum):
    """What is done with the answer."""

    CHECKED = "checked"
    STORED = "stored"
    PASSED = "passed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ApiPath:
    """Where a request goes. `target`: below the server's base URL, without the query. `route`: the own path of the API that the
    answer is one of, by which policies are chosen. `model`: what the path asks for; empty: it does not say.
    `methods`: those that the table has for this path.
    """

    kind: Kind
    target: str
    route: str
    model: str = ""
    methods: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Pattern:
    kind: Kind
    method: str
    parts: tuple[str, ...]
    api: str = ""

    def answers(self, method: str) -> bool:
        return method == self.method or (
            method == "HEAD" and self.method == "GET" and self.kind is Kind.PASSED
        )

    def match(self, segments: Sequence[str]) -> dict[int, tuple[str, ...]] | None:
        """The segments that stand for each `{name}`, by its place in the pattern; None where it does not fit."""
        found: dict[int, tuple[str, ...]] = {}
        at = 0
        for place, part in enumerate(self.parts):
            rest = segments[at:]
            if not rest:
                return None
            if part.endswith("...}"):
                found[place] = tuple(rest)
            elif part.startswith("{"):
                found[place] = (rest[0],)
            elif part != rest[0].lower():
                return None
            at += len(found.get(place, (part,)))
        return found if at == len(segments) else None

    def spelled(self, found: dict[int, tuple[str, ...]]) -> str:
        parts = (
            "/".join(quote(one, safe=_TAME) for one in found[place]) if place in found else part
            for place, part in enumerate(self.parts)
        )
        return "/" + "/".join(parts)

    def model(self, found: dict[int, tuple[str, ...]]) -> str:
        return next(("/".join(found[i]) for i in found if self.parts[i].startswith("{model")), "")


def find(method: str, raw: str) -> ApiPath:
    """What `raw`, a path without its query, is. Raises BadRequest (404) for one that is none of the API's or climbs out of it."""
    if (known := _exact().get((method, raw))) is not None:
        return known
    whole = segments(raw)
    prefix = _prefix(whole)
    if prefix is None:
        raise BadRequest("this path is not passed on", status=404, code="not_found")
    below = whole[len(prefix) :]
    written = _written(raw, prefix, below)
    fitting = [(pattern, found) for pattern in _patterns() if (found := pattern.match(below)) is not None]
    for pattern, found in fitting:
        if pattern.answers(method):
            as_it_is = pattern.kind is Kind.PASSED and unquote(written) == "/" + "/".join(below)
            target = written if as_it_is else pattern.spelled(found)
            route = _routes().get(pattern.api, "/v1" + target)
            return ApiPath(pattern.kind, target, route, pattern.model(found))
    methods = tuple(dict.fromkeys(pattern.method for pattern, _ in fitting))
    return ApiPath(Kind.UNKNOWN, written, "/v1" + written, methods=methods)


def is_api(raw: str) -> bool:
    """Whether a path is one of the API's, or would be if it did not climb out of it."""
    try:
        return raw.startswith("/v1/") or _prefix(segments(raw)) is not None
    except BadRequest:
        return True


def known(raw: str) -> bool:
    """Whether the table has a path, whatever the method."""
    try:
        path = find("", raw)
    except BadRequest:
        return False
    return bool(path.methods)


def segments(raw: str) -> tuple[str, ...]:
    """The segments of a path as whoever reads it most freely would. Raises BadRequest (404) for `..` and control characters."""
    text = raw
    for _ in range(_ROUNDS):
        text = unquote(text)
    parts = [part.partition(";")[0].strip() for part in text.replace("\\", "/").split("/")]
    if ".." in parts or unquote(text) != text:
        raise BadRequest("this path is not passed on", status=404, code="not_found")
    end = next((place for place, part in enumerate(parts) if "?" in part or "#" in part), len(parts) - 1)
    parts = [*parts[:end], parts[end].partition("?")[0].partition("#")[0].strip()]
    if not _CONTROLS.isdisjoint("".join(parts)):
        raise BadRequest("a path may not contain control characters", status=404, code="not_found")
    return tuple(part for part in parts if part not in ("", "."))


def raw_path(scope: MutableMapping[str, Any]) -> str:
    """The path of a request as it was written, without its query."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw.partition(b"?")[0].decode("latin-1")


def path_of(scope: MutableMapping[str, Any]) -> ApiPath:
    """What the path of a request is. Raises BadRequest (404) where it is none of the API's."""
    found: ApiPath = scope.get(STATE) or find(scope.get("method", ""), raw_path(scope))
    return found


def target_of(scope: MutableMapping[str, Any]) -> str:
    """The path below the base URL as it is sent on, with its query. Raises BadRequest for one that climbs out."""
    query = scope.get("query_string", b"").decode("latin-1")
    return path_of(scope).target + (f"?{query}" if query else "")


def checked() -> tuple[str, ...]:
    """The paths whose answers are read, as a message names them."""
    return tuple(f"POST {route}" for route in _routes().values())


def _prefix(whole: Sequence[str]) -> tuple[str, ...] | None:
    lower = tuple(one.lower() for one in whole[:2])
    return next((prefix for prefix in PREFIXES if lower[: len(prefix)] == prefix), None)


def _written(raw: str, prefix: Sequence[str], below: Sequence[str]) -> str:
    """What stands behind the prefix, as the client wrote it where the prefix itself is written plainly."""
    head = "/" + "/".join(prefix)
    if raw.startswith(head + "/"):
        return raw.removeprefix(head)
    return "/" + "/".join(quote(one, safe=_TAME) for one in below)


@cache
def _table() -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load(
        resources.files("proxy.server").joinpath("paths.yaml").read_text("utf-8")
    )
    return told


@cache
def _patterns() -> tuple[_Pattern, ...]:
    return tuple(_read(_table()))


def _read(table: dict[str, Any]) -> Iterator[_Pattern]:
    for kind in (Kind.CHECKED, Kind.STORED):
        for api, lines in table[kind].items():
            yield from (_pattern(kind, line, api) for line in lines)
    yield from (_pattern(Kind.PASSED, line) for line in table[Kind.PASSED])


def _pattern(kind: Kind, line: str, api: str = "") -> _Pattern:
    method, path = line.split(" ")
    return _Pattern(kind, method, tuple(path.strip("/").split("/")), api)


@cache
def _routes() -> dict[str, str]:
    """The own path of each API: the first that the table has for it."""
    return {api: "/v1" + lines[0].split(" ")[1] for api, lines in _table()[Kind.CHECKED].items()}


@cache
def _exact() -> dict[tuple[str, str], ApiPath]:
    """The paths that nearly every request asks for, found without reading them."""
    return {
        ("POST", route): ApiPath(Kind.CHECKED, route.removeprefix("/v1"), route)
        for route in _routes().values()
    }
