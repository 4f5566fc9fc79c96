"""Prompts are plain text files under guardrail/data/prompts, filled by name: `{{text}}` becomes the value of `text`.

A value is never searched for placeholders again, so that a text under check cannot reach into the prompt around it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

__all__ = ["fill", "template"]

_SLOT = re.compile(r"\{\{(\w+)\}\}")


@lru_cache(maxsize=64)
def template(name: str) -> str:
    """The text of `guardrail/data/prompts/<name>.txt`. Raises FileNotFoundError."""
    return files("guardrail").joinpath("data", "prompts", f"{name}.txt").read_text(encoding="utf-8").strip()


def fill(name: str, **values: str) -> str:
    """The template with every slot filled. Raises KeyError when a slot has no value or a value no slot."""
    text = template(name)
    slots = set(_SLOT.findall(text))
    if slots != set(values):
        raise KeyError(f"prompt {name}: slots {sorted(slots)}, values {sorted(values)}")
    return _SLOT.sub(lambda match: values[match.group(1)], text)
