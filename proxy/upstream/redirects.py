"""Decides about a model server's redirects: those to the same server are followed, others are not.

A client that followed one by itself would get its answer past the check, so an answer that is read never tells of one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from proxy.upstream.connections import Origin, origin
from proxy.wire.headers import Headers

MOST = 3  # in a row
_STATUSES = frozenset((301, 302, 303, 307, 308))
_SAME_METHOD = frozenset((307, 308))
# Browsers and libraries disagree about what anything else means.
_PLAIN = re.compile(rb"[\x21-\x5b\x5d-\x7e]+")


class Address(NamedTuple):
    """A server, and a path with its query on it."""

    at: Origin
    path: str

    def __str__(self) -> str:
        return f"{self.at.scheme}://{self.at.authority}{self.path.partition('?')[0]}"


def redirects(status: int, *, read: bool) -> bool:
    """An answer that is no end: for one that is read, any of the 3xx is none."""
    return status in _STATUSES or (read and 300 <= status < 400)


def led_to(here: Address, headers: Headers) -> Address | None:
    """None where no place is told, or none that everybody understands alike."""
    told = [value.strip() for name, value in headers if name == b"location"]
    if len(told) != 1 or not _PLAIN.fullmatch(told[0]):
        return None
    try:
        url = urljoin(f"{here.at.scheme}://{here.at.authority}{here.path}", told[0].decode("ascii"))
        found, split = origin(url), urlsplit(url)
    except ValueError:
        return None
    if found is None:
        return None
    return Address(found, (split.path or "/") + (f"?{split.query}" if split.query else ""))


def elsewhere(here: Address, there: Address) -> bool:
    """On another host: what lies there is no answer of this server."""
    return here.at.host.rstrip(".") != there.at.host.rstrip(".")


def followed(here: Address, there: Address, *, status: int, method: str) -> Address | None:
    """`there`, where the request may be sent there as it is: the same server, and a method that may be sent again so."""
    at, to = here.at, there.at
    same = (at.scheme, at.host, at.port) == (to.scheme, to.host, to.port)
    secured = at.scheme == "http" and to.scheme == "https" and at.host == to.host
    if not (same or secured) or not (status in _SAME_METHOD or method in ("GET", "HEAD")):
        return None
    return Address(replace(to, credentials=at.credentials), there.path)
