"""What a user hands in beside the text, in the forms that users write: triplets, references, sources."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from guardrail.report import object_from_dict
from guardrail.types import Node, Object, Passage, Qualifier, Setting, Source, Triplet, Value


def given_triplets(items: Sequence[Any]) -> tuple[Triplet, ...]:
    """Triplets as users write them: `[s, p, o]` or `{subject, predicate, object, qualifiers?}`: ClaimVer's ret_triplets.

    A bare string stands for a node without an id. Raises ValueError naming the item at fault.
    """
    must_be_list("triplets", items)
    return tuple(_given_triplet(item, number) for number, item in enumerate(items))


def must_be_list(name: str, items: object) -> None:
    """Raises ValueError for one text, one object, or anything else that is not several: the letters of a text are no items."""
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
        raise ValueError(f"{name} must be a list, not {type(items).__name__}")


def must_be_text(name: str, item: object) -> None:
    """Raises ValueError for anything but a text."""
    if not isinstance(item, str):
        raise ValueError(f"{name} must be a string, not {type(item).__name__}")


def _given_triplet(item: Any, number: int) -> Triplet:
    if isinstance(item, Triplet):
        return item
    if isinstance(item, Mapping):
        if missing := [name for name in ("subject", "predicate", "object") if name not in item]:
            raise ValueError(f"triplets[{number}] has no {missing[0]!r}")
        parts = [item["subject"], item["predicate"], item["object"]]
        qualifiers = _given_qualifiers(item.get("qualifiers", ()), number)
    elif isinstance(item, Sequence) and not isinstance(item, str) and len(item) == 3:
        parts, qualifiers = list(item), ()
    else:
        raise ValueError(
            f"triplets[{number}] is neither [subject, predicate, object] nor an object with these keys"
        )
    subject, predicate = (_given_node(part, number) for part in parts[:2])
    return Triplet(
        subject,
        predicate,
        _given_object(parts[2], number),
        qualifiers,
        id=f"given-{number}",
        source="request",
    )


def _given_qualifiers(items: Any, number: int) -> tuple[Qualifier, ...]:
    if isinstance(items, Mapping):
        items = list(items.items())
    found = []
    for item in items:
        pair = (item.get("predicate"), item.get("object")) if isinstance(item, Mapping) else tuple(item)
        if len(pair) != 2:
            raise ValueError(f"triplets[{number}] has a qualifier that is not a pair")
        found.append(Qualifier(_given_node(pair[0], number), _given_object(pair[1], number)))
    return tuple(found)


def _given_node(part: Any, number: int) -> Node:
    if isinstance(part, str) and part.strip():
        return Node("", part.strip())
    if isinstance(part, Mapping) and part.get("label"):
        return Node(str(part.get("id", "")), str(part["label"]))
    raise ValueError(f"triplets[{number}]: {reprlib.repr(part)} names nothing")


def _given_object(part: Any, number: int) -> Object:
    if isinstance(part, Mapping) and "datatype" in part:
        return object_from_dict(part)
    if isinstance(part, (int, float)) and not isinstance(part, bool):
        return Value(str(part), str(part), "quantity")
    return _given_node(part, number)


_HALF = re.compile("[\ud800-\udfff]")
"""Of a surrogate pair: JSON may hold one, and no model takes it."""


def given_references(items: Sequence[Any]) -> tuple[Passage, ...]:
    """References as users write them: strings or `{id?, text, title?, url?, as_of?}`. Raises ValueError naming the item at fault."""
    must_be_list("references", items)
    found = []
    for number, item in enumerate(items):
        if isinstance(item, Passage):
            found.append(item)
        elif isinstance(item, str):
            found.append(Passage(f"ref-{number}", _HALF.sub("\ufffd", item), Source.REQUEST))
        elif isinstance(item, Mapping) and isinstance(item.get("text"), str):
            found.append(
                Passage(
                    str(item.get("id", f"ref-{number}")),
                    _HALF.sub("\ufffd", item["text"]),
                    Source.REQUEST,
                    title=str(item.get("title", "")),
                    url=item.get("url"),
                    as_of=str(item.get("as_of") or item.get("date") or ""),
                )
            )
        else:
            raise ValueError(f"references[{number}] is neither a string nor an object with a text")
    return tuple(found)


def given_sources(items: Sequence[str] | None) -> tuple[Source, ...] | None:
    """The kinds of evidence to use, in the order of precedence; None means all. Raises ValueError with the allowed names."""
    if items is None:
        return None
    must_be_list("sources", items)
    try:
        return tuple(dict.fromkeys(Source(item) for item in items))
    except ValueError as error:
        raise ValueError(f"sources: {error}; allowed: {', '.join(Source)}") from error


def given_setting(item: object) -> Setting | None:
    """RefChecker's setting by name; None where none is named, or `detect`. Raises ValueError with the allowed names."""
    if item is None or item == "detect":
        return None
    try:
        return Setting(str(item))
    except ValueError as error:
        raise ValueError(f"setting: {error}; allowed: detect, {', '.join(Setting)}") from error
