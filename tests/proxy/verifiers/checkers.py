"""What processes that check open in tests: a fake verifier with faults, made by functions that another process can import."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from guardrail.errors import ConfigError
from guardrail.telemetry import names
from guardrail.types import Finding, Sentence
from proxy.verifiers.messages import Make, State
from proxy.verifiers.verifiers import Verifiers
from tests.fakes import FakeSession, FakeVerifier

PATIENCE_S = 120.0


class Faulty(FakeSession):
    """A sentence with `kills` ends the process; one with `once` ends it the first time, and leaves a file named by the question."""

    def check(self, sentence: Sentence, *, deadline: float | None = None) -> tuple[Finding, ...]:
        seen = Path(str(self.given["question"]))
        if "kills" in sentence.text or ("once" in sentence.text and not seen.exists()):
            if "once" in sentence.text:
                seen.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().check(sentence, deadline=deadline)


@dataclass
class FaultyVerifier(FakeVerifier):
    """Its model is away while its home holds a file `away`."""

    home: Path = Path()

    def state(self) -> State:
        away = (self.home / "away").exists()
        judges = {"checker": "another" if away else "fake"}
        counted = {names.MODEL_AWAY: float(away), names.REVIEWER_CALLS: 3.0, names.REVIEWER_SAVED: 0.5}
        return State(judges, {"model": "no answer" if away else ""}, counted)

    def session(self, **given: object) -> FakeSession:
        return Faulty(self, given)


def opened(home: Path, delay: float = 0.0) -> FaultyVerifier:
    """In the other process. A home that holds a file `unfit` has none; with `slow`, it takes its time."""
    if (home / "slow").exists():
        (home / "began").touch()
        time.sleep(10 * PATIENCE_S)
    if (home / "unfit").exists():
        raise ConfigError("there is nothing to check with")
    return FaultyVerifier(delay=delay, home=home)


def made(home: Path, delay: float = 0.0) -> Make:
    return partial(opened, home, delay)


def processes(verifiers: Verifiers) -> list[int]:
    """The ids of the processes that are there."""
    return [bench.process(0.0).pid for bench in verifiers._benches if bench.ready]
