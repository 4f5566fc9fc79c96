"""openai-python's own API tests, taken from its source distribution, run directly and through the proxy, and compared.

python -m eval.conformance.openai_tests            as `make eval SUITE=openai-tests`
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from eval.conformance.environments import ENVIRONMENTS, ROOT, Python, installed
from eval.conformance.likeness import added, difference, said
from eval.conformance.standin import Seen, StandIn

MAJORS = ("1", "2", "3")
PLUGIN = Path(__file__).with_name("plugin.py")
# What a chat client asks for; all of these but two go through a guard, everything else is passed on.
CORE = (
    "chat",
    "responses",
    "test_completions.py",
    "test_embeddings.py",
    "test_models.py",
    "test_responses.py",
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """`differing`: tests that end otherwise through the proxy; `changed`: requests that did not arrive as they were sent;
    `answers`: how many results of the SDK were compared, `other`: those that are others than directly.
    """

    version: str
    tests: int
    passed_direct: int
    passed_through: int
    requests: int
    differing: tuple[str, ...]
    changed: tuple[str, ...]
    answers: int = 0
    other: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Run:
    """`results`: by test, what the SDK made of each answer; of a stream, `{"events": […]}`."""

    outcomes: Mapping[str, str]
    seen: Mapping[str, list[Seen]]
    results: Mapping[str, list[Any]]

    @property
    def passed(self) -> int:
        return sum(outcome == "passed" for outcome in self.outcomes.values())


def compare(major: str, *, policy: str = "annotate", tests: tuple[str, ...] = ()) -> Comparison:
    """Runs the tests of an installed version twice. `tests`: paths below tests/api_resources; all where none is given.

    Answers are compared under a policy that changes no text, as the stand-in's text is partly wrong.
    """
    source = sources(major)
    direct = asyncio.run(_run(source, major, tests, policy=None))
    through = asyncio.run(_run(source, major, tests, policy=policy))
    names = direct.outcomes.keys() | through.outcomes.keys()
    differing = [
        f"{name}: {direct.outcomes.get(name, 'absent')} directly, {through.outcomes.get(name, 'absent')} through the proxy"
        for name in sorted(names)
        if direct.outcomes.get(name) != through.outcomes.get(name)
    ]
    results = direct.results if policy == "annotate" else {}
    return Comparison(
        version=source.name.removeprefix("openai-"),
        tests=len(names),
        passed_direct=direct.passed,
        passed_through=through.passed,
        requests=sum(map(len, through.seen.values())),
        differing=tuple(differing),
        changed=tuple(_changed(direct.seen, through.seen)),
        answers=sum(map(len, results.values())),
        other=tuple(other_answers(results, through.results if results else {})),
    )


def _changed(direct: Mapping[str, list[Seen]], through: Mapping[str, list[Seen]]) -> Iterator[str]:
    for test in sorted(direct.keys() | through.keys()):
        one, other = direct.get(test, []), through.get(test, [])
        if one != other:
            pair = next(((a, b) for a, b in zip(one, other, strict=False) if a != b), (len(one), len(other)))
            yield f"{test}: {pair[0]} became {pair[1]}"


def other_answers(direct: Mapping[str, list[Any]], through: Mapping[str, list[Any]]) -> Iterator[str]:
    """What the SDK made of answers otherwise through the proxy, but for what docs/wire.md says is added."""
    for test in sorted(direct.keys() | through.keys()):
        one, other = direct.get(test, []), [_without_ours(result) for result in through.get(test, [])]
        if told := difference(one, other, "answers"):
            yield f"{test}: {told}"


def _without_ours(result: Any) -> Any:
    events = result.get("events") if isinstance(result, dict) else None
    return {"events": [event for event in events if not _ours(event)]} if events else result


def _ours(event: Any) -> bool:
    """A strict client refuses chunks of legacy completions without a finish reason, ours as well as OpenAI's."""
    told = event.get("event") if isinstance(event, dict) else None
    legacy = isinstance(told, dict) and told.get("object") == "text_completion"
    return added(told if legacy else event)


def _results(folder: Path) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for file in sorted(folder.iterdir()):
        for line in file.read_bytes().splitlines():
            told = said(line)
            found.setdefault(told["test"], []).append(told["result"])
    return found


def sources(major: str) -> Path:
    """The unpacked source distribution of the installed version, fetched from the package index once."""
    environment = ENVIRONMENTS[f"openai-{major}"]
    assert isinstance(environment, Python)
    version = environment.packages[0].partition("==")[2]
    home = ROOT / "sources"
    found = home / f"openai-{version}"
    if not found.exists():
        pip = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--no-binary", "openai"]
        subprocess.run([*pip, "--dest", str(home), f"openai=={version}"], check=True)
        with tarfile.open(home / f"openai-{version}.tar.gz") as archive:
            archive.extractall(home, filter="data")
    return found


async def _run(source: Path, major: str, tests: tuple[str, ...], *, policy: str | None) -> _Run:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "answers").mkdir()
        (home / "results").mkdir()
        async with StandIn(home / "answers").running() as standin:
            if policy is None:
                outcomes = await asyncio.to_thread(_pytest, source, major, tests, standin.url, home)
            else:
                with serving(standin.url, policy, home) as base:
                    outcomes = await asyncio.to_thread(_pytest, source, major, tests, base, home)
        return _Run(outcomes, standin.seen, _results(home / "results"))


@contextmanager
def serving(upstream: str, policy: str, home: Path) -> Iterator[str]:
    """`guardrail serve` on a free port; gives its base URL."""
    command = [sys.executable, "-c", "from guardrail.cli.main import main; main()", "serve", "--port", "0"]
    options = ["--upstream", upstream, "--policy", policy]
    # What a policy that guards would refuse is compared, too: the operator opens it.
    for path in ("GET /v1/chat/completions", "GET /v1/responses", "POST /v1/responses/compact"):
        options += ["--pass", path]
    environment = {**os.environ, "GUARDRAIL_HOME": str(home)}
    with subprocess.Popen(
        [*command, *options], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            for line in process.stdout or ():
                if "base_url" in line:
                    yield line.split()[-1]
                    return
            raise RuntimeError(f"the proxy did not start: {' '.join(command)}")
        finally:
            process.terminate()


def _pytest(source: Path, major: str, tests: tuple[str, ...], base: str, home: Path) -> dict[str, str]:
    """The outcome of each test."""
    python = installed(f"openai-{major}")
    if python is None:
        raise RuntimeError(f"openai-{major} is not installed")
    (home / "plugins").mkdir()
    (home / "plugins" / "conformance_plugin.py").write_bytes(PLUGIN.read_bytes())
    result = home / "results.xml"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")},
        "TEST_API_BASE_URL": base,
        "CONFORMANCE_ANSWERS": str(home / "answers"),
        "CONFORMANCE_RESULTS": str(home / "results"),
        "PYTHONPATH": str(home / "plugins"),
    }
    paths = [f"tests/api_resources/{path}" for path in tests] or ["tests/api_resources"]
    options = ["-q", "-n", "2", "-p", "conformance_plugin", "-p", "no:cacheprovider", f"--junitxml={result}"]
    subprocess.run(
        [str(python / "bin" / "python"), "-m", "pytest", *options, *paths],
        cwd=source,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return {
        f"{case.get('classname')}::{case.get('name')}": _outcome(case)
        for case in ElementTree.parse(result).iter("testcase")
    }


def _outcome(case: ElementTree.Element) -> str:
    return next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")


if __name__ == "__main__":
    from eval.__main__ import run  # it knows the suites, one of which is about this module

    sys.exit(run("openai-tests"))
