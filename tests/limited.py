"""A process that asks within one key's limit: `python -m tests.limited URL LIMIT REQUESTS` says `ready`, and begins when a line
comes; then it prints how many requests were let in.
"""

from __future__ import annotations

import asyncio
import sys

from proxy.access.keys import Key
from proxy.access.shared import SharedLimits
from proxy.wire.headers import LimitReached

KEY = "shared"


async def let_in(url: str, limit: int, count: int) -> int:
    """How many of `count` requests, sixteen at a time, of a key that may ask `limit` a minute."""
    limits, left, admitted = SharedLimits(url), count, 0
    key = Key(KEY, "a", b"", requests=limit)

    async def ask() -> None:
        nonlocal left, admitted
        while left:
            left -= 1
            try:
                async with limits.admitted(key):
                    admitted += 1
            except LimitReached:
                pass

    await asyncio.gather(*(ask() for _ in range(16)))
    assert not limits.trouble
    await limits.close()
    return admitted


if __name__ == "__main__":
    print("ready", flush=True)  # noqa: T201
    sys.stdin.readline()
    print(asyncio.run(let_in(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))  # noqa: T201
