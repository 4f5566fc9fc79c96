"""The audit log measured: `python -m eval.benchmarks.audit [load kill tamper backtest] [--quick] [--database URL]`.

load      64 callers at once, flat out and at 2,000 records/s: latency of a durable append, records a second
kill      kill -9 at random points under load: what was acknowledged must be there, the chain must verify
tamper    random single edits, deletions, swaps and cuts: each must be found
backtest  100,000 records decided again: seconds, and memory at half and at the end
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from guardrail.audit.chain import read_public_key
from guardrail.audit.record import (
    ClaimRecord,
    ClaimWords,
    EntityRef,
    EvidenceRef,
    FactRef,
    Record,
    Words,
    new_salt,
    now,
)
from guardrail.audit.store import AuditLog
from guardrail.audit.verify import verify
from policies.backtest import backtest
from policies.chosen import load_set
from proxy.judging.pool import SWITCH_INTERVAL

CALLERS = 64
PACE = 2000  # records a second


def _claim(number: int, index: int) -> ClaimRecord:
    return ClaimRecord(
        id=index,
        start=index * 80,
        end=index * 80 + 70,
        kind="fact",
        label=("contradictory", "attributable", "extrapolatory")[(number + index) % 3],
        confidence=0.5 + (number * 7 + index) % 50 / 100,
        tms=0.7,
        score=1.0,
        checker="symbolic",
        property="date of birth",
        slot_fact=0,
        facts=(FactRef("P569", "date", "date"),),
        entities=(EntityRef("Q7259", "Ada Lovelace", ("Q5",)),),
        evidence=(EvidenceRef("triplet", f"s{index}", "starter", "P569", "date of birth"),),
        text_hash="0" * 64,
    )


def made(number: int, claims: int = 5) -> Record:
    """A flagged answer of five claims, about 2.5 kB with its words."""
    words = Words(
        new_salt(),
        claims={"0": ClaimWords("Ada Lovelace was born in 1816.", rationale="She was born in 1815.")},
    )
    name = f"grd_{number:012}"
    return Record(
        id=name,
        time=now(),
        response=name,
        model=f"model-{number % 3}",
        policy="annotate",
        policy_hash="sha256:" + "0" * 64,
        action="annotate",
        outcome="flagged",
        kas=number % 100 / 100,
        length=400,
        flagged=(0,),
        claims=tuple(_claim(number, index) for index in range(claims)),
        words=words,
        versions={"knowledge": "1", "checker": "symbolic 1"},
    )


def told(title: str, latencies: list[float], seconds: float) -> None:
    ordered = sorted(latencies)
    p50, p99 = (ordered[int(len(ordered) * share)] * 1e3 for share in (0.5, 0.99))
    print(f"{title:<36} {len(ordered) / seconds:8.0f} records/s   p50 {p50:6.2f} ms   p99 {p99:6.2f} ms")


async def flat_out(log: AuditLog, count: int) -> None:
    """Each caller appends as soon as its last record is durable."""
    records = [made(number) for number in range(count)]
    latencies: list[float] = []
    queue = iter(records)

    async def caller() -> None:
        for record in queue:
            began = time.perf_counter()
            await log.append(record)
            latencies.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*[caller() for _ in range(CALLERS)])
    told(f"{CALLERS} callers, flat out", latencies, time.perf_counter() - began)


async def paced(log: AuditLog, count: int) -> None:
    """The same callers, each at its own steady pace: what a response waits at 2,000 records a second."""
    records = [made(1_000_000 + number) for number in range(count)]
    latencies: list[float] = []
    began = time.perf_counter()

    async def caller(offset: int) -> None:
        for number in range(offset, count, CALLERS):
            await asyncio.sleep(max(0.0, began + number / PACE - time.perf_counter()))
            asked = time.perf_counter()
            await log.append(records[number])
            latencies.append(time.perf_counter() - asked)

    await asyncio.gather(*[caller(offset) for offset in range(CALLERS)])
    told(f"{CALLERS} callers at {PACE} records/s", latencies, time.perf_counter() - began)


async def sparse(log: AuditLog, count: int) -> None:
    """One caller at a time: the price of a flush."""
    latencies: list[float] = []
    began = time.perf_counter()
    for number in range(count):
        asked = time.perf_counter()
        await log.append(made(2_000_000 + number))
        latencies.append(time.perf_counter() - asked)
    told("one caller", latencies, time.perf_counter() - began)


def flushes(folder: Path, count: int) -> None:
    """What the disk itself takes to flush 8 kB: no append can be faster."""
    latencies: list[float] = []
    with (folder / "raw").open("wb", buffering=0) as file:
        began = time.perf_counter()
        for _ in range(count):
            file.write(b"x" * 8192)
            asked = time.perf_counter()
            os.fdatasync(file.fileno())
            latencies.append(time.perf_counter() - asked)
    told("(the disk alone: fdatasync of 8 kB)", latencies, time.perf_counter() - began)


def load(folder: Path, *, quick: bool, database: str = "") -> None:
    """Into a new file, or the empty `database` (postgresql://…)."""
    sys.setswitchinterval(SWITCH_INTERVAL)  # as in the server
    flushes(folder, 300)
    count = 2_000 if quick else 20_000
    with AuditLog.open(database or folder / "load.db") as log:
        for run in (flat_out, paced, sparse):
            asyncio.run(run(log, count if run is not sparse else count // 20))


_CHILD = """
import asyncio, itertools, sys
from eval.benchmarks.audit import CALLERS, made
from guardrail.audit.store import AuditLog
async def main():
    log, numbers = AuditLog.open(sys.argv[1]), itertools.count(int(sys.argv[2]))
    async def caller():
        for number in numbers:
            record = made(number)
            await log.append(record)
            print(record.id, flush=True)
    await asyncio.gather(*[caller() for _ in range(CALLERS)])
asyncio.run(main())
"""


def kill(folder: Path, *, quick: bool) -> None:
    """Each round kills a writer at a random point, then opens, checks and continues the log."""
    rounds, acknowledged, lost, broken, began = (20 if quick else 200), 0, 0, 0, time.perf_counter()
    draw = random.Random(1)
    for number in range(rounds):
        path = folder / f"kill{number}.db"
        command = [sys.executable, "-c", _CHILD, str(path), "0"]
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(Path.cwd())}
        )
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(draw.randint(1, 400))]
        time.sleep(draw.random() * 0.02)
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.read().splitlines(keepends=True)
        child.stdout.close()
        child.wait()
        promised = {line.decode().strip() for line in lines if line.endswith(b"\n")}
        with AuditLog.open(path) as log:
            log.append_now(made(10_000_000))
            there = {stored.item.id for stored in log.scan()}
            broken += not verify(log, read_public_key(Path(f"{path}.key.pub"))).ok
        acknowledged += len(promised)
        lost += len(promised - there)
        path.unlink()
    spent = time.perf_counter() - began
    print(
        f"kill -9 at {rounds} random points: {acknowledged} acknowledged, {lost} lost, {broken} chains broken ({spent:.0f} s)"
    )


