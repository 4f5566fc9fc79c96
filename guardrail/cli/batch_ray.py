"""The parts of a batch on a Ray cluster (extra `ray`): an actor for each worker, all on the same footing as a process here.

The cluster is that of `RAY_ADDRESS`; without one Ray starts on this machine. Its machines need this package, the knowledge
under the same path, and input and output where all of them find it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from guardrail.cli.batch_engines import Make, Slot, Told, Works, spread
from guardrail.cli.batch_rows import Part
from guardrail.cli.batch_work import Done
from guardrail.errors import ConfigError

__all__ = ["on_ray"]


def on_ray(parts: Sequence[Part], make: Make, *, workers: int | None, told: Told) -> Iterator[Done]:
    """As `local`; `workers` None: one for each core of the cluster. Raises ConfigError without the extra or a cluster."""
    ray = _ray()
    count = workers or int(ray.cluster_resources().get("CPU", 1))
    return spread(parts, [_Actor(ray, make) for _ in range(min(count, len(parts)))], told)


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ConfigError("batches on Ray need the extra: pip install 'claim-guardrail[ray]'") from error
    try:
        ray.init(ignore_reinit_error=True, log_to_driver=False, logging_level="error")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ConfigError(f"Ray cannot be reached: {error}") from error
    return ray


class _Hosted:
    """What runs in the cluster."""

    def __init__(self, make: Make) -> None:
        self._worker: Works = make(lambda: None)

    def do(self, part: Part, deaths: int) -> Done:
        return self._worker.do(part, deaths)


class _Actor(Slot):
    """Counts rows by the part: nothing of a part that runs is told across machines."""

    def __init__(self, ray: Any, make: Make) -> None:
        self._ray, self._make = ray, make
        self.rows = 0
        self.replace()

    def submit(self, part: Part, deaths: int) -> Future[Done]:
        future: Future[Done] = self._actor.do.remote(part, deaths).future()
        future.add_done_callback(self._count)
        return future

    def died(self, future: Future[Done]) -> bool:
        gone = (self._ray.exceptions.RayActorError, self._ray.exceptions.WorkerCrashedError)
        return isinstance(future.exception(), gone)

    def replace(self) -> None:
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0)(_Hosted).remote(self._make)

    def end(self) -> None:
        with suppress(ValueError, self._ray.exceptions.RayError):
            self._ray.kill(self._actor)

    def _count(self, future: Future[Done]) -> None:
        if future.exception() is None:
            done = future.result()
            self.rows += done.reports + done.set_aside
