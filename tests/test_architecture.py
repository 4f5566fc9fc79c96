"""The house rules that a machine can see: layers, adapters, mirrored tests, exported names, sizes."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from tests import limits

ROOT = Path(__file__).parent.parent
ROOMS = ("guardrail", "policies", "proxy")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# Lower layers first; a module may import from its own line only within the same package, and from any line above it.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("guardrail.errors", "guardrail.rules", "guardrail.types"),
    ("guardrail.models.encoder",),
    (
        "guardrail.deferred",
        "guardrail.direction",
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
        "guardrail.given",
        "guardrail.llm",
        "guardrail.models",
        "guardrail.telemetry",
    ),
    ("guardrail.check", "guardrail.claims", "guardrail.evidence", "guardrail.revise"),
    ("guardrail.audit",),
    ("guardrail.casing",),
    (
        "guardrail.extraction",
        "guardrail.findings",
        "guardrail.fleek",
        "guardrail.readings",
        "guardrail.review",
    ),
    ("guardrail.verifier",),
    ("guardrail.cli",),
    ("guardrail.__main__",),
    ("guardrail.deploy",),
    ("policies",),
    ("proxy",),
    ("eval",),
)
# Third-party packages that only these modules may import.
ADAPTERS = {
    "litellm": {"guardrail.llm", "proxy.upstream.provider"},
    "vllm": {"guardrail.llm"},
    "onnxruntime": {"guardrail.models.encoder", "eval.train"},
    "torch": {"guardrail.models.hub", "eval.train"},
    "transformers": {"guardrail.models.hub", "eval.train"},
    "diskcache": {"guardrail.cache"},
    "markdown_it": {"proxy.manual.markdown"},
    "ray": {"guardrail.cli.batch_ray", "guardrail.deploy.ray"},
    "redis": {"guardrail.cache", "proxy.redis_client"},
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


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _imports(path: Path) -> frozenset[str]:
    """The modules that a file imports, and each name that it takes from one, as `module.name`."""
    found: set[str] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


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
        for target in _imports(path):
            other = _layer(target)
            if own is None or other is None or (name, other[1]) in ALLOWED:
                continue
            if other[0] > own[0] or (other[0] == own[0] and other[1] != own[1] and own[0] >= 4):
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


def _declared(*tables: str) -> set[str]:
    """The distributions that `pyproject.toml` asks for: what is always needed, and what stands in the tables."""
    found = list(PROJECT["project"]["dependencies"])
    if "extras" in tables:
        found += chain.from_iterable(PROJECT["project"]["optional-dependencies"].values())
    if "groups" in tables:
        found += chain.from_iterable(PROJECT["dependency-groups"].values())
    return {_plain(re.split(r"[\[<>=; ]", one)[0]) for one in found}


_OFFERED_BY = {"sklearn": "scikit-learn"}  # which need not be installed to be declared


def _undeclared(rooms: tuple[str, ...], declared: set[str]) -> set[str]:
    """`module: package` for each import that is neither ours, nor Python's own, nor of a declared distribution."""
    ours = {*ROOMS, "eval", "tests", *sys.stdlib_module_names}
    homes = packages_distributions()
    return {
        f"{name}: {package}"
        for name, path in _modules(*rooms)
        for package in {target.partition(".")[0] for target in _imports(path)} - ours
        if not {_plain(one) for one in homes.get(package, [_OFFERED_BY.get(package, package)])} & declared
    }


def _plain(distribution: str) -> str:
    return distribution.lower().replace("_", "-")


def test_what_is_imported_is_declared() -> None:
    """The wheel's packages import what it depends on or offers as an extra; eval may need a dependency group, too."""
    assert _undeclared(ROOMS, _declared("extras")) == set()
    assert _undeclared(("eval",), _declared("extras", "groups")) == set()


def _tests_of(package: str) -> set[str]:
    """What the test files of the package's folder, and of those below it, import; a file without a test counts nothing."""
    return {
        target
        for path in (ROOT / "tests" / Path(*package.split("."))).rglob("test_*.py")
        if any(getattr(node, "name", "").startswith("test_") for node in ast.walk(_tree(path)))
        for target in _imports(path)
    }


def _reached(named: set[str], imports: dict[str, set[str]]) -> set[str]:
    """The modules that are named, and those that they import in turn."""
    found: set[str] = set()
    waiting = [name for name in named if name in imports]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += imports[name]
    return found


def test_every_module_is_tested_in_the_folder_of_its_package() -> None:
    """Tests below `tests/a/b` name each module of `a.b` and of its rooms, or one of them that imports the module."""
    modules = dict(_modules(*ROOMS))
    missing = []
    for package in sorted({_floor(_package(name, path)) for name, path in modules.items()}):
        own = {name: path for name, path in modules.items() if _within(name, package)}
        imports = {name: {one for one in _imports(path) if one in own} for name, path in own.items()}
        reached = _reached(_tests_of(package), imports)
        missing += [
            name for name, path in own.items() if path.stem not in SKIP_MIRROR and name not in reached
        ]
    assert missing == []


def _floor(package: str) -> str:
    """The package whose folder of tests a room belongs to: `guardrail.check` of `guardrail.check.kg`, `proxy` of `proxy.stream`."""
    return ".".join(package.split(".")[: 2 if _within(package, "guardrail") else 1])


def _package(name: str, path: Path) -> str:
    return name if path.stem == "__init__" else name.rpartition(".")[0]


@pytest.mark.parametrize("measure", sorted(limits.LIMITS))
def test_functions_stay_within_the_limits(measure: str) -> None:
    """No function of the product or of eval is over them."""
    assert limits.over()[measure] == {}, f"over the limit of {limits.LIMITS[measure]} {measure}"


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