def _changes(draw: random.Random, entries: int) -> tuple[str, list[str]]:
    seq, other = draw.sample(range(1, entries + 1), 2)
    at = draw.randint(1, 32)
    kinds: dict[str, Callable[[], list[str]]] = {
        "edit of a body": lambda: [_spliced("entries", "body", seq, draw.randint(1, 900), draw)],
        "edit of a hash": lambda: [_spliced("entries", "hash", seq, at, draw)],
        "edit of words": lambda: [_spliced("words", "blob", seq, draw.randint(1, 150), draw)],
        "edit of a column": lambda: [f"UPDATE entries SET outcome = 'confirmed' WHERE seq = {seq}"],
        "deletion": lambda: [
            f"DELETE FROM entries WHERE seq = {seq}",
            f"DELETE FROM words WHERE seq = {seq}",
        ],
        "deletion of words": lambda: [f"DELETE FROM words WHERE seq = {seq}"],
        "swap": lambda: [
            f"UPDATE entries SET seq = -1 WHERE seq = {seq}",
            f"UPDATE entries SET seq = {seq} WHERE seq = {other}",
            f"UPDATE entries SET seq = {other} WHERE seq = -1",
        ],
        "cut": lambda: [f"DELETE FROM {table} WHERE seq >= {seq}" for table in ("entries", "words")],
    }
    name = draw.choice(list(kinds))
    return name, kinds[name]()


