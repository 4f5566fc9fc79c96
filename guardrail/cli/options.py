"""Options that several commands share."""

from __future__ import annotations

import click

__all__ = ["knowledge", "model", "recognizer"]

knowledge = click.option(
    "--knowledge",
    "-k",
    multiple=True,
    metavar="FILE|URL|starter",
    help="A graph. Repeatable, in order of precedence. Default: the starter knowledge.",
)
recognizer = click.option(
    "--recognizer", help="A spaCy pipeline that also recognizes names: its name or a folder."
)
model = click.option(
    "--model",
    metavar="NAME|URL",
    help="Model that reads evidence and claim: a folder of guardrail's own files, a folder or hub id on torch, tei+http://…, "
    "minicheck+http://…. Default: the one that ships.",
)
