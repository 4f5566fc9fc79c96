"""Defects that a proxy may have, as small changes of the bytes that pass it: each has to be noticed by `fidelity`.

A change of a body leaves the message well framed, so that the change itself has to be noticed. `CONTROLS` change nothing that
anybody may rely on, and must not be noticed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from eval.conformance.likeness import split
from eval.conformance.raw import Message, parse, written
from eval.conformance.relay import Change

Events = list[bytes]
Fields = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """`what`: what the proxy does wrong, in a line. `timely`: it is about when bytes come. `outer`: only between the proxy and its client, as it
    is about the proxy's own additions, or something that a proxy may take from a server.
    """

    name: str
    what: str
    change: Change
    outer: bool = False
    timely: bool = False


# ── how bytes are changed ─────────────────────────────────────────────────────────────────────────────


def _message(change: Callable[[Message], Message]) -> Change:
    def changed(raw: bytes) -> bytes:
        message = parse(raw)
        found = change(message)
        return raw if found == message else written(found)

    return changed


def _body(change: Change) -> Change:
    return _message(lambda message: replace(message, body=change(message.body)))


def _swap(old: bytes, new: bytes, times: int = -1) -> Change:
    return _body(lambda body: body.replace(old, new, times))


def _sub(pattern: bytes, new: bytes, times: int = 0) -> Change:
    return _body(lambda body: re.sub(pattern, new, body, count=times))


def _start(pattern: bytes, new: bytes) -> Change:
    return lambda raw: re.sub(pattern, new, raw.partition(b"\r\n")[0]) + b"\r\n" + raw.partition(b"\r\n")[2]


def _fields(change: Callable[[Fields], Fields]) -> Change:
    return _message(lambda message: replace(message, fields=tuple(change(list(message.fields)))))


def _dropped(*names: bytes) -> Change:
    return _fields(lambda fields: [pair for pair in fields if pair[0] not in names])


def _value(name: bytes, change: Change) -> Change:
    return _fields(lambda fields: [(n, change(v)) if n == name else (n, v) for n, v in fields])


def _more(name: bytes, value: bytes) -> Change:
    return _fields(lambda fields: [*fields, (name, value)])


def _merged(name: bytes) -> Change:
    """Fields of one name as one, with commas."""

    def change(fields: Fields) -> Fields:
        values = [value for found, value in fields if found == name]
        kept = [pair for pair in fields if pair[0] != name]
        return [*kept, (name, b", ".join(values))] if len(values) > 1 else fields

    return _fields(change)


def _events(change: Callable[[Events], Events]) -> Change:
    def changed(body: bytes) -> bytes:
        return b"".join(change(split(body))) if b"data:" in body else body

    return _body(changed)


def _says(event: bytes) -> bool:
    """It tells some of the answer's text."""
    return bool(re.search(rb'"(content|text|delta)":"[^"]', event)) and b'"guardrail"' not in event


def _words(change: Callable[[Events], Events]) -> Change:
    """Changes the events with text among the others: the first takes the place of all."""

    def changed(events: Events) -> Events:
        said = [place for place, event in enumerate(events) if _says(event)]
        if not said:
            return events
        kept = change([events[place] for place in said])
        return [*events[: said[0]], *kept, *(e for e in events[said[0] :] if not _says(e))]

    return _events(changed)


def _written(**options: object) -> Change:
    """The body as Python's json writes it."""

    def changed(body: bytes) -> bytes:
        if not body.lstrip().startswith(b"{"):
            return body
        return json.dumps(json.loads(body), **options).encode("utf-8", "surrogatepass")  # type: ignore[arg-type]

    return _body(changed)


def _trailing(raw: bytes) -> bytes:
    """In chunks, with a field behind the last one."""
    message = parse(raw)
    if not message.body:
        return raw
    kept = [pair for pair in message.fields if pair[0] not in (b"content-length", b"transfer-encoding")]
    head = written(
        replace(message, fields=(*kept, (b"transfer-encoding", b"chunked")), body=b"", complete=False)
    )
    return head + b"%x\r\n%s\r\n0\r\nx-trailer: 1\r\n\r\n" % (len(message.body), message.body)


