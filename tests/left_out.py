"""A plugin for a run in two environments: the first says which tests it had to skip, the second runs those alone.

`pytest -p tests.left_out --left-out-into FILE`, then `pytest -p tests.left_out --left-out-of FILE`.
"""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("left out")
    group.addoption(
        "--left-out-into", type=Path, help="write the ids of tests and modules that were skipped here"
    )
    group.addoption("--left-out-of", type=Path, help="run only what such a file names")


def pytest_configure(config: pytest.Config) -> None:
    of_several = hasattr(
        config, "workerinput"
    )  # a process of pytest-xdist: the first one hears of all reports
    if config.getoption("--left-out-into") and not of_several:
        config.pluginmanager.register(_Writer(config.getoption("--left-out-into")))


class _Writer:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._skipped: set[str] = set()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._skipped.add(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self._skipped.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self._file.write_text("".join(f"{name}\n" for name in sorted(self._skipped)), encoding="utf-8")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A module that was skipped whole brings all its tests."""
    file = config.getoption("--left-out-of")
    if file is None:
        return
    named = set(file.read_text(encoding="utf-8").splitlines())
    kept = [item for item in items if item.nodeid in named or item.nodeid.partition("::")[0] in named]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
