"""The starter knowledge: facts that ship with the product as plain text and become a knowledge file at first start.

The text files in `guardrail/data/starter` are the source; blocks.py says how they are written. `ensure` builds the
knowledge file from them when it is absent or was built from other texts, and leaves every other file alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from guardrail.errors import KnowledgeError
from guardrail.evidence import blocks
from guardrail.evidence.store.graph import Graph, NewEntity

__all__ = ["AS_OF", "SOURCE", "directory", "ensure", "files", "fingerprint"]

SOURCE = "starter knowledge"
AS_OF = "2025-11"  # what the texts call today's (heads of state, chief executives) was so in this month
_PROPERTIES = Path(__file__).resolve().parent.parent / "data" / "properties.yaml"
_STAMP = ".built-from"
_LOCK = ".lock"


def directory() -> Path:
    """Where the text files are."""
    return Path(__file__).resolve().parent.parent / "data" / "starter"


def files(texts: Path | None = None) -> list[Path]:
    """The text files in the order of their names. Raises KnowledgeError where there are none."""
    found = sorted((texts or directory()).glob("*.txt"))
    if not found:
        raise KnowledgeError(f"no starter knowledge in {texts or directory()}")
    return found


def fingerprint(texts: Path | None = None) -> str:
    """A hash of what the text files hold and of the code that turns them into a knowledge file."""
    digest = hashlib.sha256()
    here = Path(__file__).resolve().parent
    for path in [*files(texts), here / "blocks.py", here / "store" / "schema.sql", _PROPERTIES]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def ensure(path: Path | str, *, texts: Path | None = None) -> Path:
    """The knowledge file at `path`, built from the starter texts where it is absent or out of date.

    The new file takes the place of the old one in one step, so that a reader sees one or the other. Of several processes that start at
    once one builds it and the others wait. A file at `path` that was not built here (an import, or one that was written to since) is
    never touched.
    Raises ImportFailed (file and line) for a text that cannot be read, KnowledgeError where nothing can be written.
    """
    target = Path(path)
    stamp = target.with_name(target.name + _STAMP)
    wanted = fingerprint(texts)
    if target.exists() and not _outdated(target, stamp, wanted):
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _alone(target):
            if not target.exists() or _outdated(target, stamp, wanted):
                _replace(target, stamp, wanted, texts)
    except OSError as error:
        raise KnowledgeError(f"cannot write {target}: {error.strerror or error}") from error
    return target


def _replace(target: Path, stamp: Path, wanted: str, texts: Path | None) -> None:
    with TemporaryDirectory(prefix=".starter-", dir=target.parent) as scratch:
        version = _build(Path(scratch) / "knowledge.db", texts)
        Path(scratch, "stamp").write_text(f"{wanted} {version}\n", "utf-8")
        with _without_journal(target):
            Path(scratch, "knowledge.db").replace(target)
            Path(scratch, "stamp").replace(stamp)


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Waits until no other process builds the file, where the system has such locks. The lock's file stays: another may wait for it."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with target.with_name(target.name + _LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _outdated(target: Path, stamp: Path, wanted: str) -> bool:
    """Whether `target` was built here, from other texts, and is still as it was built."""
    try:
        built_from, version = stamp.read_text("utf-8").split()
    except (OSError, ValueError):
        return False
    if built_from == wanted:
        return False
    with Graph.open(target) as graph:
        return graph.version == version


def _build(path: Path, texts: Path | None) -> str:
    """Write a knowledge file; its version."""
    content = blocks.read(files(texts), source=SOURCE, as_of=AS_OF)
    with Graph.create(path) as graph:
        with graph.write() as batch:
            batch.add_properties(content.properties)
            batch.add_entities(NewEntity(block.entity, block.aliases) for block in content.entities)
            batch.add_statements(content.statements)
        return graph.version


@contextmanager
def _without_journal(target: Path) -> Iterator[None]:
    """A write-ahead log belongs to the file it lies beside; the one of the old file must not meet the new one."""
    for ending in ("-wal", "-shm"):
        target.with_name(target.name + ending).unlink(missing_ok=True)
    yield
