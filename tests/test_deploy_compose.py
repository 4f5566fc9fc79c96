"""deploy/compose.yaml, read where no engine can start it: it fits the specification, what it names is there, and its proxy runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import aiohttp
import jsonschema
import pytest

from policies.policy import load
from tests import haproxy, postgres_server, redis_server
from tests.deployed import ASK, DEPLOY, ROOT, documents, option, started, unknown_options, unknown_variables
from tests.fakes import FakeModel, Script, completion
from tests.postgres_server import Server

(COMPOSE,) = documents("compose.yaml")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PROXIES = ("proxy-a", "proxy-b")
GIVEN = {"UPSTREAM": "https://host/v1", "POSTGRES_PASSWORD": "x", "GRAFANA_PASSWORD": "x"}


@pytest.fixture
def database() -> Iterator[Server]:
    yield from postgres_server.started()


def filled(text: str, given: Mapping[str, str]) -> str:
    """As compose replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}`."""

    def value(found: re.Match[str]) -> str:
        name, kind, more = found.groups()
        if kind == ":?":
            assert given.get(name), f"{name}: {more}"
        return given.get(name) or (more if kind == ":-" else "")

    return re.sub(r"\$\{(\w+)(?:(:-|:\?)([^}]*))?\}", value, text)


def seconds(duration: str) -> int:
    """Of a duration such as 5m30s."""
    return sum(int(number) * {"m": 60, "s": 1}[unit] for number, unit in re.findall(r"(\d+)([ms])", duration))


def test_it_fits_the_specification() -> None:
    """The file is valid by the schema of the Compose Specification, and a misspelt key would not be."""
    builtin = pytest.importorskip(
        "check_jsonschema.builtin_schemas", reason="the extra `deploy` is not installed"
    )
    schema = builtin.get_builtin_schema("vendor.compose-spec")
    jsonschema.validate(COMPOSE, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**COMPOSE, "services": {"a": {"imaeg": "x"}}}, schema)


def test_what_it_mounts_and_builds_is_there() -> None:
    """Files that are mounted exist, volumes and networks are declared, and nothing but the balancer is open to the world."""
    assert (DEPLOY / SERVICES["proxy-a"]["build"] / "Dockerfile").is_file()
    for name, service in SERVICES.items():
        for mounted in service.get("volumes", ()):
            source = mounted.partition(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith(".") else source in COMPOSE["volumes"]
        assert set(service["networks"]) <= COMPOSE["networks"].keys()
        for port in service.get("ports", ()):
            assert name == "balancer" or port.startswith("127.0.0.1:")


def test_the_extras_that_it_needs_are_in_the_image() -> None:
    """The container file installs the clients of PostgreSQL and Redis."""
    (extras,) = re.findall(r"\.\[([\w,]+)\]", (ROOT / "Dockerfile").read_text())
    assert {"postgres", "redis"} <= set(extras.split(","))


@pytest.mark.parametrize("name", PROXIES)
def test_a_proxy_is_told_what_there_is(name: str) -> None:
    """Every option and variable exists; the engine waits as long as the proxy takes to end; it cannot write but to its home."""
    proxy = SERVICES[name]
    command = [filled(part, GIVEN) for part in proxy["command"]]
    assert unknown_options(command) == unknown_variables(proxy["environment"]) == set()
    assert load(option(command, "--policy"))
    ending = float(option(command, "--stop-after")) + float(option(command, "--stop-grace"))
    assert seconds(proxy["stop_grace_period"]) > ending
    assert (proxy["read_only"], proxy["cap_drop"]) == (True, ["ALL"])
    (network,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert option(command, "--trusted-proxies") == network["subnet"]


def test_the_example_of_variables_names_all_that_are_asked_for() -> None:
    """`.env.example` has a line for each variable that has no default, and none for one that nobody reads."""
    text = (DEPLOY / "compose.yaml").read_text()
    asked = set(re.findall(r"\$\{(\w+)", text))
    needed = {name for name, kind in re.findall(r"\$\{(\w+)(:\?)?", text) if kind}
    told = set(re.findall(r"^#?(\w+)=", (DEPLOY / ".env.example").read_text(), re.MULTILINE))
    assert needed <= told <= asked


def test_prometheus_and_grafana_find_what_they_need() -> None:
    """Prometheus asks every proxy and has the alerts; Grafana's source is that Prometheus, its dashboards are where one is mounted."""
    (settings,) = documents("prometheus.yaml")
    (job,) = settings["scrape_configs"]
    assert job["static_configs"] == [{"targets": [f"{name}:8080" for name in PROXIES]}]
    mounted = dict(one.split(":")[:2] for one in SERVICES["prometheus"]["volumes"] if one.startswith("."))
    assert mounted["./alerts.yaml"] == f"/etc/prometheus/{settings['rule_files'][0]}"
    (sources,), (boards,) = documents("grafana/datasources.yaml"), documents("grafana/dashboards.yaml")
    assert sources["datasources"][0]["url"] == "http://prometheus:9090"
    folder = boards["providers"][0]["options"]["path"]
    assert any(one.split(":")[1].startswith(folder) for one in SERVICES["grafana"]["volumes"])


def test_a_checking_model_is_asked_as_the_example_says() -> None:
    """The addresses in the example are those of the two services with a GPU."""
    told = (DEPLOY / ".env.example").read_text()
    for name in ("vllm", "tei"):
        command = SERVICES[name]["command"]
        port = command[command.index("--port") + 1]
        assert f"#GUARDRAIL_CHECKER_URL=http://{name}:{port}" in told
        model = filled(command[1], {})
        assert f"#GUARDRAIL_CHECKER_MODEL={model}\n" in told
        assert SERVICES[name]["profiles"] == ["gpu"]


async def test_the_proxy_runs_with_what_it_is_told(tmp_path: Path, database: Server) -> None:
    """With this command and these variables a real server answers through the real balancer, on record in PostgreSQL, its report in Redis."""
    haproxy.binary()
    proxy = SERVICES["proxy-a"]
    script = Script([completion("It is true.")], headers=(("content-type", "application/json"),))
    async with FakeModel(script).running() as model:
        with redis_server.running(tmp_path) as redis:
            given = GIVEN | {"UPSTREAM": model.url}
            here = {
                "postgres:5432/guardrail": f"127.0.0.1:{database.port}/postgres",
                "guardrail@": "guard@",
                "redis:6379": f"127.0.0.1:{redis.port}",
            }
            command = [placed(filled(part, given), here) for part in proxy["command"]]
            variables = {
                name: placed(filled(value, given), here) for name, value in proxy["environment"].items()
            }
            with started(command, variables, tmp_path / "home") as root:
                await _served(root, model, tmp_path)


def placed(text: str, here: Mapping[str, str]) -> str:
    for there, one in here.items():
        text = text.replace(there, one)
    return text


async def _served(root: str, model: FakeModel, folder: Path) -> None:
    address = root.removeprefix("http://")
    async with aiohttp.ClientSession() as http:
        async with http.get(f"{root}/readyz") as answer:
            assert (answer.status, (await answer.json())["status"]) == (200, "ready")
        async with http.get(f"{root}/healthz") as answer:
            assert answer.status == 200
        async with http.get(f"{root}/metrics") as answer:
            told = await answer.text()
        assert "guardrail_limits_away 0" in told
        assert "guardrail_reports_away 0" in told
        with haproxy.running(address, address, folder / "haproxy.log") as balancer:
            async with http.post(f"{balancer}/v1/chat/completions", json=ASK) as answer:
                assert (answer.status, len(model.requests)) == (200, 1)
                path = f"/guardrail/reports/{answer.headers['x-guardrail-id']}"
            async with http.get(balancer + path) as answer:
                assert answer.status == 200
            for closed in ("/metrics", "/readyz", "/guardrail/audit", "/%6detrics"):
                async with http.get(balancer + closed) as answer:
                    assert answer.status == 404


def test_a_variable_without_a_value_is_one_that_is_not_there() -> None:
    """What compose leaves empty does not turn on a checking model."""
    assert filled("${A:-}b${C:-d}", {}) == "bd"
    with pytest.raises(AssertionError, match="needed"):
        filled("${A:?needed}", {})
