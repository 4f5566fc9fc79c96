"""The wire of text-embeddings-inference, against a server that speaks it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from guardrail.errors import ConfigError, ModelMalformed, ModelUnavailable
from guardrail.models.tei import Tei
from tests.model_server import Fault, ModelServer

PAIRS = [("Rome is old.", "Rome is old."), ("Rome is not old.", "Rome is old."), ("Bread.", "Rome is old.")]
A, E, C = 0, 1, 2


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def test_rows_stand_in_our_order_by_the_servers_names(server: ModelServer) -> None:
    """The server's labels, sorted by score, are put into our columns by what they are called."""
    rows = Tei(server.root).ask(PAIRS, 5)
    assert rows.argmax(axis=1).tolist() == [A, C, E]
    assert np.allclose(rows.sum(axis=1), 1)
    assert server.requests == [("/predict", {"inputs": [list(pair) for pair in PAIRS], "truncate": False})]


def test_two_classes_never_contradict() -> None:
    """Of a server that knows supported and not supported, the latter is Extrapolatory."""
    with ModelServer(names=("not_entailment", "entailment", "unsupported")) as server:
        assert Tei(server.root).ask(PAIRS, 5)[:, C].tolist() == [0, 0, 0]


def test_stated_labels_stand_for_numbers() -> None:
    """LABEL_1 means what `labels` says of output 1; without `labels` the server is refused, and so is each of its answers."""
    with ModelServer(names=("LABEL_0", "LABEL_1", "LABEL_2")) as server:
        told = Tei(server.root, labels=("contradictory", "attributable", "extrapolatory"))
        told.greet(5)
        assert told.ask(PAIRS, 5).argmax(axis=1).tolist() == [A, C, E]
        mute = Tei(server.root)
        with pytest.raises(ConfigError, match="state `labels`"):
            mute.greet(5)
        with pytest.raises(ModelMalformed, match="LABEL_"):
            mute.ask(PAIRS, 5)


def test_the_server_tells_what_it_serves(server: ModelServer) -> None:
    """/info gives the model's name, its window and how many pairs a request may have; more pairs are several requests."""
    server.most = 2
    wire = Tei(server.root)
    wire.greet(5)
    assert (wire.name, wire.window, wire.most) == ("tei:test/nli", 512, 2)
    assert wire.ask(PAIRS, 5).shape == (3, 3)
    assert [len(body["inputs"]) for path, body in server.requests if path == "/predict"] == [2, 1]


@pytest.mark.parametrize("kind", [{"embedding": {"pooling": "cls"}}, {"reranker": {"id2label": {"0": "x"}}}])
def test_a_server_of_another_kind_is_refused(server: ModelServer, kind: object) -> None:
    """A server for vectors or ranks cannot judge, and says so at the start."""
    server.info = {"model_id": "m", "model_type": kind, "max_input_length": 512}
    with pytest.raises(ConfigError, match="not a classifier"):
        Tei(server.root).greet(5)


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        [[]] * 3,
        [[{"label": "entailment"}]] * 3,
        [[{"label": "entailment", "score": "high"}]] * 3,
        [[{"label": "entailment", "score": float("nan")}]] * 3,
        [[{"label": "entailment", "score": 0.4}]] * 3,
        [[{"label": "entailment", "score": 7.0}, {"label": "neutral", "score": -6.0}]] * 3,
        [[{"label": "banana", "score": 1.0}]] * 3,
        [[{"label": "entailment", "score": 1.0}]] * 2,
        {"error": "what"},
        "entailment",
        None,
    ],
)
def test_an_answer_of_another_shape_is_no_row(server: ModelServer, body: object) -> None:
    """What is not one list of label probabilities for each pair raises, and is never read as a label."""
    server.fault = Fault(raw=b"null") if body is None else Fault(body=body)
    with pytest.raises(ModelMalformed):
        Tei(server.root).ask(PAIRS, 5)


@pytest.mark.parametrize(("status", "about"), [(429, False), (503, False), (413, True), (422, True)])
def test_an_error_tells_whether_it_is_about_the_request(
    server: ModelServer, status: int, about: bool
) -> None:
    """Too long is about the pair; overload is not."""
    server.fault = Fault(status=status, body={"error": "no", "error_type": "x"})
    with pytest.raises(ModelUnavailable) as raised:
        Tei(server.root).ask(PAIRS, 5)
    assert raised.value.about_the_request is about


def test_the_key_is_sent(server: ModelServer) -> None:
    """A server that wants a key gets it as a bearer token."""
    server.key = "k"
    assert Tei(server.root, "k").ask(PAIRS, 5).shape == (3, 3)
    with pytest.raises(ModelUnavailable, match="401"):
        Tei(server.root).ask(PAIRS, 5)
