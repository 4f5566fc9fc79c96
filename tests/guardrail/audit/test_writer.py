"""Group commit: what waits goes together, nobody is told before it is done, and no error ends the thread."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future

import pytest

from guardrail.audit.writer import LARGEST_GROUP, Pending, RefusedEntry, Writer
from guardrail.errors import AuditError


def entry(name: str) -> Pending:
    return Pending((name,), name.encode())


class Disk:
    """Notes the groups it is given; waits for `go` before each commit."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []
        self.go = threading.Semaphore(0)
        self.fail: Exception | None = None
        self.began = threading.Semaphore(0)

    def commit(self, group: Sequence[Pending]) -> Sequence[int]:
        self.began.release()
        self.go.acquire()
        if self.fail:
            raise self.fail
        if any(one.body == b"bad" for one in group):
            raise RefusedEntry("bad")
        self.groups.append([one.body.decode() for one in group])
        return range(len(group))


@pytest.fixture
def disk() -> Disk:
    return Disk()


def test_what_queues_during_a_commit_is_the_next_group(disk: Disk) -> None:
    """Three entries that come while the first is written share one flush."""
    writer = Writer(disk.commit)
    first = writer.put(entry("a"))
    disk.began.acquire()
    others = [writer.put(entry(name)) for name in "bcd"]
    assert writer.depth() == 3
    assert not first.done()
    disk.go.release(2)
    assert [future.result(5) for future in others] == [0, 1, 2]
    assert disk.groups == [["a"], ["b", "c", "d"]]
    writer.close()


def test_a_group_has_a_largest_size(disk: Disk) -> None:
    """A flood does not make one endless transaction."""
    writer = Writer(disk.commit)
    futures = [writer.put(entry(str(n))) for n in range(LARGEST_GROUP * 2 + 1)]
    disk.go.release(5)
    for future in futures:
        future.result(5)
    assert max(len(group) for group in disk.groups) <= LARGEST_GROUP
    writer.close()


def test_one_bad_entry_fails_alone(disk: Disk) -> None:
    """The others of its group are written one by one."""
    writer = Writer(disk.commit)
    blocker = writer.put(entry("x"))
    disk.began.acquire()
    futures = [writer.put(entry(name)) for name in ("a", "bad", "b")]
    disk.go.release(10)
    blocker.result(5)
    assert isinstance(futures[1].exception(5), RefusedEntry)
    assert [futures[0].result(5), futures[2].result(5)] == [0, 0]
    writer.close()


@pytest.mark.parametrize("error", [AuditError("disk full"), RuntimeError("a driver's bug")])
def test_a_failed_commit_fails_its_group_and_the_next_is_tried(disk: Disk, error: Exception) -> None:
    """Whatever is raised, the callers see an AuditError and the writer lives on."""
    writer = Writer(disk.commit)
    disk.fail = error
    disk.go.release()
    assert isinstance(writer.put(entry("a")).exception(5), AuditError)
    disk.fail = None
    disk.go.release()
    assert writer.put(entry("b")).result(5) == 0
    writer.close()


def test_closing_writes_what_is_queued(disk: Disk) -> None:
    """Nothing that was taken is dropped, and nothing more is taken."""
    writer = Writer(disk.commit)
    futures: list[Future[int]] = [writer.put(entry(name)) for name in "abc"]
    disk.go.release(10)
    writer.close()
    assert all(future.done() for future in futures)
    writer.close()
    with pytest.raises(AuditError, match="closed"):
        writer.put(entry("d"))


def test_nobody_can_cancel_an_entry_that_was_taken(disk: Disk) -> None:
    """Giving up waiting does not unwrite."""
    writer = Writer(disk.commit)
    future = writer.put(entry("a"))
    assert not future.cancel()
    disk.go.release()
    assert future.result(5) == 0
    writer.close()
