"""How fast the web pages are, in a real Chromium on this machine: one table, with the bars of the requirements.

    python -m eval.benchmarks.pages [--rounds 10]

Needs the dependency group `browser` and a Chromium. The server is the real one with the demo model and the starter knowledge; only the
long text is made up here, as its verdicts are not what is measured. Times are the browser's own clock.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from proxy.app import create_app
from proxy.server.server import Server, listen
from proxy.services import Services
from proxy.settings import Settings

FLAGS = ["--no-sandbox", "--disable-gpu"]
WORDS_OF_A_CLAIM = 13
CLAIMS = 400  # of about 5,000 words
LONG_TASK_MS = 50

# Notes when a chunk with verdicts arrives at the page, and when the claim's colour has been painted.
WATCH = """() => {
    window.arrived = []; window.painted = [];
    const plain = window.fetch;
    window.fetch = async (...asked) => {
        const response = await plain(...asked);
        if (!response.headers.get('content-type')?.includes('event-stream')) return response;
        const seen = new TransformStream({transform(piece, out) {
            const now = performance.now();
            for (const line of new TextDecoder().decode(piece).split('\\n')) {
                if (!line.includes('"check_offset"')) continue;
                for (const _ of JSON.parse(line.slice(line.indexOf('{'))).guardrail.claims) window.arrived.push(now);
            }
            out.enqueue(piece);
        }});
        return new Response(response.body.pipeThrough(seen), {headers: response.headers, status: response.status});
    };
    document.addEventListener('DOMContentLoaded', () => new MutationObserver((changes) => {
        const made = changes.flatMap((one) => [...one.addedNodes]).filter((node) => node.classList?.contains('claim'));
        for (const _ of made) requestAnimationFrame(() => setTimeout(() => window.painted.push(performance.now())));
    }).observe(document.querySelector('#chat-view'), {subtree: true, childList: true}));
}"""
TASKS = """() => {
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((one) => one.duration)))
        .observe({type: 'longtask', buffered: false});
}"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One row: what, how much in `unit`, and the bar that it must stay under."""

    name: str
    value: float
    unit: str
    bar: float

    @property
    def holds(self) -> bool:
        return self.value < self.bar