def _same(raw: bytes) -> bytes:
    return raw


# ── requests ──────────────────────────────────────────────────────────────────────────────────────────

REQUESTS = (
    Mutant("query dropped", "the query string is not passed on", _start(rb"\?\S*", b"")),
    Mutant("query re-encoded", "%20 becomes + in the query", _start(rb"%20", b"+")),
    Mutant("query sorted", "parameters change places", _start(rb"limit=2&after=m%201", b"after=m%201&limit=2")),
    Mutant("empty parameter dropped", "a parameter without a value is left out", _start(rb"&empty=", b"")),
    Mutant("escape in upper case", "%2f becomes %2F", _start(rb"%2f", b"%2F")),
    Mutant("path decoded", "%2F in the path becomes /", _start(rb"Org%2F", b"Org/")),
    Mutant("path in lower case", "the path loses its capitals", _start(rb"/Org", b"/org")),
    Mutant("slash added", "the path ends with a slash", _start(rb" (/[^ ?]*)", rb" \1/")),
    Mutant("path doubled", "the base path stands twice", _start(rb" /v1/", b" /v1/v1/")),
    Mutant("method changed", "POST becomes PUT", _start(rb"^POST", b"PUT")),
    Mutant("HEAD becomes GET", "more is asked for than the client did", _start(rb"^HEAD", b"GET")),
    Mutant("field dropped", "an unknown header field is not passed on", _dropped(b"x-custom")),
    Mutant("credentials dropped", "Authorization is not passed on", _dropped(b"authorization")),
    Mutant("credentials in lower case", "the token is written in small letters", _value(b"authorization", bytes.lower)),
    Mutant("idempotency key dropped", "a retry cannot be told from a second request", _dropped(b"idempotency-key")),
    Mutant("organization dropped", "the wrong account pays", _dropped(b"openai-organization")),
    Mutant("beta dropped", "a feature that was asked for is not on", _dropped(b"anthropic-beta")),
    Mutant("accept replaced", "any kind of answer is asked for", _value(b"accept", lambda _: b"*/*")),
    Mutant("agent replaced", "the proxy gives its own name", _value(b"user-agent", lambda _: b"proxy/1.0")),
    Mutant("field added", "the client's address is told", _more(b"x-forwarded-for", b"127.0.0.1")),
    Mutant("our field passed on", "the server is told of the policy", _more(b"x-guardrail-policy", b"annotate")),
    Mutant("value in lower case", "a field's value loses its capitals", _value(b"x-custom", bytes.lower)),
    Mutant("blanks in a value", "blanks in a value are made one", _value(b"x-custom", lambda v: v.replace(b"  ", b" "))),
    Mutant("fields merged", "a field that comes twice becomes one", _merged(b"x-repeated")),
    Mutant("fields swapped", "fields come in another order", _fields(lambda fields: fields[::-1])),
    Mutant("field doubled", "a field is passed on twice", _fields(lambda f: [*f, *(p for p in f if p[0] == b"cookie")])),
    Mutant("type replaced", "a charset is added to the content type", _value(b"content-type", lambda v: v + b"; charset=utf-8")),
    Mutant("boundary unquoted", "a parameter of the content type loses its quotes", _value(b"content-type", lambda v: v.replace(b'"', b""))),
    Mutant("coding replaced", "another coding is asked for in a request that is passed on", _value(b"accept-encoding", lambda v: v.replace(b";q=0.5", b""))),
    Mutant("wrong server", "the host is that of the proxy", _value(b"host", lambda _: b"proxy.invalid")),
    Mutant("body written anew", "blanks and escapes of the JSON change", _written()),
    Mutant("body written compactly", "all blanks are left out", _written(ensure_ascii=False, separators=(",", ":"))),
    Mutant("fields of the body sorted", "fields of the JSON change places", _swap(b'"top_p":1.0,"seed":9007199254740993', b'"seed":9007199254740993,"top_p":1.0')),
    Mutant("escape resolved", "an escaped letter becomes the letter", _swap(b"caf\\u00e9", "café".encode())),
    Mutant("letter escaped", "a letter becomes an escape", _swap("é".encode(), b"\\u00e9")),
    Mutant("slash unescaped", "an escaped slash becomes a slash", _swap(b"\\/", b"/")),
    Mutant("number rewritten", "1e-7 becomes 1e-07", _swap(b"1e-7", b"1e-07")),
    Mutant("number made whole", "1.0 becomes 1", _swap(b'"top_p":1.0', b'"top_p":1')),
    Mutant("number rounded", "2^53+1 becomes 2^53", _swap(b"9007199254740993", b"9007199254740992")),
    Mutant("unknown field dropped", "a field that the proxy does not know is left out", _sub(rb',"x_unknown":\{[^}]*\}', b"")),
    Mutant("field of the body added", "usage is asked for", _swap(b'"stream":true', b'"stream":true,"stream_options":{"include_usage":true}')),
    Mutant("model in lower case", "the model's name loses its capitals", _swap(b'"M-1"', b'"m-1"')),
    Mutant("line end changed", "CR LF in a body becomes LF", _swap(b"\r\n", b"\n")),
    Mutant("bytes decoded", "bytes of a file are taken for UTF-8", _body(lambda body: body.decode("utf-8", "replace").encode())),
    Mutant("last byte cut", "the body loses its last byte", _body(lambda body: body[:-1])),
    Mutant("byte order mark", "a byte order mark is put before the body", _body(lambda body: body and b"\xef\xbb\xbf" + body)),
    Mutant("body dropped", "the body is not passed on", _body(lambda _: b"")),
    Mutant("sent twice", "the request is sent twice", lambda raw: raw + raw),
)  # fmt: skip

