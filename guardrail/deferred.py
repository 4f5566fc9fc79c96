"""`Deferred`: what is costly to find and often needed by nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar, overload

__all__ = ["Deferred"]

T = TypeVar("T")


class Deferred(Sequence[T]):
    """A sequence that is found when somebody first looks at it."""

    def __init__(self, find: Callable[[], Sequence[T]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> Sequence[T]:
        return self._find()

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self._found[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type, tuple[Sequence[T]]]:
        return tuple, (self._found,)  # another process gets what was found

    def __repr__(self) -> str:
        return f"Deferred({self._found!r})"
