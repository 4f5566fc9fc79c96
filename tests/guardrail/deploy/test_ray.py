"""The application on a real Ray cluster of this machine: its doors, and replicas that die under load."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.waiting import eventually

ROOT = Path(__file__).parents[3]
RIGHT, WRONG = "Canberra is the capital of Australia.", "Sydney is the capital of Australia."
READ = "The ferry to Lindau sails at noon."
REFERENCES = ["The ferry to Lindau sails every day at noon, and at six."]

pytestmark = [
    pytest.mark.skipif(
        find_spec("ray") is None or find_spec("grpc") is None, reason="the extra `ray` is not installed"
    ),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The application on a cluster of two cores: two verifiers, a classifier, a free port."""
    import ray
    from ray import serve

    from guardrail.deploy.ray import run

    home = tmp_path_factory.mktemp("home")
    environment = {"env_vars": {"PYTHONPATH": f"{ROOT}", "GUARDRAIL_HOME": f"{home}"}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    port = _free()
    run({"verifiers": 2, "verifier_cpus": 0.5, "classifier_cpus": 0.5, "timeout_s": 20}, port=port)
    url = f"http://127.0.0.1:{port}"
    eventually(lambda: httpx.get(f"{url}/readyz", timeout=60).json()["status"] == "ready", seconds=120)
    yield url
    serve.shutdown()
    ray.shutdown()


@pytest.fixture
def client(root: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=root, timeout=120) as one:
        yield one


def _free() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def replicas(deployment: str) -> list[dict[str, str]]:
    from ray.util import list_named_actors

    return [
        one for one in list_named_actors(all_namespaces=True) if f"guardrail#{deployment}#" in one["name"]
    ]


def kill(deployment: str) -> None:
    """One replica, as a machine that fails."""
    import ray

    one = replicas(deployment)[0]
    ray.kill(ray.get_actor(one["name"], namespace=one["namespace"]), no_restart=True)


def checked(client: httpx.Client, text: str, **more: Any) -> dict[str, Any]:
    reply = client.post("/guardrail/verify", json={"text": text, **more})
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_a_text_is_checked(client: httpx.Client) -> None:
    """The door takes what the proxy's takes and gives the same report; passages are read by the classifier of the cluster."""
    assert [one["label"] for one in checked(client, f"{RIGHT} {WRONG}")["claims"]] == [
        "attributable",
        "contradictory",
    ]
    read = checked(client, READ, references=REFERENCES)
    assert read["claims"][0]["checker"].startswith("text:ray:")
    assert client.get("/readyz").json()["degraded"] == []


def test_many_texts_come_back_in_their_order(client: httpx.Client) -> None:
    """As NDJSON: a line for a line, with its number; a line at fault has its error in its place."""
    lines = [json.dumps({"text": text}) for text in (RIGHT, WRONG, RIGHT)] + ["no json", '{"txt": 1}']
    reply = client.post(
        "/guardrail/verify",
        content="\n".join(lines).encode(),
        headers={"content-type": "application/x-ndjson"},
    )
    told = [json.loads(line) for line in reply.text.splitlines()]
    assert [one["line"] for one in told] == [1, 2, 3, 4, 5]
    assert [one.get("outcome") for one in told] == ["confirmed", "flagged", "confirmed", None, None]
    assert "not JSON" in told[3]["error"]
    assert "txt" in told[4]["error"]


def test_another_guardrail_uses_the_classifier(client: httpx.Client, root: str) -> None:
    """The classifier speaks text-embeddings-inference's wire: `--model tei+http://…` of a proxy points at the cluster."""
    from guardrail.models.nli import Embedded
    from guardrail.models.remote import Remote
    from guardrail.models.tei import Tei

    pairs = [(REFERENCES[0], READ), ("Bread is sold here.", READ)]
    remote = Remote(Tei(root), timeout_s=60)
    assert remote.name.startswith("tei:")
    assert remote.probabilities(pairs) == pytest.approx(Embedded().probabilities(pairs), abs=1e-4)
    remote.close()
    assert client.post("/predict", json={"inputs": 5}).status_code == 422


@pytest.mark.parametrize("deployment", ["Verifiers", "Classifier"])
def test_a_replica_that_is_killed_under_load_loses_nothing(client: httpx.Client, deployment: str) -> None:
    """Every text has its report, every sentence its finding, and what is wrong is never confirmed."""
    texts = [f"{(RIGHT, WRONG)[number % 2]} {READ}" for number in range(60)]
    with ThreadPoolExecutor(12) as pool:
        coming = [pool.submit(checked, client, text, references=REFERENCES) for text in texts]
        while not any(one.done() for one in coming):
            time.sleep(0.01)
        kill(deployment)
        reports = [one.result() for one in coming]
    for number, report in enumerate(reports):
        assert report["text"] == texts[number]
        assert len(report["claims"]) + len(report["unchecked"]) == 2, report
        labels = {one["text"]: one["label"] for one in report["claims"]}
        assert labels.get(WRONG) in (None, "contradictory")
        assert report["outcome"] != "confirmed" or number % 2 == 0
    whole = 2 if deployment == "Verifiers" else 1
    eventually(lambda: len(replicas(deployment)) == whole, seconds=120)
    eventually(
        lambda: checked(client, READ, references=REFERENCES)["claims"][0]["checker"].startswith("text:ray:"),
        seconds=120,
    )


def test_the_config_file_names_the_application() -> None:
    """The file that ships has only options that are known, and Serve takes it."""
    import yaml
    from ray.serve.schema import ServeDeploySchema

    from guardrail.deploy.options import Options

    file = yaml.safe_load((ROOT / "guardrail" / "deploy" / "serve.yaml").read_text())
    (application,) = ServeDeploySchema.model_validate(file).applications
    assert application.import_path == "guardrail.deploy.ray:app"
    assert Options.read(application.args) == Options(model="embedded", knowledge=("starter",))


def test_without_ray_serve_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    import sys

    from guardrail.deploy.ray import app
    from guardrail.errors import ConfigError

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"claim-guardrail\[ray\]"):
        app({})
