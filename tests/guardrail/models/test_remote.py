"""A classifier on a server: time limits, batches, back-pressure, and a server that goes and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from guardrail.errors import ModelError, ModelMalformed, ModelTimeout, ModelUnavailable
from guardrail.models.remote import Remote
from guardrail.models.settings import Thresholds
from guardrail.models.tei import Tei
from guardrail.telemetry import names
from tests.model_server import Fault, ModelServer
from tests.waiting import eventually

SUPPORTED = [("Rome is old.", "Rome is old.")]
A, E, C = 0, 1, 2


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def remote(server: ModelServer) -> Iterator[Remote]:
    opened = Remote(Tei(server.root), timeout_s=5.0)
    yield opened
    opened.close()


def test_it_is_a_classifier(remote: Remote) -> None:
    """Rows in our order, lengths without asking the server, a window with room for another tokenizer, thresholds as set."""
    assert remote.name == "tei:test/nli"
    pairs = [*SUPPORTED, ("Rome is not old.", "Rome is old."), ("Bread.", "Rome is old.")]
    assert remote.probabilities(pairs).argmax(axis=1).tolist() == [A, C, E]
    assert remote.probabilities([]).shape == (0, 3)
    assert remote.lengths(["Rome is old.", ""]) == [4, 0]
    assert remote.window == 409
    assert remote.thresholds("triplets") == Thresholds()


def test_temperature_softens(server: ModelServer) -> None:
    """Probabilities are tempered as logits would be, and keep their order."""
    plain, soft = Remote(Tei(server.root)), Remote(Tei(server.root), temperature=2.0)
    sure, softer = plain.probabilities(SUPPORTED)[0], soft.probabilities(SUPPORTED)[0]
    assert np.allclose(softer, np.sqrt(sure) / np.sqrt(sure).sum())


def test_what_waits_goes_as_one_request_and_few_are_under_way(server: ModelServer) -> None:
    """Forty threads that ask at once never have more requests under way than allowed, and share them."""
    remote = Remote(Tei(server.root), timeout_s=30.0, in_flight=2)
    server.requests.clear()
    server.most_under_way = 0
    server.fault = Fault(delay_s=0.05)
    pairs = [(f"Number {n}.", f"It is {n}.") for n in range(40)]
    with ThreadPoolExecutor(40) as pool:
        rows = list(pool.map(lambda pair: remote.probabilities([pair])[0], pairs))
    assert all(int(row.argmax()) == A for row in rows)
    assert server.most_under_way == 2
    assert len(server.requests) < 20
    assert sorted(server.asked) == sorted(map(list, pairs))
    remote.close()


def test_a_late_answer_is_a_timeout_and_no_row(server: ModelServer) -> None:
    """Who waits longer than the limit gets ModelTimeout; who comes next does not wait, and the server is tried again."""
    remote = Remote(Tei(server.root), timeout_s=0.2)
    server.fault = Fault(delay_s=1.5)
    with pytest.raises(ModelTimeout, match=r"within 0\.2 s"):
        remote.probabilities(SUPPORTED)
    with pytest.raises(ModelUnavailable, match="away"):
        remote.probabilities(SUPPORTED)
    server.fault = None
    eventually(lambda: not remote.standing.trouble)
    assert remote.probabilities(SUPPORTED).argmax() == A
    remote.close()


@pytest.mark.parametrize(
    ("fault", "error", "told"),
    [
        (Fault(status=429, body={"error": "Model is overloaded"}), ModelUnavailable, "429"),
        (Fault(status=500, body={"error": "boom"}), ModelUnavailable, "500"),
        (Fault(status=503, raw=b"<html>"), ModelUnavailable, "503"),
        (Fault(status=401, body={"error": "key"}), ModelUnavailable, "401"),
        (Fault(raw=b"<html>hello</html>"), ModelMalformed, "not answer with JSON"),
        (Fault(body=[[{"label": "joy", "score": 1.0}]]), ModelMalformed, "another form"),
    ],
)
def test_a_server_that_fails_is_away_until_it_answers(
    server: ModelServer, remote: Remote, fault: Fault, error: type[ModelError], told: str
) -> None:
    """The error is raised, `trouble` says why, and a thread finds that the server is well again."""
    server.fault = fault
    with pytest.raises(error):
        remote.probabilities(SUPPORTED)
    assert told in remote.standing.trouble
    assert remote.standing.measures()[names.MODEL_AWAY] == 1
    assert "is away" in remote.judging
    server.fault = None
    eventually(lambda: not remote.standing.trouble)
    assert remote.probabilities(SUPPORTED).argmax() == A
    assert remote.judging == "tei:test/nli"


def test_a_server_away_and_back(server: ModelServer, remote: Remote) -> None:
    """A server that is gone is noticed at the first request and found again on the same port."""
    server.stop()
    with pytest.raises(ModelUnavailable):
        remote.probabilities(SUPPORTED)
    assert remote.standing.trouble
    server.start()
    eventually(lambda: not remote.standing.trouble)
    assert remote.probabilities(SUPPORTED).argmax() == A


def test_a_server_may_come_later(server: ModelServer) -> None:
    """A model can be opened before its server runs; what it serves is learnt when it does."""
    server.stop()
    remote = Remote(Tei(server.root))
    assert remote.standing.trouble
    server.start()
    eventually(lambda: not remote.standing.trouble)
    assert remote.name == "tei:test/nli"
    remote.close()


def test_one_pair_that_is_too_long_fails_alone(server: ModelServer) -> None:
    """Of a batch with a pair that the server refuses the others get their rows, and the server is not held to be away."""
    remote = Remote(Tei(server.root), in_flight=1, timeout_s=30.0)
    long = ("word " * 100, "It is long.")
    server.fault = Fault(delay_s=1.0)
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(remote.probabilities, SUPPORTED)
        eventually(lambda: server.under_way == 1)
        server.fault = Fault(status=422, body={"error": "too long"}, longer_than=400)
        others = [pool.submit(remote.probabilities, SUPPORTED) for _ in range(3)]
        bad = pool.submit(remote.probabilities, [long])
        assert all(one.result(20).argmax() == A for one in (first, *others))
        with pytest.raises(ModelUnavailable, match="too long"):
            bad.result(20)
    eventually(lambda: not remote.standing.trouble)
    assert remote.probabilities(SUPPORTED).argmax() == A
    remote.close()


def test_after_close_nothing_waits(server: ModelServer) -> None:
    """A closed model raises at once."""
    remote = Remote(Tei(server.root))
    remote.close()
    with pytest.raises(ModelUnavailable):
        remote.probabilities(SUPPORTED)
