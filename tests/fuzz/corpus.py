"""Answers of hostile servers that are kept, a file for each, and played again by every run of the tests.

    python -m tests.fuzz.corpus 100     adds so many that are drawn from the strategies, as far as they are new

What breaks something in a fuzz test is kept by itself. A file holds the bytes as they are sent; its name tells what they are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz.arena import PATHS, Play
from tests.fuzz.hostile import plays

CORPUS = Path(__file__).with_name("corpus")
LARGEST = 20_000  # bytes of a file


def kept() -> list[Path]:
    return sorted(CORPUS.glob("*.http"))


def kind(path: str) -> str:
    """What stands before the first hyphen in the name of a file that answers a request for `path`."""
    return path.removeprefix("/v1/").replace("/", ".")


def play_of(path: Path) -> Play:
    return Play((path.read_bytes(),))


def keep(play: Play, path: str, name: str = "") -> Path | None:
    """Writes what the server sent, if it is not too long; `path`: what was asked for."""
    wire = b"".join(play.pieces)
    if not wire or len(wire) > LARGEST:
        return None
    CORPUS.mkdir(exist_ok=True)
    file = CORPUS / f"{kind(path)}-{name or sha256(wire).hexdigest()[:12]}.http"
    file.write_bytes(wire)
    return file


@contextmanager
def keeping(play: Play, path: str) -> Iterator[None]:
    """Keeps the play where the block fails."""
    try:
        yield
    except AssertionError:
        keep(play, path)
        raise


def grow(count: int) -> None:
    """Draws `count` plays for each path, and keeps them."""
    for path in PATHS:
        for stream in (True, False):

            @settings(
                max_examples=max(1, count // 2 // len(PATHS)),
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(play=plays(path, stream=stream))
            def draw(play: Play) -> None:
                keep(play, path)  # noqa: B023 - it is called at once

            draw()


if __name__ == "__main__":
    grow(int(sys.argv[1]))
