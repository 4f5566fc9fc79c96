"""Files that commands write: whole under their name, or not there at all.

What is written goes into a file beside the target, to the disk, and then takes its name in one step. A full disk, a record
that cannot be read, Ctrl-C or `kill -9` leave what was there before. Pipes and devices (`/dev/stdout`) are written to as
they are.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from guardrail.errors import BadRequest

__all__ = ["Unwritable", "output", "whole_file"]


class Unwritable(BadRequest):
    """The file that was named cannot be written: full disk, no right, no such directory."""

    def __init__(self, path: Path | str, error: OSError) -> None:
        super().__init__(f"cannot write {path}: {error.strerror or error}")


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that stands at `path` when the block ends, and is gone when it raises. Raises Unwritable."""
    target = path.resolve()  # a link stays one: what it points to is replaced
    if target.exists() and not target.is_file():
        try:
            with target.open("wb") as out:
                yield out
        except OSError as error:
            raise Unwritable(path, error) from error
        return
    beside = target.with_name(f".{target.name[:100]}.{uuid4().hex[:8]}.part")
    try:
        with beside.open("xb") as out:
            if target.exists():
                os.fchmod(out.fileno(), target.stat().st_mode & 0o777)
            yield out
            out.flush()
            os.fsync(out.fileno())
        beside.replace(target)
    except OSError as error:
        raise Unwritable(path, error) from error
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def output(path: Path | None) -> Iterator[BinaryIO]:
    """`whole_file`, or standard output where none is named. Raises Unwritable; a pipe that was closed is not told."""
    if path is not None:
        with whole_file(path) as out:
            yield out
        return
    stream = sys.stdout.buffer
    try:
        yield stream
        stream.flush()
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # whoever read has enough: click ends the program
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), 1
        )  # what is still in the buffer cannot be written at the end either
        raise Unwritable("standard output", error) from error
