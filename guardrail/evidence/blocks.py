"""Reads the plain text files in which the starter knowledge is written, and which a person can read and correct.

    # a comment is a line of its own
    Q142 France | French Republic — country in Western Europe :: Q6256 country
      P36 capital: Q90 Paris
      P1082 population: 68,374,591 {P585 point in time: 2023}

A line at the margin is an entity: id, label, `|` aliases, `—` description, `::` its classes (they become P31
statements). Indented lines are its statements. Every id carries its label, and the reader refuses a label that is not
the one the id was introduced with, so that a slip of the pen in an id is found when the file is read.
Ids with Q and P are Wikidata's; ids with G are ours, for entities whose Wikidata id we have not looked up.
A property is introduced the same way: `P36 capital | seat of government :: entity single temporal inverse=P1376`.
`complete: P398 child astronomical body` under an entity says that all its values of this property are written down.
The datatype of its property says how a value is written:

    entity    Q90 Paris          date      1889-03-31, 1889-03, 1889, 1960s, 18th century, -0044-03-15 (44 BC)
    string    Au                 quantity  330 Q11573 metre, 68,374,591
"""

from __future__ import annotations

import calendar
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from math import log1p
from pathlib import Path
from typing import Literal, cast, get_args

from guardrail.errors import ImportFailed
from guardrail.evidence.properties import ontology
from guardrail.evidence.properties.completeness import mark
from guardrail.ontology import ids
from guardrail.types import Entity, Node, Object, Property, Qualifier, Triplet, Value

__all__ = ["Block", "Blocks", "parse_date", "parse_quantity", "read"]

(_TYPE,) = ids("instance of")
Kind = Literal["entity", "date", "quantity", "string", "coordinate"]

_HEAD = re.compile(r"(?P<id>[QGP]\d+) (?P<names>.+)")
_STATEMENT = re.compile(
    r"(?P<id>P\d+) (?P<label>[^:{}]+): (?P<value>[^{}]+?)(?: \{(?P<qualifiers>[^{}]+)\})?"
)
_COMPLETE = re.compile(r"complete: (?P<id>P\d+) (?P<label>.+)")
_REFERENCE = re.compile(r"(?P<id>[QG]\d+) (?P<label>.+)")
_DATE = re.compile(r"(?P<value>-?\d{4}(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?)(?: (?P<calendar>Julian))?")
_SPAN_OF_YEARS = re.compile(r"(?P<decade>\d{3}0)s|(?P<century>\d{1,2})(?:st|nd|rd|th) century")
_QUANTITY = re.compile(r"(?P<amount>-?[\d,]+(?:\.\d+)?)(?: (?P<unit>[QG]\d+ .+))?")


@dataclass(frozen=True, slots=True)
class Block:
    """One entity of a file with its other names."""

    entity: Entity
    aliases: tuple[str, ...]


@dataclass(slots=True)
class Blocks:
    """What the files say: entities, properties and statements, in the order they were read."""

    entities: list[Block] = field(default_factory=list)
    properties: list[Property] = field(default_factory=list)
    statements: list[Triplet] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Line:
    path: Path
    number: int
    text: str

    def wrong(self, cause: str) -> ImportFailed:
        return ImportFailed(self.path, cause, line=self.number)


def read(paths: Iterable[Path], *, source: str = "", as_of: str = "") -> Blocks:
    """Read all files together: an entity may be used in one and introduced in another.

    `source` and `as_of` are put on every statement. Raises ImportFailed with file and line.
    """
    lines = [line for path in paths for line in _lines(path)]
    reader = _Reader(source, as_of)
    for line in lines:
        if not line.text[0].isspace():
            reader.introduce(line)
    subject = ""
    for line in lines:
        if not line.text[0].isspace():
            subject = line.text.split(" ", 1)[0]
            reader.classes(line)
        else:
            reader.statement(line, subject)
    return reader.finish()


def _lines(path: Path) -> Iterator[_Line]:
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ImportFailed(path, f"not UTF-8 text ({error.reason} at byte {error.start})") from error
    except OSError as error:
        raise ImportFailed(path, error.strerror or str(error)) from error
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _Line(path, number, line.rstrip())


