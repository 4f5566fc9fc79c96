"""The client matrix: every installed client takes every step against the real proxy, before a scripted model.

    python -m tests.clients.matrix            runs it and prints the table
    python -m tests.clients.matrix --write    and puts it in docs/wire.md
    python -m tests.clients.matrix node       only the clients of one environment

What a cell holds: ✓ when all its steps are right, – when the client has no such thing, otherwise the number of steps that are
wrong, each of which is printed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.conformance.environments import ENVIRONMENTS, Node, Python, installed
from tests.clients.model import answer
from tests.clients.steps import COLUMNS, POLICIES, WAYS, Step, steps
from tests.fakes import FakeModel
from tests.proxy.servers import serving

DRIVERS = Path(__file__).with_name("drivers")
PAGE = Path(__file__).parents[2] / "docs" / "wire.md"
BEGIN, END = "<!-- clients: written by tests/clients/matrix.py -->", "<!-- /clients -->"
PATIENCE = 240.0  # seconds for all steps of one client
_CHAT = ("whole", "stream", "helper")


@dataclass(frozen=True, slots=True)
class Client:
    """`package`: whose version stands in the table. `hows`: its ways of asking. `lacks`: columns that it has nothing for, or (column, how)."""

    title: str
    environment: str
    package: str
    driver: str
    hows: tuple[str, ...]
    lacks: tuple[str | tuple[str, str], ...] = ()

    @property
    def version(self) -> str:
        packages = ENVIRONMENTS[self.environment]
        if isinstance(packages, Node):
            return packages.packages[self.package]
        names = (one.partition("==") for one in packages.packages)
        return next(version for name, _, version in names if name.partition("[")[0] == self.package)

    def takes(self, step: Step) -> bool:
        return step.how in self.hows and not {step.column, (step.column, step.how)} & set(self.lacks)


CLIENTS = (
    Client("openai-python", "openai-1", "openai", "openai_python.py", WAYS),
    Client("openai-python", "openai-2", "openai", "openai_python.py", WAYS),
    Client("openai-python", "openai-3", "openai", "openai_python.py", WAYS),
    Client("openai-node", "node", "openai", "openai_node.mjs", WAYS),
    Client(
        "langchain-openai",
        "langchain",
        "langchain-openai",
        "langchain_python.py",
        ("whole", "stream", "responses", "responses_stream"),
        (("n=2", "stream"),),  # it writes all choices of a stream into one message
    ),
    Client(
        "Vercel AI SDK",
        "node",
        "ai",
        "vercel_node.mjs",
        ("whole", "stream", "responses", "responses_stream"),
        ("n=2", "JSON mode"),
    ),
    Client(
        "litellm",
        "litellm",
        "litellm",
        "litellm_python.py",
        ("whole", "stream"),
        (("n=2", "stream"),),  # it tells the end of one choice only
    ),
    Client(
        "anthropic (Python)", "anthropic", "anthropic", "anthropic_python.py", _CHAT, ("n=2", "JSON mode")
    ),
    Client(
        "@anthropic-ai/sdk", "node", "@anthropic-ai/sdk", "anthropic_node.mjs", _CHAT, ("n=2", "JSON mode")
    ),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one step; `wrong` is empty when all is well."""

    step: Step
    wrong: str


async def run(client: Client, home: Path) -> list[Result]:
    """All steps of one client, one after another. Raises RuntimeError when its driver breaks."""
    taken = [step for step in steps() if client.takes(step)]
    policies = home / "policies.yaml"
    policies.write_text(POLICIES)
    async with FakeModel(answer).running() as model:
        with serving(home, upstream=model.url, policy=str(policies)) as (root, services):
            told = await _drive(client, root, taken)
            held = services.permits.taken
        asked = Counter(str(request.json["model"]) for request in model.requests)
    if held:
        raise RuntimeError(f"{held} permits were not given back")
    return [
        Result(step, _wrong(step, told[step.name], asked[f"{step.script}.{number}"]))
        for number, step in enumerate(taken)
    ]


def _wrong(step: Step, told: Mapping[str, object], asked: int) -> str:
    if step.right is not None and (wrong := step.right(told)):
        return wrong
    return "" if asked <= step.asks else f"the model was asked {asked} times"


async def _drive(client: Client, root: str, taken: Sequence[Step]) -> dict[str, dict[str, object]]:
    process = await asyncio.create_subprocess_exec(
        *_command(client),
        cwd=_home(client),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    asked = {"base": root, "steps": [step.told(number) for number, step in enumerate(taken)]}
    try:
        out, err = await asyncio.wait_for(process.communicate(json.dumps(asked).encode()), PATIENCE)
    except TimeoutError:
        process.kill()
        raise RuntimeError(f"{client.title} did not end within {PATIENCE:.0f} s") from None
    lines = [json.loads(line) for line in out.splitlines() if line.startswith(b"{")]
    if len(lines) != len(taken):
        raise RuntimeError(f"{client.title} broke after {len(lines)} steps: {err.decode()[-2000:]}")
    return {line["name"]: line for line in lines}


def _home(client: Client) -> Path:
    home = installed(client.environment)
    if home is None:
        raise RuntimeError(f"{client.environment} is not installed: python -m eval.conformance.environments")
    return home


def _command(client: Client) -> list[str]:
    home, driver = _home(client), DRIVERS / client.driver
    if isinstance(ENVIRONMENTS[client.environment], Python):
        return [str(home / "bin" / "python"), str(driver)]
    # A module finds its packages from where it stands.
    copy = home / client.driver
    copy.write_bytes(driver.read_bytes())
    return ["node", str(copy)]


# ── the table ─────────────────────────────────────────────────────────────────────────────────────────


def cells(results: Sequence[Result]) -> list[str]:
    """One client's row, without its name."""
    row = []
    for column in COLUMNS:
        wrong = [bool(result.wrong) for result in results if result.step.column == column]
        row.append(str(sum(wrong)) if any(wrong) else "✓" if wrong else "–")
    return row


def table(rows: Mapping[str, Sequence[str]]) -> str:
    lines = [("client", *COLUMNS), ("---",) * (len(COLUMNS) + 1)]
    lines += [(name, *row) for name, row in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def published() -> str:
    """The table of the page."""
    return PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].strip()


def row(client: Client, results: Sequence[Result]) -> str:
    """One client's line in the table."""
    return table({f"{client.title} {client.version}": cells(results)}).splitlines()[-1]


async def main(arguments: Sequence[str]) -> int:
    lines, bad = table({}).splitlines(), 0
    wanted = {one for one in arguments if not one.startswith("--")}
    for client in CLIENTS:
        if wanted and client.environment not in wanted:
            continue
        with tempfile.TemporaryDirectory() as home:
            results = await run(client, Path(home))
        lines.append(row(client, results))
        for result in results:
            if result.wrong:
                bad += 1
                print(f"{client.title} {client.version}: {result.step.name}: {result.wrong}")
    print("\n".join(lines))
    if "--write" in arguments:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        told = "\n".join(lines)
        PAGE.write_text(f"{head}{BEGIN}\n{told}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
