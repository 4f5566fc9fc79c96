"""How a policy is read: `load` takes a preset's name or a YAML file, and refuses what cannot mean what it says.

A file may hold several policies, parted by `---`: `load_all` gives them in order (see `policies.chosen`). Errors name
file, line, key and the allowed values; `problems` lists all of them, `load` raises the first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import cache
from importlib import resources
from pathlib import Path

from guardrail.errors import PolicyError
from guardrail.types import Source
from policies.build import build
from policies.classes import Classes, class_faults, named
from policies.reader import Document, Json, Problem, read
from policies.template import PLACEHOLDERS, faults
from policies.terms import Action, Audit, Block, Hold, Match, Messages, Mode, Policy, Request

__all__ = [
    "Action",
    "Audit",
    "Block",
    "Match",
    "Messages",
    "Mode",
    "Policy",
    "Request",
    "as_written",
    "canonical",
    "load",
    "load_all",
    "parse",
    "preset_text",
    "problems",
    "text_of",
]

_UNCHANGED = frozenset(("extends", "name", "match"))
"""With these keys alone a file does what its preset's description says."""
PRESETS = ("shadow", "annotate", "attach", "revise", "block")


def load(source: str | Path, classes: Classes | None = None) -> Policy:
    """The one policy of a preset or file. Raises PolicyError (also when the file holds several)."""
    policies = load_all(source, classes)
    if len(policies) > 1:
        raise PolicyError(f"has {len(policies)} policies, but one is expected", file=str(source))
    return policies[0]


def load_all(source: str | Path, classes: Classes | None = None) -> tuple[Policy, ...]:
    """All policies of a preset or file, in order; with `classes` those that they name have their ids. Raises PolicyError."""
    text, file = text_of(source)
    policies, wrong = parse(text, file, classes)
    if wrong:
        first = wrong[0]
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise PolicyError(first.message + more, file=file, line=first.line, key=first.key)
    return policies


def problems(source: str | Path, classes: Classes | None = None) -> list[Problem]:
    """Everything that is wrong with a policy file; empty when it can be loaded."""
    try:
        text, file = text_of(source)
        return parse(text, file, classes)[1]
    except PolicyError as error:
        return [Problem(error.line or 1, error.key, error.message)]


def preset_text(name: str) -> str:
    """A preset's YAML, comments and all. Raises PolicyError for a name that is none."""
    if name not in PRESETS:
        raise PolicyError(f"no preset `{name}`; there are {', '.join(PRESETS)}")
    return resources.files("policies").joinpath("presets", f"{name}.yaml").read_text(encoding="utf-8")


def parse(text: str, file: str, classes: Classes | None = None) -> tuple[tuple[Policy, ...], list[Problem]]:
    """The policies of a YAML text and all its problems; a policy is only given when nothing is wrong."""
    documents, wrong = read(text, file)
    if wrong:
        return (), sorted(wrong, key=lambda problem: problem.line)
    written = [_policy(document, Path(file).stem or "policy") for document in documents]
    names = [policy.name for policy in written]
    for index, (document, policy) in enumerate(zip(documents, written, strict=True)):
        wrong.extend(_faults(document, policy))
        if classes is not None:
            wrong.extend(class_faults(document, policy, classes))
        if policy.name in names[:index]:
            wrong.append(Problem(document.line("name"), "name", f"a second policy `{policy.name}`"))
    if wrong:
        return (), sorted(wrong, key=lambda problem: problem.line)
    found = written if classes is None else [named(policy, classes) for policy in written]
    return tuple(replace(policy, hash=_hash(policy)) for policy in found), []


def as_written(text: str, file: str) -> list[tuple[Document, Policy]]:
    """The policies of a YAML text without a mistake, each beside its document; no hash is on them. Raises PolicyError."""
    documents, wrong = read(text, file)
    if wrong:
        raise PolicyError(wrong[0].message, file=file, line=wrong[0].line, key=wrong[0].key)
    return [(document, _policy(document, Path(file).stem or "policy")) for document in documents]


def text_of(source: str | Path) -> tuple[str, str]:
    """The YAML of a preset or file, and what it is called in messages. Raises PolicyError."""
    if isinstance(source, str) and source in PRESETS:
        return preset_text(source), source
    path = Path(source)
    try:
        return path.read_text(encoding="utf-8"), str(path)
    except FileNotFoundError as error:
        raise PolicyError(
            f"no such policy file, and no preset; presets: {', '.join(PRESETS)}", file=str(path)
        ) from error
    except UnicodeDecodeError as error:
        raise PolicyError("not UTF-8 text", file=str(path)) from error
    except (OSError, ValueError) as error:  # a folder, no permission, a null byte in the name
        raise PolicyError(f"cannot be read: {error}", file=str(path)) from error


def _policy(document: Document, stem: str) -> Policy:
    given = document.value
    base = given.get("extends")
    if base:
        preset = _preset_document(str(base))
        given = _over(preset if given.keys() <= _UNCHANGED else {**preset, "description": ""}, given)
    given = {"messages": _default_messages(), **given, "name": document.value.get("name", stem)}
    given["messages"] = _over(_default_messages(), _own_messages(_mapping(given["messages"])))
    policy = build(given)
    if "sources" not in document.value and policy.strongest is Action.BLOCK:
        # Who sends a request may not lift a block by what he says himself, unless the operator wants it so.
        own = (one for one in policy.sources if one is not Source.REQUEST)
        policy = replace(policy, sources=(*own, Source.REQUEST))
    return policy


