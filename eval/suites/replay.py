"""Real model answers, and texts with known mistakes, through the running proxy, streamed and not, under every preset."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openai
import uvicorn

from eval.datasets.files import find, json_lines
from eval.suites.statements import statements
from policies.policy import PRESETS
from proxy.app import create_app
from proxy.settings import Settings

ANSWERS = int(os.environ.get("REPLAY_ANSWERS", "200"))
VOLATILE = ("id", "timing_ms")


def answers(limit: int) -> list[str]:
    """Real ones, half of them general chat answers (HaluEval), half biographies (FActScore)."""
    general = [row["chatgpt_response"] for row in json_lines(find("halueval/data/general_data.json.gz"))]
    biographies = [row["output"] for row in json_lines(find("factscore_labeled/ChatGPT.jsonl.gz"))]
    return [text.strip() for text in (*general[: limit // 2], *biographies[: limit - limit // 2])]


def mistaken(size: int = 4) -> list[str]:
    """Texts of a few hand-labelled statements each, so that the policies have something to act on."""
    lines = [text for _, text, question in statements() if not question]
    return [" ".join(lines[at : at + size]) for at in range(0, len(lines), size)]


@contextmanager
def server() -> Iterator[openai.OpenAI]:
    """The proxy with the demo model, which says back what follows `verify:`."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["GUARDRAIL_HOME"] = home
        config = uvicorn.Config(
            create_app(Settings(audit=str(Path(home) / "audit.db"))), port=0, log_level="error"
        )
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run)
        thread.start()
        while not running.started:
            time.sleep(0.02)
        port = running.servers[0].sockets[0].getsockname()[1]
        try:
            yield openai.OpenAI(
                base_url=f"http://127.0.0.1:{port}/v1", api_key="any", max_retries=0, timeout=30
            )
        finally:
            running.should_exit = True
            thread.join()


@dataclass(frozen=True, slots=True)
class Heard:
    content: str
    report: dict[str, Any] | None
    finish: str | None


def ask(client: openai.OpenAI, text: str, policy: str, *, stream: bool) -> Heard:
    messages: Any = [{"role": "user", "content": f"verify: {text}"}]
    headers = {"x-guardrail-policy": policy}
    if not stream:
        whole = client.chat.completions.create(model="demo-fast", messages=messages, extra_headers=headers)
        choice = whole.choices[0]
        return Heard(
            choice.message.content or "", getattr(choice.message, "guardrail", None), choice.finish_reason
        )
    content, finish = "", None
    report: dict[str, Any] | None = None
    for chunk in client.chat.completions.create(
        model="demo-fast", messages=messages, extra_headers=headers, stream=True
    ):
        for part in chunk.choices:
            content += part.delta.content or ""
            report = getattr(part.delta, "guardrail", None) or report
            finish = part.finish_reason or finish
    return Heard(content, report, finish)


def faults(text: str, policy: str, whole: Heard, streamed: Heard) -> Iterator[str]:
    """What is wrong with one answer's two replies. `shadow` changes nothing that a client sees, so it sends no report."""
    if policy == "shadow":
        yield from _changes(text, whole, streamed)
        return
    for way, heard in (("whole", whole), ("stream", streamed)):
        found = [f"{way}: {fault}" for fault in unsound(text, heard.report)]
        yield from found
        if not heard.report:
            return
    if policy == "annotate" and not whole.content == streamed.content == text:
        yield "the text was changed"
    if whole.content != streamed.content:
        yield "stream and whole answer differ in content"
    if stable(whole.report) != stable(streamed.report):
        yield "stream and whole answer differ in verdicts"


def _changes(text: str, whole: Heard, streamed: Heard) -> Iterator[str]:
    if whole.report or streamed.report:
        yield "shadow shows itself"
    if not whole.content == streamed.content == text:
        yield "the text was changed"


def unsound(text: str, report: dict[str, Any] | None) -> Iterator[str]:
    """What is wrong with a report about `text`."""
    if report is None:
        yield "no report"
        return
    if report["text"] is None and report["action"] == "block":
        return  # of a blocked answer not a word is told
    if report["text"] != text:
        yield "the report is about another text"
    if not report.get("outcome"):
        yield "no outcome"
    pieces = [*report["claims"], *report["unchecked"]]
    if any(text[piece["start"] : piece["end"]] != piece["text"] for piece in pieces):
        yield "a span points elsewhere"
    spans = sorted([(p["start"], p["end"]) for p in pieces] + [tuple(gap) for gap in report["gaps"]])
    if "".join(text[start:end] for start, end in spans) != text:
        yield "spans and gaps do not tile the text"
    if report["unchecked"]:
        yield f"not checked: {report['unchecked'][0]['reason']} {report['unchecked'][0]['detail']}"


def stable(report: dict[str, Any] | None) -> str:
    return json.dumps(
        {key: value for key, value in (report or {}).items() if key not in VOLATILE}, sort_keys=True
    )


def run() -> int:
    texts = [*answers(ANSWERS), *mistaken()]
    wrong: Counter[str] = Counter()
    outcomes: Counter[tuple[str, str]] = Counter()
    labels: Counter[str] = Counter()
    started = time.monotonic()
    with server() as client:
        for policy in PRESETS:
            for text in texts:
                try:
                    whole = ask(client, text, policy, stream=False)
                    streamed = ask(client, text, policy, stream=True)
                except openai.APIError as error:
                    wrong[f"{policy}: {error}"] += 1
                    print(f"  {policy}: {error}: {text[:200]!r}")
                    continue
                wrong.update(f"{policy}: {fault}" for fault in faults(text, policy, whole, streamed))
                outcomes[policy, (whole.report or {}).get("outcome", "none")] += 1
                if policy == "annotate":
                    labels.update(claim["label"] for claim in (whole.report or {}).get("claims", ()))
    print(f"{len(texts)} answers × {len(PRESETS)} presets × 2 in {time.monotonic() - started:.0f} s")
    for (policy, outcome), count in sorted(outcomes.items()):
        print(f"  {policy:<10}{outcome:<16}{count}")
    print(f"  claims: {dict(labels)}")
    for fault, count in wrong.most_common():
        print(f"  FAULT {count}× {fault}")
    return 1 if wrong else 0
