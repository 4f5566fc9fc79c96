"""A sentence that was read: its tokens and how they hang together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["Doc", "Parse", "Token"]


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark. `start` is its place in the text, in code points; `head` the place of its head among the tokens, its own
    for a root. `tag` is of the Penn treebank, `dep` a relation of Universal Dependencies.
    """

    at: int
    text: str
    start: int
    lemma: str
    tag: str
    dep: str
    head: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def low(self) -> str:
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Doc:
    """The tokens of `text` in order. `children`: of each token the places of those that hang on it, in order.

    `first`, `last`: of each token where the stretch begins and ends that hangs on it, both included.
    """

    text: str
    tokens: tuple[Token, ...]
    children: tuple[tuple[int, ...], ...] = field(repr=False)
    first: tuple[int, ...] = field(repr=False)
    last: tuple[int, ...] = field(repr=False)

    @classmethod
    def of(cls, text: str, tokens: Sequence[Token]) -> Doc:
        """A Doc of tokens whose heads form trees."""
        children: list[list[int]] = [[] for _ in tokens]
        roots: list[int] = []
        for token in tokens:
            (roots if token.head == token.at else children[token.head]).append(token.at)
        order = list(roots)
        for at in order:  # grows while it is read: from the roots down
            order.extend(children[at])
        first, last = list(range(len(tokens))), list(range(len(tokens)))
        for at in reversed(order):
            for child in children[at]:
                first[at], last[at] = min(first[at], first[child]), max(last[at], last[child])
        return cls(text, tuple(tokens), tuple(map(tuple, children)), tuple(first), tuple(last))

    def __len__(self) -> int:
        return len(self.tokens)

    def kids(self, at: int) -> Iterator[Token]:
        """The tokens that hang on this one, in order."""
        return (self.tokens[child] for child in self.children[at])

    def roots(self) -> Iterator[Token]:
        return (token for token in self.tokens if token.head == token.at)


Parse = Callable[[str], Doc]
