"""Decides which header fields are passed on: not those that concern a single connection or the proxy itself."""

from __future__ import annotations

import re

from proxy.wire.headers import Headers

# RFC 9110, 7.6.1: fields that speak of one connection only.
HOP_BY_HOP = frozenset(
    (
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    )
)
# Fields by which a server may be made to read another path or method than the one that was looked at.
_ROUTING = frozenset(
    (
        b"x-original-url",
        b"x-rewrite-url",
        b"x-original-uri",
        b"x-forwarded-uri",
        b"x-forwarded-prefix",
        b"x-http-method",
        b"x-http-method-override",
        b"x-method-override",
    )
)
OURS = b"x-guardrail-"
COOKIES = b"guardrail_"  # so the names of our cookies begin
_NOT_SENT = HOP_BY_HOP | _ROUTING | {b"host", b"content-length", b"expect"}
# What a browser, or a client that knows them, would take as said by this server of itself.
_IDENTITY = frozenset(
    (b"alt-svc", b"clear-site-data", b"public-key-pins", b"refresh", b"strict-transport-security")
)
_CORS = b"access-control-"
_REDIRECTS = frozenset((b"content-location", b"location"))  # for an answer that is read: they lead around it


def for_server(headers: Headers) -> Headers:
    """Those of a request that its model server gets."""
    hop = _NOT_SENT | _named(headers)
    kept = [(name, value) for name, value in headers if name not in hop and not name.startswith(OURS)]
    return [
        (name, _foreign(value) if name == b"cookie" else value) for name, value in kept if _says(name, value)
    ]


def for_client(headers: Headers, *, read: bool) -> Headers:
    """Those of an answer that the client gets. `read`: its body is decoded, and is ours to let go."""
    dropped = HOP_BY_HOP | _IDENTITY | _named(headers)
    if read:
        dropped |= _REDIRECTS | {b"content-encoding", b"content-length"}
    return [(name, value) for name, value in headers if name not in dropped and not _claims(name, value)]


def _named(headers: Headers) -> frozenset[bytes]:
    """Fields that `connection` says are for one connection, too; what tells how a body is to be read is none."""
    told = b",".join(value for name, value in headers if name == b"connection")
    return frozenset(token.strip().lower() for token in told.split(b",")) - {
        b"content-type",
        b"content-encoding",
    }


def _claims(name: bytes, value: bytes) -> bool:
    """It could be taken for a word of ours."""
    own_cookie = name == b"set-cookie" and value.lstrip().lower().startswith(COOKIES)
    return name.startswith((OURS, _CORS)) or own_cookie


def _says(name: bytes, value: bytes) -> bool:
    return name != b"cookie" or bool(_foreign(value))


def _foreign(cookies: bytes) -> bytes:
    """Without the session of somebody who is logged in here."""
    if COOKIES not in cookies:
        return cookies
    kept = (one.strip() for one in cookies.split(b";"))
    return b"; ".join(one for one in kept if one and not one.startswith(COOKIES))


def without_credentials(option: str) -> str:
    """`PATTERN=URL` or `URL` as it may be printed: without a name and password, a query or a fragment."""
    head, scheme, rest = option.partition("://")
    place = re.split(r"[?#]", rest, maxsplit=1)[0]
    authority, slash, path = place.partition("/")
    # A password may hold a slash that nobody has encoded: then what stands before the last @ is no path either.
    authority = (place if "@" in path else authority).rpartition("@")[2]
    return f"{head}{scheme}{authority}" if "@" in path else f"{head}{scheme}{authority}{slash}{path}"


def own_key(headers: Headers) -> str:
    """The key of the client's own, sent in one of the same places; empty where there is none."""
    return next((token for name, value in headers if (token := token_of(name, value))), "")


def token_of(name: bytes, value: bytes) -> str:
    text = value.decode("latin-1").strip()
    if name == b"authorization":
        scheme, _, token = text.replace("\t", " ").partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    return text if name in (b"x-api-key", b"api-key") else ""
