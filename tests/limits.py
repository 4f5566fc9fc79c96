"""How much a reader of one function must keep in mind: its decisions, lines and parameters.

A decision is what makes the path through a function depend on something: `if`, `elif`, a loop, a handler, a case, a conditional
expression, a filter of a comprehension, and each `and` and `or`. Not counted as parameters are `self`, keywords that have a
default (who calls without them need not know them), and the options of a command, which are its interface.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("guardrail", "policies", "proxy", "eval")
LIMITS = {"decisions": 10, "lines": 40, "parameters": 6}
Function = ast.FunctionDef | ast.AsyncFunctionDef
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)


def _own(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions within it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def decisions(function: Function) -> int:
    """One, and one more for each point where the path forks."""
    count = 1
    for node in _own(function):
        if isinstance(node, _BRANCHES):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += len(node.ifs)
    return count


def lines(function: Function) -> int:
    """From `def` to the last line; decorators stand before it."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def parameters(function: Function) -> int:
    """What every caller must give."""
    if any("option" in ast.unparse(one) or "command" in ast.unparse(one) for one in function.decorator_list):
        return 0
    own = function.args
    names = [one.arg for one in (*own.posonlyargs, *own.args)]
    return len(names) - (names[:1] in (["self"], ["cls"])) + sum(one is None for one in own.kw_defaults)


def functions(path: Path) -> Iterator[tuple[str, Function]]:
    """The functions of a file by `file.Class.function`: a move to another folder changes no name."""

    def within(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}.{child.name}"
                if not isinstance(child, ast.ClassDef):
                    yield name, child
                yield from within(child, name)
            else:
                yield from within(child, prefix)

    yield from within(ast.parse(path.read_text(encoding="utf-8")), path.stem)


@cache
def over() -> dict[str, dict[str, int]]:
    """What exceeds each limit: measure → function → figure; of functions that are called alike the greatest."""
    found: dict[str, dict[str, int]] = {measure: {} for measure in LIMITS}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for name, function in functions(path):
                for measure, of in (("decisions", decisions), ("lines", lines), ("parameters", parameters)):
                    if (figure := of(function)) > LIMITS[measure]:
                        found[measure][name] = max(figure, found[measure].get(name, 0))
    return found
