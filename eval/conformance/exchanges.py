"""Exchanges with a model's server as bytes: what a client sends and what the server answers, in unusual but legal forms.

`HOST` in a request stands for the address that is asked. The texts are true or state nothing, so no policy changes a word.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

HOST = b"HOST"
_KEY = "Authorization: Bearer sk-Of-The-Client_09"


class Reads(Enum):
    """What the proxy reads of an answer: nothing, a whole JSON object, or a stream of events."""

    NOTHING = auto()
    WHOLE = auto()
    EVENTS = auto()


@dataclass(frozen=True, slots=True)
class Exchange:
    """`answer`: pieces as they are written, framing included. `policies`: those it is played under.

    `known`: by policy, why a problem of this exchange is known and stays for now.
    """

    name: str
    request: bytes
    answer: tuple[bytes, ...]
    reads: Reads = Reads.NOTHING
    policies: tuple[str, ...] = ("annotate",)
    known: Mapping[str, str] = field(default_factory=dict)


def asked(line: str, body: bytes = b"", *fields: str, kind: str = "application/json") -> bytes:
    """A request as bytes; the connection is closed behind its answer."""
    head = [line + " HTTP/1.1", "Host: HOST", "Connection: close", _KEY, *fields]
    if body:
        head += [f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body


def whole(body: bytes, *fields: str, status: str = "200 OK", kind: str = "application/json") -> tuple[bytes]:
    """An answer in one piece, framed by its length."""
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", *fields, f"Content-Length: {len(body)}"]
    return ("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body,)


def streamed(body: bytes, *fields: str, size: int = 61) -> tuple[bytes, ...]:
    """An answer in chunks of `size` bytes, which end in the middle of events, lines and characters."""
    head = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream; charset=utf-8", *fields]
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    start = "\r\n".join([*head, "Transfer-Encoding: chunked"]).encode("latin-1") + b"\r\n\r\n"
    return (start, *(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces), b"0\r\n\r\n")


def events(*data: bytes, end: bytes = b"[DONE]") -> bytes:
    """Server-sent events with one line of data each."""
    return b"".join(b"data: " + one + b"\n\n" for one in (*data, *([end] if end else [])))


def named(*data: bytes) -> bytes:
    """Events with the name that stands as `type` in their data."""
    found = ((one.split(b'"type":"', 1)[1].split(b'"', 1)[0], one) for one in data)
    return b"".join(b"event: %s\ndata: %s\n\n" % pair for pair in found)


ALL = ("annotate", "revise", "block")
SHOWN = ("annotate", "revise")  # the policies under which words beside the answer pass
CHAT = "POST /v1/chat/completions"
_FIELDS = (
    "User-Agent: Client/1.0 (Some; Thing)",
    "Accept: application/json;q=0.9, */*;q=0.1",
    'X-Custom: One,Two;  three="Four"',
    "X-Repeated: second",
    "X-Repeated: First",
    "OpenAI-Organization: Org-9",
    "Idempotency-Key: stainless-Retry-77",
    "Cookie: a=1; b=2",
)
# Odd spacing, key order, escapes beside raw characters, numbers that no two writers write alike.
_ASKED = """{ "model" : "M-1" ,"messages":[\r\n\t{"content":"Say caf\\u00e9 – café 🙂 \\ud83d\\ude42 \\/ \\"x\\"","role":"user"} ],
 "temperature":1e-7,"top_p":1.0,"seed":9007199254740993,"metadata":{"z":"1","a":"2"},"x_unknown":{"b":[ ],"a":-0.0} } """.encode()
_STREAM = b'{"model":"M-1","stream":true,"messages":[{"role":"user","content":"What is the capital?"}]}'
_RATE = (
    "X-Request-Id: req_1",
    "X-RateLimit-Remaining-Requests: 59",
    "Set-Cookie: a=1; Path=/",
    "Set-Cookie: b=2, Secure",
)
_TEXT = "Canberra is the capital of Australia."


def _piece(delta: bytes, index: int = 0, finish: bytes = b"null", more: bytes = b"") -> bytes:
    choice = b'{"index":%d,"delta":%s,"logprobs":null,"finish_reason":%s}' % (index, delta, finish)
    head = b'{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"M-1"'
    return head + b',"system_fingerprint":"fp_1","choices":[' + choice + b"]" + more + b"}"


def _said(text: str, index: int = 0) -> list[bytes]:
    """Chunks of a few characters each."""
    parts = [text[at : at + 7] for at in range(0, len(text), 7)]
    return [_piece(b'{"content":"%s"}' % part.encode(), index) for part in parts]


_USAGE = (
    b'{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"M-1","choices":[],'
    b'"usage":{"prompt_tokens":3,"completion_tokens":7,"total_tokens":10}}'
)
_ROLE = b'{"role":"assistant","content":"","refusal":null}'
_MESSAGE = (
    '{ "id":"chatcmpl-1", "object":"chat.completion", "created":1700000000, "model":"M-1", "choices":[{"index":0,'
    '"message":{"role":"assistant","content":"'
    + _TEXT
    + ' Caf\\u00e9, 🙂 \\ud83d\\ude42 \\/ tab\\tend ","refusal":null,'
    '"reasoning_content":"It is known.","annotations":[]},"logprobs":{"content":[{"token":"'
    + _TEXT
    + ' Caf\\u00e9, 🙂 \\ud83d\\ude42 \\/ tab\\tend ","logprob":-1e-7,"bytes":null,"top_logprobs":[]}],"refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,'
    '"completion_tokens":7,"total_tokens":10},"service_tier":"default","x_unknown":{"b":1.50,"a":9007199254740993,"e":[]}}\n'
).encode()
_TWO = (
    '{"id":"chatcmpl-2","object":"chat.completion","created":1,"model":"M-1","choices":[{"finish_reason":"stop","index":0,'
    '"message":{"content":"'
    + _TEXT
    + '","role":"assistant"}},{"finish_reason":"length","index":1,"message":{"content":'
    '"Paris is the capital of France.","role":"assistant","annotations":[{"type":"url_citation","url_citation":{"url":"https://e.org",'
    '"title":"t","start_index":0,"end_index":5}}]}}],"usage":null}'
).encode()
_TOOLS = (
    b'{"id":"chatcmpl-3","object":"chat.completion","created":1,"model":"M-1","choices":[{"index":0,"message":{"role":'
    b'"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"look_up","arguments":'
    b'"{ \\"city\\": \\"Canberra\\", \\"n\\":1.0}"}}]},"logprobs":null,"finish_reason":"tool_calls"}]}'
)
_CALLS = [
    _piece(
        b'{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":'
        b'{"name":"look_up","arguments":""}}]}'
    ),
    *(
        _piece(b'{"tool_calls":[{"index":0,"function":{"arguments":"%s"}}]}' % part)
        for part in (b'{ \\"ci', b'ty\\":1.0', b"}")
    ),
    _piece(b"{}", finish=b'"tool_calls"'),
]
_PROBS = [
    b'{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"M-1","choices":[{"index":0,"delta":{"content":"%s"},'
    b'"logprobs":{"content":[{"token":"%s","logprob":-1e-7,"bytes":null,"top_logprobs":[]}]},"finish_reason":null}]}'
    % (part, part)
    for part in (b"Canberra is", b" the capital", b" of Australia.")
]
# Odd but legal events: comments, no blank behind the colon, CR LF, several lines of data, an id, a name.
_ODD = (
    b": hello\n\n" + events(_piece(_ROLE), end=b"")
    + b"id: 7\r\ndata:" + _said("It is known.")[0] + b"\r\n\r\n"
    + b"event: message\nretry: 10\ndata: " + _said(" fact.")[0].replace(b",", b",\ndata: ", 1) + b"\n\n"
    + events('{ "choices":[{"delta":{"content":" Caf\\u00e9 🙂\\ud83d\\ude42."},"index":0}],"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"M-1","x":9007199254740993}'.encode(),
             _piece(b"{}", finish=b'"stop"'), _USAGE)
)  # fmt: skip
_RESPONSE = (
    '{"id":"resp_1","object":"response","created_at":1700000000,"status":"completed","model":"M-1","output":[{"id":"rs_1",'
    '"type":"reasoning","summary":[]},{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":'
    '[{"type":"output_text","text":"'
    + _TEXT
    + '","annotations":[],"logprobs":[]}]}],"usage":{"input_tokens":3,"output_tokens":7,'
    '"total_tokens":10},"temperature":1.0,"metadata":{"z":"1"}}'
).encode()
_AT = b'"item_id":"msg_1","output_index":1,"content_index":0,'
_PART = ('"part":{"type":"output_text","text":"' + _TEXT + '","annotations":[],"logprobs":[]}').encode()
_RESPONSE_EVENTS = [
    b'{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","output":[],"status":"in_progress"}}',
    b'{"type":"response.content_part.added","sequence_number":1,'
    + _AT
    + b'"part":{"type":"output_text","text":"","annotations":[]}}',
    *(
        b'{"type":"response.output_text.delta","sequence_number":%d,' % number
        + _AT
        + b'"delta":"%s","logprobs":[]}' % part
        for number, part in enumerate((b"Canberra is", b" the capital", b" of Australia."), 2)
    ),
    b'{"type":"response.output_text.done","sequence_number":5,'
    + _AT
    + b'"text":"%s","logprobs":[]}' % _TEXT.encode(),
    b'{"type":"response.content_part.done","sequence_number":6,' + _AT + _PART + b"}",
    b'{"type":"response.completed","sequence_number":7,"response":' + _RESPONSE + b"}",
]
_ANTHROPIC = (
    '{"id":"msg_1","type":"message","role":"assistant","model":"M-1","content":[{"type":"text","text":"'
    + _TEXT
    + '"},'
    '{"type":"tool_use","id":"toolu_1","name":"look_up","input":{"z":1.0,"a":[]}}],"stop_reason":"tool_use","stop_sequence":null,'
    '"usage":{"input_tokens":3,"output_tokens":7}}'
).encode()
_ANTHROPIC_EVENTS = [
    b'{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"M-1","content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}}',
    b'{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    b'{"type":"ping"}',
    *(
        b'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s"}}' % part
        for part in (b"Canberra is", b" the capital", b" of Australia.")
    ),
    b'{"type":"content_block_stop","index":0}',
    b'{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":7}}',
    b'{"type":"message_stop"}',
]
_COMPLETION = (
    '{"id":"cmpl-1","object":"text_completion","created":1,"model":"M-1","choices":[{"text":"'
    + _TEXT
    + '","index":0,"logprobs":'
    'null,"finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":7,"total_tokens":10}}'
).encode()
_PARTS = [
    b'{"id":"cmpl-1","object":"text_completion","created":1,"model":"M-1","choices":[{"text":"%s","index":0,"logprobs":null,"finish_reason":null}]}'
    % part
    for part in (b"Canberra is", b" the capital", b" of Australia.")
]
_FORM = (
    b'--Bound_9\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nassistants\r\n--Bound_9\r\nContent-Disposition: form-data; '
    b'name="file"; filename="caf\xc3\xa9.bin"\r\nContent-Type: application/octet-stream\r\n\r\n'
    + bytes(range(256))
    + b"\r\n--Bound_9--\r\n"
)
_ERROR = b'{ "error": {"message": "Caf\\u00e9: %s", "type": "invalid_request_error", "param": "messages", "code": null} }\n'
_ANY = b'{"model":"M-1","messages":[{"role":"user","content":"Hello"}]}'
_EMBEDDED = b'{ "object":"list", "data":[{"object":"embedding","index":0,"embedding":[1e-7, 0.10, -0.0, 1.0E+2]}], "model":"M-1" }\r\n'


EXCHANGES = (
    Exchange("chat", asked(CHAT, _ASKED, *_FIELDS), whole(_MESSAGE, *_RATE), Reads.WHOLE, SHOWN),
    Exchange("chat, nothing beside", asked(CHAT, _ASKED, *_FIELDS), whole(_MESSAGE.replace(b"It is known.", b""), *_RATE), Reads.WHOLE, ("block",)),
    Exchange("chat, n=2", asked(CHAT, _ANY), whole(_TWO), Reads.WHOLE, SHOWN),
    Exchange("chat, n=2, nothing beside", asked(CHAT, _ANY), whole(_TWO.replace(b'"title":"t"', b'"title":""')), Reads.WHOLE, ("block",)),
    Exchange("chat, a tool call", asked(CHAT, _ANY), whole(_TOOLS), Reads.WHOLE, ALL),
    Exchange("chat, gzip", asked(CHAT, _ANY, "Accept-Encoding: gzip"),
             whole(gzip.compress(_TWO, mtime=0), "Content-Encoding: gzip"), Reads.WHOLE, SHOWN),
    Exchange("chat, big numbers", asked(CHAT, _ANY),
             whole(_TWO.replace(b'"usage":null', b'"x":123456789012345678901234567890,"y":0.1234567890123456789')), Reads.WHOLE,
             known={"annotate": "numbers beyond 64 bits lose digits when a whole answer is written anew"}),
    Exchange("chat stream", asked(CHAT, _STREAM, *_FIELDS),
             streamed(events(_piece(_ROLE), *_said(_TEXT), _piece(b"{}", finish=b'"stop"'), _USAGE), *_RATE), Reads.EVENTS, ALL),
    Exchange("chat stream, odd events", asked(CHAT, _STREAM), streamed(_ODD, size=37), Reads.EVENTS),
    Exchange("chat stream, n=2", asked(CHAT, _STREAM),
             streamed(events(*(one for pair in zip(_said(_TEXT), _said("Paris is the capital of France.", 1), strict=False) for one in pair),
                             *_said(_TEXT)[5:], _piece(b"{}", finish=b'"stop"'), _piece(b"{}", 1, b'"length"'))), Reads.EVENTS, ALL),
    Exchange("chat stream, tool calls", asked(CHAT, _STREAM), streamed(events(*_CALLS, _USAGE)), Reads.EVENTS, ALL),
    Exchange("chat stream, log probabilities", asked(CHAT, _STREAM),
             streamed(events(*_PROBS, _piece(b"{}", finish=b'"stop"'))), Reads.EVENTS, ALL),
    Exchange("chat stream, gzip", asked(CHAT, _STREAM),
             streamed(gzip.compress(events(*_said(_TEXT), _piece(b"{}", finish=b'"stop"')), mtime=0), "Content-Encoding: gzip"), Reads.EVENTS),
    Exchange("response", asked("POST /v1/responses?include=a%20b", b'{"model":"M-1","input":"Hello"}'), whole(_RESPONSE), Reads.WHOLE, ALL),
    Exchange("response stream", asked("POST /v1/responses", b'{"input":"Hello", "stream":true,"model":"M-1"}'),
             streamed(named(*_RESPONSE_EVENTS)), Reads.EVENTS, ALL),
    Exchange("message", asked("POST /v1/messages", b'{"max_tokens":9,"model":"M-1","messages":[{"role":"user","content":"Hello"}]}',
                              "X-Api-Key: sk-Ant-1", "Anthropic-Version: 2023-06-01", "Anthropic-Beta: a,B"), whole(_ANTHROPIC), Reads.WHOLE, ALL),
    Exchange("message stream", asked("POST /v1/messages", b'{"max_tokens":9,"stream":true,"model":"M-1","messages":[]}', "Anthropic-Version: 2023-06-01"),
             streamed(named(*_ANTHROPIC_EVENTS)), Reads.EVENTS, ALL),
    Exchange("completion", asked("POST /v1/completions", b'{"prompt":"Hello","model":"M-1"}'), whole(_COMPLETION), Reads.WHOLE, ALL),
    Exchange("chat stream, usage and log probabilities", asked(CHAT, _STREAM),
             streamed(events(*(one[:-1] + b',"usage":null}' for one in (*_PROBS, _piece(b"{}", finish=b'"stop"'))), _USAGE)), Reads.EVENTS, ALL),
    Exchange("completion stream", asked("POST /v1/completions", b'{"prompt":"Hello","stream":true,"model":"M-1"}'),
             streamed(events(*_PARTS, _COMPLETION.replace(_TEXT.encode(), b""))), Reads.EVENTS, ALL),
    Exchange("completion stream, running usage", asked("POST /v1/completions", b'{"prompt":"Hello","stream":true,"model":"M-1"}'),
             streamed(events(_COMPLETION.replace(b'"length"', b"null"), _COMPLETION.replace(_TEXT.encode(), b""))), Reads.EVENTS, ALL,
             dict.fromkeys(("revise", "block"), "of usage that is told with each piece of text, only the last is passed on")),
    Exchange("chat stream, an emoji in two halves", asked(CHAT, _STREAM),
             streamed(events(*(_piece(b'{"content":"%s"}' % half) for half in (b"It is \\ud83d", b"\\ude00.")), _piece(b"{}", finish=b'"stop"'))),
             Reads.EVENTS, ALL),
    Exchange("chat, no number", asked(CHAT, _ANY), whole(_MESSAGE.replace(b"-1e-7", b"-Infinity")), Reads.WHOLE, ALL,
             dict.fromkeys(ALL, "a number that is none is null when a whole answer is written anew")),
    Exchange("chat, fields of ours from the server", asked(CHAT, _ANY),
             whole(_TWO, "X-Guardrail-Outcome: forged", "X-Guardrail-Id: other"), Reads.WHOLE, ALL,
             {"block": "a citation's title is text beside the answer, which `beside: withhold` empties"}),
    Exchange("chat stream, fields of ours from the server", asked(CHAT, _STREAM),
             streamed(events(*_said(_TEXT), _piece(b"{}", finish=b'"stop"')), "X-Guardrail-Outcome: forged", "X-Guardrail-Id: other"), Reads.EVENTS, ALL),
    Exchange("models, fields of ours from the server", asked("GET /v1/models"), whole(b"{}", "X-Guardrail-Outcome: forged")),
    Exchange("embeddings", asked("POST /v1/embeddings", _ASKED), whole(_EMBEDDED, "X-Request-Id: req_2")),
    Exchange("models, a query", asked("GET /v1/models?limit=2&after=m%201&after=%C3%A9+x&empty=&%5Ba%5D=%2f", b"", *_FIELDS),
             whole(b'{"object":"list","data":[]}', kind="Application/JSON; Charset=UTF-8")),
    Exchange("models, a path", asked("GET /v1/models/Org%2FName:X@1~(b)"), whole(b'{"id":"Org/Name"}\n')),
    Exchange("models, HEAD", asked("HEAD /v1/models"), (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n",)),
    Exchange("files, an upload", asked("POST /v1/files", _FORM, kind='multipart/form-data; boundary="Bound_9"'), whole(b'{"id":"file-1"}')),
    Exchange("files, a download", asked("GET /v1/files/file-1/content", b"", "Range: bytes=0-"),
             whole(bytes(range(256)) * 9, 'Content-Disposition: attachment; filename="a b.bin"', kind="application/octet-stream")),
    Exchange("files, gzip", asked("GET /v1/files/file-2/content", b"", "Accept-Encoding: gzip, br;q=0.5"),
             whole(gzip.compress(_EMBEDDED, mtime=0), "Content-Encoding: gzip", "ETag: W/\"x\"", "Vary: Accept-Encoding")),
    Exchange("files, no length", asked("GET /v1/files/file-3/content"), (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nline\r\n", b"end")),
    Exchange("files, deleted", asked("DELETE /v1/files/file-1"), (b"HTTP/1.1 204 No Content\r\nX-Request-Id: req_3\r\n\r\n",)),
    *(
        Exchange(f"chat, {status}", asked(CHAT, _ANY), whole(_ERROR % status.encode(), *fields, status=status))
        for status, fields in (
            ("400 Bad Request", ()),
            ("401 Unauthorized", ('WWW-Authenticate: Bearer realm="x"',)),
            ("404 Not Found", ()),
            ("429 Too Many Requests", ("Retry-After: 7", "Retry-After-Ms: 6500", "X-Should-Retry: true")),
            ("500 Internal Server Error", ("X-Request-Id: req_4",)),
        )
    ),
    Exchange("runs, events that are passed on", asked("POST /v1/threads/t_1/runs", b'{"stream": true}'),
             streamed(b"event: thread.run.created\r\ndata: { }\r\n\r\n: odd\n\ndata: [DONE]\n\n", "OpenAI-Version: 2020-10-01")),
)  # fmt: skip
