"""Random exchanges between a client and a model's server, each with a name that stands in all that belongs to it.

Both sides know from the name alone what happens: how the answer is framed, cut, preceded and followed, and who breaks it off.
"""

from __future__ import annotations

import asyncio
import gzip
import random
import re
from dataclasses import dataclass, field

HEAD = re.compile(rb"(GET|POST) /v1/files/(\d+) HTTP/1\.1\r\n")
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
FOREIGN = b"HTTP/1.1 200 OK\r\ncontent-length: 7\r\nx-name: foreign\r\n\r\nforeign"


def text(name: int, size: int, *, side: bytes) -> bytes:
    """`size` bytes that say whose they are, wherever they are cut."""
    unit = b"<%b %d>" % (side, name)
    return (unit * (size // len(unit) + 1))[:size]


@dataclass(frozen=True)
class Plan:
    """What happens in the exchange `name`."""

    name: int
    asked: bytes  # the body of the request
    body: bytes  # that of the answer
    framing: str
    packed: bool
    infos: int  # 1xx heads before the answer
    early: bool  # the answer comes before the request's body was read
    behind: bytes  # what follows the answer without being asked for
    pieces: int
    breaks_off: float | None  # after this part of the answer the server closes the connection
    leaves: float | None  # after this part of the body the client goes

    @classmethod
    def of(cls, name: int) -> Plan:
        dice = random.Random(name)

        def size(most: int) -> int:
            return dice.choice((0, 1, int(most ** dice.random()), int(most * dice.random())))

        return cls(
            name,
            asked=text(name, size(100_000), side=b"question") if dice.random() < 0.5 else b"",
            body=text(name, size(300_000), side=b"answer"),
            framing=dice.choice(("length", "length", "chunked", "chunked", "close")),
            packed=dice.random() < 0.3,
            infos=dice.choice((0, 0, 0, 1, 50)),
            early=dice.random() < 0.2,
            behind=dice.choice((b"",) * 8 + (b"\r\n", b"x", FOREIGN, FOREIGN[:20])),
            pieces=dice.choice((1, 1, 2, 7)),
            breaks_off=dice.random() if dice.random() < 0.1 else None,
            leaves=dice.random() if dice.random() < 0.1 else None,
        )

    def wire(self) -> bytes:
        """The answer as it is sent."""
        body = gzip.compress(self.body, 1) if self.packed else self.body
        head = [b"HTTP/1.1 200 OK", b"x-name: %d" % self.name, b"content-type: text/plain"]
        if self.packed:
            head.append(b"content-encoding: gzip")
        if self.framing == "length":
            head.append(b"content-length: %d" % len(body))
        elif self.framing == "chunked":
            head.append(b"transfer-encoding: chunked")
            dice = random.Random(-self.name)
            body = b"".join(self._chunks(dice, body)) + b"0\r\nx-trailer: %d\r\n\r\n" % self.name
        else:
            head.append(b"connection: close")
        infos = b"HTTP/1.1 103 Early\r\nx-name: info\r\n\r\n" * self.infos
        return infos + b"\r\n".join(head) + b"\r\n\r\n" + body

    def begun(self) -> bool:
        """Whether a byte of the answer's body is sent."""
        wire = self.wire()
        sent = len(wire) if self.breaks_off is None else int(len(wire) * self.breaks_off)
        return wire.index(b"\r\n\r\n", wire.index(b"HTTP/1.1 200")) + 4 < sent

    @staticmethod
    def _chunks(dice: random.Random, body: bytes) -> list[bytes]:
        found, at = [], 0
        while at < len(body):
            size = dice.choice((1, 100, 5000, 100_000))
            piece = body[at : at + size]
            found.append(b"%x;note=1\r\n%b\r\n" % (len(piece), piece))
            at += size
        return found


@dataclass
class Server:
    """Answers as the plans say; `wrong` are requests whose body was not theirs. `seen` counts connections."""

    wrong: list[bytes] = field(default_factory=list)
    seen: int = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.seen += 1
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        asked = HEAD.match(head)
        if asked is None:
            self.wrong.append(head)
            return False
        plan, length = Plan.of(int(asked[2])), LENGTH.search(head)
        size = int(length[1]) if length else 0
        if not plan.early:
            await self._read(reader, plan, size)
        wire = plan.wire()
        if plan.breaks_off is not None:
            writer.write(wire[: int(len(wire) * plan.breaks_off)])
            await writer.drain()
            return False
        # What nobody asked for comes with the end of the answer, which is what a client can see before it goes on.
        step = len(wire) // plan.pieces + 1
        for at in range(0, len(wire), step):
            last = at + step >= len(wire)
            writer.write(wire[at : at + step] + (plan.behind if last and plan.framing != "close" else b""))
            await writer.drain()
            await asyncio.sleep(0)
        if plan.early:
            await self._read(reader, plan, size)
        return plan.framing != "close"

    async def _read(self, reader: asyncio.StreamReader, plan: Plan, size: int) -> None:
        if await reader.readexactly(size) != plan.asked:
            self.wrong.append(b"the body of %d" % plan.name)


def agrees(
    plan: Plan, name: bytes | None, body: bytes, *, broken: bool, left: bool, decoded: bool = True
) -> bool:
    """Whether what a client got is of this exchange and of no other, and whole unless somebody broke it off.

    `decoded`: the proxy has read it, and so knows where what is compressed ends, if it begins.
    """
    if name is not None and name != b"%d" % plan.name:
        return False
    if not plan.body.startswith(body):
        return False
    if broken:
        return plan.breaks_off is not None
    whole = body == plan.body
    if whole or left or plan.breaks_off is None or plan.framing != "close":
        return whole or left
    return not (plan.packed and decoded and plan.begun())
