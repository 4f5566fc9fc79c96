"""What a verifier process opens by the settings: the real verifier with its model, over knowledge that changes meanwhile."""

from __future__ import annotations

import importlib.util
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from guardrail.errors import ConfigError
from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.indexing import index_documents
from guardrail.review import ReviewerSettings
from guardrail.segment import segment
from guardrail.telemetry import names
from guardrail.types import Label, Passage, Source, Verdict
from guardrail.verifier import Verifier
from proxy.judging.pool import Pool
from proxy.opening import open_checks
from proxy.services import Services
from proxy.settings import Settings
from proxy.verifiers.session import RemoteSession
from proxy.verifiers.verifiers import Verifiers
from tests.fakes import FakeVerifier
from tests.model_server import Fault, ModelServer
from tests.proxy.asking import ADMIN, TOKEN
from tests.proxy.servers import serving
from tests.scripted_llm import Reply, Request, ScriptedLlm
from tests.waiting import eventually

ASKED = {
    "text": "The ferry to Lindau sails at noon.",
    "references": ["The ferry to Lindau sails every day at noon."],
}


class Running(NamedTuple):
    """A proxy with one verifier process, whose model is on `model`."""

    client: httpx.Client
    services: Services
    model: ModelServer
    home: Path

    def checked(self, **given: Any) -> dict[str, Any]:
        return dict(self.client.post("/guardrail/verify", json=given).raise_for_status().json())


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, knowledge: Path, verifier: Verifier
) -> Iterator[Running]:
    home = tmp_path_factory.mktemp("processes")
    own = home / "knowledge.db"
    shutil.copy(knowledge, own)
    with pytest.MonkeyPatch.context() as patched, ModelServer() as model:
        patched.setenv("GUARDRAIL_HOME", str(home))
        patched.setenv("GUARDRAIL_CORPUS", str(home / "corpus.db"))
        reading = Verifier.open(own, model="embedded")
        given = {
            "knowledge": own,
            "model": f"tei+{model.root}?timeout=1",
            "verifiers": 1,
            "keys": home / "keys.db",
        }
        with (
            serving(home, verifier=reading, admin_token=TOKEN, **given) as (root, services),  # type: ignore[arg-type]
            httpx.Client(base_url=root, timeout=60) as client,
        ):
            yield Running(client, services, model, home)


def test_a_model_on_a_server_is_told_of_by_the_process_that_asks_it(running: Running) -> None:
    """Reports, `/readyz` and the metrics name the model that judges, and say when it is away and back."""
    client = running.client
    assert running.checked(**ASKED)["claims"][0]["checker"] == "text:tei:test/nli"
    assert "tei:test/nli" in client.get("/readyz").json()["versions"]["checker"]
    running.model.fault = Fault(status=503, body={"error": "loading"})
    report = running.checked(**ASKED)
    assert "tei" not in report["claims"][0]["checker"]
    assert "is away" in report["versions"]["checker"]
    eventually(lambda: client.get("/readyz").json()["status"] == "degraded")
    state = client.get("/readyz").json()
    assert state["degraded"] == ["model: the checking model answered 503: loading"]
    assert "is away" in state["versions"]["checker"]
    assert "guardrail_model_away 1" in client.get("/metrics").text
    running.model.fault = None
    eventually(lambda: client.get("/readyz").json()["status"] == "ready")
    assert running.checked(**ASKED)["claims"][0]["checker"] == "text:tei:test/nli"
    assert "guardrail_model_replaced 1" in client.get("/metrics").text


def test_a_fact_that_is_added_changes_the_next_verdict(running: Running) -> None:
    """The page writes in the server's process, and the verifier process reads it."""
    text = "Marie Curie was a member of the Explorers Club."
    assert running.checked(text=text)["claims"][0]["label"] != "attributable"
    fact = {
        "subject": "Marie Curie",
        "predicate": "member of",
        "object": "Explorers Club",
        "source": "the roll",
    }
    added = running.client.post("/guardrail/knowledge/facts", json=fact | {"new": True}, headers=ADMIN)
    assert added.status_code == 201
    report = running.checked(text=text)
    assert report["claims"][0]["label"] == "attributable"
    assert report["versions"]["knowledge"] == running.services.versions()["knowledge"]


def test_a_corpus_that_comes_later_is_evidence(running: Running) -> None:
    """A verifier process takes it up without a restart."""
    text = "The capital of Zorblax is Quux."
    assert running.checked(text=text)["claims"][0]["label"] == "extrapolatory"
    with Corpus.create(running.home / "corpus.db") as corpus:
        index_documents(corpus, [Document("Facts", text)], origin="test")
    eventually(lambda: running.checked(text=text)["claims"][0]["label"] == "attributable")


def approve(request: Request) -> Reply:
    claims = request.prompt.rsplit("\nClaims:\n", 1)[1].strip().splitlines()
    entry = {"prediction": "Attributable", "evidence": ["P1", "P2"], "rationale": "It says so."}
    return Reply(json.dumps({"claims": [{"claim": n} | entry for n in range(1, len(claims) + 1)]}))


def test_a_checking_model_is_asked_by_the_processes(knowledge: Path) -> None:
    """Its verdicts reach the report although a process dies in the middle, and its calls are counted in all processes."""
    sentences = segment("Australia exports a lot of wool. Vienna hosts a famous opera ball in Austria.")
    told = ("Australia is known for its wool.", "The opera ball is held in Vienna, Austria.")
    references = [Passage(str(n), text, Source.REQUEST) for n, text in enumerate(told)]
    with ScriptedLlm([approve]) as model:
        settings = Settings(reviewer=ReviewerSettings("m", model.url), verifiers=1, knowledge=knowledge)
        checks = open_checks(settings, FakeVerifier(), Pool(1))  # type: ignore[arg-type]
        assert isinstance(checks, Verifiers)
        try:
            session = RemoteSession(checks.bench(), {"references": references})
            (first,) = session.check(sentences[0])
            eventually(lambda: checks.measures().get(names.REVIEWER_CALLS) == model.calls == 1)
            checks.bench().kill()
            (second,) = session.check(sentences[1], deadline=time.monotonic() + 60)
            eventually(lambda: checks.measures().get(names.REVIEWER_CALLS) == model.calls)
        finally:
            checks.close()
    for found in (first, second):
        assert isinstance(found, Verdict)
        assert (found.checker, found.label) == ("llm:m", Label.ATTRIBUTABLE)


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        ("tei+http://127.0.0.1:9?color=red", "no option 'color'"),
        pytest.param(
            "/models/mine?device=cpu",
            r"claim-guardrail\[gpu\]",
            marks=pytest.mark.skipif(
                importlib.util.find_spec("torch") is not None, reason="torch is installed"
            ),
        ),
    ],
)
def test_a_model_that_cannot_be_used_keeps_the_server_from_starting(
    model: str, problem: str, knowledge: Path
) -> None:
    """The reason is the one that the process gives."""
    settings = Settings(model=model, verifiers=1, knowledge=knowledge)
    with pytest.raises(ConfigError, match=problem):
        open_checks(settings, FakeVerifier(), Pool(1))  # type: ignore[arg-type]
