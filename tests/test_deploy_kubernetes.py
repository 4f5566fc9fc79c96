"""deploy/kubernetes, read where no cluster is: each object fits its schema, they fit each other, and the pod's commands run."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from guardrail.audit.chain import Signer
from proxy.access.keys import KeyRing
from tests import postgres_server, redis_server
from tests.deployed import ASK, DEPLOY, documents, option, started, unknown_options, unknown_variables
from tests.fakes import FakeModel, Script, completion
from tests.postgres_server import Server

FOLDER = DEPLOY / "kubernetes"
(BASE,) = documents("kubernetes/kustomization.yaml")
FILES = [*BASE["resources"], "secret.example.yaml"]
OBJECTS: dict[str, dict[str, Any]] = {
    one["kind"]: one for file in FILES for one in documents(f"kubernetes/{file}")
}
POD = OBJECTS["Deployment"]["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]
(PREPARE,) = POD["spec"]["initContainers"]
PROBES = ("startupProbe", "livenessProbe", "readinessProbe")
VERSIONS = ("1.29", "1.31")


@pytest.fixture
def database() -> Iterator[Server]:
    yield from postgres_server.started()


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("version", VERSIONS)
def test_each_object_fits_its_schema(file: str, version: str) -> None:
    """By the schemas of Kubernetes, unknown fields included."""
    kubernetes = pytest.importorskip("kubernetes_validate", reason="the extra `deploy` is not installed")
    for one in documents(f"kubernetes/{file}"):
        kubernetes.validate(one, version, strict=True)


def test_a_misspelt_field_would_be_found() -> None:
    """The schemas are strict."""
    kubernetes = pytest.importorskip("kubernetes_validate", reason="the extra `deploy` is not installed")
    wrong = {**OBJECTS["PodDisruptionBudget"], "spec": {"maxUnavailble": 1}}
    with pytest.raises(kubernetes.ValidationError):
        kubernetes.validate(wrong, VERSIONS[-1], strict=True)


def test_every_file_is_part_of_the_base() -> None:
    """What lies in the folder is a resource, the base itself, or the example of a Secret."""
    assert {path.name for path in FOLDER.iterdir()} == {*FILES, "kustomization.yaml"}


def test_objects_find_each_other() -> None:
    """Service, budget, policy and autoscaler mean the pods of the deployment, and ports have the names of the container's."""
    labels = POD["metadata"]["labels"]
    assert OBJECTS["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert OBJECTS["Service"]["spec"]["selector"] == labels
    assert OBJECTS["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert OBJECTS["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels
    target = OBJECTS["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", OBJECTS["Deployment"]["metadata"]["name"])
    names = {port["name"] for port in CONTAINER["ports"]}
    (service,) = OBJECTS["Service"]["spec"]["ports"]
    used = [service["targetPort"], *(CONTAINER[probe]["httpGet"]["port"] for probe in PROBES)]
    used += [port["port"] for rule in OBJECTS["NetworkPolicy"]["spec"]["ingress"] for port in rule["ports"]]
    assert set(used) == names
    assert POD["spec"]["serviceAccountName"] == OBJECTS["ServiceAccount"]["metadata"]["name"]
    assert {CONTAINER["image"], PREPARE["image"]} == {one["name"] for one in BASE["images"]}
    for variable in CONTAINER["env"]:
        ((kind, found),) = variable["valueFrom"].items()
        held = OBJECTS["ConfigMap"]["data"] if kind == "configMapKeyRef" else OBJECTS["Secret"]["stringData"]
        assert found["key"] in held


def test_a_pod_may_do_nothing_that_it_need_not() -> None:
    """Not root, nothing gained, a root that cannot be written, no token; what is written lies in volumes that end with the pod."""
    assert POD["spec"]["securityContext"]["runAsNonRoot"] is True
    assert POD["spec"]["securityContext"]["runAsUser"] == 10001
    assert POD["spec"]["automountServiceAccountToken"] is False
    for container in (CONTAINER, PREPARE):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
    writable = {one["name"] for one in CONTAINER["volumeMounts"] if not one.get("readOnly")}
    assert writable == {one["name"] for one in POD["spec"]["volumes"] if "emptyDir" in one}


def test_a_pod_is_told_what_there_is_and_given_time_to_end() -> None:
    """Every option and variable exists; there is at least one pod ready at all times, and none is killed before it has ended."""
    variables = {one["name"] for one in CONTAINER["env"]}
    assert unknown_options(CONTAINER["args"]) == unknown_variables(dict.fromkeys(variables)) == set()
    ending = [float(option(CONTAINER["args"], name)) for name in ("--stop-after", "--stop-grace")]
    assert POD["spec"]["terminationGracePeriodSeconds"] > sum(ending)
    ready = CONTAINER["readinessProbe"]
    assert ending[0] > ready["periodSeconds"] * ready["failureThreshold"] + ready["timeoutSeconds"]
    assert OBJECTS["Deployment"]["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert OBJECTS["HorizontalPodAutoscaler"]["spec"]["minReplicas"] >= 2


async def test_the_pod_runs_with_what_it_is_told(tmp_path: Path, database: Server) -> None:
    """Prepared from the Secret, a real server answers the probes, lets the key in, and signs with the key that it was given."""
    secret, home = tmp_path / "secret", tmp_path / "home"
    secret.mkdir(), home.mkdir()
    signer = Signer.open(secret / "audit.key")
    ring = KeyRing(secret / "keys.db")
    _, token = ring.create("alice")
    ring.close()
    (secret / "audit.key.pub").unlink()
    prepare(secret, home)
    assert (home / "audit.key").stat().st_mode & 0o777 == 0o600
    script = Script([completion("It is true.")], headers=(("content-type", "application/json"),))
    async with FakeModel(script).running() as model:
        with redis_server.running(tmp_path) as redis:
            settings = OBJECTS["ConfigMap"]["data"] | {"UPSTREAM": model.url, "AUDIT": database.url()}
            secrets = {"upstream-key": "k", "database-password": "x"} | dict.fromkeys(
                ("limits", "reports"), redis.url
            )
            command, variables = told(settings, secrets, tmp_path)
            with started(command, variables, home) as root:
                await _probed(root, token)
    assert model.requests[-1].headers["authorization"] == "Bearer k"
    assert Signer.open(home / "audit.key").public == signer.public


def prepare(secret: Path, home: Path) -> None:
    """What is done before the container starts, with other folders."""
    places = {"/run/secrets/guardrail": str(secret), "/var/lib/guardrail": str(home)}
    command = list(PREPARE["command"])
    for there, here in places.items():
        command = [part.replace(there, here) for part in command]
    subprocess.run(command, check=True)


def told(settings: dict[str, str], secrets: dict[str, str], folder: Path) -> tuple[list[str], dict[str, str]]:
    """Arguments and variables as Kubernetes would make them."""
    variables = {}
    for one in CONTAINER["env"]:
        ((kind, found),) = one["valueFrom"].items()
        variables[one["name"]] = (settings if kind == "configMapKeyRef" else secrets)[found["key"]]
    policy = folder / "policy.yaml"
    policy.write_text(settings["policy.yaml"])
    command = []
    for part in CONTAINER["args"]:
        for name, value in variables.items():
            part = part.replace(f"$({name})", value)
        assert "$(" not in part
        command.append(part.replace("/etc/guardrail/policy.yaml", str(policy)))
    return command, variables


async def _probed(root: str, token: str) -> None:
    async with aiohttp.ClientSession() as http:
        for probe in PROBES:
            async with http.get(root + CONTAINER[probe]["httpGet"]["path"]) as answer:
                assert answer.status == 200
        path = POD["metadata"]["annotations"]["prometheus.io/path"]
        async with http.get(root + path) as answer:
            assert "guardrail_reports_away 0" in await answer.text()
        async with http.post(f"{root}/v1/chat/completions", json=ASK) as answer:
            assert answer.status == 401
        key = {"authorization": f"Bearer {token}"}
        async with http.post(f"{root}/v1/chat/completions", json=ASK, headers=key) as answer:
            assert answer.status == 200


def test_the_example_of_a_secret_holds_none() -> None:
    """Its values are empty, or addresses without a password."""
    for value in OBJECTS["Secret"]["stringData"].values():
        assert value == "" or ("@" not in value and value.startswith("redis://"))
