"""What one batch is: its input in parts, its output folder, and how rows are checked. It is written down before the first row
is checked, so that the same command goes on after an interruption and another one is refused.

    INTO/batch.json                     what this is
    INTO/reports/part-000000.parquet    (or .jsonl) a row for each report
    INTO/set-aside/part-000000.jsonl    rows that could not be checked, with the reason; only where there are any
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from fsspec.core import url_to_fs  # type: ignore[import-untyped]

from guardrail.cli.batch_rows import Part, Source
from guardrail.cli.output import whole_file
from guardrail.config import home
from guardrail.errors import BadRequest
from guardrail.review import ReviewerSettings

__all__ = ["Checking", "Job", "Kind", "Layout", "alone", "begun", "exists", "opened", "written"]

FORMAT = 1
Kind = Literal["parquet", "jsonl"]
"""What reports are written as."""


@dataclass(frozen=True, slots=True)
class Checking:
    """`text`: the field that holds it. `others`: whether fields of a row that are not known are left alone."""

    text: str = "text"
    others: bool = False
    knowledge: tuple[str, ...] = ()
    recognizer: str | None = None
    reviewer: ReviewerSettings | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Where results go. `into`: a path or URL, `kind`: what reports are written as."""

    into: str
    kind: Kind = "parquet"

    def report(self, part: int) -> str:
        return f"{self.into}/reports/part-{part:06d}.{self.kind}"

    def set_aside(self, part: int) -> str:
        return f"{self.into}/set-aside/part-{part:06d}.jsonl"

    @property
    def journals(self) -> Path:
        """On this machine: what is done of the parts that are not whole."""
        name = hashlib.sha256(self.into.encode()).hexdigest()[:16]
        return home() / "batch" / name

    def journal(self, part: int) -> Path:
        return self.journals / f"{part:06d}.jsonl"

    def done(self) -> set[int]:
        """The numbers of the parts whose reports are written."""
        fs, root = url_to_fs(f"{self.into}/reports")
        names = [path.rsplit("/", 1)[-1] for path in fs.ls(root, detail=False)] if fs.isdir(root) else []
        ending = f".{self.kind}"
        return {int(name[5:11]) for name in names if name.startswith("part-") and name.endswith(ending)}

    def rows_aside(self) -> int:
        """How many rows are set aside, by whatever run."""
        fs, root = url_to_fs(f"{self.into}/set-aside")
        paths = fs.ls(root, detail=False) if fs.isdir(root) else []
        return sum(fs.cat_file(path).count(b"\n") for path in paths)


@dataclass(frozen=True, slots=True)
class Job:
    """A whole batch. `rows` of a part."""

    layout: Layout
    checking: Checking
    files: tuple[Source, ...]
    parts: tuple[Part, ...]
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON; nothing secret."""
        reviewer = self.checking.reviewer
        checking = asdict(replace(self.checking, reviewer=None))
        if self.checking.model is None:
            del checking["model"]  # as in batches of a version that did not know it
        return {
            "format": FORMAT,
            "kind": self.layout.kind,
            "rows": self.rows,
            "checking": checking | {"reviewer": reviewer and [reviewer.model, reviewer.url, reviewer.method]},
            "files": [asdict(file) for file in self.files],
            "parts": [asdict(part) for part in self.parts],
        }


def begun(into: str) -> dict[str, Any] | None:
    """What is written of the batch that was begun in this folder; None where none was."""
    fs, root = url_to_fs(into)
    path = f"{root}/batch.json"
    return json.loads(fs.cat_file(path)) if fs.exists(path) else None


def opened(job: Job) -> dict[str, Any] | None:
    """What is written in the output folder of a batch that was begun; None where nothing was.

    Raises BadRequest where it is another batch, or holds other things.
    """
    found = begun(job.layout.into)
    if found is None:
        fs, root = url_to_fs(job.layout.into)
        if fs.isdir(root) and fs.ls(root):
            raise BadRequest(f"{job.layout.into} is not empty and contains no batch")
        return None
    wanted = json.loads(json.dumps(job.to_dict()))
    if differing := [name for name in wanted if name != "parts" and found.get(name) != wanted[name]]:
        raise BadRequest(
            f"{job.layout.into} holds another batch (other {', '.join(differing)}); name another folder"
        )
    return found


def exists(path: str) -> bool:
    """Whether there is a file at a path or URL."""
    fs, place = url_to_fs(path)
    return bool(fs.exists(place))


def written(path: str, data: bytes) -> None:
    """Puts a file at a path or URL, whole or not at all. Raises BadRequest."""
    fs, place = url_to_fs(path)
    try:
        fs.makedirs(place.rsplit("/", 1)[0], exist_ok=True)
        if "file" in (fs.protocol if isinstance(fs.protocol, tuple) else (fs.protocol,)):
            with whole_file(Path(place)) as out:
                out.write(data)
        else:
            fs.pipe_file(place, data)  # an object is there when it was put
    except OSError as error:
        raise BadRequest(f"cannot write {path}: {error}") from error


@contextmanager
def alone(path: Path, *, wait: bool = False) -> Iterator[None]:
    """Holds the lock file at `path`; it is free when its process ends, however it ends. Raises BadRequest where it is taken."""
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError as error:
            raise BadRequest("another process is working on this batch") from error
        yield
