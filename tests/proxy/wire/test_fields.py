"""Header fields that speak of one side stay on it."""

from __future__ import annotations

import pytest

from proxy.wire.fields import for_client, for_server


@pytest.mark.parametrize(
    "name", [b"te", b"upgrade", b"transfer-encoding", b"x-a", b"host", b"x-guardrail-policy"]
)
def test_what_speaks_of_the_clients_connection_is_not_sent(name: bytes) -> None:
    """Neither the usual ones, nor what `connection` names, nor ours."""
    given = [(b"connection", b"keep-alive, X-A"), (name, b"1"), (b"x-b", b"2")]
    assert for_server(given) == [(b"x-b", b"2")]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (b"a=1", b"a=1"),
        (b"guardrail_session=secret", None),
        (b"a=1; guardrail_session=secret; b=2", b"a=1; b=2"),
    ],
)
def test_a_session_of_ours_is_not_told_to_a_model_server(given: bytes, sent: bytes | None) -> None:
    """Other cookies are the client's own affair."""
    assert for_server([(b"cookie", given)]) == ([] if sent is None else [(b"cookie", sent)])


@pytest.mark.parametrize("read", [True, False])
def test_what_would_be_taken_for_ours_does_not_reach_the_client(read: bool) -> None:
    """Whether the answer is read or only passed on."""
    said = [
        (b"x-guardrail-outcome", b"confirmed"),
        (b"strict-transport-security", b"max-age=1"),
        (b"access-control-allow-origin", b"*"),
        (b"set-cookie", b"guardrail_session=1"),
        (b"connection", b"content-type, x-c"),
        (b"x-c", b"1"),
    ]
    kept = [(b"content-type", b"text/plain"), (b"set-cookie", b"theirs=1"), (b"x-request-id", b"7")]
    assert for_client([*said, *kept], read=read) == kept


def test_an_answer_that_is_read_leads_nowhere() -> None:
    """Its place and its coding are those of the server's bytes, not of ours."""
    told = [(b"location", b"/a"), (b"content-location", b"/a"), (b"content-encoding", b"gzip")]
    assert for_client(told, read=True) == []
    assert for_client(told, read=False) == told
