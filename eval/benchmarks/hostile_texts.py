"""Texts that are written to be slow to read, by what they are made of (`hostile_kinds.yaml`)."""

from __future__ import annotations

from pathlib import Path

import yaml

START = "Sydney is the capital of "
KINDS: dict[str, str] = yaml.safe_load(Path(__file__).with_name("hostile_kinds.yaml").read_text("utf-8"))


def hostile(kind: str, length: int) -> str:
    """A text of `length` characters that begins like a statement."""
    unit = KINDS[kind]
    return (START + unit * (length // len(unit) + 1))[: length - 1] + "."
