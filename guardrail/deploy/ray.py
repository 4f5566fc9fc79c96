"""The checks as an application of Ray Serve: an ingress, verifiers on CPUs, and a classifier on GPUs or CPUs.

    guardrail deploy ray --verifiers 2..16 --gpus 0.5                 on the cluster of RAY_ADDRESS, or on this machine
    serve deploy serve.yaml                                           the same from a config file: guardrail/deploy/serve.yaml

A text whose replica dies is handed to another one; a pair whose replica dies, too. What no replica could do is an error of the
request, or judged by the shipped model where only the classifier is away.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from guardrail.deploy.ingress import Doors, Lost, Overloaded
from guardrail.deploy.options import Options
from guardrail.deploy.serving import MOST_PAIRS, Batching, Classifying, Told, Verifying
from guardrail.errors import ConfigError, ModelMalformed, ModelRefused, ModelTimeout, ModelUnavailable
from guardrail.models.nli import Embedded, Pair, Rows
from guardrail.models.opened import open_model
from guardrail.models.remote import Remote
from guardrail.verifier import Verifier

__all__ = ["HandleWire", "Replicas", "app", "run"]

PAUSE_S = 0.2  # before a text is handed out again
LONGEST_S = 120.0  # until an answer of a replica
WAITING = 1024  # requests that may wait for a deployment

log = logging.getLogger(__name__)


def app(args: Mapping[str, Any]) -> Any:
    """The application for `serve.run` or the `import_path` of a Serve config file. Raises ConfigError."""
    options, serve = Options.read(args), _serve()
    classifier = serve.deployment(
        _Classifier,
        name="Classifier",
        ray_actor_options={"num_cpus": options.classifier_cpus, "num_gpus": options.gpus},
        max_ongoing_requests=4 * options.batch_requests,
        max_queued_requests=WAITING,
        **_scaled(options.classifiers, options.queue * options.batch_requests),
    ).bind(options)
    verifiers = serve.deployment(
        _Verifiers,
        name="Verifiers",
        ray_actor_options={"num_cpus": options.verifier_cpus},
        max_ongoing_requests=max(1, round(2 * options.queue)),
        max_queued_requests=WAITING,
        **_scaled(options.verifiers, options.queue),
    ).bind(options, classifier)
    ingress = serve.deployment(
        _Ingress, name="Ingress", ray_actor_options={"num_cpus": 0}, max_ongoing_requests=WAITING
    )
    return ingress.bind(options, verifiers, classifier)


def run(
    args: Mapping[str, Any], *, host: str = "127.0.0.1", port: int = 8000, address: str | None = None
) -> None:
    """Deploys on the cluster at `address`, or on this machine, and returns when it is ready. Raises ConfigError."""
    built, serve = app(args), _serve()
    import ray

    try:
        ray.init(address=address, ignore_reinit_error=True, log_to_driver=False, logging_level="error")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ConfigError(f"Ray cannot be reached: {error}") from error
    serve.start(proxy_location="EveryNode", http_options={"host": host, "port": port})
    serve.run(built, name="guardrail", route_prefix="/")


class _Classifier(Classifying):
    def __init__(self, options: Options) -> None:
        serve = _serve()
        wait = options.batch_wait_ms / 1000
        batching: Batching = partial(_batching, serve, options.batch_requests, wait)
        super().__init__(open_model(options.model), batching)


class _Verifiers(Verifying):
    def __init__(self, options: Options, classifier: Any) -> None:
        wire = HandleWire(classifier, attempts=options.attempts)
        model = Remote(wire, timeout_s=options.timeout_s, in_flight=16, instead=Embedded(threads=1))
        verifier = Verifier.open(options.knowledge or None, recognizer=options.recognizer, model=model)
        verifier.warm()
        super().__init__(verifier)


class _Ingress:
    def __init__(self, options: Options, verifiers: Any, classifier: Any) -> None:
        replicas = Replicas(verifiers, classifier, attempts=options.attempts)
        self._doors = Doors(replicas, max_text=options.max_text)

    async def __call__(self, request: Any) -> Any:
        return await self._doors.answer(request)


class Replicas:
    """Implements `Engine` on the handles of two deployments."""

    def __init__(self, verifiers: Any, classifier: Any, *, attempts: int) -> None:
        self._verifiers, self._classifier, self._attempts = verifiers, classifier, attempts

    async def verify(self, given: Mapping[str, Any]) -> Told:
        return await self._asked(self._verifiers.check, given)

    async def predict(self, pairs: Sequence[Pair]) -> Told:
        return await self._asked(self._classifier.predict, list(pairs))

    async def info(self) -> Told:
        return await self._asked(self._classifier.info)

    async def state(self) -> Told:
        return await self._asked(self._verifiers.state)

    async def _asked(self, method: Any, *given: Any) -> Told:
        """What a replica answers; another one is asked where it dies, for nothing that is done here is done twice."""
        gone, full = _errors()
        for attempt in range(self._attempts):
            if attempt:
                await asyncio.sleep(PAUSE_S * attempt)
            try:
                return dict(await asyncio.wait_for(_answer(method, *given), LONGEST_S))
            except full as error:
                raise Overloaded from error
            except gone:
                continue
            except Exception as error:
                log.error("a replica failed: %s", type(error).__name__)  # its message may quote the text
                raise Lost from error
        raise Lost


class HandleWire:
    """Implements `Wire` on the handle of the classifier's deployment. To be called in threads, not in the event loop."""

    most = MOST_PAIRS

    def __init__(self, handle: Any, *, attempts: int = 3) -> None:
        self._handle, self._attempts = handle, attempts
        self.name, self.window = "ray", 512

    def greet(self, timeout_s: float) -> None:
        told = self._asked(self._handle.info, (), timeout_s)
        self.name, self.window = f"ray:{told['model_id']}", int(told["max_input_length"])

    def ask(self, pairs: Sequence[Pair], timeout_s: float) -> Rows:
        told = self._asked(self._handle.predict, (list(pairs),), timeout_s)
        if "rows" not in told:
            raise ModelRefused(f"the classifier refused the pairs: {told.get('error')}")
        rows = np.array(told["rows"], np.float32)
        if rows.shape != (len(pairs), 3):
            raise ModelMalformed(f"the classifier answered {rows.shape} for {len(pairs)} pairs")
        return rows

    def close(self) -> None:
        """Handles are closed with their process."""

    def _asked(self, method: Any, given: tuple[Any, ...], timeout_s: float) -> Told:
        gone, full = _errors()
        for _ in range(self._attempts):
            try:
                return dict(method.remote(*given).result(timeout_s=timeout_s))
            except full as error:
                raise ModelUnavailable("the classifier is overloaded", transient=True) from error
            except gone:
                continue
            except TimeoutError as error:
                raise ModelTimeout(f"no answer within {timeout_s:g} s") from error
            except Exception as error:  # what the replica raised: a fault of the model or its device
                raise ModelUnavailable(f"the classifier failed: {type(error).__name__}") from error
        raise ModelUnavailable("no replica of the classifier is there", transient=True)