def _over(below: Mapping[str, Json], above: Mapping[str, Json]) -> dict[str, Json]:
    """`above` laid over `below`; mappings are merged, lists and words replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


@cache
def _preset_document(name: str) -> Mapping[str, Json]:
    documents, wrong = read(preset_text(name), name)
    if wrong:
        raise PolicyError(wrong[0].message, file=name, line=wrong[0].line, key=wrong[0].key)
    return documents[0].value


@cache
def _default_messages() -> dict[str, Json]:
    text = resources.files("policies").joinpath("messages.yaml").read_text(encoding="utf-8")
    documents, _ = read(text, "messages.yaml")
    return _mapping(documents[0].value["messages"])


def _own_messages(given: Mapping[str, Json]) -> dict[str, Json]:
    """A block's words are those of every block, where the policy has no others for what is not confirmed."""
    return {
        language: {"unconfirmed": words["block"], **words} if "block" in (words := _mapping(item)) else words
        for language, item in given.items()
    }


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def canonical(policy: Policy) -> str:
    """All that can change a decision, a message or a record, as JSON: what the hash is over. Layout does not count."""
    content = asdict(policy)
    del content["hash"], content["description"], content["report"]
    return json.dumps(content, sort_keys=True)


def _hash(policy: Policy) -> str:
    return "sha256:" + hashlib.sha256(canonical(policy).encode()).hexdigest()


def _faults(document: Document, policy: Policy) -> Iterator[Problem]:
    """What the schema cannot say: keys that contradict each other."""
    yield from _mode_faults(document, policy)
    yield from _template_faults(document)
    yield from _range_faults(document, document.value, "")


def _mode_faults(document: Document, policy: Policy) -> Iterator[Problem]:
    """What a policy asks for that its mode cannot do; a shadow policy does nothing at all."""
    if policy.shadow:
        return
    if policy.mode is not Mode.HOLD and "hold" in document.value and policy.hold != Hold():
        said = f"limits what mode hold keeps back, but the mode is {policy.mode}"
        yield Problem(document.line("hold"), "hold", said)
    if policy.mode is not Mode.BUFFER:
        yield from _asks_again(document, policy)
    if policy.mode is Mode.OBSERVE:
        yield from _withholds(document, policy)
    if policy.mode is Mode.HOLD:
        yield from _blocks_late(document, policy)


def _asks_again(document: Document, policy: Policy) -> Iterator[Problem]:
    said = f"the model can be asked once more only while nothing was shown, but the mode is {policy.mode}; use mode buffer"
    for key, action in _actions(policy):
        if action is Action.REGENERATE:
            yield Problem(document.line(key, "mode"), key, said)


def _withholds(document: Document, policy: Policy) -> Iterator[Problem]:
    for key, action in _actions(policy):
        if action.withholds and action is not Action.REGENERATE:
            said = f"`{action}` needs text that was not shown yet, but mode observe shows it at once; use mode hold or buffer"
            yield Problem(document.line(key, "mode"), key, said)
    if policy.beside == "withhold":
        said = "mode observe shows the words beside the answer at once; use mode hold or buffer"
        yield Problem(document.line("beside", "mode"), "beside", said)


def _blocks_late(document: Document, policy: Policy) -> Iterator[Problem]:
    said = "a rule about the whole answer can only block before any of it was shown; use mode buffer"
    for index, rule in enumerate(policy.answer):
        if rule.then is Action.BLOCK:
            key = f"answer[{index}].then"
            yield Problem(document.line(key, "mode"), key, said)


def _actions(policy: Policy) -> Iterator[tuple[str, Action]]:
    """Every action that can be taken, by the key that asks for it."""
    on_claims = [(f"claims[{index}].then", rule.then) for index, rule in enumerate(policy.claims)]
    yield from ((key, then) for key, then in on_claims if then)
    if any(then is None for _, then in on_claims):
        yield "on_flag", policy.on_flag
    if Action.REVISE in [then or policy.on_flag for _, then in on_claims]:
        yield "on_no_revision", policy.on_no_revision
    yield from ((f"answer[{index}].then", rule.then) for index, rule in enumerate(policy.answer))
    found = ("on_error", "on_timeout", "on_no_evidence", "on_unconfirmed")
    unread = ("on_unread.language", "on_unread.unread", "on_unread.code")
    yield from zip((*found, *unread), policy.fallbacks, strict=True)


def _template_faults(document: Document) -> Iterator[Problem]:
    for language, messages in _mapping(document.value.get("messages")).items():
        for field, template in _mapping(messages).items():
            key = f"messages.{language}.{field}"
            for fault in faults(str(template), PLACEHOLDERS[field]):
                yield Problem(document.lines[key], key, fault)


def _range_faults(document: Document, value: Json, path: str) -> Iterator[Problem]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _range_faults(document, item, f"{path}[{index}]")
    if isinstance(value, dict):
        low, high = value.get("min"), value.get("below")
        if isinstance(low, int | float) and isinstance(high, int | float) and low >= high:
            yield Problem(
                document.lines[f"{path}.below"], path, f"can never apply: min {low} is not below {high}"
            )
        for key, item in value.items():
            yield from _range_faults(document, item, f"{path}.{key}" if path else key)
