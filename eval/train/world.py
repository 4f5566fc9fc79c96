"""The part of the benchmark graph that may train a shipped model, in memory.

Edges must name one of the free sources, labels must not come from the unlicensed ones (see the graph's README).
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import yaml

from eval.train.sets import text_file

__all__ = ["Relation", "Statement", "World", "date_words", "number_words", "read_world"]

_FREE = {"wd50k", "codex", "kgtk-arnold", "sq"}
_UNITS = {
    "Q11573": "m",
    "Q712226": "km²",
    "Q25343": "m²",
    "Q174728": "cm",
    "Q577": "years",
    "Q7727": "minutes",
}
_UNITS |= {"Q828224": "km", "Q4917": "US dollars", "Q3710": "ft", "Q253276": "miles", "": ""}
_MONTHS = "January February March April May June July August September October November December".split()
_DULL = {"P31", "P279", "P5008", "P1343", "P1889", "P910", "P1424", "P1151", "P1740", "P2959", "P735", "P734"}

_LOCATED = {"P17", "P131", "P30", "P361", "P276", "P279"}

Kind = Literal["item", "date", "quantity"]


@dataclass(frozen=True, slots=True)
class Statement:
    """`object` is a label, an ISO date cut to its precision, or `amount|unit`; `when`: first and last year, made up."""

    subject: str
    property: str
    object: str
    kind: Kind
    object_id: str = ""
    when: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """How a property is said; `confusable`: properties whose words a careless writer swaps with it."""

    id: str
    label: str
    say: tuple[str, ...]
    single: bool
    asymmetric: bool
    confusable: tuple[str, ...]


@dataclass(slots=True)
class World:
    """Statements by subject, the values of each property, countries of places, and what lies in what (by label)."""

    relations: dict[str, Relation]
    by_subject: dict[str, list[Statement]] = field(default_factory=lambda: defaultdict(list))
    values: dict[str, list[Statement]] = field(default_factory=lambda: defaultdict(list))
    country: dict[str, str] = field(default_factory=dict)
    inside: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def around(self, place: str) -> set[str]:
        """The places that `place` lies in, up to three steps out."""
        found, edge = {place}, {place}
        for _ in range(3):
            edge = {outer for inner in edge for outer in self.inside.get(inner, ())} - found
            found |= edge
        return found


def read_world(root: Path, *, keep: Callable[[str], bool] = lambda subject: True) -> World:
    """Reads the trainable subset under `root`/kg; `keep` chooses subjects by id."""
    labels = _labels(root)
    world = World(_relations(root))
    for statement in [*_edges(root, labels), *_literals(root, labels)]:
        if statement.object_id:
            _locate(world, statement, labels)
        if keep(statement.subject):
            world.by_subject[statement.subject].append(statement)
            world.values[statement.property].append(statement)
    named = {id_: labels[id_] for id_ in {*world.by_subject, *world.country.values()} if id_ in labels}
    world.country = {named[s]: named[o] for s, o in world.country.items() if s in named and o in named}
    world.by_subject = {
        id_: [Statement(named[id_], s.property, s.object, s.kind, s.object_id) for s in statements]
        for id_, statements in world.by_subject.items()
        if id_ in named and len(statements) > 1
    }
    return world


def _locate(world: World, statement: Statement, labels: dict[str, str]) -> None:
    if statement.property == "P17":
        world.country[statement.subject] = statement.object_id
    if statement.property in _LOCATED:
        world.inside[labels[statement.subject]].add(statement.object)


def _labels(root: Path) -> dict[str, str]:
    labels: dict[str, str] = {}
    with text_file(root / "kg/nodes.jsonl.gz") as file:
        for line in file:
            node = json.loads(line)
            if node["label"] and not str(node["label_src"]).startswith("xfactr"):
                labels[node["id"]] = node["label"]
    return labels


def _relations(root: Path) -> dict[str, Relation]:
    ways = yaml.safe_load((Path(__file__).parent / "templates.yaml").read_text(encoding="utf-8"))
    near = _near(ways["confusable"])
    relations: dict[str, Relation] = {}
    with text_file(root / "kg/props.tsv") as file:
        next(file)
        for line in file:
            id_, label, _, _, _, _, _, _, ratio = line.rstrip("\n").split("\t")
            if id_ in _DULL or not label or "ID" in label.split():
                continue
            way = ways["relations"].get(id_, {})
            single = bool(way.get("single")) if way else bool(ratio) and float(ratio) >= 0.99
            say = tuple(way.get("say", ())) or tuple(ways["generic"] if single else ways["generic_list"])
            relations[id_] = Relation(
                id_, label, say, single, bool(way.get("asymmetric")), tuple(sorted(near[id_]))
            )
    return relations


def _near(groups: list[list[str]]) -> dict[str, set[str]]:
    """Each property with those that it is easily taken for."""
    near: dict[str, set[str]] = defaultdict(set)
    for group in groups:
        for id_ in group:
            near[id_] |= set(group) - {id_}
    return near


def _edges(root: Path, labels: dict[str, str]) -> list[Statement]:
    found: list[Statement] = []
    with text_file(root / "kg/edges.tsv.gz") as file:
        next(file)
        for line in file:
            s, p, o, _, sources = line.rstrip("\n").split("\t")
            if p not in _DULL and o in labels and s in labels and _FREE & set(sources.split(",")):
                found.append(Statement(s, p, labels[o], "item", o))
    return found


def _literals(root: Path, labels: dict[str, str]) -> list[Statement]:
    found: list[Statement] = []
    with text_file(root / "kg/literals.tsv.gz") as file:
        next(file)
        for line in file:
            s, p, value, kind = line.rstrip("\n").split("\t")
            if s not in labels:
                continue
            if kind == "time" and (date := _date(value)):
                found.append(Statement(s, p, date, "date"))
            elif kind == "quantity" and (amount := _amount(value)):
                found.append(Statement(s, p, amount, "quantity"))
    return found


def _date(value: str) -> str:
    found = re.match(r"\^(\d{4})-(\d\d)-(\d\d)T.*/(9|10|11)$", value)
    if not found:
        return ""
    return "-".join(found.groups()[: {"9": 1, "10": 2, "11": 3}[found[4]]])


def _amount(value: str) -> str:
    found = re.match(r"\+(\d+(?:\.\d+)?)(?:\[.*\])?(Q\d+)?$", value)
    if not found or (found[2] or "") not in _UNITS:
        return ""
    return f"{found[1]}|{_UNITS[found[2] or '']}"


def date_words(date: str, rng: random.Random) -> str:
    """An ISO date in one of the ways in which people write it."""
    parts = date.split("-")
    year = str(int(parts[0]))
    if len(parts) == 1:
        return year
    month = _MONTHS[int(parts[1]) - 1]
    if len(parts) == 2:
        return f"{month} {year}"
    day = int(parts[2])
    return rng.choice([f"{day} {month} {year}", f"{month} {day}, {year}", f"{day} {month} {year}", date])


def number_words(amount: str, rng: random.Random) -> str:
    """An amount with its unit, its thousands grouped or not."""
    number, _, unit = amount.partition("|")
    value = float(number)
    digits = f"{int(value):,}" if value.is_integer() else f"{value:,.2f}".rstrip("0").rstrip(".")
    if rng.random() < 0.3:
        digits = digits.replace(",", "")
    return f"{digits} {unit}".strip()
