"""What all surfaces share: an event's data is a JSON object, or the upstream is at fault."""

from __future__ import annotations

import pytest

from guardrail.errors import UpstreamBroken
from proxy.wire.sse import Event
from proxy.wire.surface import parse


def test_an_object_is_read() -> None:
    """A JSON object is given as it is."""
    assert parse(Event(b"", b'{"a":[1]}')) == {"a": [1]}


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"null", b'"x"', b"\xff", b"[" * 2000])
def test_anything_else_is_the_upstreams_fault(data: bytes) -> None:
    """Other JSON, and what is none, is told as a broken answer."""
    with pytest.raises(UpstreamBroken):
        parse(Event(b"", data))
