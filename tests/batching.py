"""Batches in tests: a worker without a model, and the command as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from guardrail.cli.batch_job import Checking, Layout
from guardrail.cli.batch_work import Tick, Worker
from guardrail.segment import segment
from guardrail.types import Report
from tests.fakes import FakeVerifier

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-c", "from guardrail.cli.batch import batch; batch()"]


class Reader:
    """Judges as `FakeVerifier`; a text says what happens besides: `die`, `bug`, `wait`."""

    def check(self, text: str, **_: Any) -> Report:
        if "die" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        if "bug" in text:
            raise RuntimeError("a bug")
        if "wait" in text:
            time.sleep(0.02)
        session = FakeVerifier().session()
        for sentence in segment(text):
            session.check(sentence)
        return session.report(text)


@dataclass(frozen=True)
class Making:
    """Makes workers of other processes."""

    layout: Layout
    checking: Checking = field(default_factory=Checking)

    def __call__(self, tick: Tick = lambda: None) -> Worker:
        return Worker(self.layout, self.checking, tick, lambda _: Reader())  # type: ignore[arg-type,return-value]


def lines(path: Path, texts: list[str]) -> Path:
    """A file of rows `{id, text}`."""
    rows = [json.dumps({"id": f"r{number}", "text": text}) for number, text in enumerate(texts, 1)]
    path.write_text("\n".join(rows) + "\n")
    return path


def told(folder: Path, kind: str = "reports") -> list[dict[str, Any]]:
    """All rows of the output, in the order of its parts."""
    found: list[dict[str, Any]] = []
    for path in sorted((folder / kind).glob("part-*")):
        if path.suffix == ".parquet":
            import pyarrow.parquet

            found += pyarrow.parquet.read_table(path).to_pylist()
        else:
            found += [json.loads(line) for line in path.read_text().splitlines()]
    return found
