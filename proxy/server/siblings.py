"""How processes behind one port ask each other for metrics, and for reports that another one keeps.

Each listens on a Unix socket in a folder that only their user may enter. A question is a line, `metrics` or `report ID`; the
answer is all that comes until the end, empty where there is none.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from pathlib import Path

__all__ = ["Siblings", "merged"]

PATIENCE_S = 2.0
LONGEST = 64 * 1024 * 1024
_SAMPLE = re.compile(r"(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})? (?P<value>\S+)")

Answer = Callable[[str], Awaitable[bytes]]


class Siblings:
    """`folder`: where all of them listen; `number`: which of them this process is. `answers`: by the first word of a question."""

    def __init__(self, folder: Path, number: int, answers: Mapping[str, Answer]) -> None:
        self._folder, self.number, self._answers = folder, number, answers
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        own = self._folder / str(self.number)
        own.unlink(missing_ok=True)  # of a process that died
        self._server = await asyncio.start_unix_server(self._answer, own)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            (self._folder / str(self.number)).unlink(missing_ok=True)

    async def ask(self, question: str) -> dict[int, bytes]:
        """What each of the others answers; one that does not in time is left out."""
        others = [int(path.name) for path in self._folder.iterdir() if path.name != str(self.number)]
        found = await asyncio.gather(*(self._ask(number, question) for number in others))
        return {number: answer for number, answer in zip(others, found, strict=True) if answer}

    async def _ask(self, number: int, question: str) -> bytes:
        try:
            async with asyncio.timeout(PATIENCE_S):
                reader, writer = await asyncio.open_unix_connection(self._folder / str(number), limit=LONGEST)
                try:
                    writer.write(question.encode() + b"\n")
                    return await reader.read()
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return b""

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                what, _, which = (await reader.readline()).decode("utf-8", "replace").strip().partition(" ")
                if (answer := self._answers.get(what)) is not None:
                    writer.write(await answer(which))
                    await writer.drain()
        except (OSError, ValueError, TimeoutError):
            return  # whoever asked does without
        finally:
            writer.close()


def merged(texts: Mapping[int, str]) -> str:
    """The metrics of all processes in Prometheus' format, each sample with its `process`; heads stand once."""
    heads: dict[str, list[str]] = {}
    samples: dict[str, list[str]] = {}
    for number, text in sorted(texts.items()):
        for head, lines in _metrics(text.splitlines()):
            name = head[0].split(" ", 3)[2] if head else ""
            heads.setdefault(name, head)
            samples.setdefault(name, []).extend(_labelled(line, number) for line in lines)
    found = [line for name, head in heads.items() for line in (*head, *samples[name])]
    return "\n".join(found) + "\n" if found else ""


def _metrics(lines: Iterable[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The lines that say what a metric is, and its samples."""
    head: list[str] = []
    samples: list[str] = []
    for line in lines:
        if line.startswith("#"):
            if samples:
                yield head, samples
                head, samples = [], []
            head.append(line)
        elif line:
            samples.append(line)
    if head or samples:
        yield head, samples


def _labelled(line: str, number: int) -> str:
    found = _SAMPLE.fullmatch(line)
    if found is None:
        return line
    labels = f"{found['labels']}," if found["labels"] else ""
    return f'{found["name"]}{{{labels}process="{number}"}} {found["value"]}'