# ── answers ───────────────────────────────────────────────────────────────────────────────────────────


ANSWERS = (
    Mutant("content null", "the text of an answer is null", _sub(rb'"content":"(?:[^"\\]|\\.)+"', b'"content":null')),
    Mutant("content empty", "the text of an answer is empty", _sub(rb'"(content|text)":"(?:[^"\\]|\\.)+"', rb'"\1":""')),
    Mutant("content cut", "the text loses its last letter", _sub(rb'("(?:content|text)":"(?:[^"\\]|\\.)*?)[^"\\]"', rb'\1"', 1)),
    Mutant("content trimmed", "blanks at the end of the text are lost", _sub(rb' +"(,"refusal")', rb'"\1')),
    Mutant("content normalised", "é becomes e with an accent", _swap(b"Caf\\u00e9", "Cafe\u0301".encode())),
    Mutant("emoji broken", "half of an escaped pair is lost", _swap(b"\\ud83d\\ude42", b"\\ud83d")),
    Mutant("emoji replaced", "what is beyond 16 bits becomes a question mark", _swap("🙂".encode(), b"?")),
    Mutant("citations dropped", "the server's own annotations are lost", _sub(rb'"annotations":\[\{[^\]]*\]', b'"annotations":[]')),
    Mutant("reasoning dropped", "a field beside the text is lost", _swap(b'"reasoning_content":"It is known.",', b"")),
    Mutant("role dropped", "the role is lost", _sub(rb'"role":"assistant",', b"")),
    Mutant("role changed", "the role is another one", _swap(b'"role":"assistant"', b'"role":"user"')),
    Mutant("finish reason null", "why it ended is lost", _sub(rb'"finish_reason":"\w+"', b'"finish_reason":null')),
    Mutant("finish reason changed", "stop becomes length", _swap(b'"finish_reason":"stop"', b'"finish_reason":"length"')),
    Mutant("stop reason changed", "a message's end is told wrongly", _swap(b'"end_turn"', b'"max_tokens"')),
    Mutant("status changed", "a response is told as incomplete", _swap(b'"status":"completed"', b'"status":"incomplete"')),
    Mutant("usage dropped", "usage is lost", _sub(rb'"usage":\{[^{}]*\}', b'"usage":null')),
    Mutant("usage changed", "tokens are counted wrongly", _sub(rb'"(completion|output)_tokens":7', rb'"\1_tokens":8')),
    Mutant("choice renumbered", "the second choice is told as the first", _swap(b'"index":1', b'"index":0')),
    Mutant("choice dropped", "the second choice is lost", _events(lambda events: [e for e in events if b'"index":1' not in e])),
    Mutant("arguments changed", "blanks in a tool's arguments are lost", _swap(b'{ \\"ci', b'{\\"ci')),
    Mutant("number in arguments", "1.0 in a tool's arguments becomes 1", _swap(b'\\":1.0', b'\\":1')),
    Mutant("input changed", "1.0 in the input of a tool becomes 1", _swap(b'"input":{"z":1.0', b'"input":{"z":1')),
    Mutant("call renamed", "a tool call has another id", _swap(b'"call_1"', b'"call_2"')),
    Mutant("log probabilities dropped", "log probabilities are lost", _sub(rb'"logprobs":\{.*?\}\](?:,"refusal":null)?\}', b'"logprobs":null')),
    Mutant("log probabilities rounded", "-1e-7 becomes 0", _swap(b"-1e-7", b"-0.0")),
    Mutant("unknown field dropped", "a field that the proxy does not know is lost", _sub(rb',"x(?:_unknown)?":(\{.*?\}|\d+)', b"")),
    Mutant("big number rounded", "2^53+1 becomes 2^53", _swap(b"9007199254740993", b"9007199254740992")),
    Mutant("id changed", "the answer has another id", _swap(b'"chatcmpl-1"', b'"chatcmpl-0"')),
    Mutant("model changed", "another model is told", _swap(b'"model":"M-1"', b'"model":"m-1"')),
    Mutant("time changed", "the answer was made at another time", _swap(b"1700000000", b"1700000001")),
    Mutant("fields swapped", "fields of the JSON change places", _swap(b'"index":0,"logprobs":null', b'"logprobs":null,"index":0')),
    Mutant("error rewritten", "an error's JSON is written anew", _swap(b'"param": "messages", ', b'"param":"messages",')),
    Mutant("error's param lost", "what was wrong in the request is not told", _swap(b'"param": "messages"', b'"param": null')),
    Mutant("vector rounded", "numbers of an embedding are written anew", _swap(b"1.0E+2", b"100.0")),
    Mutant("bytes decoded", "bytes of a file are taken for UTF-8", _body(lambda body: body.decode("utf-8", "replace").encode())),
    Mutant("last byte cut", "the body loses its last byte", _body(lambda body: body[:-1])),
    Mutant("byte added", "a line end is put behind the body", _body(lambda body: body and body + b"\n")),
    Mutant("byte order mark", "a byte order mark is put before the body", _body(lambda body: body and b"\xef\xbb\xbf" + body)),
    Mutant("broken off", "the connection ends in the middle of the body", lambda raw: raw[: -len(raw) // 4]),
    Mutant("unpacked badly", "a body stays packed without a word of it", _dropped(b"content-encoding")),
    Mutant("all text dropped", "no event with text arrives", _words(lambda _: [])),
    Mutant("event dropped", "one event with text is lost", _words(lambda said: said[:1] + said[2:])),
    Mutant("first event dropped", "the first event is lost", _events(lambda events: events[1:])),
    Mutant("event doubled", "one event with text comes twice", _words(lambda said: said[:1] + said)),
    Mutant("events swapped", "two events with text change places", _words(lambda said: said[1::-1] + said[2:])),
    Mutant("events reversed", "text comes from its end", _words(lambda said: said[::-1])),
    Mutant("text moved", "text comes behind the end of its choice", _events(lambda events: [*(e for e in events if not _says(e)), *filter(_says, events)])),
    Mutant("end dropped", "the event that ends the stream is lost", _events(lambda events: events[:-1])),
    Mutant("[DONE] dropped", "[DONE] is lost", _swap(b"data: [DONE]\n\n", b"")),
    Mutant("[DONE] doubled", "[DONE] comes twice", _swap(b"data: [DONE]\n\n", b"data: [DONE]\n\ndata: [DONE]\n\n")),
    Mutant("[DONE] moved", "[DONE] comes before the text", _events(lambda events: sorted(events, key=lambda e: b"[DONE]" not in e))),
    Mutant("events run together", "no blank line stands between two events", _words(lambda said: [said[0][:-1], *said[1:]])),
    Mutant("event torn", "a blank line stands within an event", _words(lambda said: [said[0].replace(b"data: {", b"data: {\n\n", 1), *said[1:]])),
    Mutant("garbage", "events are no JSON", _sub(rb"data: ?\{[^\n]*", b"data: garbage")),
    Mutant("comments dropped", "the server's comments are lost", _events(lambda events: [e for e in events if not e.startswith(b":")])),
    Mutant("names dropped", "events have no name", _events(lambda events: [re.sub(rb"^event:[^\n]*\n", b"", e) for e in events])),
    Mutant("line ends changed", "CR LF in a stream becomes LF", _events(lambda events: [e.replace(b"\r\n", b"\n") for e in events])),
    Mutant("numbers fall", "sequence numbers run back", _swap(b'"sequence_number":5', b'"sequence_number":1')),
    Mutant("delta empty", "pieces of text are empty", _sub(rb'"delta":"[^"]+"', b'"delta":""')),
    Mutant("success told", "a failure has the status of a success", _start(rb" (4\d\d|500) ", b" 200 ")),
    Mutant("failure changed", "429 becomes 500", _start(rb" 429 ", b" 500 ")),
    Mutant("204 becomes 200", "an answer without a body has one", _start(rb" 204 ", b" 200 ")),
    Mutant("retry-after dropped", "the client is not told when to try again", _dropped(b"retry-after")),
    Mutant("retry-after changed", "the client is told another time", _value(b"retry-after", lambda _: b"70")),
    Mutant("request id dropped", "the server's id of the request is lost", _dropped(b"x-request-id")),
    Mutant("challenge dropped", "what a 401 asks for is lost", _dropped(b"www-authenticate")),
    Mutant("cookies merged", "two cookies become one field", _merged(b"set-cookie")),
    Mutant("cookie dropped", "cookies are lost", _dropped(b"set-cookie")),
    Mutant("type changed", "events are told as text", _value(b"content-type", lambda v: v.replace(b"event-stream", b"plain"))),
    Mutant("charset changed", "another charset is told", _value(b"content-type", lambda v: v.replace(b"utf-8", b"latin-1").replace(b"UTF-8", b"latin-1"))),
    Mutant("type in lower case", "the content type loses its capitals", _value(b"content-type", bytes.lower)),
    Mutant("file name changed", "blanks in a file's name are lost", _value(b"content-disposition", lambda v: v.replace(b"a b", b"a_b"))),
    Mutant("validator weakened", "a file's tag is lost", _dropped(b"etag")),
    Mutant("field added", "the proxy tells its name", _more(b"via", b"1.1 proxy")),
    Mutant("fields reversed", "fields come in another order", _fields(lambda fields: fields[::-1])),
    Mutant("field folded", "a field's value is written on two lines", _value(b"x-request-id", lambda v: v + b"\r\n "), outer=True),
    Mutant("trailer added", "a field stands behind the body", _trailing, outer=True),
    Mutant("held until complete", "a stream comes only when it is complete", _same, timely=True),
    Mutant("report dropped", "reports are lost", _sub(rb'"guardrail":', b'"annotations":'), outer=True),
    Mutant("our events speak", "an event of ours has words", _swap(b'"delta":{},', b'"delta":{"content":"x"},'), outer=True),
    Mutant("our events end", "an event of ours ends its choice", _sub(rb'("delta":\{\},"finish_reason":)null(\}\],"guardrail")', rb'\1"stop"\2'), outer=True),
    Mutant("our header twice", "an outcome is told twice", _more(b"x-guardrail-id", b"other"), outer=True),
    Mutant("our header dropped", "nobody is told that this was checked", _fields(lambda fields: [p for p in fields if not p[0].startswith(b"x-guardrail-")]), outer=True),
)  # fmt: skip

CONTROLS = (
    Mutant("framed by length", "chunks become a length", lambda raw: written(parse(raw))),
    Mutant("names in capitals", "names of fields are written in capitals", _fields(lambda f: [(n.upper(), v) for n, v in f])),
    Mutant("of the connection", "a field speaks of the connection", _more(b"keep-alive", b"timeout=5")),
)  # fmt: skip
