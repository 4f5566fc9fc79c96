"""Defects built into the proxy's bytes, each of which a comparison with going directly has to notice; and the proxy without.

Exchanges as raw bytes are played against a scripted server, directly and through `guardrail serve` under annotate, revise and
block. Then the same with a relay that changes what the proxy passes on.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from eval.conformance.exchanges import EXCHANGES
from eval.conformance.fidelity import Problem, Stage, differing, scripted
from eval.conformance.mutants import CONTROLS
from eval.conformance.openai_tests import serving
from eval.conformance.relay import Relay
from eval.conformance.trial import trials


def run() -> int:
    """Prints what differs, and each mutation with the first check that noticed it; 0 when all of them are noticed, none of
    the harmless ones is, and the proxy as it is has no problem but known ones.
    """
    return asyncio.run(_run())


async def _run() -> int:
    async with _stage() as stage:
        problems = await differing(stage)
        tried = [trial async for trial in trials(stage)]
        harmless = [trial async for trial in trials(stage, requests=CONTROLS, answers=CONTROLS)]
    defects = tell_problems(problems)
    missed = [trial for trial in tried if trial.noticed is None]
    wrong = [trial for trial in harmless if trial.noticed or not trial.changed]
    print(f"\n{'where':23}{'mutation':30}first noticed in")
    for trial in (*tried, *wrong):
        print(f"{trial!s:.200}")
    print(
        f"\nnoticed: {len(tried) - len(missed)} of {len(tried)}; harmless ones noticed: {len(wrong)} of {len(harmless)}"
    )
    return 1 if defects or missed or wrong else 0


@asynccontextmanager
async def _stage() -> AsyncIterator[Stage]:
    async with scripted() as (server, upstream):
        with (
            tempfile.TemporaryDirectory() as home,
            serving(f"http://127.0.0.1:{upstream.port}/v1", "annotate", Path(home)) as base,
        ):
            async with Relay(urlsplit(base).port or 0).running() as client:
                yield Stage(server, upstream, client)


def tell_problems(problems: list[Problem]) -> int:
    """Prints what differs without a mutation; how many of it is not known."""
    defects = [problem for problem in problems if not problem.known]
    plays = sum(len(exchange.policies) for exchange in EXCHANGES)
    print(f"{len(EXCHANGES)} exchanges, {plays} plays: {len(defects)} problems")
    for problem in defects:
        print(f"  {problem!s:.300}")
    marked = {
        (exchange.name, policy): why for exchange in EXCHANGES for policy, why in exchange.known.items()
    }
    found = {(problem.exchange, problem.policy) for problem in problems}
    for (name, policy), why in marked.items():
        print(
            f"  {'known' if (name, policy) in found else 'mended, take the mark away'}: {name} ({policy}): {why}"
        )
    return len(defects)