class _Reader:
    """Two passes: `introduce` every name, then `statement` by statement."""

    def __init__(self, source: str, as_of: str) -> None:
        self.source, self.as_of = source, as_of
        self.blocks = Blocks()
        self.labels: dict[str, str] = {}
        self.properties: dict[str, Property] = {}
        self.types: dict[str, list[str]] = {}
        self.genders: dict[str, Literal["m", "f"]] = {}

    # ── first pass ──

    def introduce(self, line: _Line) -> None:
        head = _HEAD.fullmatch(line.text)
        if head is None:
            raise line.wrong(
                "expected an entity (`Q1 label …`), a property (`P1 label …`) or an indented statement"
            )
        names, _, kinds = head["names"].partition(" :: ")
        names, _, description = names.partition(" — ")
        label, *aliases = (name.strip() for name in names.split(" | "))
        if head["id"] in self.labels:
            raise line.wrong(f"{head['id']} was introduced before as “{self.labels[head['id']]}”")
        if not label or not all(aliases):
            raise line.wrong("a name is empty")
        self.labels[head["id"]] = label
        if head["id"].startswith("P"):
            known = _property(line, head["id"], label, tuple(aliases), kinds)
            self.properties[known.id] = known
            self.blocks.properties.append(known)
        else:
            url = f"https://www.wikidata.org/wiki/{head['id']}" if head["id"].startswith("Q") else None
            entity = Entity(head["id"], label, description.strip(), url=url)
            self.blocks.entities.append(Block(entity, tuple(aliases)))

    # ── second pass ──

    def classes(self, line: _Line) -> None:
        if line.text.startswith("P"):
            return
        subject, (_, _, kinds) = line.text.split(" ", 1)[0], line.text.partition(" :: ")
        for kind in filter(None, (part.strip() for part in kinds.split(", "))):
            self._add(line, subject, _TYPE, self._reference(line, kind), ())

    def statement(self, line: _Line, subject: str) -> None:
        found = _STATEMENT.fullmatch(line.text.strip())
        if not subject or subject.startswith("P"):
            raise line.wrong("a statement needs an entity above it")
        if whole := _COMPLETE.fullmatch(line.text.strip()):
            listed = self._property(line, whole["id"], whole["label"])
            told = mark(
                Node(subject, self.labels[subject]),
                listed.id,
                label=listed.label,
                source=self.source,
                as_of=self.as_of,
            )
            self.blocks.statements.append(told)
            return
        if found is None:
            raise line.wrong("expected `P1 property: value` or `P1 property: value {P2 qualifier: value; …}`")
        prop = self._property(line, found["id"], found["label"])
        qualifiers = tuple(
            self._qualifier(line, part) for part in (found["qualifiers"] or "").split("; ") if part
        )
        self._add(line, subject, prop.id, self._object(line, prop, found["value"]), qualifiers)

    def _add(
        self, line: _Line, subject: str, prop: str, value: Object, qualifiers: tuple[Qualifier, ...]
    ) -> None:
        if prop not in self.properties:
            raise line.wrong(f"no property {prop} was introduced")
        if prop == _TYPE and isinstance(value, Node):
            self.types.setdefault(subject, []).append(value.id)
        if prop == ontology.GENDER and isinstance(value, Node):
            self.genders[subject] = "f" if "female" in value.label or "woman" in value.label else "m"
        self.blocks.statements.append(
            Triplet(
                Node(subject, self.labels[subject]),
                Node(prop, self.properties[prop].label),
                value,
                qualifiers,
                source=self.source,
                as_of=self.as_of,
            )
        )

    def _qualifier(self, line: _Line, text: str) -> Qualifier:
        found = _STATEMENT.fullmatch(text.strip())
        if found is None or found["qualifiers"]:
            raise line.wrong(f"`{text}` is not a qualifier; expected `P1 property: value`")
        prop = self._property(line, found["id"], found["label"])
        return Qualifier(Node(prop.id, prop.label), self._object(line, prop, found["value"]))

    def _property(self, line: _Line, id: str, label: str) -> Property:  # noqa: A002
        known = self.properties.get(id)
        if known is None:
            raise line.wrong(f"no property {id} was introduced")
        if known.label != label:
            raise line.wrong(f"{id} is “{known.label}”, not “{label}”")
        return known

    def _reference(self, line: _Line, text: str) -> Node:
        found = _REFERENCE.fullmatch(text.strip())
        if found is None:
            raise line.wrong(f"`{text}` is not an entity; expected `Q1 label`")
        known = self.labels.get(found["id"])
        if known is None:
            raise line.wrong(f"no entity {found['id']} was introduced")
        if known != found["label"]:
            raise line.wrong(f"{found['id']} is “{known}”, not “{found['label']}”")
        return Node(found["id"], known)

    def _object(self, line: _Line, prop: Property, text: str) -> Object:
        if prop.datatype == "entity":
            return self._reference(line, text)
        if prop.datatype == "date":
            value = parse_date(text)
        elif prop.datatype == "quantity":
            found = _QUANTITY.fullmatch(text)
            unit = self._reference(line, found["unit"]) if found and found["unit"] else None
            value = parse_quantity(found["amount"], unit=unit) if found else None
        else:
            value = Value(text, text, prop.datatype)
        if value is None:
            raise line.wrong(f"`{text}` is not a {prop.datatype}")
        return value

    def finish(self) -> Blocks:
        """Put types and gender, which stand in the statements, on the entities too; the much linked are well known."""
        links = Counter(statement.subject.id for statement in self.blocks.statements)
        links.update(s.object.id for s in self.blocks.statements if isinstance(s.object, Node))
        self.blocks.entities = [
            Block(
                Entity(
                    block.entity.id,
                    block.entity.label,
                    block.entity.description,
                    tuple(self.types.get(block.entity.id, ())),
                    popularity=round(log1p(links[block.entity.id]), 3),
                    gender=self.genders.get(block.entity.id, ""),
                    url=block.entity.url,
                ),
                block.aliases,
            )
            for block in self.blocks.entities
        ]
        return self.blocks


