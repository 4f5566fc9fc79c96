"""Events that count themselves are counted anew, and what is large in them is not read for that."""

from __future__ import annotations

import orjson
import pytest

from proxy.apis import numbering
from proxy.apis.numbering import LARGE, Numbering
from proxy.wire.sse import Decoder, Event, typed_event

REPORT = orjson.dumps({"outcome": "flagged", "claims": ["It is wrong."] * LARGE})


def events(data: bytes) -> list[dict[str, object]]:
    return [orjson.loads(one.data) for one in Decoder().decode(data) if one.data is not None]


def told(number: int, **more: object) -> bytes:
    return typed_event({"type": "response.x", "sequence_number": number, **more})


def test_numbers_follow_each_other_from_the_first_on() -> None:
    """Whatever the server's were: ours stand between them, and some of its events are left out."""
    counting = Numbering()
    wire = counting.numbered(told(4) + typed_event({"type": "ours"})) + counting.numbered(told(9))
    assert [one["sequence_number"] for one in events(wire)] == [4, 5, 6]


def test_where_a_server_does_not_count_nothing_is_numbered() -> None:
    """Its events and ours go out as they are, comments and the end mark, too."""
    wire = typed_event({"type": "a"}) + b": checking\n\n" + told(1) + b"data: [DONE]\n\n"
    assert Numbering().numbered(wire) == wire


def test_a_large_report_is_not_read_for_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands in several events, each of which gets its number; only what is around it is read."""
    read: list[int] = []

    def parse(event: Event) -> dict[str, object]:
        read.append(len(event.data or b""))
        return orjson.loads(event.data or b"")  # type: ignore[no-any-return]

    monkeypatch.setattr(numbering, "parse", parse)
    report = orjson.Fragment(REPORT)
    wire = told(7, part={"guardrail": report}) + told(7, response={"guardrail": report, "a": [report]})
    found = Numbering().numbered(wire, [b"{}", REPORT])
    assert max(read) < 200
    assert [one["sequence_number"] for one in events(found)] == [7, 8]
    assert events(found)[0]["part"] == {"guardrail": orjson.loads(REPORT)}
    assert found.count(REPORT) == 3
