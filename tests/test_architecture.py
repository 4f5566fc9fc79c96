"""The house rules that a machine can see: layers, adapters, mirrored tests, exported names, sizes."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("guardrail", "policies", "proxy")

# Lower layers first; a module may import from its own line only within the same package, and from any line above it.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("guardrail.errors", "guardrail.types"),
    (
        "guardrail.language",
        "guardrail.ontology",
        "guardrail.report",
        "guardrail.scoring",
        "guardrail.segment",
        "guardrail.values",
    ),
    (
        "guardrail.batch",
        "guardrail.cache",
        "guardrail.config",
        "guardrail.embed",
        "guardrail.encoder",
        "guardrail.given",
        "guardrail.llm",
        "guardrail.nli",
        "guardrail.telemetry",
    ),
    ("guardrail.check", "guardrail.claims", "guardrail.evidence", "guardrail.revise"),
    ("guardrail.audit",),
    ("guardrail.casing",),
    (
        "guardrail.extraction",
        "guardrail.fleek",
        "guardrail.readings",
        "guardrail.review",
        "guardrail.unread",
    ),
    ("guardrail.verifier",),
    ("guardrail.cli",),
    ("policies",),
    ("proxy",),
    ("eval",),
)
# Third-party packages that only these modules may import.
ADAPTERS = {
    "litellm": {"guardrail.llm", "proxy.upstream.provider"},
    "vllm": {"guardrail.llm"},
    "onnxruntime": {"guardrail.encoder", "eval.train"},
    "torch": {"guardrail.nli", "guardrail.embed", "eval.train"},
    "transformers": {"guardrail.nli", "guardrail.embed", "eval.train"},
    "sentence_transformers": {"guardrail.embed"},
    "diskcache": {"guardrail.cache"},
    "ray": {"guardrail.cli.batch_ray"},
    "redis": {"guardrail.cache", "proxy.access.shared"},
    "opentelemetry": {"guardrail.telemetry"},
    "spacy": {"guardrail.evidence.linking.ner", "guardrail.language", "eval.train"},
}
# `Report.to_dict()` is offered on the type itself; the codec it calls lives one layer up.
ALLOWED = {("guardrail.types.verdicts", "guardrail.report")}
SKIP_MIRROR = {"__init__", "__main__"}
# Packages whose folders are rooms of one floor: see the table in docs/architecture.md.
PACKAGES = ("guardrail.check", "guardrail.check.kg", "guardrail.claims", "guardrail.evidence", "proxy")


def _modules(*rooms: str) -> Iterator[tuple[str, Path]]:
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def _layer(module: str) -> tuple[int, str] | None:
    for level, packages in enumerate(LAYERS):
        for package in packages:
            if _within(module, package):
                return level, package
    return None


def test_every_module_has_a_layer() -> None:
    """No module of the rooms stands outside the layers."""
    assert [name for name, _ in _modules(*ROOMS) if name != "guardrail" and _layer(name) is None] == []


def test_imports_point_down() -> None:
    """A module imports only from layers below its own, or from its own package."""
    wrong = []
    for name, path in _modules(*ROOMS, "eval"):
        own = _layer(name)
        for target in set(_imports(path)):
            other = _layer(target)
            if own is None or other is None or (name, other[1]) in ALLOWED:
                continue
            if other[0] > own[0] or (other[0] == own[0] and other[1] != own[1] and own[0] >= 3):
                wrong.append(f"{name} imports {target}")
    assert wrong == []


@pytest.mark.parametrize("package", PACKAGES)
def test_rooms_of_a_package_do_not_import_each_other_in_a_circle(package: str) -> None:
    """The folders inside a package can be put in an order in which each imports only from those before it."""
    folder = ROOT / package.replace(".", "/")
    rooms = {path.parent.name for path in folder.glob("*/__init__.py")}
    below: dict[str, set[str]] = defaultdict(set)
    for path in (path for room in rooms for path in (folder / room).rglob("*.py")):
        room = path.relative_to(folder).parts[0]
        targets = (target.removeprefix(f"{package}.").split(".")[0] for target in _imports(path))
        below[room] |= {target for target in targets if target in rooms and target != room}
    assert set(TopologicalSorter(below).static_order()) == set(below) | set().union(*below.values())


def test_every_room_says_what_it_is() -> None:
    """The docstring of each package says what the package is for."""
    silent = [
        str(path.parent.relative_to(ROOT))
        for room in (*ROOMS, "eval")
        for path in (ROOT / room).rglob("__init__.py")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


@pytest.mark.parametrize("package", sorted(ADAPTERS))
def test_third_party_package_is_imported_in_its_adapter_only(package: str) -> None:
    """Heavy and foreign packages stay behind one module each."""
    allowed = ADAPTERS[package]
    found = {
        name
        for name, path in _modules(*ROOMS, "eval")
        if any(_within(target, package) for target in _imports(path))
        and not any(_within(name, home) for home in allowed)
    }
    assert found == set()


def test_every_module_has_a_test_of_the_same_name() -> None:
    """`a/b/c.py` is tested by `tests/a/b/test_c.py`, so that a reader knows where to look."""
    missing = [
        str(path.relative_to(ROOT))
        for _, path in _modules(*ROOMS)
        if path.stem not in SKIP_MIRROR
        and not (ROOT / "tests" / path.relative_to(ROOT)).with_name(f"test_{path.stem}.py").exists()
    ]
    assert missing == []


def test_exported_names_exist() -> None:
    """Every `__all__` names only what is there, once; ruff sorts it (RUF022)."""
    for name, path in _modules(*ROOMS):
        if "__all__" not in path.read_text(encoding="utf-8"):
            continue
        module = import_module(name)
        exported = list(module.__all__)
        assert len(exported) == len(set(exported)), name
        assert [item for item in exported if not hasattr(module, item)] == [], name


def test_the_front_door_offers_what_the_readme_uses() -> None:
    """`from guardrail import Guardrail` and the nouns of a report are the public surface."""
    guardrail = import_module("guardrail")
    assert set(guardrail.__all__) == {
        "Guardrail",
        "Label",
        "Passage",
        "Report",
        "Span",
        "Triplet",
        "Verdict",
        "__version__",
    }
