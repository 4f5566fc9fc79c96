"""Group commit: what waits goes together, nobody is told before it is done, and no error ends the thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace

import pytest

from guardrail.audit.writer import LARGEST_GROUP, Pending, RefusedEntry, Writer
from guardrail.errors import AuditError


def entry(name: str) -> Pending:
    return Pending((name,), name.encode())


def put(writer: Writer, name: str) -> Future[int]:
    made = entry(name)
    writer.put(made)
    assert isinstance(made.done, Future)
    return made.done


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
    first = put(writer, "a")
    disk.began.acquire()
    others = [put(writer, name) for name in "bcd"]
    assert writer.depth() == 3
    assert not first.done()
    disk.go.release(2)
    assert [future.result(5) for future in others] == [0, 1, 2]
    assert disk.groups == [["a"], ["b", "c", "d"]]
    writer.close()


def test_a_group_has_a_largest_size(disk: Disk) -> None:
    """A flood does not make one endless transaction."""
    writer = Writer(disk.commit)
    futures = [put(writer, str(n)) for n in range(LARGEST_GROUP * 2 + 1)]
    disk.go.release(5)
    for future in futures:
        future.result(5)
    assert max(len(group) for group in disk.groups) <= LARGEST_GROUP
    writer.close()


def test_one_bad_entry_fails_alone(disk: Disk) -> None:
    """The others of its group are written one by one."""
    writer = Writer(disk.commit)
    blocker = put(writer, "x")
    disk.began.acquire()
    futures = [put(writer, name) for name in ("a", "bad", "b")]
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
    assert isinstance(put(writer, "a").exception(5), AuditError)
    disk.fail = None
    disk.go.release()
    assert put(writer, "b").result(5) == 0
    writer.close()


def test_closing_writes_what_is_queued(disk: Disk) -> None:
    """Nothing that was taken is dropped, and nothing more is taken."""
    writer = Writer(disk.commit)
    futures: list[Future[int]] = [put(writer, name) for name in "abc"]
    disk.go.release(10)
    writer.close()
    assert all(future.done() for future in futures)
    writer.close()
    with pytest.raises(AuditError, match="closed"):
        put(writer, "d")


def test_nobody_can_cancel_an_entry_that_was_taken(disk: Disk) -> None:
    """Giving up waiting does not unwrite."""
    writer = Writer(disk.commit)
    future = put(writer, "a")
    assert not future.cancel()
    disk.go.release()
    assert future.result(5) == 0
    writer.close()


async def test_an_event_loop_is_woken_once_for_all_of_its_tasks(disk: Disk) -> None:
    """Every task gets its own number; one that gave up waiting disturbs nobody."""
    writer, loop = Writer(disk.commit), asyncio.get_running_loop()
    entries = [replace(entry(name), done=loop.create_future()) for name in "abcd"]
    for one in entries:
        writer.put(one)
    entries[2].done.cancel()
    disk.go.release(10)
    waiting = [one.done for one in entries if isinstance(one.done, asyncio.Future)]
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(result).__name__ for result in results] == ["int", "int", "CancelledError", "int"]
    writer.close()
    assert sorted(name for group in disk.groups for name in group) == list("abcd")


def test_a_loop_that_is_gone_does_not_end_the_writer(disk: Disk) -> None:
    """Its entries are written; there is nobody to tell."""
    writer, loop = Writer(disk.commit), asyncio.new_event_loop()
    writer.put(replace(entry("a"), done=loop.create_future()))
    loop.close()
    disk.go.release(5)
    assert put(writer, "b").result(5) in (0, 1)
    writer.close()
    assert sorted(name for group in disk.groups for name in group) == ["a", "b"]
