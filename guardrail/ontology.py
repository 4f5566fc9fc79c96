"""What is known of properties and classes before a single statement has been counted.

`data/properties.yaml` and `data/classes.yaml` hold it, by the ids of Wikidata and of a few vocabularies. Code asks for the parts
that a property plays ("date of birth", "starts"), and never for an id: the label of an entry is the part that it plays alone, its
roles those that it shares. A property of any other graph that is the same as one of these plays its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from guardrail.types import Property

__all__ = [
    "by_class",
    "classes",
    "completed",
    "curated",
    "exclusive_classes",
    "ids",
    "may_change",
    "names",
    "plays",
    "record",
    "roles",
    "saying",
    "standard",
]

_DATA = Path(__file__).parent / "data"
_SPACES = re.compile(r"[\s_]+")
_FLAGS = ("symmetric", "temporal", "hierarchical", "complete")


@cache
def _entries() -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = yaml.safe_load(
        (_DATA / "properties.yaml").read_text(encoding="utf-8")
    )
    return found


def _listed(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in str(entry.get(key, "")).split("|") if one.strip())


@cache
def _records() -> Mapping[str, Property]:
    return {id_: _record(id_, entry) for id_, entry in _entries().items()}


def _record(property_id: str, entry: Mapping[str, Any]) -> Property:
    same = _listed(entry, "same_as")
    if same:
        return replace(
            _record(same[0], _entries()[same[0]]), id=property_id, label=entry["label"], same_as=same
        )
    said = str(entry.get("is", "")).split()
    return Property(
        property_id,
        entry["label"],
        _listed(entry, "aliases"),
        entry.get("datatype", "entity"),
        "single" if "single" in said else "list" if "list" in said else "unknown",
        entry.get("inverse"),
        **{flag: flag in said for flag in _FLAGS},  # type: ignore[arg-type]
        roles=(entry["label"], *_listed(entry, "roles")),
        domain=tuple(str(entry.get("domain", "")).split()),
    )


@cache
def _by_role() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for known in _records().values():
        for role in known.roles:
            found[role] = (*found.get(role, ()), known.id)
    return found


@cache
def _by_name() -> Mapping[tuple[str, str], str]:
    """By name and datatype the one property that is so called."""
    return {
        (_folded(name), known.datatype): known.id
        for known in reversed(list(_records().values()))
        for name in (known.label, *known.aliases)
        if not known.same_as
    }


@cache
def _changing() -> frozenset[str]:
    """The names of what changes with time: "director" of "director / manager"."""
    changing = (known for known in _records().values() if known.temporal)
    return frozenset(
        _folded(part)
        for known in changing
        for name in (known.label, *known.aliases)
        for part in name.split(" / ")
    )


def _folded(name: str) -> str:
    return _SPACES.sub(" ", name.strip()).casefold()


# ── properties ────────────────────────────────────────────────────────────────────────────────────────


def record(property_id: str, graph: Iterable[Property] = ()) -> Property:
    """What is known of a property: the record of the graph at hand, where it has one, else that of the file, else its id alone."""
    property_id = property_id.removeprefix("^")
    own = next((known for known in graph if known.id == property_id), None)
    return own or _records().get(property_id) or Property(property_id, property_id)


def standard(known: Property) -> Property | None:
    """The property of the file that `known` is, or is the same as; None for one that only its own graph knows."""
    if known.id in _records():
        return _records()[known.id]
    for other in known.same_as:
        if other in _records():
            return _records()[other]
    return next(
        (
            _records()[same]
            for name in (known.label, *known.aliases)
            if (same := _by_name().get((_folded(name), known.datatype)))
        ),
        None,
    )


def may_change(known: Property) -> bool:
    """Whether another value may have held before: a property of the file that may be meant by its name changes with time."""
    return known.temporal or _folded(known.label) in _changing()


def curated(known: Property) -> bool:
    """Whether the file knows the property by its id, so that the lexicon knows the words for it."""
    return known.id in _records()


def completed(known: Property) -> Property:
    """`known`, with what its own record leaves open as in that of the property which it is the same as."""
    same = standard(known)
    if same is None:
        return known
    return replace(
        known,
        cardinality=same.cardinality if known.cardinality == "unknown" else known.cardinality,
        inverse=known.inverse or same.inverse,
        **{flag: getattr(known, flag) or getattr(same, flag) for flag in _FLAGS},
        roles=tuple(dict.fromkeys((*known.roles, *same.roles))),
        same_as=tuple(
            dict.fromkeys((*known.same_as, *(i for i in (same.id, *same.same_as) if i != known.id)))
        ),
        domain=known.domain or same.domain,
    )


def roles(*names: str) -> frozenset[str]:
    """The names as a set to ask `plays` with. Raises KeyError for a part that no property of the file plays."""
    for name in names:
        _by_role()[name]
    return frozenset(names)


def plays(known: Property, wanted: frozenset[str]) -> bool:
    """Whether the property plays one of the parts, by its record or by its id."""
    return not wanted.isdisjoint(known.roles or record(known.id).roles)


@lru_cache(maxsize=512)
def ids(*names: str, alike: bool = False) -> tuple[str, ...]:
    """The properties of the file that play one of these parts, in the order of the names; `alike`: under their other ids, too.

    Raises KeyError for a part that no property of the file plays.
    """
    found = dict.fromkeys(id_ for name in names for id_ in _by_role()[name])
    return tuple(id_ for id_ in found if alike or not _records()[id_].same_as)


@lru_cache(maxsize=64)
def names(*parts_: str) -> frozenset[str]:
    """The ids, labels and aliases, in lower case, by which a qualifier plays one of these parts in any graph."""
    found = (_records()[id_] for id_ in ids(*parts_, alike=True))
    return frozenset(name.casefold() for known in found for name in (known.id, known.label, *known.aliases))


def saying(property_id: str, detail: str) -> str:
    """What the file says of a property under `time`, `place` (a part that another property plays) or `say`; "" for nothing."""
    entry = _entries().get(property_id, {})
    if detail == "say" or detail not in entry:
        return str(entry.get(detail, ""))
    return _records()[entry[detail]].label


# ── classes ───────────────────────────────────────────────────────────────────────────────────────────


@cache
def _classes() -> Mapping[str, Any]:
    found: Mapping[str, Any] = yaml.safe_load((_DATA / "classes.yaml").read_text(encoding="utf-8"))
    return found


@cache
def classes(name: str) -> frozenset[str]:
    """The ids that `data/classes.yaml` has under a name. Raises KeyError."""
    return frozenset(_classes()[name].split())


def by_class(name: str) -> Mapping[str, str]:
    """What the ids under a name of that file stand for, words with blanks or bars between. Raises KeyError."""
    found: Mapping[str, str] = _classes()[name]
    return found


def exclusive_classes() -> tuple[Mapping[str, frozenset[str]], ...]:
    """Groups of classes that exclude each other, each class with the nouns for it."""
    groups = _classes()["exclusive"]
    return tuple({id_: frozenset(nouns.split("|")) for id_, nouns in group.items()} for group in groups)