@contextmanager
def server() -> Iterator[str]:
    """The real server with its demo model on a free port; its state is thrown away."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["GUARDRAIL_HOME"] = home
        settings = Settings(audit=str(Path(home) / "audit.db"), port=0)
        app = create_app(settings, services=Services.open(settings))
        listener = listen(settings)
        running = Server(app, grace=0.2)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not running.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            running.should_exit = True
            thread.join(10)
            listener.close()


def _claim(number: int, at: int) -> dict[str, Any]:
    """Claim `number`, whose text begins at `at`, with a slot in conflict and the statement that says so."""
    filler = " ".join(f"word{number % 50 + place}" for place in range(WORDS_OF_A_CLAIM - 5))
    text = f"Claim {number} says {filler} in 1990."
    end = at + len(text)
    triplet = {
        "id": f"Q{number}$1",
        "subject": {"id": f"Q{number % 40}", "label": f"Entity {number % 40}"},
        "predicate": {"id": "P1", "label": "says"},
        "object": {"label": "1989", "value": "1989", "datatype": "date"},
        "qualifiers": [],
        "source": "made up",
        "as_of": "2026",
    }
    slot = {
        "property": "says",
        "claimed": "1990",
        "known": "1989",
        "state": "conflict",
        "start": end - 5,
        "end": end - 1,
    }
    said = {"id": number, "start": at, "end": end, "text": text, "resolved": text}
    judged = {
        "label": ("attributable", "extrapolatory", "contradictory")[number % 3],
        "confidence": 0.9,
        "tms": 0.7,
        "score": 1,
        "checker": "made up",
        "reason": None,
        "rationale": "It is made up.",
        "slot": slot,
        "slots": [slot],
        "facts": [],
        "revisions": [],
        "conflict": False,
        "by_source": [],
        "evidence": {"triplets": [triplet], "passages": [], "unread": []},
    }
    return said | judged


def long_report() -> dict[str, Any]:
    """A report on 5,000 words with 400 claims of all labels, each with a slot and a statement."""
    claims: list[dict[str, Any]] = []
    at = 0
    for number in range(CLAIMS):
        claims.append(_claim(number, at))
        at = claims[-1]["end"] + 1
    entities = [{"id": f"Q{n}", "label": f"Entity {n}", "description": "", "url": None} for n in range(40)]
    return {
        "id": "grd_long",
        "text": " ".join(claim["text"] for claim in claims),
        "outcome": "flagged",
        "kas": 0.5,
        "counts": {"claims": CLAIMS, "unchecked": 0, **Counter(claim["label"] for claim in claims)},
        "policy": "annotate",
        "action": "annotate",
        "claims": claims,
        "unchecked": [],
        "entities": entities,
        "versions": {},
    }


def stream(report: dict[str, Any]) -> str:
    """The same as a streamed chat answer: a chunk a word, a chunk of verdicts a sentence."""
    lines: list[dict[str, Any]] = []
    for claim in report["claims"]:
        lines.extend(
            {"choices": [{"index": 0, "delta": {"content": f"{w} "}}]} for w in claim["text"].split()
        )
        found = {"choice_index": 0, "check_offset": claim["end"], "claims": [claim]}
        lines.append({"choices": [{"index": 0, "delta": {}}], "guardrail": found})
    lines.append({"choices": [{"index": 0, "delta": {"guardrail": report}}]})
    return "".join(f"data: {json.dumps(line)}\n\n" for line in lines) + "data: [DONE]\n\n"


# ── what is measured ──────────────────────────────────────────────────────────────────────────────────


async def first_view(browser: Any, root: str, rounds: int, *, name: str = "") -> list[Figure]:
    """Without any cache: when the first words are painted, and how many bytes of files the first view takes."""
    painted, weights = [], []
    for _ in range(rounds):
        page = await browser.new_page()
        await page.goto(root, wait_until="networkidle")
        painted.append(
            await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
        sizes = "[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]"
        weights.append(await page.evaluate(f"{sizes}.reduce((sum, one) => sum + one.transferSize, 0)"))
        await page.close()
    return [
        Figure(f"{name}first paint, median of {rounds}", statistics.median(painted), "ms", 300),
        Figure(f"{name}first paint, slowest", max(painted), "ms", 300),
        Figure(f"{name}first view, bytes over the wire", max(weights) / 1000, "kB", 250),
    ]


def weight() -> Figure:
    """All files of the pages together, the library that is only fetched for graphs included."""
    folder = Path(__file__).parents[2] / "proxy" / "ui"
    return Figure(
        "all files of all views",
        sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1000,
        "kB",
        250,
    )


async def verdicts(browser: Any, root: str, rounds: int) -> list[Figure]:
    """From the arrival of a chunk with a verdict to the frame in which the claim has its colour."""
    waits: list[float] = []
    page = await browser.new_page()
    await page.add_init_script(f"({WATCH})()")
    await page.goto(root)
    await page.wait_for_selector("#chat-view .headline")
    for number in range(min(rounds, 6)):
        await page.evaluate("window.arrived.length = window.painted.length = 0")
        await page.locator("#samples button").nth(number).click()
        async with asyncio.timeout(30):  # the answer may be over before anybody looks at the button
            while not await page.evaluate("window.painted.length > 0"):  # noqa: ASYNC110 - it happens in the page
                await asyncio.sleep(0.05)
        await page.wait_for_selector("#ask button:not(:disabled)")
        arrived, painted = await page.evaluate("[window.arrived, window.painted]")
        waits += [later - earlier for earlier, later in zip(arrived, painted, strict=False)]
    await page.close()
    return [
        Figure(
            f"verdict visible after its chunk, median of {len(waits)}", statistics.median(waits), "ms", 100
        ),
        Figure("verdict visible after its chunk, slowest", max(waits), "ms", 100),
    ]


async def long_text(browser: Any, root: str) -> list[Figure]:
    """5,000 words with 400 claims: the longest task of drawing, scrolling, streaming."""
    report = long_report()
    page = await browser.new_page(viewport={"width": 1200, "height": 900})
    await page.route("**/guardrail/verify", lambda route: route.fulfill(json=report))
    kind = {"content-type": "text/event-stream"}
    await page.route("**/v1/chat/completions", lambda route: route.fulfill(body=stream(report), headers=kind))
    await page.goto(root)
    cpu = await Cpu.of(page)
    await page.click("nav a[data-view=playground]")
    await page.fill("#text", report["text"])
    await cpu.spent()
    await page.evaluate(TASKS)
    await page.click("#check button.primary")
    await page.wait_for_selector("#playground-view .graph")
    drawing, drawing_cpu = await worst(page), await cpu.spent()
    scrolling, scrolling_cpu = await scrolled(page, cpu)
    await page.locator("#playground-view .claim").nth(3).click()
    picking, picking_cpu = await worst(page), await cpu.spent()
    await page.click("nav a[data-view=chat]")
    await page.fill("#question", "What is it?")
    await page.click("#ask button.primary")
    await page.wait_for_selector("#chat-view .turn[aria-label='What is it?'] .headline")
    streaming = await worst(page)
    assert await page.locator("#chat-view .claim").count() == CLAIMS
    await page.close()
    words = len(report["text"].split())
    return [
        Figure(
            f"{words} words, {CLAIMS} claims: longest task while scrolling", scrolling, "ms", LONG_TASK_MS
        ),
        Figure("the same: picking a claim", picking, "ms", LONG_TASK_MS),
        Figure("the same: drawing it at once", drawing, "ms", float("inf")),
        Figure("the same: streamed at full speed", streaming, "ms", float("inf")),
        Figure("main thread's CPU: a step of the wheel", scrolling_cpu, "ms", LONG_TASK_MS),
        Figure("main thread's CPU: picking a claim", picking_cpu, "ms", LONG_TASK_MS),
        Figure("main thread's CPU: drawing it, all tasks together", drawing_cpu, "ms", float("inf")),
    ]


async def scrolled(page: Any, cpu: Cpu) -> tuple[float, float]:
    """The longest task while the wheel turns down and up again, and the CPU time of one step."""
    await page.evaluate("window.scrollTo(0, 0)")
    await page.mouse.move(400, 500)
    await worst(page)
    await cpu.spent()
    for _ in range(100):
        await page.mouse.wheel(0, 160)
        await page.wait_for_timeout(16)
    for _ in range(100):
        await page.mouse.wheel(0, -160)
        await page.wait_for_timeout(16)
    return await worst(page), await cpu.spent() / 200


class Cpu:
    """CPU time of a page's main thread: what a busy machine does not falsify."""

    def __init__(self, devtools: Any) -> None:
        self._devtools, self._before = devtools, 0.0

    @classmethod
    async def of(cls, page: Any) -> Cpu:
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        return cls(devtools)

    async def spent(self) -> float:
        """Milliseconds since the last look."""
        told = await self._devtools.send("Performance.getMetrics")
        now = next(one["value"] for one in told["metrics"] if one["name"] == "TaskDuration") * 1000
        since, self._before = now - self._before, now
        return float(since)


