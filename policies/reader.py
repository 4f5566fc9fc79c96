"""YAML with line numbers, checked against `policy.schema.json`: the one truth about what a policy file may say.

`read(text, file)` gives the documents of a file as plain values, each with the line of every key, or the list of all
problems. The schema is interpreted here as far as it is used (type, enum, ranges, patterns, $ref, oneOf by shape), so
that errors can point at the line of the node at fault, which validators of plain JSON cannot.
Only YAML 1.2's booleans are booleans: `no` is a language, `off` a word.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from guardrail.errors import PolicyError

__all__ = ["Document", "Problem", "Schema", "read", "schema"]

MAX_BYTES = 512 * 1024  # a policy is written by hand; anything larger is a mistake or an attack
MAX_DEPTH = 12
_LAST_PART = re.compile(r"\.[^.\[]+$|\[\d+\]$")

Schema = Mapping[str, "Json"]
Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a policy file. `line` is 1-based."""

    line: int
    key: str
    message: str


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML document as plain values; `lines` gives the 1-based line of each key path such as `claims[0].then`."""

    value: dict[str, Json]
    lines: Mapping[str, int]

    def line(self, *keys: str) -> int:
        """The line of the first of the keys that is there, or of the nearest key above one; else the document's."""
        above = (key[: m.start()] for key in keys for m in [_LAST_PART.search(key)] if m)
        return next((self.lines[key] for key in (*keys, *above) if key in self.lines), self.lines[""])


class _Loader(yaml.SafeLoader):
    """SafeLoader without YAML 1.1's surprises: yes/no/on/off are words, dates are words, no merge keys."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag.rsplit(":", 1)[1] in ("null", "float", "int")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


@cache
def schema() -> Schema:
    """The published JSON schema of a policy."""
    text = resources.files("policies").joinpath("policy.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Json] = json.loads(text)
    return loaded


def read(text: str, file: str) -> tuple[list[Document], list[Problem]]:
    """The documents of `text` and every problem in them. Raises PolicyError when it is no YAML at all."""
    problems: list[Problem] = []
    documents = []
    nodes = _nodes(text, file)
    for node in nodes:
        reading = _Reading(problems)
        value = reading.value(node, schema(), "", 0)
        if isinstance(value, dict):
            documents.append(Document(value, reading.lines | {"": node.start_mark.line + 1}))
    if not nodes:
        problems.append(Problem(1, "", "the file contains no policy"))
    return documents, problems


def _nodes(text: str, file: str) -> list[yaml.Node]:
    """The documents of a file as YAML, without empty ones. Raises PolicyError for what is no YAML, or too much of it."""
    if len(text.encode()) > MAX_BYTES:
        raise PolicyError(f"larger than {MAX_BYTES} bytes: not a policy", file=file)
    try:
        return [node for node in yaml.compose_all(text, Loader=_Loader) if not _nothing(node)]
    except yaml.MarkedYAMLError as error:
        raise _misplaced(error, file) from error
    except yaml.YAMLError as error:  # a character that YAML does not allow
        raise PolicyError(f"not valid YAML: {str(error).splitlines()[0]}", file=file) from error
    except RecursionError as error:
        raise PolicyError("nested too deeply: not a policy", file=file) from error


def _misplaced(error: yaml.MarkedYAMLError, file: str) -> PolicyError:
    """What is wrong with the YAML, and on which line."""
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else None
    hint = "; indent with spaces" if "'\\t'" in (error.problem or "") else ""
    return PolicyError(f"not valid YAML: {error.problem or error.context}{hint}", file=file, line=line)


class _Reading:
    """One walk over one document: collects values, lines and problems."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.lines: dict[str, int] = {}

    def value(self, node: yaml.Node, rule: Schema, path: str, depth: int) -> Json:
        rule = _resolve(rule, node)
        if depth > MAX_DEPTH:
            return self._wrong(node, path, "nested too deeply")
        kind = rule.get("type")
        if kind == "object":
            return self._object(node, rule, path, depth)
        if kind == "array":
            return self._array(node, rule, path, depth)
        return self._scalar(node, rule, path)

    def _object(self, node: yaml.Node, rule: Schema, path: str, depth: int) -> Json:
        if not isinstance(node, yaml.MappingNode):
            return self._wrong(node, path, f"needs keys and values, not {_shape(node)}")
        found: dict[str, Json] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._wrong(key_node, path, "a key must be one word")
                continue
            key = str(key_node.value)
            where = _below(path, key)
            self.lines.setdefault(where, key_node.start_mark.line + 1)
            part = self._part(key_node, key, rule, where)
            if key in found:
                self._wrong(key_node, where, "given twice")
            if part is not None:
                found[key] = self.value(value_node, part, where, depth + 1)
        for key in _strings(rule.get("required")):
            if key not in found:
                self._wrong(node, _below(path, key), "missing")
        if len(found) < _number(rule.get("minProperties"), 0) and not node.value:
            self._wrong(node, path, f"empty; allowed keys: {_listed(_mapping(rule.get('properties')))}")
        return found

    def _part(self, node: yaml.Node, key: str, rule: Schema, where: str) -> Schema | None:
        """The schema of the value under `key`, None (and a problem) where the key is not allowed."""
        properties = _mapping(rule.get("properties"))
        if key in properties:
            return _mapping(properties[key])
        more = rule.get("additionalProperties")
        pattern = _mapping(rule.get("propertyNames")).get("pattern")
        if isinstance(more, dict):
            if re.fullmatch(str(pattern).strip("^$"), key):
                return more
            self._wrong(node, where, f"`{key}` is not of the form {pattern}")
            return None
        near = difflib.get_close_matches(key, properties, n=1)
        hint = f"did you mean `{near[0]}`? " if near else ""
        self._wrong(node, where, f"unknown key; {hint}allowed keys: {_listed(properties)}")
        return None

    def _array(self, node: yaml.Node, rule: Schema, path: str, depth: int) -> Json:
        if not isinstance(node, yaml.SequenceNode):
            return self._wrong(node, path, f"needs a list, not {_shape(node)}")
        if len(node.value) > _number(rule.get("maxItems"), math.inf):
            return self._wrong(
                node, path, f"has {len(node.value)} entries; at most {rule['maxItems']} are allowed"
            )
        if len(node.value) < _number(rule.get("minItems"), 0):
            return self._wrong(node, path, "is an empty list")
        found: list[Json] = []
        for index, item in enumerate(node.value):
            where = f"{path}[{index}]"
            self.lines.setdefault(where, item.start_mark.line + 1)
            found.append(self.value(item, _mapping(rule.get("items")), where, depth + 1))
        return found

    def _scalar(self, node: yaml.Node, rule: Schema, path: str) -> Json:
        if not isinstance(node, yaml.ScalarNode):
            return self._wrong(node, path, f"needs {_wanted(rule)}, not {_shape(node)}")
        value, kind = _plain(node), str(rule.get("type"))
        if not _fits(value, kind):
            return self._wrong(node, path, f"`{node.value}` is not allowed; needs {_wanted(rule)}")
        allowed = rule.get("enum")
        if isinstance(allowed, list) and value not in allowed:
            near = difflib.get_close_matches(str(value), [str(one) for one in allowed], n=1)
            hint = f"did you mean `{near[0]}`? " if near else ""
            return self._wrong(
                node, path, f"`{node.value}` is not allowed; {hint}allowed values: {_listed(allowed)}"
            )
        for complaint in _limits(value, rule):
            return self._wrong(node, path, complaint)
        return value

    def _wrong(self, node: yaml.Node, path: str, message: str) -> Json:
        """Notes the problem; None stands for the value, which is not used once there are problems."""
        self.problems.append(Problem(node.start_mark.line + 1, path, message))
        return None


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _resolve(rule: Schema, node: yaml.Node) -> Schema:
    """Follow `$ref`, and `oneOf` by the shape of what stands there (a single word, or a list or keys)."""
    while True:
        if "$ref" in rule:
            rule = _mapping(_mapping(schema()["$defs"])[str(rule["$ref"]).rsplit("/", 1)[1]])
        elif "oneOf" in rule:
            shapes = [_mapping(shape) for shape in _list(rule["oneOf"])]
            rule = shapes[0 if isinstance(node, yaml.ScalarNode) else 1]
        else:
            return rule


