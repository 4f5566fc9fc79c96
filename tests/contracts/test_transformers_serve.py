"""A foreign OpenAI-compatible server for real: `transformers serve` with a tiny model made here.

Its words are noise, so what is tested is transport, and that noise never becomes a verdict. Needs torch and transformers,
which the product does not; see docs/llm.md for the environment.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from guardrail.check.llm.checker import LlmChecker
from guardrail.check.llm.probabilities import DecisionJudge
from guardrail.check.llm.verdicts import VerdictsJudge
from guardrail.llm import LlmSettings, open_llm
from guardrail.llm.endpoint import Decider
from guardrail.types import Label, Verdict
from tests import tiny_llama
from tests.llm_cases import CAPITAL_TEXT, capital_cases, sentence

needed = ("torch", "transformers", "fastapi", "uvicorn", "litellm")
pytestmark = [
    pytest.mark.skipif(
        any(find_spec(name) is None for name in needed), reason="needs torch, transformers and litellm"
    ),
    pytest.mark.filterwarnings("default"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("serve")
    model = tiny_llama.make(home / "tiny", [CAPITAL_TEXT, "Paris is the capital of France."] * 50)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (home / "hub").mkdir()
    environment = os.environ | {
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(home),
        "HF_HUB_CACHE": str(home / "hub"),
    }
    process = subprocess.Popen(
        [
            str(Path(sys.executable).with_name("transformers")), "serve", str(model),
            "--host", "127.0.0.1", "--port", str(port), "--device", "cpu",
        ],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _await(f"http://127.0.0.1:{port}/health", process)
        yield f"http://127.0.0.1:{port}|{model}"
    finally:
        process.terminate()
        process.wait(20)


def _await(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            pytest.fail("transformers serve did not start")
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail("transformers serve did not answer within a minute")


def test_noise_is_never_a_verdict(server: str) -> None:
    """The call goes through, is counted, and its rubbish leaves the embedded verdict in place."""
    root, model = server.split("|")
    llm = open_llm(LlmSettings(model, root + "/v1", max_tokens=16, attempts=1))
    found = LlmChecker(VerdictsJudge(llm)).review(sentence(CAPITAL_TEXT), capital_cases()).findings
    llm.close()
    assert all(isinstance(item, Verdict) and "The embedded one stands" in item.rationale for item in found)
    assert llm.usage.calls == 2  # the question and one repair
    assert llm.usage.prompt_tokens > 0


def test_systemone_gives_three_probabilities(server: str) -> None:
    """`/v1/systemone` answers our question for any chat model, and the answer is read."""
    root, model = server.split("|")
    judge = DecisionJudge(Decider(root, model, "systemone", attempts=1), threshold=0.0)
    found = LlmChecker(judge).review(sentence(CAPITAL_TEXT), capital_cases()).findings
    judge.close()
    assert all(isinstance(item, Verdict) and item.checker.startswith("systemone:") for item in found)
    shares = Decider(root, model, "systemone").decide("Paris is the capital.", ["Lyon is the capital."])[0]
    assert set(shares) == set(Label)
    assert abs(sum(shares.values()) - 1) < 1e-6
