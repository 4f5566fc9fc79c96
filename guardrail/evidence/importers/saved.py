"""The mappings of tables, saved beside the graph that they were imported into: there they can be read and corrected."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import yaml

from guardrail.errors import ConfigError

__all__ = ["beside", "has", "save", "written"]

_STYLE: Any = {"sort_keys": False, "allow_unicode": True, "width": 110, "default_flow_style": None}


def beside(graph: Path | str) -> Path | None:
    """The file for the mappings of a graph, a path or an address; None for an address."""
    return None if "://" in str(graph) else Path(graph).with_suffix(".mapping.yaml")


def written(sections: Mapping[str, Mapping[str, Any]]) -> str:
    """Sections by the name of their table, as a mapping file has them."""
    text: str = yaml.safe_dump({name: dict(section) for name, section in sections.items()}, **_STYLE)
    return text


def has(path: Path, name: str) -> bool:
    """Whether the file has a section for a table of this name; also where it cannot be read, so that its reader says why."""
    try:
        return path.exists() and any(fnmatch(name, str(pattern)) for pattern in _sections(path))
    except ConfigError:
        return True


def save(path: Path, sections: Mapping[str, Mapping[str, Any]]) -> None:
    """Writes these sections into the file, instead of those of the same names; what else stands there stays.

    Raises ConfigError where the file cannot be read or written.
    """
    former = _sections(path) if path.exists() else {}
    kept = {name: section for name, section in former.items() if name not in sections}
    try:
        # where nothing is replaced, what people wrote stays as it is, with its comments
        text = path.read_text("utf-8") if former and kept == former else written(kept) if kept else ""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + written(sections), "utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error


def _sections(path: Path) -> dict[str, Any]:
    try:
        content = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    return content if isinstance(content, dict) else {}