def _nothing(node: yaml.Node | None) -> bool:
    """A document between two `---` without a word in it."""
    return node is None or (isinstance(node, yaml.ScalarNode) and node.value == "" and node.style is None)


def _plain(node: yaml.ScalarNode) -> Json:
    tag = node.tag.rsplit(":", 1)[1] if node.tag.startswith("tag:yaml.org,2002:") else node.tag
    try:
        if tag == "int":
            return int(node.value.replace("_", ""), 10)
        if tag == "float":
            return float(node.value)
    except ValueError:  # 0x10, 1:30, .inf: no number that a policy needs
        return str(node.value)
    if tag == "bool":
        return bool(node.value == "true")
    return None if tag == "null" else str(node.value) if tag == "str" else {}


def _fits(value: Json, kind: str) -> bool:
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return isinstance(value, str)


def _limits(value: Json, rule: Schema) -> Iterator[str]:
    if isinstance(value, int | float):
        low, high = _number(rule.get("minimum"), -math.inf), _number(rule.get("maximum"), math.inf)
        if not low <= value <= high:
            yield f"{value} is out of range; needs {_wanted(rule)}"
    if isinstance(value, str):
        if len(value) < _number(rule.get("minLength"), 0):
            yield "is empty"
        if len(value) > _number(rule.get("maxLength"), math.inf):
            yield f"has {len(value)} characters; at most {rule['maxLength']} are allowed"
        if "pattern" in rule and not re.fullmatch(str(rule["pattern"]).strip("^$"), value):
            yield f"`{value}` is not of the form {rule['pattern']}"


def _wanted(rule: Schema) -> str:
    if "enum" in rule:
        return f"one of {_listed(rule['enum'])}"
    kind = {
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "object": "keys and values",
    }
    words = kind.get(str(rule.get("type")), "text")
    if "minimum" in rule and "maximum" in rule:
        return f"{words} from {rule['minimum']} to {rule['maximum']}"
    return f"{words} of at least {rule['minimum']}" if "minimum" in rule else words


def _shape(node: yaml.Node) -> str:
    if isinstance(node, yaml.MappingNode):
        return "keys and values"
    return "a list" if isinstance(node, yaml.SequenceNode) else f"`{node.value}`" if node.value else "nothing"


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _strings(value: Json) -> list[str]:
    return [str(one) for one in _list(value)]


def _number(value: Json, default: float) -> float:
    return value if isinstance(value, int | float) else default


def _listed(values: Json) -> str:
    return ", ".join(str(value) for value in values) if isinstance(values, list | dict) else ""