def _spliced(table: str, column: str, seq: int, at: int, draw: random.Random) -> str:
    """One byte of a cell replaced by one that differs."""
    byte = f"x'{draw.randint(128, 255):02x}'" if column != "hash" else f"x'{draw.randint(0, 255):02x}'"
    cell = f"CAST(substr({column}, 1, {at - 1}) || {byte} || substr({column}, {at + 1}) AS BLOB)"
    return f"UPDATE {table} SET {column} = {cell} WHERE seq = {seq}"


def tamper(folder: Path, *, quick: bool) -> None:
    rounds, entries, draw = (100 if quick else 1000), 120, random.Random(2)
    path = folder / "tamper.db"
    with AuditLog.open(path) as log:
        for number in range(entries):
            log.append_now(made(number))
        log.database.scrub()
    original, key = path.read_bytes(), read_public_key(Path(f"{path}.key.pub"))
    unchanged, missed = 0, []
    for _ in range(rounds):
        path.write_bytes(original)
        name, statements = _changes(draw, entries)
        before = _dump(path)
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        if _dump(path) == before:
            unchanged += 1  # the random byte was the one that stood there
            continue
        with AuditLog.open(path, read_only=True) as log:
            if verify(log, key).ok:
                missed.append(name)
    print(
        f"tampering: {rounds - unchanged} random changes, {rounds - unchanged - len(missed)} found, missed: {missed}"
    )


def _dump(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT * FROM entries ORDER BY seq").fetchall()
    rows += connection.execute("SELECT * FROM words ORDER BY seq").fetchall()
    connection.close()
    return rows


def replay(folder: Path, *, quick: bool) -> None:
    count = 10_000 if quick else 100_000
    with AuditLog.open(folder / "backtest.db") as log:
        pending = [log.submit(made(number)) for number in range(count)]
        for future in pending:
            future.result()
        del pending
        memory: list[int] = []
        began, worked = time.perf_counter(), time.process_time()
        found = backtest(load_set(["block"]), _watched(log, count // 2, memory))
        spent, worked = time.perf_counter() - began, time.process_time() - worked
    half, end = memory[0] / 1024, resource_now() / 1024
    print(
        f"backtest: {found.answers} records in {spent:.1f} s ({worked:.1f} s of one core), {found.changed} changed; {half:.0f} MB at half, {end:.0f} MB at the end"
    )


def _watched(log: AuditLog, half: int, memory: list[int]) -> Iterator[Record]:
    for number, stored in enumerate(log.scan(words=False)):
        if number == half:
            memory.append(resource_now())
        if isinstance(stored.item, Record):
            yield stored.item


def resource_now() -> int:
    """Resident memory in KiB; the highest so far where the system does not tell."""
    try:
        fields = Path("/proc/self/statm").read_text().split()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(fields[1]) * resource.getpagesize() // 1024


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", default=["load", "tamper", "backtest", "kill"])
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--database", default="", metavar="URL", help="load this empty database, not a file")
    options = parser.parse_args()
    runs: dict[str, Callable[..., None]] = {"load": load, "kill": kill, "tamper": tamper, "backtest": replay}
    if unknown := set(options.what) - set(runs):
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(runs)}")
    folder = Path(tempfile.mkdtemp(prefix="bench-audit-"))
    try:
        for name in options.what:
            given = {"database": options.database} if name == "load" else {}
            runs[name](folder, quick=options.quick, **given)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
