"""The peers of the bench: how each is installed into a cache folder of its own, started, and asked.

    python -m eval.benchmarks.peers          install all, or say why one cannot be

The folder is `$GUARDRAIL_BENCH` (default: `guardrail-bench` in the user's cache), outside the repository. What cannot be
installed or started is left out of the table with its reason. Versions are pinned, so that two runs compare.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

LITELLM = "litellm[proxy]==1.106.2"
NEMO = "nemoguardrails[server]==0.24.1"
PORTKEY = "1.15.2"
# Newer versions of this dependency answer every stream of that gateway with 500.
PORTKEY_OVERRIDES = {"@hono/node-server": "1.13.8"}
INSTALL_S = 1200


class Left(Exception):
    """The peer is left out; the text says why."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A gateway to start. `{port}` in `command` is where it listens; it forwards to the fake model."""

    name: str
    command: tuple[str, ...]
    headers: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


def cache() -> Path:
    """Where peers live."""
    folder = Path(os.environ.get("GUARDRAIL_BENCH") or platformdirs.user_cache_dir("guardrail-bench"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def peer(name: str, upstream: str) -> Peer:
    """Installed where it was not, and set up for the model's server at `upstream`. Raises Left."""
    return {"litellm": _litellm, "litellm-guard": _litellm, "portkey": _portkey, "nemo": _nemo}[name](
        name, upstream
    )


NAMES = ("litellm", "litellm-guard", "portkey", "nemo")


def _litellm(name: str, upstream: str) -> Peer:
    python = _venv("litellm", LITELLM)
    folder = _folder(name)
    models = [
        {
            "model_name": model,
            "litellm_params": {"model": f"openai/{model}", "api_base": upstream, "api_key": "sk-none"},
        }
        for model in ("fake-fast", "fake-10ms")
    ]
    config: dict[str, object] = {
        "model_list": models,
        "litellm_settings": {"telemetry": False, "set_verbose": False},
    }
    if name == "litellm-guard":
        (folder / "trivial_guard.py").write_text(_TRIVIAL_GUARD)
        hook = {"guardrail": "trivial_guard.Trivial", "mode": "post_call", "default_on": True}
        config["guardrails"] = [{"guardrail_name": "trivial", "litellm_params": hook}]
    (folder / "config.yaml").write_text(json.dumps(config))
    key = f"sk-{secrets.token_hex(16)}"
    return Peer(
        name,
        (
            str(python.with_name("litellm")),
            *("--config", str(folder / "config.yaml"), "--host", "127.0.0.1", "--port", "{port}"),
            *("--num_workers", "1", "--telemetry", "False"),
        ),
        headers={"authorization": f"Bearer {key}"},
        environment={
            "LITELLM_MASTER_KEY": key,
            "LITELLM_MODE": "PRODUCTION",
            "LITELLM_LOG": "ERROR",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        },
    )


def _portkey(name: str, upstream: str) -> Peer:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        raise Left("node and npm are not installed")
    folder = _folder(name)
    start = folder / "node_modules/@portkey-ai/gateway/build/start-server.js"
    if not start.exists():
        package = {
            "name": "peer",
            "private": True,
            "dependencies": {"@portkey-ai/gateway": PORTKEY},
            "overrides": PORTKEY_OVERRIDES,
        }
        (folder / "package.json").write_text(json.dumps(package))
        _run([npm, "install", "--no-audit", "--no-fund", "--silent"], folder)
    return Peer(
        name,
        (node, str(start), "--headless", "--port={port}"),
        headers={"x-portkey-provider": "openai", "x-portkey-custom-host": upstream},
    )


def _nemo(name: str, upstream: str) -> Peer:
    python = _venv("nemo", NEMO)
    folder = _folder(name)
    rails = folder / "rails" / "plain"
    rails.mkdir(parents=True, exist_ok=True)
    (rails / "config.yml").write_text(_NEMO_CONFIG.replace("UPSTREAM", upstream))
    (rails / "rails.co").write_text(_NEMO_RAILS)
    (rails / "actions.py").write_text(_NEMO_ACTIONS)
    (folder / "serve.py").write_text(_NEMO_SERVE)
    command = (str(python), str(folder / "serve.py"), str(rails.parent), "{port}")
    return Peer(name, command, environment={"OPENAI_API_KEY": "sk-none", "DO_NOT_TRACK": "1"})


def _venv(name: str, requirement: str) -> Path:
    """The interpreter of a virtual environment that has `requirement`."""
    folder = _folder(name)
    python, done = folder / "venv/bin/python", folder / "installed"
    if not done.exists() or done.read_text() != requirement:
        _run([sys.executable, "-m", "venv", "--clear", str(folder / "venv")], folder)
        _run([str(python), "-m", "pip", "install", "--quiet", requirement], folder)
        done.write_text(requirement)
    return python


def _folder(name: str) -> Path:
    folder = cache() / name
    folder.mkdir(exist_ok=True)
    return folder


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Left(f"cannot be installed: {type(error).__name__}") from error
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Left(f"cannot be installed: {' '.join(last)[:200]}")


# A hook that looks at every answer and changes none: the nearest that LiteLLM has to what a guardrail costs by itself.
_TRIVIAL_GUARD = """
from litellm.integrations.custom_guardrail import CustomGuardrail

class Trivial(CustomGuardrail):
    async def apply_guardrail(self, inputs, request_data, input_type, logging_obj=None, **_):
        return inputs
"""
_NEMO_CONFIG = """
models:
  - {type: main, engine: openai, model: fake-fast, parameters: {base_url: "UPSTREAM", api_key: sk-none}}
passthrough: true
rails:
  output:
    flows: [check trivial]
    streaming: {enabled: true, chunk_size: 200, context_size: 50, stream_first: true}
"""
_NEMO_RAILS = """
define bot refuse to respond
  "I'm sorry, I can't respond to that."
define subflow check trivial
  $verdict = execute trivial_check
  if $verdict.is_blocked
    bot refuse to respond
    stop
"""
_NEMO_ACTIONS = """
from nemoguardrails.actions import action
from nemoguardrails.actions.rail_outcome import RailOutcome

@action(is_system_action=True)
async def trivial_check(context=None, **_):
    return RailOutcome.allow()
"""
# Its own command prints every event; this is its app without that.
_NEMO_SERVE = """
import logging, os, sys
import uvicorn
from nemoguardrails.rails.llm import llmrails
from nemoguardrails.server import api

llmrails.set_verbose = lambda *a, **k: None
logging.getLogger().setLevel(logging.WARNING)
api.app.rails_config_path, api.app.disable_chat_ui = os.path.abspath(sys.argv[1]), True
api.set_default_config_id("plain")
uvicorn.run(api.app, port=int(sys.argv[2]), log_level="warning", host="127.0.0.1")
"""


if __name__ == "__main__":
    for one in NAMES:
        try:
            print(one, "installed:", " ".join(peer(one, "http://127.0.0.1:9/v1").command))
        except Left as reason:
            print(one, reason)
