"""What runs in the replicas, without a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import numpy as np
import pytest

from guardrail.deploy.serving import MOST_PAIRS, Classifying, Told, Verifying
from guardrail.models.nli import Pair
from guardrail.verifier import Verifier
from tests.scripted_nli import Scripted

Together = Callable[[list[Sequence[Pair]]], Awaitable[list[Told]]]


class Strict(Scripted):
    """Refuses what does not fit."""

    def probabilities(self, pairs: Sequence[Pair]) -> Any:
        if any(len(premise) > 100 for premise, _ in pairs):
            raise ValueError("a pair of 200 tokens does not fit a window of 64")
        return super().probabilities(pairs)


async def asked(model: Scripted, *requests: Sequence[Pair]) -> list[Told]:
    """All requests as one batch."""
    ends: list[Told] = []

    def batching(together: Together) -> Any:
        async def all_of_them(pairs: Sequence[Pair]) -> Told:
            ends.extend(await together(list(requests)))
            return ends[0]

        return all_of_them

    await Classifying(model, batching).predict(requests[0])
    return ends


async def test_a_batch_of_several_requests_gives_each_its_rows() -> None:
    """The model is asked once for all pairs, and the rows are divided as the pairs were."""
    model = Scripted({"yes": (0.9, 0.1, 0.0)})
    one, two = [("yes.", "a"), ("no.", "b")], [("yes.", "c")]
    told = await asked(model, one, two)
    assert [len(each["rows"]) for each in told] == [2, 1]
    assert np.allclose(told[1]["rows"], [[0.9, 0.1, 0.0]])
    assert len(model.asked) == 3


async def test_a_request_that_does_not_fit_fails_alone() -> None:
    """The others of its batch get their rows."""
    told = await asked(Strict({}), [("short.", "a")], [("x" * 200, "b")], [("short.", "c")])
    assert ["rows" in each for each in told] == [True, False, True]
    assert "does not fit" in told[1]["error"]


async def test_a_flood_of_pairs_is_refused() -> None:
    """More pairs than a request may have are no batch."""
    many = [("a", "b")] * (MOST_PAIRS + 1)
    told = await Classifying(Scripted({}), lambda together: together).predict(many)  # type: ignore[arg-type,return-value]
    assert "maximum allowed" in told["error"]


async def test_the_classifier_tells_what_text_embeddings_inference_tells() -> None:
    """Its name, its outputs in order, its window."""
    told = await Classifying(Scripted({}), lambda together: together).info()  # type: ignore[arg-type,return-value]
    assert told["model_type"]["classifier"]["id2label"]["2"] == "contradictory"
    assert (told["model_id"], told["max_input_length"]) == ("scripted", 64)


@pytest.fixture(scope="module")
def verifying() -> Verifying:
    return Verifying(Verifier.open())


async def test_texts_are_checked_side_by_side(verifying: Verifying) -> None:
    """Each gets its own report."""
    texts = ["Canberra is the capital of Australia.", "Sydney is the capital of Australia."] * 3
    told = await asyncio.gather(*(verifying.check({"text": text}) for text in texts))
    assert [one["report"]["outcome"] for one in told] == ["confirmed", "flagged"] * 3
    assert [one["report"]["text"] for one in told] == texts


async def test_what_a_client_got_wrong_is_told_and_not_raised(verifying: Verifying) -> None:
    """An exception means that a replica failed."""
    assert "txt" in (await verifying.check({"txt": "a"}))["error"]
    assert "references" in (await verifying.check({"text": "a", "references": "b"}))["error"]
    assert (await verifying.state())["degraded"] == []
