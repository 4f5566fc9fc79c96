"""Uploaded files that wait for a decision, each in a folder of its own until it is used, discarded or expired."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.requests import Request

from guardrail.errors import BadRequest
from proxy.server.admission import Bodies, ClientGone, Overloaded

__all__ = ["Upload", "Uploads", "named", "received"]

MOST = 8  # files that wait at a time; the one that has waited longest gives way
LIFETIME_S = 3600.0
LONGEST_NAME = 200  # characters


@dataclass(slots=True)
class Upload:
    """A file at `path`. `state`: whatever its door found out about it."""

    id: str
    path: Path
    until: float
    folder: TemporaryDirectory[str] = field(repr=False)
    state: Any = None

    @property
    def name(self) -> str:
        return self.path.name


class Uploads:
    """Those of one server. Thread-safe."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting: dict[str, Upload] = {}
        self._lock = threading.Lock()

    @property
    def count(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def keep(self, name: str, raw: bytes) -> Upload:
        """Writes a file under this name (`named`) into a new folder."""
        folder = TemporaryDirectory(prefix="guardrail-upload-")
        path = Path(folder.name, name)
        path.write_bytes(raw)
        made = Upload(secrets.token_urlsafe(12), path, self._clock() + LIFETIME_S, folder)
        with self._lock:
            self._forget()
            self._waiting[made.id] = made
            gone = list(self._waiting)[:-MOST]
        for identifier in gone:
            self.drop(identifier)
        return made

    def get(self, identifier: str) -> Upload:
        """Raises BadRequest (404) for one that is used, given up or forgotten."""
        with self._lock:
            self._forget()
            found = self._waiting.get(identifier)
        if found is None:
            raise BadRequest("this file is no longer here; upload it again", status=404, code="not_found")
        return found

    def drop(self, identifier: str) -> None:
        """Removes the file; nothing happens where there is none."""
        with self._lock:
            found = self._waiting.pop(identifier, None)
        if found is not None:
            found.folder.cleanup()

    @contextmanager
    def taken(self, identifier: str) -> Iterator[Upload]:
        """The file for one use: nobody else gets it meanwhile; it is removed afterwards, or waits on where the block raises."""
        found = self.get(identifier)
        with self._lock:
            if self._waiting.pop(identifier, None) is None:
                raise BadRequest("this file is being imported", status=409, code="in_use")
        try:
            yield found
        except BaseException:
            with self._lock:
                self._waiting[identifier] = found
            raise
        found.folder.cleanup()

    def close(self) -> None:
        for identifier in list(self._waiting):
            self.drop(identifier)

    def _forget(self) -> None:
        now = self._clock()
        for identifier in [one.id for one in self._waiting.values() if one.until <= now]:
            self._waiting.pop(identifier).folder.cleanup()


def named(name: str) -> str:
    """The last part of a file's name as a client tells it, without anything that is no name here. Raises BadRequest."""
    last = name.replace("\\", "/").rpartition("/")[2]
    found = "".join(c for c in last if c.isprintable()).strip()
    if not found.strip("."):
        raise BadRequest("the file needs a name", param="name")
    if len(found.encode()) > LONGEST_NAME:
        raise BadRequest(f"the file's name is longer than {LONGEST_NAME} bytes", param="name")
    return found


async def received(request: Request, bodies: Bodies, *, limit: int) -> bytes:
    """The file that is a request's body. Raises BadRequest: too large (413), too slow (408), no room (429), empty."""
    try:
        raw = await bodies.read(request.receive, limit=limit)
    except Overloaded as error:
        message = f"there is no room for this file now; try again in {error.retry_after} s"
        raise BadRequest(message, status=429, code="overloaded") from error
    except ClientGone as error:
        raise BadRequest("the file did not arrive completely") from error
    if not raw:
        raise BadRequest("the file is empty")
    return raw
