"""The environments of foreign clients: one virtual environment or npm prefix each, in a folder that git ignores.

    python -m eval.conformance.environments            builds all that are missing
    python -m eval.conformance.environments node       builds one

Versions are pinned, so that a table says what it was made with; only the package registries are asked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2] / ".venv-clients"
# What the own tests of openai-python import besides it.
SUITE = (
    "pytest>=9",
    "pytest-asyncio",
    "pytest-xdist",
    "inline-snapshot",
    "rich",
    "aiohttp",
    "httpx-aiohttp",
    "respx",
    "dirty-equals",
    "jsonschema",
)


@dataclass(frozen=True, slots=True)
class Python:
    """A virtual environment with `packages`; the first of them is what it is for."""

    packages: Sequence[str]

    def build(self, at: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(at)], check=True)
        pip = [str(at / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        # An old resolver does not end on the dependencies of litellm's proxy.
        subprocess.run([*pip, "--upgrade", "pip"], check=True)
        subprocess.run([*pip, *self.packages], check=True)


@dataclass(frozen=True, slots=True)
class Node:
    """An npm prefix with `packages` by name and version."""

    packages: Mapping[str, str]

    def build(self, at: Path) -> None:
        at.mkdir(parents=True, exist_ok=True)
        told = {"private": True, "type": "module", "dependencies": dict(self.packages)}
        (at / "package.json").write_text(json.dumps(told))
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=at, check=True)


ENVIRONMENTS: Mapping[str, Python | Node] = {
    "openai-1": Python(("openai==1.109.1", *SUITE)),
    "openai-2": Python(("openai==2.54.0", *SUITE)),
    "openai-3": Python(("openai==3.52.0", "httpx", *SUITE)),
    "anthropic": Python(("anthropic==2.11.0",)),
    "langchain": Python(("langchain-openai==1.1.9",)),
    "llamaindex": Python(("llama-index-llms-openai-like==0.8.1",)),
    "litellm": Python(("litellm[proxy]==1.106.2",)),
    "node": Node(
        {
            "openai": "7.55.0",
            "ai": "7.0.173",
            "@ai-sdk/openai": "4.0.118",
            "@ai-sdk/openai-compatible": "3.0.92",
            "@anthropic-ai/sdk": "1.11.0",
        }
    ),
}


def stamp(name: str) -> str:
    """What an environment is made of; one that was built of something else is built anew."""
    return repr(ENVIRONMENTS[name])


def installed(name: str) -> Path | None:
    """Where an environment is; None when it is not built, or was built of other versions."""
    mark = ROOT / name / ".installed"
    return mark.parent if mark.exists() and mark.read_text() == stamp(name) else None


def build(name: str) -> Path:
    """Builds an environment unless it is there. Raises CalledProcessError, FileNotFoundError where npm is not installed."""
    if found := installed(name):
        return found
    home = ROOT / name
    ENVIRONMENTS[name].build(home)
    (home / ".installed").write_text(stamp(name))
    return home


def main(names: Sequence[str]) -> int:
    for name in names or list(ENVIRONMENTS):
        if name not in ENVIRONMENTS:
            print(f"no environment {name!r}; there are: {', '.join(ENVIRONMENTS)}", file=sys.stderr)
            return 2
        print(f"{name}: {build(name)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
