"""What runs in the replicas: checks of whole texts on CPUs, and the model that reads evidence and claim, on a GPU where there is one.

Nothing here raises for what a client sent: it is told as `{"error": …}`, so that an error means that a replica failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from guardrail.cli.lines import check_given
from guardrail.errors import BadRequest
from guardrail.models.labels import ORDER
from guardrail.models.nli import Classifier, Pair
from guardrail.report import to_dict
from guardrail.verifier import Verifier

__all__ = ["Classifying", "Told", "Verifying"]

Told = dict[str, Any]
Batched = Callable[[Sequence[Pair]], Awaitable[Told]]
Batching = Callable[[Callable[[list[Sequence[Pair]]], Awaitable[list[Told]]]], Batched]

THREADS = 8  # of a verifier: most of the time a check waits for the classifier
MOST_PAIRS = 256  # of one request


class Verifying:
    """Checks whole texts. Each one is checked by one replica from its first to its last sentence."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="check")

    async def check(self, given: Mapping[str, Any]) -> Told:
        """`{"report": …}`, or `{"error": …}` where the request is at fault."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(self._checked, given))

    async def state(self) -> Told:
        """What judges, and what does not work as it should."""
        remote = self._verifier.remote
        versions = await asyncio.to_thread(self._verifier.current_versions)
        trouble = remote.standing.trouble if remote else ""
        return {"versions": versions, "degraded": [f"model: {trouble}"] if trouble else []}

    def _checked(self, given: Mapping[str, Any]) -> Told:
        try:
            return {"report": to_dict(check_given(self._verifier, given))}
        except (BadRequest, ValueError) as error:
            return {"error": str(error)}


class Classifying:
    """Judges pairs. `batching` makes one call of several that come at about the same time."""

    def __init__(self, model: Classifier, batching: Batching) -> None:
        self._model = model
        self._batched = batching(self._together)

    async def predict(self, pairs: Sequence[Pair]) -> Told:
        """`{"rows": [[attributable, extrapolatory, contradictory], …]}`, or `{"error": …}`."""
        if len(pairs) > MOST_PAIRS:
            return {"error": f"batch size {len(pairs)} > maximum allowed batch size {MOST_PAIRS}"}
        return await self._batched(pairs)

    async def info(self) -> Told:
        """As text-embeddings-inference tells it."""
        named = {str(at): label.value for at, label in enumerate(ORDER)}
        return {
            "model_id": self._model.name,
            "model_type": {
                "classifier": {"id2label": named, "label2id": {n: int(a) for a, n in named.items()}}
            },
            "max_input_length": self._model.window,
            "max_client_batch_size": MOST_PAIRS,
        }

    async def _together(self, requests: list[Sequence[Pair]]) -> list[Told]:
        return await asyncio.to_thread(self._judged, requests)

    def _judged(self, requests: Sequence[Sequence[Pair]]) -> list[Told]:
        pairs = [(str(premise), str(claim)) for request in requests for premise, claim in request]
        try:
            rows = self._model.probabilities(pairs)
        except ValueError as error:
            if len(requests) == 1:
                return [{"error": str(error)}]
            return [self._judged([request])[0] for request in requests]  # one must not fail the others
        ends = np.cumsum([len(request) for request in requests])[:-1]
        return [{"rows": part.tolist()} for part in np.split(rows, ends)]
