"""openai-python's own API tests find no difference between the API and this proxy before it."""

from __future__ import annotations

import pytest

from eval.conformance.environments import installed
from eval.conformance.openai_tests import CORE, MAJORS, compare


@pytest.mark.parametrize(
    ("major", "policy"), list(zip(MAJORS, ("annotate", "block", "annotate"), strict=True))
)
def test_the_sdk_finds_no_difference(major: str, policy: str) -> None:
    """Every test that passes directly passes through the proxy, every request arrives as it was sent, and where no text is
    withheld the SDK makes the same of each answer.
    """
    if installed(f"openai-{major}") is None:
        pytest.skip(f"not installed: python -m eval.conformance.environments openai-{major}")
    found = compare(major, policy=policy, tests=CORE)
    assert found.tests > 0
    assert found.passed_direct == found.passed_through == found.tests
    assert (found.differing, found.changed, found.other) == ((), (), ())
    assert (found.answers > 0) is (policy == "annotate")
