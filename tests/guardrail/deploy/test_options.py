"""What may be chosen of the application on Ray Serve."""

from __future__ import annotations

import pytest

from guardrail.deploy.options import Options
from guardrail.errors import ConfigError


def test_a_config_files_values_are_taken() -> None:
    """Lists become pairs, one number stands for least and most, numbers keep their kind."""
    found = Options.read(
        {"verifiers": [2, 8], "classifiers": 3, "gpus": 1, "knowledge": "starter", "queue": 6}
    )
    assert (found.verifiers, found.classifiers, found.gpus) == ((2, 8), (3, 3), 1.0)
    assert (found.knowledge, found.queue) == (("starter",), 6.0)
    assert Options.read({}) == Options()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"gpu": 1}, "unknown option 'gpu'"),
        ({"gpus": "many"}, "gpus"),
        ({"gpus": -1}, "gpus"),
        ({"verifiers": [1, 2, 3]}, "verifiers"),
        ({"verifiers": [4, 2]}, "4 to 2 replicas"),
        ({"classifiers": 0}, "classifiers"),
        ({"queue": 0}, "queue"),
        ({"model": "tei+http://h"}, "runs on this cluster"),
    ],
)
def test_what_makes_no_sense_is_refused(args: dict[str, object], message: str) -> None:
    """The message names the option."""
    with pytest.raises(ConfigError, match=message):
        Options.read(args)
