"""Hostile answers, requests and texts against the running proxy: what false statement reaches a client unflagged."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter

from eval.leaks.attack import ScriptedServer, attack, proxy
from eval.leaks.cases import GROUPS, PARTS, Case, cases
from eval.leaks.seen import Seen
from policies.policy import PRESETS

GUARDING = tuple(name for name in PRESETS if name in ("attach", "revise", "block"))
PART = os.environ.get("LEAKS_PART", "all")  # open, sealed or all
TOLD = os.environ.get("LEAKS_TOLD", "") == "yes"  # name the cases that fail; not those of the sealed part


def verdict(case: Case, policy: str, seen: Seen) -> str:
    """`leak`, `withheld` where nothing was wrong, `silent` where the client got no answer at all, or `held`."""
    if not seen.status:
        return "silent"
    if case.group == "benign":
        return "held" if seen.status == 200 and seen.shows(case.text) else "withheld"
    if not seen.shows(case.text or case.bad, before=case.before):
        return "held"
    strict = policy == "block" and not case.flaggable
    return "leak" if strict or not seen.named else "held"


async def play(part: str, policy: str) -> list[tuple[Case, str]]:
    """Every case of a part under a policy, with its verdict."""
    script = ScriptedServer()
    async with script.running() as upstream:
        with proxy(upstream, policy) as port:
            return [(one, verdict(one, policy, await attack(script, port, one))) for one in cases(part)]


def run() -> int:
    missed = 0
    print(f"{'part':8}{'policy':8}" + "".join(f"{group:>16}" for group in GROUPS))
    for part in PARTS if PART == "all" else (PART,):
        for policy in GUARDING:
            found = asyncio.run(play(part, policy))
            found = [(case, told) for case, told in found if not case.debatable]
            wrong = [(case, told) for case, told in found if told != "held"]
            missed += len(wrong)
            of, bad = Counter(case.group for case, _ in found), Counter(case.group for case, _ in wrong)
            print(f"{part:8}{policy:8}" + "".join(f"{f'{bad[g]} of {of[g]}':>16}" for g in GROUPS))
            if TOLD and part != "sealed":
                for case, told in wrong:
                    print(f"  {told:9}{case.id:14}{case.idea}", file=sys.stderr)
    return int(missed > 0)
