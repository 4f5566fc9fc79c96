"""The error tree."""

from __future__ import annotations

import re

from guardrail import errors


def test_the_docstring_draws_the_whole_tree() -> None:
    """Every exception is in the drawing, at the depth that its bases say."""
    drawn = re.findall(r"^ {4}(.*?)(\w*[A-Z]\w+)(?: {2,}|$)", errors.__doc__ or "", re.MULTILINE)
    depth = {name: len(prefix) // 4 for prefix, name in drawn}
    assert set(depth) == set(errors.__all__)
    for name in errors.__all__:
        assert len(getattr(errors, name).__mro__) - len(errors.GuardrailError.__mro__) == depth[name], name


def test_a_policy_error_says_where() -> None:
    """File, line and key are in the text."""
    error = errors.PolicyError("must be a number", file="p.yaml", line=3, key="kas")
    assert str(error) == "p.yaml:3: must be a number (key `kas`)"
