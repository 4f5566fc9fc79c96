"""What a broken or hostile model's server may send: strategies for whole HTTP answers, from nearly right to not at all."""

from __future__ import annotations

import gzip
from itertools import pairwise

import orjson
from hypothesis import strategies as st

from tests.clients.model import answer as scripted
from tests.fakes import Request
from tests.fuzz.arena import PATHS, Play

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=12)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
NASTY = st.sampled_from(
    [
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",  # half of a surrogate pair
        b"\r",
        b"\n",
        b"\r\n\r\n",
        b"data:",
        b"data: \n\n",
        b"data: null\n\n",
        b"data: []\n\n",
        b"data: 0\n\n",
        b"data: {\n\n",
        b"data: [DONE]\n\n",
        b"event: error\n\n",
        b": \n",
        b"id: 1\nretry: 0\n",
        b"[" * 200,
        b'data: {"choices":[{"index":0,"delta":{"content":"' + b"It is wrong. " * 30 + b'"}}]}\n\n',
    ]
)
SCRIPTS = st.sampled_from(["plain", "two", "tools", "json"])


def wire(path: str, script: str, *, stream: bool) -> list[bytes]:
    """What the provider would send."""
    body = orjson.dumps({"model": f"{script}.0", "stream": stream})
    known = path if path != "/v1/completions" else PATHS[0]
    return [piece for piece in scripted(Request("POST", known, {}, body)).pieces if isinstance(piece, bytes)]


@st.composite
def bodies(draw: st.DrawFn, path: str, *, stream: bool) -> list[bytes]:
    """A right answer with things wrong in it: fields of other types, events left out, doubled, out of order, rubbish between."""
    events = wire(path, draw(SCRIPTS), stream=stream)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, max(0, len(events) - 1)))
        match draw(st.sampled_from(["mutate", "drop", "double", "insert", "swap", "cut"])):
            case "mutate":
                events[at : at + 1] = [_mutated(draw, one) for one in events[at : at + 1]]
            case "drop":
                del events[at : at + 1]
            case "double":
                events[at:at] = events[at : at + 1] * draw(st.integers(1, 3))
            case "insert":
                events.insert(at, draw(NASTY | st.binary(max_size=40)))
            case "swap":
                events.reverse()
            case "cut":
                events = events[: at + 1]
                if events:
                    events[-1] = events[-1][: draw(st.integers(0, len(events[-1])))]
    return events


def _mutated(draw: st.DrawFn, event: bytes) -> bytes:
    """One value of the event's JSON replaced by any other."""
    head, mark, data = event.rpartition(b"data: ")
    try:
        found = orjson.loads(data or b"null")
    except orjson.JSONDecodeError:
        return event
    places = list(_places(found))
    if not places:
        return event
    holder, key = draw(st.sampled_from(places))
    holder[key] = draw(JSON)
    try:
        return head + mark + orjson.dumps(found) + (b"\n\n" if mark else b"")
    except (TypeError, orjson.JSONEncodeError):  # an integer of more than 64 bits, half a surrogate pair
        return event


def _places(found: object) -> list[tuple[object, object]]:
    pairs = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    here = [(found, key) for key, _ in pairs]
    return here + [place for holder, key in list(here) for place in _places(holder[key])]  # type: ignore[index]


@st.composite
def plays(draw: st.DrawFn, path: str, *, stream: bool) -> Play:
    """A whole HTTP answer, its body cut into pieces anywhere."""
    body = b"".join(draw(bodies(path, stream=stream)))
    right = "text/event-stream" if stream else "application/json"
    kind = draw(
        st.sampled_from([right] * 6 + ["application/json", "text/html", "text/event-stream; charset=x", ""])
    )
    status = draw(st.sampled_from([200] * 8 + [201, 204, 302, 400, 404, 429, 500, 503, 599]))
    head = [f"HTTP/1.1 {status} X"] + ([f"content-type: {kind}"] if kind else [])
    coding = draw(st.sampled_from([""] * 8 + ["gzip", "broken gzip", "unknown"]))
    if coding:
        body = gzip.compress(body) if coding == "gzip" else body
        head.append("content-encoding: " + ("x-none" if coding == "unknown" else "gzip"))
    framing = draw(
        st.sampled_from(["chunked"] * 6 + ["length", "too short", "too long", "close", "bad chunk"])
    )
    cuts = sorted({0, len(body), *draw(st.lists(st.integers(0, len(body)), max_size=6))})
    pieces = [body[a:b] for a, b in pairwise(cuts)]
    if "chunk" in framing:
        head.append("transfer-encoding: chunked")
        pieces = [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces if piece]
        pieces.append(b"zz\r\n" if framing == "bad chunk" else b"0\r\n\r\n")
    elif framing != "close":
        head.append(f"content-length: {len(body) + {'too short': -5, 'too long': 5}.get(framing, 0)}")
    start = "\r\n".join(head).encode() + b"\r\n\r\n"
    # Behind a complete answer an open connection is no fault: it is kept for the next request.
    hang = draw(st.sampled_from([False] * 19 + [True])) and status not in (204, 304)
    if hang and framing == "chunked":
        pieces.pop()
    return Play((start, *pieces), hang=hang and framing in ("chunked", "too long", "close"))
