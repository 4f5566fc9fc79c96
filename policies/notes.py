"""Notes on a policy file: what is allowed, but may not mean what its reader thinks. `policy lint` and the start of a server show them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from guardrail.errors import PolicyError
from policies.classes import Classes, class_words, is_id
from policies.policy import PRESETS, as_written, load, text_of
from policies.reader import Document, Problem
from policies.strictness import uncovered
from policies.template import COMPARED, PLAIN_NOTE, names
from policies.terms import ClaimRule, Policy

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
    yield from _without_values(document)
    base = document.value.get("extends")
    if base:
        preset = load(str(base))
        yield from _milder(document, policy, preset)
        yield from _lost(document, policy, preset)
    for key, word in class_words(policy) if classes else ():
        if classes and is_id(word) and not classes.called(word):
            message = f"the graph has no entity of the class {word}, so this rule applies to none"
            yield Problem(document.line(key), key, message)


def _without_values(document: Document) -> Iterator[Problem]:
    """Notes that ask for values, which not every claim has."""
    messages = document.value.get("messages")
    for language, words in messages.items() if isinstance(messages, dict) else ():
        template = words.get("note") if isinstance(words, dict) else None
        if asked := sorted(names(str(template or "")) & COMPARED):
            key = f"messages.{language}.note"
            said = " and ".join(f"{{{name}}}" for name in asked)
            message = f"not every claim has {said}; a claim without gets the note `{PLAIN_NOTE}`"
            yield Problem(document.line(key), key, message)


def _milder(document: Document, policy: Policy, base: Policy) -> Iterator[Problem]:
    """Where a file takes back what the preset does: the file wins, and somebody who reads only `extends` should know."""
    if "claims" in document.value:
        for index, rule in enumerate(policy.claims):
            if rule.then and rule.then.strength < base.on_flag.strength:
                key = f"claims[{index}].then"
                told = f"`{rule.then}` is milder than `{base.on_flag}`, the preset `{base.name}`'s action for flagged claims"
                wins = f"this file's rules replace those of the preset, so `{rule.then}` wins"
                yield Problem(document.line(key), key, f"{told}; {wins}")
    for key in _FALLBACKS:
        mine, its = getattr(policy, key), getattr(base, key)
        if key in document.value and mine.strength < its.strength:
            message = f"`{mine}` is milder than `{its}` in the preset `{base.name}`; `{mine}` wins"
            yield Problem(document.line(key), key, message)


def _lost(document: Document, policy: Policy, base: Policy) -> Iterator[Problem]:
    """Rules of the preset for which the file has none: they are replaced, and what they caught may get through."""
    for rule in uncovered(policy, base):
        key = "claims" if isinstance(rule, ClaimRule) else "answer"
        told = (
            f"no rule of this file always holds where the rule `{rule.name}` of the preset `{base.name}` does"
        )
        wins = f"this file's rules replace those of the preset, so its `{rule.then or base.on_flag}` is lost there"
        yield Problem(document.line(key), key, f"{told}; {wins}")
