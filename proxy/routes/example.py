"""The example that the pages show, and what each policy makes of it."""

from __future__ import annotations

from functools import cache
from importlib import resources

import orjson

from guardrail.report import from_dict
from guardrail.types import Report
from policies.decide import decide
from policies.edit import render
from policies.terms import Policy

__all__ = ["delivered", "example"]


@cache
def example() -> Report:
    """A checked answer with a wrong, a confirmed and an unknown statement."""
    return from_dict(orjson.loads(resources.files("proxy").joinpath("ui", "example.json").read_bytes()))


def delivered(policy: Policy) -> str:
    """What a client is given of the example under `policy`."""
    report = example()
    return render(report, decide(policy, report), policy)[0]
