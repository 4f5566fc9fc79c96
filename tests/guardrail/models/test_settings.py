"""What nli.json says is read in one way, and a file that says it wrongly is named."""

from pathlib import Path

import pytest

from guardrail.errors import ConfigError
from guardrail.models.settings import Settings, Thresholds


def test_what_is_not_told_is_usual(tmp_path: Path) -> None:
    """A folder without the file, and one that tells only a name and one limit."""
    assert Settings.read(tmp_path) == Settings()
    (tmp_path / "nli.json").write_text('{"name": "ours", "thresholds": {"windows": {"contradictory": 0.6}}}')
    read = Settings.read(tmp_path)
    assert (read.name, read.window, read.temperature) == ("ours", None, 1.0)
    assert read.thresholds == {"windows": Thresholds(0.7, 0.6)}


@pytest.mark.parametrize(
    "damaged",
    [
        '{"name": "ours"',
        '{"temperature": "warm"}',
        '{"window": [320]}',
        '{"thresholds": [0.6]}',
        '{"thresholds": {"windows": {"attributabel": 0.6}}}',
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, damaged: str) -> None:
    """Not JSON, a number that is none, a limit of no label."""
    (tmp_path / "nli.json").write_text(damaged)
    with pytest.raises(ConfigError, match=r"nli\.json"):
        Settings.read(tmp_path)
