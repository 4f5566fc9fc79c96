"""Fakes of what lies at the far end: a verifier whose verdict stands in the sentence, and a model's server on a real port.

Everything between them in a test is real.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import orjson

from guardrail.types import (
    Claim,
    Entity,
    Evidence,
    Finding,
    Kind,
    Label,
    Linked,
    NotChecked,
    Passage,
    Report,
    Revision,
    Sentence,
    Source,
    Span,
    Unchecked,
    Verdict,
    tile,
)

LABELS = {"true": Label.ATTRIBUTABLE, "wrong": Label.CONTRADICTORY}


@dataclass
class FakeVerifier:
    """A sentence that holds the word `wrong` is contradicted (revision: `right`), one with `true` is attributable,
    one with `fail` is not checked, a question is skipped, anything else is extrapolatory. `delay`: seconds per sentence.
    One with `hangs` waits for `gate`, one with `breaks` raises.
    """

    delay: float = 0.0
    versions: dict[str, str] = field(default_factory=lambda: {"knowledge": "fake"})
    sessions: list[FakeSession] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)
    remote: None = None
    reviewer: None = None

    def judges(self) -> dict[str, str]:
        return {}

    def current_versions(self) -> dict[str, str]:
        return self.versions

    def session(self, **given: object) -> FakeSession:
        session = FakeSession(self, given)
        self.sessions.append(session)
        return session


class FakeSession:
    def __init__(self, verifier: FakeVerifier, given: dict[str, object]) -> None:
        self.verifier, self.given = verifier, given
        self.findings: list[Finding] = []
        self.lock = threading.Lock()

    def check(self, sentence: Sentence, *, deadline: float | None = None) -> tuple[Finding, ...]:
        assert self.lock.acquire(blocking=False), "a session is used by two threads at once"
        try:
            if self.verifier.delay:
                time.sleep(self.verifier.delay)
            if "hangs" in sentence.text:
                self.verifier.gate.wait(30)
            if "breaks" in sentence.text:
                raise ValueError("a checker broke")
            if deadline is not None and time.monotonic() > deadline:
                finding: Finding = Unchecked(sentence.span, sentence.text, NotChecked.DEADLINE)
            else:
                finding = judge(sentence, len(self.findings))
            self.findings.append(finding)
            return (finding,)
        finally:
            self.lock.release()

    def skip(self, sentence: Sentence, reason: NotChecked, detail: str = "") -> Unchecked:
        finding = Unchecked(sentence.span, sentence.text, reason, detail)
        self.findings.append(finding)
        return finding

    def resume(self, sentence: Sentence, findings: Sequence[Finding]) -> None:
        self.findings.extend(findings)

    def report(self, text: str) -> Report:
        verdicts = tuple(f for f in self.findings if isinstance(f, Verdict))
        unchecked = tuple(f for f in self.findings if isinstance(f, Unchecked))
        spans = [v.claim.span for v in verdicts] + [u.span for u in unchecked]
        entity = Entity("Q1", "universe", url="https://example.org/Q1")
        return Report(
            text,
            verdicts,
            unchecked,
            skipped=tuple(f for f in self.findings if isinstance(f, Claim)),
            gaps=tile(text, spans),
            entities=(Linked(entity, ()),),
            kas=0.25 if any(v.label is Label.CONTRADICTORY for v in verdicts) else 0.75,
        )


def judge(sentence: Sentence, number: int = 0) -> Finding:
    """What the fake verifier says about a sentence."""
    words = re.findall(r"\w+", sentence.text.lower())
    if "fail" in words:
        return Unchecked(sentence.span, sentence.text, NotChecked.ERROR, "FakeError")
    question = sentence.text.endswith("?")
    claim = Claim(
        number, sentence.span, sentence.text, sentence.text, kind=Kind.QUESTION if question else Kind.FACT
    )
    if question:
        return claim
    label = next((LABELS[word] for word in words if word in LABELS), Label.EXTRAPOLATORY)
    passage = Passage("p1", "what is known", Source.CORPUS, title="A source", url="https://example.org/p1")
    revisions: tuple[Revision, ...] = ()
    if label is Label.CONTRADICTORY and "unrevisable" not in words:
        at = sentence.span.start + sentence.text.lower().index("wrong")
        revisions = (Revision(Span(at, at + 5), "right", sentence.text.replace("wrong", "right")),)
    return Verdict(
        claim,
        label,
        0.9,
        Evidence(passages=(passage,)) if label is not Label.EXTRAPOLATORY else Evidence(),
        f"It is {label.value}.",
        "fake",
        revisions=revisions,
    )


# ── the model's server ────────────────────────────────────────────────────────────────────────────────


@dataclass
class Script:
    """What the server does with one request: raw bytes to write, with pauses; then it closes the connection or not.

    `pieces`: bytes to write, or seconds to wait. `hang`: never end. `cut`: close without the end of the body.
    """

    pieces: Iterable[bytes | float] = ()
    status: int = 200
    headers: Sequence[tuple[str, str]] = (("content-type", "text/event-stream"),)
    hang: bool = False
    cut: bool = False


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, object]:
        found: dict[str, object] = orjson.loads(self.body)
        return found


class FakeModel:
    """An HTTP server that answers by script, byte for byte; `requests` are those it got, `closed` how many ended early."""

    def __init__(self, script: Callable[[Request], Script] | Script) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.closed = 0
        self.url = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[FakeModel]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._tasks: set[asyncio.Task[None] | None] = set()
        try:
            yield self
        finally:
            server.close()
            for task in self._tasks:
                if task:
                    task.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.current_task())
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except asyncio.CancelledError:
            return
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        except asyncio.IncompleteReadError:
            return False
        method, path, _ = head[0].split(" ")
        headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        request = Request(method, path, headers, body)
        self.requests.append(request)
        script = self.script if isinstance(self.script, Script) else self.script(request)
        lines = [
            f"HTTP/1.1 {script.status} OK",
            *(f"{n}: {v}" for n, v in script.headers),
            "transfer-encoding: chunked",
            "connection: close",
        ]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
        return await self._play(script, reader, writer)

    async def _play(self, script: Script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        gone = asyncio.create_task(reader.read(1))
        gone.add_done_callback(lambda task: task.cancelled() or task.exception())
        for piece in itertools.chain(script.pieces, [3600.0] if script.hang else []):
            if isinstance(piece, float | int):
                await writer.drain()
                done, _ = await asyncio.wait({gone}, timeout=piece)
                if done:
                    self.closed += 1
                    return False
            elif piece:
                writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if not script.cut:
            writer.write(b"0\r\n\r\n")
        await writer.drain()
        gone.cancel()
        return False


def chunk(content: str | None = None, *, index: int = 0, finish: str | None = None, **more: object) -> bytes:
    """One event of a streamed chat completion."""
    delta: dict[str, object] = {} if content is None else {"content": content}
    delta |= more.pop("delta", {})  # type: ignore[arg-type,operator]
    choice = {"index": index, "delta": delta, "finish_reason": finish}
    body = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [choice],
        **more,
    }
    return b"data: " + orjson.dumps(body) + b"\n\n"


DONE = b"data: [DONE]\n\n"


def spoken(text: str, *, size: int = 5, usage: bool = False) -> list[bytes]:
    """A streamed chat completion that says `text`, `size` characters at a time."""
    body = [chunk(text[i : i + size]) for i in range(0, len(text), size)]
    end = [chunk(finish="stop")]
    if usage:
        counted = {"prompt_tokens": 3, "completion_tokens": 7, "total_tokens": 10}
        head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        end.append(b"data: " + orjson.dumps({**head, "choices": [], "usage": counted}) + b"\n\n")
    return [chunk("", delta={"role": "assistant"}), *body, *end, DONE]


def completion(*texts: str, **more: object) -> bytes:
    """A whole chat completion with one choice for each text."""
    choices = [
        {"index": i, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for i, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 3, "completion_tokens": 7, "total_tokens": 10}
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": choices,
        "usage": usage,
    }
    return orjson.dumps({**body, **more})
