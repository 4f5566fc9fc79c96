"""Where a redirect leads, and whether it is followed, for every way to write one."""

from __future__ import annotations

import pytest

from proxy.upstream.connections import Origin
from proxy.upstream.redirects import Address, elsewhere, followed, led_to, redirects

HERE = Address(Origin("http", "host", 8000, b"a2V5"), "/v1/chat/completions?x=1")


@pytest.mark.parametrize(
    ("location", "port", "path"),
    [
        ("/v1/chat/completions/", 8000, "/v1/chat/completions/"),
        ("completions/", 8000, "/v1/chat/completions/"),
        ("?y=2", 8000, "/v1/chat/completions?y=2"),
        ("http://HOST:8000", 8000, "/"),
        ("//host/a#fragment", 80, "/a"),
        ("https://user:pass@host/a", 443, "/a"),
    ],
)
def test_a_location_is_read_from_where_it_was_told(location: str, port: int, path: str) -> None:
    """Absolute or relative; a fragment and credentials are no part of the place."""
    there = led_to(HERE, [(b"location", location.encode())])
    assert there is not None
    assert (there.at.host, there.at.port, there.path) == ("host", port, path)
    assert "pass" not in str(there)


@pytest.mark.parametrize(
    "location",
    ["", "http:\\\\host", "/a b", "/\x00", "http://[::1", "javascript:alert(1)", "http://h:99999/"],
)
def test_a_location_that_is_read_in_different_ways_leads_nowhere(location: str) -> None:
    """Nor do two of them."""
    assert led_to(HERE, [(b"location", location.encode())]) is None
    assert led_to(HERE, [(b"location", b"/a"), (b"location", b"/b")]) is None


@pytest.mark.parametrize(
    ("location", "status", "method", "same"),
    [
        ("/a", 307, "POST", True),
        ("/a", 308, "POST", True),
        ("/a", 302, "POST", False),
        ("/a", 302, "GET", True),
        ("https://host/a", 308, "POST", True),
        ("http://host:8001/a", 307, "POST", False),
        ("http://host.example/a", 307, "GET", False),
    ],
)
def test_only_the_same_server_is_asked_and_in_the_same_way(
    location: str, status: int, method: str, same: bool
) -> None:
    """Scheme, host and port agree, or it has become https; the credentials go along."""
    there = led_to(HERE, [(b"location", location.encode())])
    assert there is not None
    found = followed(HERE, there, status=status, method=method)
    assert (found is not None) is same
    assert found is None or found.at.credentials == b"a2V5"


def test_from_https_nothing_goes_back_to_http() -> None:
    """The key would travel in the clear."""
    secure = Address(Origin("https", "host", 443), "/")
    there = Address(Origin("http", "host", 80), "/")
    assert followed(secure, there, status=307, method="GET") is None
    assert not elsewhere(secure, there)
    assert elsewhere(secure, Address(Origin("https", "other", 443), "/"))


def test_which_statuses_are_no_end() -> None:
    """A file that has not changed is one for who asks; an answer that is read is never that."""
    assert redirects(307, read=False)
    assert not redirects(304, read=False)
    assert redirects(304, read=True)
    assert not redirects(200, read=True)