def _property(line: _Line, id: str, label: str, aliases: tuple[str, ...], kinds: str) -> Property:  # noqa: A002
    datatype, *words = kinds.split() or [""]
    if datatype not in get_args(Kind):
        raise line.wrong(f"a property needs its datatype after `::`, one of {', '.join(get_args(Kind))}")
    inverse = next((word.removeprefix("inverse=") for word in words if word.startswith("inverse=")), None)
    flags = {word for word in words if not word.startswith("inverse=")}
    unknown = flags - {"single", "list", "complete", "symmetric", "temporal", "hierarchical"}
    if unknown:
        raise line.wrong(f"unknown word for a property: {', '.join(sorted(unknown))}")
    return Property(
        id,
        label,
        aliases,
        cast(Kind, datatype),
        "single" if "single" in flags else "list" if "list" in flags else "unknown",
        inverse,
        symmetric="symmetric" in flags,
        temporal="temporal" in flags,
        hierarchical="hierarchical" in flags,
        complete="complete" in flags,
    )


def parse_date(text: str) -> Value | None:
    """`1889-03-31`, `1889-03`, `1889`, `1960s`, `18th century`, `-0044-03-15`; None if it is no date."""
    if wide := _SPAN_OF_YEARS.fullmatch(text):
        if wide["decade"]:
            return Value(text, wide["decade"], "date", 8)
        return Value(text, f"{int(wide['century']) * 100 - 99:04}", "date", 7)
    found = _DATE.fullmatch(text)
    if found is None or not _is_day(*_numbers(found)):
        return None
    year, month, day = _numbers(found)
    words, precision = f"{abs(year)} BC" if year < 0 else str(year), 9
    if found["month"]:
        words, precision = f"{calendar.month_name[month]} {words}", 10
    if found["day"]:
        words, precision = f"{day} {words}", 11
    return Value(words, found["value"], "date", precision, (found["calendar"] or "").lower())


def _numbers(found: re.Match[str]) -> tuple[int, int, int]:
    """Year, month and day; the first one where none is written."""
    year = int(found["value"][: 5 if found["value"].startswith("-") else 4])
    return year, int(found["month"] or 1), int(found["day"] or 1)


def _is_day(year: int, month: int, day: int) -> bool:
    """Whether the calendar has the day; there is no year 0."""
    if year == 0 or not 1 <= month <= 12:
        return False
    return 1 <= day <= calendar.monthrange(abs(year), month)[1]


def parse_quantity(text: str, *, unit: Node | None = None) -> Value | None:
    """`68,374,591` or `8848.86` in `unit`; None if it is no number."""
    try:
        amount = Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None
    words = f"{amount:,}" if abs(amount) >= 10_000 else f"{amount}"
    return Value(f"{words} {unit.label}" if unit else words, str(amount), "quantity", unit=unit)