async def worst(page: Any) -> float:
    """The longest task over 50 ms since the last look; 0: there was none."""
    await page.wait_for_timeout(300)
    found: Sequence[float] = await page.evaluate("window.tasks.splice(0)")
    return max(found, default=0.0)


async def measure(rounds: int) -> list[Figure]:
    driver = import_module("playwright.async_api")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with server() as root:
        async with driver.async_playwright() as started:
            browser = await started.chromium.launch(executable_path=chromium, args=FLAGS)
            found = [
                *await first_view(browser, root, rounds),
                *await first_view(browser, f"{root}/docs/wire", rounds, name="a page of the manual: "),
                weight(),
                *await verdicts(browser, root, rounds),
                *await long_text(browser, root),
            ]
            await browser.close()
    return found


@click.command()
@click.option("--rounds", default=10, show_default=True, type=click.IntRange(1, 100))
def main(rounds: int) -> None:
    """Print the table; exit code 1 when a bar does not hold."""
    figures = asyncio.run(measure(rounds))
    for one in figures:
        bar = f"< {one.bar:g}" if one.bar != float("inf") else "no bar"
        shown = "none over 50" if one.value == 0 else f"{one.value:.1f} {one.unit}"
        click.echo(f"{one.name:<62}{shown:>14}   {bar:<8}{'' if one.holds else '  MISSED'}")
    sys.exit(0 if all(one.holds for one in figures) else 1)


if __name__ == "__main__":
    main()
