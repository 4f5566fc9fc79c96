"""How files of the pages are sent."""

from __future__ import annotations

from fastapi import Request

from proxy.wire.static import File

FILE = File(b"<p>It is true.</p>", "text/html")


def asked(**headers: str) -> Request:
    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": given})


def test_nothing_of_another_server_may_be_loaded() -> None:
    """The policy starts from nothing and allows only this server's own files."""
    policy = FILE.response(asked()).headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "//" not in policy


def test_forms_are_sent_only_where_a_page_has_one() -> None:
    """Then to this server only."""
    assert "form-action 'none'" in FILE.response(asked()).headers["content-security-policy"]
    searching = File(FILE.content, FILE.media_type, forms=True)
    assert "form-action 'self'" in searching.response(asked()).headers["content-security-policy"]


def test_a_client_that_has_the_file_gets_no_body() -> None:
    """304 by its entity tag; another tag gets the file."""
    again = FILE.response(asked(if_none_match=FILE.tag))
    assert (again.status_code, bytes(again.body)) == (304, b"")
    assert bytes(FILE.response(asked(if_none_match='"other"')).body) == FILE.content
