"""How the cost of something grows with the length of what it is given: a bound that holds on a slow machine, too."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMES = 4  # longer
LINEAR = 12.0  # a square gives 16, a cube 64
NOISE_S = 0.02  # below it a timing says nothing


def grows_linearly(job: Callable[[str], object], made: Callable[[int], str], size: int) -> bool:
    """Whether `job` costs about TIMES as much for a text TIMES as long, in the best of up to six tries."""
    return any(_ratio(job, made(size), made(TIMES * size)) < LINEAR for _ in range(6))


def _ratio(job: Callable[[str], object], short: str, long: str) -> float:
    return _seconds(job, long) / max(_seconds(job, short), NOISE_S)


def _seconds(job: Callable[[str], object], text: str) -> float:
    began = time.perf_counter()
    job(text)
    return time.perf_counter() - began