async def _answer(method: Any, *given: Any) -> Any:
    return await method.remote(*given)


def _batching(serve: Any, requests: int, wait_s: float, together: Callable[..., Any]) -> Any:
    async def batched(waiting: list[Sequence[Pair]]) -> list[Told]:
        return list(await together(waiting))

    return serve.batch(max_batch_size=requests, batch_wait_timeout_s=wait_s)(batched)


def _scaled(replicas: tuple[int, int], queue: float) -> dict[str, Any]:
    """As many replicas as keep about `queue` requests each, waiting ones included."""
    least, most = replicas
    if least == most:
        return {"num_replicas": most}
    bounds = {"min_replicas": least, "max_replicas": most, "target_ongoing_requests": queue}
    return {"autoscaling_config": {"initial_replicas": max(least, 1), **bounds}}


def _errors() -> tuple[tuple[type[Exception], ...], type[Exception]]:
    """What is raised where a replica died, and where too much waits."""
    import ray
    from ray.serve.exceptions import BackPressureError

    gone = ray.exceptions
    return (gone.RayActorError, gone.WorkerCrashedError, gone.OwnerDiedError), BackPressureError


def _serve() -> Any:
    try:
        from ray import serve
    except ImportError as error:
        raise ConfigError(
            f"Ray Serve needs the extra: pip install 'claim-guardrail[ray]': {error}"
        ) from error
    return serve
