"""The sentences of `tests/data/constructions`: each is an example of a phenomenon, with what is expected of it.

A file belongs to the bench (its folder) whose readers it uses. `expected` maps a reader's name to what that reader must find;
what stands at the phenomenon holds for all of its examples. An example that needs nothing of its own is a bare text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).parents[1] / "data" / "constructions"
BENCHES = ("english", "claims", "names", "comparison", "clinic", "verdicts")
PHENOMENON = {"phenomenon", "rule", "given", "expected", "examples"}
EXAMPLE = {"text", "given", "expected"}
SHOWN = 60


@dataclass(frozen=True, slots=True)
class Example:
    """A text, what is given beside it, and what each reader must find in it."""

    file: str
    phenomenon: str
    text: str
    given: Mapping[str, Any]
    expected: Mapping[str, Any]

    @property
    def id(self) -> str:
        """What a failed test is called by: the phenomenon, then the text."""
        text = re.sub(r"[\s\[\]:]+", " ", self.text).strip()
        return f"{self.phenomenon}: {text if len(text) <= SHOWN else text[:SHOWN].rstrip() + '…'}"


@dataclass(frozen=True, slots=True)
class Reader:
    """What is observed of a text, given what stands beside it, and when that agrees with what is expected."""

    observe: Callable[..., Any]
    agrees: Callable[[Any, Any], bool] = lambda observed, expected: bool(plain(observed) == expected)


def plain(observed: Any) -> Any:
    """Tuples as lists and sets as sorted lists, as YAML has them."""
    if isinstance(observed, set | frozenset):
        return sorted(plain(one) for one in observed)
    if isinstance(observed, list | tuple):
        return [plain(one) for one in observed]
    return observed


def examples(bench: str) -> list[Example]:
    """All examples of a bench, in the order of its files."""
    found = [one for path in sorted((DATA / bench).glob("*.yaml")) for one in _read(path)]
    assert found, f"{DATA / bench} holds no examples"
    return found


def _read(path: Path) -> Iterator[Example]:
    for entry in yaml.safe_load(path.read_text(encoding="utf-8")):
        where = f"{path.name}: {entry.get('phenomenon', entry)}"
        assert entry.keys() <= PHENOMENON, f"{where}: unknown keys {sorted(entry.keys() - PHENOMENON)}"
        assert entry.get("rule"), f"{where}: no rule"
        for item in entry["examples"]:
            own = {"text": item} if isinstance(item, str) else item
            assert own.keys() <= EXAMPLE, f"{where}: unknown keys {sorted(own.keys() - EXAMPLE)}"
            given = {**entry.get("given", {}), **own.get("given", {})}
            expected = {**entry.get("expected", {}), **own.get("expected", {})}
            assert expected, f"{where}: nothing is expected of {own['text']!r}"
            yield Example(path.stem, entry["phenomenon"], own["text"], given, expected)
