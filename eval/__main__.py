"""`python -m eval [SUITE]`: run an evaluation suite, `list` them, or run `all`.

A suite is a module `eval/suites/<name>.py` with a one-line docstring and `run() -> int`, which prints its table and returns
0 when every bar it states is met. Its name on the command line has dashes for underscores. A suite whose data is not there
is skipped with the reason; asked for by name, that is exit code 3.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from eval.datasets.files import DataMissing

SKIPPED = 3


def suites() -> list[str]:
    """Names of the suites, sorted."""
    found = (Path(__file__).parent / "suites").glob("[a-z]*.py")
    return sorted(path.stem.replace("_", "-") for path in found)


def run(name: str) -> int:
    module = import_module("eval.suites." + name.replace("-", "_"))
    print(f"── {name}: {(module.__doc__ or '').strip().splitlines()[0]}")
    try:
        return int(module.run())
    except DataMissing as missing:
        print(f"skipped: {missing}")
        return SKIPPED


def main(arguments: list[str]) -> int:
    wanted = arguments or ["list"]
    if wanted == ["list"]:
        print("\n".join(suites()))
        return 0
    if wanted == ["all"]:
        return max((code for code in map(run, suites()) if code != SKIPPED), default=SKIPPED)
    if unknown := [name for name in wanted if name not in suites()]:
        print(f"no suite {unknown[0]!r}; there are: {', '.join(suites())}", file=sys.stderr)
        return 2
    return max(run(name) for name in wanted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
