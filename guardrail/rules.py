"""A register of the rules by which claims are found and judged, so that each can be switched off and its yield measured.

A rule is a function that could be deleted as a whole, for one phenomenon of language or of knowledge, which its docstring names.
Where it finds nothing it gives what it calls `silent`, or one of its arguments as it is (`passes`); that is also what it gives
where it is switched off. Its example, which is a test, stands in `tests/data/rules.yaml`.

    @rule("age")
    def by_age(...) -> FactFinding | None: ...

    with without("age"):
        verifier.check("Albert Einstein is 30 years old.")

What is switched off and what is watched holds for the whole process: it is meant for evaluation and tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from inspect import isgeneratorfunction
from typing import Any, ParamSpec, TypeVar, cast

__all__ = ["Rule", "fired", "registered", "rule", "without"]

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    phenomenon: str


_REGISTER: dict[str, Rule] = {}
_off: frozenset[str] = frozenset()
_watching: tuple[set[str], ...] = ()


def rule(
    name: str, *, silent: object = None, passes: int | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Enters a function as the rule of this name. A type as `silent` stands for an empty one: `list` for []; a generator needs none.

    Raises ValueError for a name that is taken.
    """
    if name in _REGISTER:
        raise ValueError(f"there is a rule {name!r} already")

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        _REGISTER[name] = Rule(name, (function.__doc__ or "").strip().split("\n")[0])
        generates = isgeneratorfunction(function)

        @wraps(function)
        def ruled(*args: P.args, **kwargs: P.kwargs) -> R:
            if not _off and not _watching:
                return function(*args, **kwargs)
            nothing: Any = args[passes] if passes is not None else _empty(silent)
            if name in _off:
                return cast(R, iter(()) if generates else nothing)
            found = function(*args, **kwargs)
            if generates:
                return cast(R, _noted(name, cast(Iterator[Any], found)))
            if found is not nothing and found != nothing:
                _note(name)
            return found

        return ruled

    return decorate


def registered() -> tuple[Rule, ...]:
    """The rules of all modules that were imported so far, by name."""
    return tuple(_REGISTER[name] for name in sorted(_REGISTER))


@contextmanager
def without(*names: str) -> Iterator[None]:
    """These rules are switched off. Raises KeyError for a name that no rule has."""
    global _off
    if unknown := [name for name in names if name not in _REGISTER]:
        raise KeyError(f"no rule {unknown[0]!r}")
    before = _off
    _off = before.union(names)
    try:
        yield
    finally:
        _off = before


@contextmanager
def fired() -> Iterator[set[str]]:
    """The names of the rules that found something, as they find it."""
    global _watching
    found: set[str] = set()
    before = _watching
    _watching = (*before, found)
    try:
        yield found
    finally:
        _watching = before


def _empty(silent: object) -> object:
    return silent() if isinstance(silent, type) else silent


def _note(name: str) -> None:
    for found in _watching:
        found.add(name)


def _noted(name: str, found: Iterator[Any]) -> Iterator[Any]:
    """What a generator yields; the first item is a finding."""
    for item in found:
        _note(name)
        yield item
