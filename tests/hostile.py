"""Texts that are made to be slow to read, as long as is asked for: every token that a reader knows, again and again."""

from __future__ import annotations

from collections.abc import Callable

Made = Callable[[int], str]

NAMES = ("document", "doc", "source", "title", "name", "url", "content", "text", "page_content")
PIECES = {
    **{f"<{name}>": f"<{name}>" for name in NAMES},
    **{f"</{name}>": f"</{name}>" for name in NAMES},
    "attribute": '<doc title="',
    "nested": "<document><title>",
    "unclosed": "<document><title>x</document>",
    "equals": "a= ",
    "less": "<",
    "blanks": " ",
    "tabs": "\t",
    "lines": "\n",
    "letters": "a",
    "digits": "1",
    "backticks": "`",
    "tildes": "~",
    "fence": "```a\n",
    "fences": "~~~\n```\n",
    "numbered": "[1] x\n",
    "numbers": "source 1 (title: ",
    "hashes": "source #",
    "title line": "title: ",
    "brackets": "[",
    "lists": "\n[1,",
    "objects": '\n{"a":\n',
    "strings": '\n["',
    "escapes": '\n["\\"',
    "escaped": '\n[{"text":"\\u0041"}]',
    "colons": ":[",
    "comments": "<!--",
    "links": "[a](",
    "entities": "&amp",
    "addresses": "http://",
}
BEFORE = {
    "": "",
    "a document": "<document><title>",
    "a tag": "<doc ",
    "a source": "source 1 (title:",
    "sources": "[1] a\n[2] ",
    "a list": '\n[{"text":"a b"},',
    "a string": '["',
    "a fence": "```\n",
}


def texts() -> dict[str, Made]:
    """By what they are made of."""
    found = {
        f"{piece} after {before}" if before else piece: _repeated(BEFORE[before], PIECES[piece])
        for piece in PIECES
        for before in BEFORE
    }
    found["blanks in a title"] = lambda size: f"<document><title>{' ' * size}</document>"
    found["rising fences"] = lambda size: _rising(size, "\n")
    found["rising fences that do not close"] = lambda size: _rising(size, "a\n")
    found["escaped passages"] = lambda size: f"[{','.join(_passages(size))}]"
    found["escaped passages within"] = lambda size: '\n{"a":' * 60 + f"[{','.join(_passages(size))}]"
    return found


def _repeated(before: str, piece: str) -> Made:
    return lambda size: before + piece * (size // len(piece))


def _rising(size: int, end: str) -> str:
    return "".join("`" * number + end for number in range(3, int((2 * size) ** 0.5)))


def _passages(size: int) -> list[str]:
    return [f'{{"text":"\\u0041{number} b"}}' for number in range(size // 22)]
