"""Message templates: `{name}` is replaced from a fixed list of names, and nothing else is evaluated.

`str.format` would reach attributes of what it is given ("{x.__class__}") and pad without bound ("{x:999999999}"); here a
name that is not on the list is refused when the policy is read, and braces are written `{{` and `}}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["COMPARED", "PLACEHOLDERS", "PLAIN_NOTE", "faults", "fill", "names"]

PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "block": frozenset({"policy", "flagged", "kas", "claim", "rationale"}),
    "unconfirmed": frozenset({"policy", "flagged", "kas", "claim", "rationale"}),
    "note": frozenset({"claim", "rationale", "verdict", "label", "claimed", "known", "source", "policy"}),
    "unchecked": frozenset({"claim", "reason", "policy"}),
    "heading": frozenset({"policy", "flagged", "kas"}),
    "footer": frozenset({"policy", "flagged", "kas"}),
}

COMPARED = frozenset({"claimed", "known"})
"""What a note can only say of a claim of which a date, a number or a name was compared."""
PLAIN_NOTE = "“{claim}” ({verdict}): {rationale}"
"""In the place of a note that asks for them where there are none."""

_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def fill(template: str, values: Mapping[str, str]) -> str:
    """`template` with every `{name}` replaced; what the values contain is never read as a template."""

    def replace(found: re.Match[str]) -> str:
        token = found[0]
        if token in ("{{", "}}"):
            return token[0]
        return values.get(found[1] or "", "")

    return _TOKEN.sub(replace, template)


def names(template: str) -> frozenset[str]:
    """The placeholders of a template."""
    return frozenset(found[1] for found in _TOKEN.finditer(template) if found[1])


def faults(template: str, allowed: frozenset[str]) -> list[str]:
    """What is wrong with a template, in words; empty when it is fine."""
    wrong = []
    for found in _TOKEN.finditer(template):
        token, name = found[0], found[1]
        if token in ("{{", "}}"):
            continue
        if name is None:
            wrong.append(f"lone `{token}`; write `{token * 2}` for the character itself")
        elif name not in allowed:
            wrong.append(f"unknown placeholder `{{{name}}}`; allowed: {', '.join(sorted(allowed))}")
    return wrong
