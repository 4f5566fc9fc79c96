"""What is done with one part of a batch, in whatever process: its rows are checked, its reports written.

Each row that is done is put into a journal on this machine at once; a part that was interrupted begins behind the last one.
The part's reports are written in one step, and only then is the journal removed: a row has one report, however often a
process was killed.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from guardrail.cli.batch_job import Checking, Layout, alone, exists, written
from guardrail.cli.batch_rows import Part, Unreadable, parquet, read
from guardrail.cli.lines import FIELDS, check_given
from guardrail.errors import BadRequest, GuardrailError
from guardrail.report import to_dict
from guardrail.review import open_reviewer

if TYPE_CHECKING:
    from guardrail.verifier import Verifier

__all__ = ["Done", "Worker", "open_verifier"]

LONGEST = 10_000  # characters of a row that is set aside
Tick = Callable[[], None]
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Done:
    """A part that is written: how many of its rows have a report, and how many were set aside."""

    part: Part
    reports: int
    set_aside: int


def open_verifier(checking: Checking) -> Verifier:
    """Raises GuardrailError when the knowledge or a model cannot be used."""
    from guardrail.verifier import Verifier  # brings the models: the process that leads needs none

    verifier = Verifier.open(checking.knowledge or None, recognizer=checking.recognizer, model=checking.model)
    return verifier.reviewed_by(open_reviewer(checking.reviewer)) if checking.reviewer else verifier


def _nothing() -> None:
    """Nobody is told."""


@dataclass(slots=True)
class Worker:
    """Does parts one after the other. `tick` is called for each row that is done."""

    layout: Layout
    checking: Checking
    tick: Tick = _nothing
    opened: Callable[[Checking], Verifier] = open_verifier
    _verifier: Verifier | None = field(default=None, init=False)

    def do(self, part: Part, deaths: int = 0) -> Done:
        """`deaths`: how many processes died of this part; a row at which the second one died is set aside.

        Raises GuardrailError where nothing can be checked, or written.
        """
        path = self.layout.journal(part.number)
        with alone(path.with_suffix(".lock"), wait=True):
            if exists(self.layout.report(part.number)):  # somebody whom this process waited for wrote it
                return Done(part, 0, 0)
            with _Journal.opened(path) as journal:
                self._fill(journal, part, journal.begun if deaths >= 2 else None)
            done = self._write(part, journal.entries)
            path.unlink()
        return done

    def _fill(self, journal: _Journal, part: Part, deadly: int | None) -> None:
        known = {entry["row"] for entry in journal.entries}
        for number, given in read(part):
            if number in known:
                continue
            if number == deadly:
                journal.add(_aside(number, given, "the processes that checked it died"))
            else:
                verifier = self._opened()
                journal.begin(number)
                journal.add(self._checked(verifier, number, given))
            self.tick()

    def _opened(self) -> Verifier:
        if self._verifier is None:
            self._verifier = self.opened(self.checking)
        return self._verifier

    def _checked(self, verifier: Verifier, number: int, given: Mapping[str, Any] | Unreadable) -> Entry:
        if isinstance(given, Unreadable):
            return _aside(number, given, given.reason)
        try:
            report = check_given(verifier, self._named(given))
        except (BadRequest, ValueError) as error:
            return _aside(number, given, str(error))
        except GuardrailError:
            raise  # what is wrong is not this row
        except Exception as error:  # noqa: BLE001 -- one row must not end a batch of millions; it is named, never passed
            return _aside(number, given, f"internal error: {type(error).__name__}: {error}")
        return {"row": number, "id": given.get("id"), "report": to_dict(report)}

    def _named(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The row as `guardrail check --jsonl` takes it. Raises BadRequest."""
        row = {name: value for name, value in given.items() if name != "id"}
        if self.checking.text not in row:
            raise BadRequest(f"{self.checking.text} is missing")
        row["text"] = row.pop(self.checking.text)
        return {name: row[name] for name in row if name in FIELDS} if self.checking.others else row

    def _write(self, part: Part, entries: Sequence[Entry]) -> Done:
        aside = [{"source": part.source, **entry} for entry in entries if "reason" in entry]
        rows = [_flat(part, entry) for entry in entries if "report" in entry]
        if aside:
            written(self.layout.set_aside(part.number), _lines(aside))
        as_written = _table(rows) if self.layout.kind == "parquet" else _lines(rows)
        written(self.layout.report(part.number), as_written)
        return Done(part, len(rows), len(aside))


@dataclass(slots=True)
class _Journal:
    """What is done of a part. `begun`: the row that the last process began and did not end."""

    entries: list[Entry]
    begun: int | None
    _file: BinaryIO

    @classmethod
    @contextmanager
    def opened(cls, path: Path) -> Iterator[_Journal]:
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        with path.open("ab") as file:
            file.truncate(len(whole))  # without a line that was cut off
            lines = [json.loads(line) for line in whole.splitlines()]
            begun = lines[-1].get("begun") if lines else None
            yield cls([line for line in lines if "begun" not in line], begun, file)

    def begin(self, row: int) -> None:
        self._say({"begun": row})

    def add(self, entry: Entry) -> None:
        self.entries.append(json.loads(self._say(entry)))

    def _say(self, entry: Entry) -> bytes:
        line = _line(entry)
        self._file.write(line)
        self._file.flush()  # what the system has survives this process
        return line


def _aside(number: int, given: Mapping[str, Any] | Unreadable, reason: str) -> Entry:
    text = given.text if isinstance(given, Unreadable) else json.dumps(given, ensure_ascii=False, default=str)
    return {"row": number, "reason": reason, "given": text[:LONGEST]}


def _flat(part: Part, entry: Entry) -> Entry:
    """A row of the output: what one wants to count in columns, the whole report as JSON."""
    report = entry["report"]
    identifier = entry["id"]
    return {
        "source": part.source,
        "row": entry["row"],
        "id": identifier if identifier is None or isinstance(identifier, str) else json.dumps(identifier),
        "outcome": report["outcome"],
        "kas": float(report["kas"]),
        **{name: report["counts"][name] for name in ("attributable", "extrapolatory", "contradictory")},
        "not_checked": report["counts"]["unchecked"],
        "report": report,
    }


def _lines(rows: Sequence[Entry]) -> bytes:
    return b"".join(map(_line, rows))


def _line(row: Entry) -> bytes:
    return json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n"


def _table(rows: Sequence[Entry]) -> bytes:
    module, arrow = parquet()
    kinds = {"row": arrow.int64(), "kas": arrow.float64()}
    numbers = ("attributable", "extrapolatory", "contradictory", "not_checked")
    names = ("source", "row", "id", "outcome", "kas", *numbers, "report")
    schema = arrow.schema(
        [(name, kinds.get(name, arrow.int32() if name in numbers else arrow.string())) for name in names]
    )
    flat = [row | {"report": json.dumps(row["report"], ensure_ascii=False)} for row in rows]
    out = io.BytesIO()
    module.write_table(arrow.Table.from_pylist(flat, schema=schema), out, compression="zstd")
    return out.getvalue()
