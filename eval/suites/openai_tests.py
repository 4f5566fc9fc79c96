"""Foreign tests: the API tests of openai-python 1, 2 and 3, from the package index, directly and through the proxy.

Each runs twice against a stand-in for the API, which answers with objects of the types that the SDK expects: once directly,
once through `guardrail serve`. Every test must come to the same result, every request must arrive unchanged, and under annotate
what the SDK makes of each answer must be the same, streams read to their end (under block the stand-in's text is withheld).
"""

from __future__ import annotations

from eval.conformance.environments import installed
from eval.conformance.openai_tests import CORE, MAJORS, compare
from eval.datasets.files import DataMissing


def run() -> int:
    """Prints a line for each version and policy; 0 when nothing differs."""
    ready = [major for major in MAJORS if installed(f"openai-{major}")]
    if not ready:
        raise DataMissing("no client is installed: python -m eval.conformance.environments")
    print(
        f"{'openai-python':16}{'policy':10}{'tests':>8}{'direct':>8}{'through':>9}{'requests':>10}{'changed':>9}"
        f"{'answers':>9}{'answers differing':>19}"
    )
    different = 0
    for major in ready:
        # Everything once, what goes through a guard also where text is withheld.
        for policy, tests in (("annotate", ()), ("block", CORE)):
            found = compare(major, policy=policy, tests=tests)
            print(
                f"{found.version:16}{policy:10}{found.tests:8}{found.passed_direct:8}{found.passed_through:9}"
                f"{found.requests:10}{len(found.changed):9}"
                f"{found.answers or '-':>9}{len(found.other) if found.answers else '-':>19}",
                flush=True,
            )
            for told in (*found.differing, *found.changed, *found.other):
                print(f"  {told}")
            different += len(found.differing) + len(found.changed) + len(found.other)
    return 1 if different else 0
