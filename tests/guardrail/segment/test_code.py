from __future__ import annotations

import time

import pytest

from guardrail.segment.code import Code, natural


def said(*stretches: str) -> list[tuple[str, tuple[str, ...]]]:
    code = Code()
    return [(piece.span.of(text), piece.above) for text in stretches for piece in code.pieces(text)]


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = f(1)\nfor i in range(3):\n    print(i)\n```",
        "```sh\ncurl -s https://a.example | jq .x\n```",
        "```c\nint main(void) { return 0; }\n```",
        "```\n```",
    ],
)
def test_pure_code_says_nothing(text: str) -> None:
    """Statements of a programming language are no sentences."""
    assert [words for words, _ in said(text) if natural(words)] == []


def test_comments_strings_and_bare_lines_are_found() -> None:
    """What a person would read in code are its comments, its strings and its lines of prose."""
    text = '```py\n# It is a fine day.\nprint("This is so, too.")  # And this one here\nThis is a line.\n"""Here it goes on."""\n```'
    assert [words for words, _ in said(text)] == [
        "It is a fine day.",
        "This is so, too.",
        "And this one here",
        "This is a line.",
        "Here it goes on.",
    ]


def test_keys_and_values_know_what_they_stand_below() -> None:
    """An object, an indentation or a section tells what its keys are said of; a later stretch remembers."""
    assert said('```json\n{"Peru": {"capital": "Lima"}}\n```') == [('capital": "Lima', ("Peru",))]
    assert said("```yaml\nPeru:\n  capital: Lima\n") == [("capital: Lima", ("Peru",))]
    assert said('```toml\n[Peru]\ncapital = "Lima"\n') == [('capital = "Lima', ("Peru",))]
    assert said('```json\n{"Peru": {\n', '"capital": "Lima"}}\n```') == [('capital": "Lima', ("Peru",))]


@pytest.mark.parametrize(
    "piece",
    [
        '"',
        "'",
        "# ",
        "/*",
        '"""',
        "{",
        '"a": ',
        "<a>",
        "</",
        "a: b\n",
        "a,",
        "-- ",
        "a b c ",
        "[",
        "<!--",
        "\\",
    ],
)
@pytest.mark.parametrize("language", ["", "json", "csv", "xml", "python"])
def test_time_grows_linearly(language: str, piece: str) -> None:
    """Eight times the code takes about eight times as long, whatever it consists of."""

    def seconds(size: int) -> float:
        text = f"```{language}\n" + (piece * size)[:size]
        start = time.process_time()
        Code().pieces(text)
        return time.process_time() - start

    assert min(seconds(16_000), seconds(16_000)) < 28 * max(seconds(2_000), 0.02)
