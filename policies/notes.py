"""What is no mistake in a policy file, and still not what its reader may think: told by `policy lint` and at the start of a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from guardrail.errors import PolicyError
from policies.classes import Classes, class_words, is_id
from policies.policy import PRESETS, as_written, load, text_of
from policies.reader import Document, Problem
from policies.terms import Policy

__all__ = ["notes"]

_FALLBACKS = ("on_flag", "on_no_revision", "on_error", "on_timeout", "on_no_evidence", "on_unconfirmed")


def notes(source: str | Path, classes: Classes | None = None) -> list[Problem]:
    """Notes on a policy file, by line; none on a preset, or on a file that cannot be used."""
    if source in PRESETS:
        return []
    try:
        text, file = text_of(source)
        found = as_written(text, file)
    except PolicyError:
        return []
    return sorted(
        (note for document, policy in found for note in _notes(document, policy, classes)),
        key=lambda note: note.line,
    )


def _notes(document: Document, policy: Policy, classes: Classes | None) -> Iterator[Problem]:
    base = document.value.get("extends")
    if base:
        yield from _milder(document, policy, load(str(base)))
    for key, word in class_words(policy) if classes else ():
        if classes and is_id(word) and not classes.called(word):
            message = f"the graph has nothing of the class {word}, so this does not hold of anything in it"
            yield Problem(document.line(key), key, message)


def _milder(document: Document, policy: Policy, base: Policy) -> Iterator[Problem]:
    """Where a file takes back what the preset does: the file wins, and somebody who reads only `extends` should know."""
    if "claims" in document.value:
        for index, rule in enumerate(policy.claims):
            if rule.then and rule.then.strength < base.on_flag.strength:
                key = f"claims[{index}].then"
                told = f"`{rule.then}` is milder than `{base.on_flag}`, which `{base.name}` does to flagged claims"
                wins = (
                    f"`{rule.then}` wins where no other rule of this file holds; none of the preset's is left"
                )
                yield Problem(document.line(key), key, f"{told}; {wins}")
    for key in _FALLBACKS:
        mine, its = getattr(policy, key), getattr(base, key)
        if key in document.value and mine.strength < its.strength:
            message = f"`{mine}` is milder than `{its}`, which `{base.name}` says; `{mine}` wins"
            yield Problem(document.line(key), key, message)
