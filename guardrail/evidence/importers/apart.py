"""Reading on one core while another writes: a reader at work in a process of its own.

Parsing and writing take about the same time, so that two cores import nearly twice as fast as one. A file that is small
is read in place: a process takes longer to start.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.chunk import Chunk, FileReader
from guardrail.evidence.importers.source import Source

WORTH_A_PROCESS = 16_000_000
"""Bytes on the disk."""

_Failure = tuple[str, int | None]


def chunks(reader: FileReader, source: Source, *, skip: int) -> Iterator[Chunk]:
    """What `reader.chunks` gives, with the position in the file; read in another process where that is worth it."""
    if source.size >= WORTH_A_PROCESS and (os.cpu_count() or 1) > 1:
        yield from _apart(reader, source.path, skip)
        return
    for chunk in reader.chunks(source, skip=skip):
        chunk.position = source.position
        yield chunk


def _apart(reader: FileReader, path: Path, skip: int) -> Iterator[Chunk]:
    command = [sys.executable, "-m", "guardrail.evidence.importers.apart"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            pickle.dump((reader, path, skip), worker.stdin)
            worker.stdin.close()
            while True:
                received: Chunk | _Failure | None = pickle.load(worker.stdout)
                if received is None:
                    break
                if isinstance(received, tuple):
                    raise ImportFailed(path, received[0], line=received[1])
                yield received
        except (EOFError, pickle.UnpicklingError, BrokenPipeError) as error:
            raise ImportFailed(path, "the process that read it ended too early (out of memory?)") from error
        finally:
            worker.kill()


def main() -> None:
    """The other process. It ends when the importing one does: a pipe that nobody reads cannot be written to."""
    reader, path, skip = pickle.load(sys.stdin.buffer)
    out = sys.stdout.buffer
    try:
        with Source.open(path) as source:
            for chunk in reader.chunks(source, skip=skip):
                chunk.position = source.position
                pickle.dump(chunk, out, protocol=pickle.HIGHEST_PROTOCOL)
                out.flush()
        pickle.dump(None, out)
    except ImportFailed as error:
        pickle.dump((error.cause, error.line), out)
    out.flush()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)
