"""`python -m eval.benchmarks.graph`: what the graph costs, each figure against a baseline of the same run.

    paths      2-4 entities, up to 3 hops, on the benchmark graph; baseline: networkx, all simple paths, in memory
    growth     the same on synthetic graphs of 100 k, 1 M and 10 M statements with a power-law degree (--largest)
    import     N-Triples; baseline: rdflib's parse of the same file
    linking    words per second with the names of the benchmark graph; accuracy: `python -m eval linking`
    one-hop    answers by relation
    opening    a file of 1 M statements: time to the first answer, resident memory
    postgres   paths and one hop on PostgreSQL against SQLite, where a server is installed

`--largest 10000000` for the whole row on growth (1.5 GB in a temporary folder), `import --triples 10000000` for the memory of
a large import. The baselines need the dependency group `bench` (networkx, rdflib).
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import combinations, islice
from pathlib import Path

import numpy as np

from eval.datasets.benchmark import benchmark_graph
from eval.datasets.files import DataMissing
from eval.suites.linking import knowledgenet
from guardrail.evidence.door import open_or_create
from guardrail.evidence.importers.load import Loader, load
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.query.facts import answers
from guardrail.evidence.query.paths import paths
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.store.packed import Packed
from guardrail.types import Argument, Candidate, Claim, Fact, Mention, Span

QUERIES, BASELINE_QUERIES, BASELINE_SECONDS = 400, 40, 60.0
WORDS = ["director", "born", "country"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", help="of those above; default: all")
    parser.add_argument("--largest", type=int, default=1_000_000, help="statements of the largest made graph")
    parser.add_argument("--triples", type=int, default=500_000, help="of the N-Triples file that is imported")
    chosen = parser.parse_args(arguments)
    parts: dict[str, Callable[[], None]] = {
        "paths": bench_paths,
        "growth": lambda: bench_growth(chosen.largest),
        "import": lambda: bench_import(chosen.triples),
        "linking": bench_linking,
        "one-hop": bench_one_hop,
        "opening": bench_opening,
        "postgres": bench_postgres,
    }
    for name, bench in parts.items():
        if not chosen.parts or name in chosen.parts:
            try:
                bench()
            except DataMissing as missing:
                print(f"{name}: skipped, {missing}")
    return 0


# ── paths ─────────────────────────────────────────────────────────────────────────────────────────────────


def bench_paths() -> None:
    with Graph.open(benchmark_graph()) as graph:
        asked = _questions(graph, QUERIES)
        spent = [_milliseconds(lambda ids=ids: paths(graph, ids, words=WORDS)) for ids in asked]  # type: ignore[misc]
        ours = [wall for wall, _ in spent]
        found = sum(bool(paths(graph, ids)) for ids in asked[:100])
        _row("paths, p50", statistics.median(ours), "ms", "under 3")
        _row("paths, p99", _percentile(ours, 0.99), "ms", "under 20")
        ours = [cpu for _, cpu in spent]
        _row("paths, p50, processor time", statistics.median(ours), "ms")
        _row("paths, p99, processor time", _percentile(ours, 0.99), "ms")
        print(f"  ({QUERIES} questions of 2-4 entities; {found} of the first 100 have a path)")
        if find_spec("networkx"):
            theirs = _networkx(graph, asked[:BASELINE_QUERIES])
            same = statistics.median(cpu for _, cpu in spent[: len(theirs)])
            baseline = statistics.median(cpu for _, cpu in theirs)
            _row("networkx, same questions, p50, processor time", baseline, "ms")
            _row("ratio, processor time", baseline / same, "times", "at least 20")


def _questions(graph: Graph, count: int, seed: int = 1) -> list[list[str]]:
    """Entities that a claim may name together: found by random walks of one to three steps."""
    chance = random.Random(seed)
    rows = graph.database.rows("SELECT n, id FROM entity WHERE degree > 3 ORDER BY n")
    ids: dict[int, str] = dict(rows)
    asked: list[list[str]] = []
    starts = list(ids)
    while len(asked) < count:
        at = chance.choice(starts)
        named = [at]
        for _ in range(chance.choice((1, 1, 2, 3))):
            for _ in range(chance.choice((1, 2, 3))):
                near = graph.database.rows(
                    "SELECT b FROM edge WHERE a = ? AND b IN (SELECT n FROM entity) LIMIT 200", (at,)
                )
                at = chance.choice(near)[0]
            named.append(at)
        known = list(dict.fromkeys(ids[n] for n in named if n in ids))
        if len(known) > 1:
            asked.append(known)
    return asked


def _networkx(graph: Graph, asked: Sequence[Sequence[str]]) -> list[tuple[float, float]]:
    """All simple paths of up to three steps, four per pair, over the same edges in memory."""
    import networkx as nx

    whole = nx.Graph()
    whole.add_edges_from(graph.database.rows("SELECT a, b FROM edge WHERE p > 0 AND a <> b"))
    numbers = graph.numbers({i for ids in asked for i in ids})
    spent: list[tuple[float, float]] = []
    until = time.monotonic() + BASELINE_SECONDS
    for ids in asked:
        pairs = list(combinations([numbers[i] for i in ids], 2))
        began, cpu = time.perf_counter(), time.process_time()
        for a, b in pairs:
            if a in whole and b in whole:
                list(islice(nx.all_simple_paths(whole, a, b, cutoff=3), 4))
        spent.append(((time.perf_counter() - began) * 1e3, (time.process_time() - cpu) * 1e3))
        if time.monotonic() > until:
            break
    return spent


# ── growth ────────────────────────────────────────────────────────────────────────────────────────────────


def bench_growth(largest: int) -> None:
    sizes = [size for size in (100_000, 1_000_000, 10_000_000) if size <= largest]
    figures: list[tuple[float, float]] = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder, Graph.create(Path(folder) / "grown.db") as graph:
            built, _ = _milliseconds(partial(_grow, graph, size))
            spent = [_milliseconds(partial(paths, graph, ids))[1] for ids in _questions(graph, 200)]
            figures.append((statistics.median(spent), _percentile(spent, 0.99)))
            for what, figure in zip(("p50", "p99"), figures[-1], strict=True):
                _row(f"paths on {size:,} statements, {what}, processor time", figure, "ms")
            used = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
            [(most,)] = graph.database.rows("SELECT MAX(degree) FROM entity")
            print(
                f"  (written at {size / built * 1e3:,.0f}/s; {used:,.0f} MB; the largest hub has {most:,} edges)"
            )
    if len(figures) > 1:
        (middle, tail), (median, slowest) = figures[0], figures[-1]
        _row(f"growth of p50, {sizes[0]:,} to {sizes[-1]:,}", median / middle, "times", "under 2")
        _row("growth of p99", slowest / tail, "times")


def _grow(graph: Graph, size: int) -> None:
    """A graph whose in-degrees follow a power law, five statements per entity on average."""
    chance = np.random.default_rng(7)
    nodes, at_once = size // 5, 200_000
    for start in range(0, size, at_once):
        count = min(at_once, size - start)
        subject = chance.integers(0, nodes, count)
        item = (nodes * chance.random(count) ** 3).astype(np.int64)
        places, inverse = np.unique(np.concatenate((subject, item)), return_inverse=True)
        predicate = (40 * chance.random(count) ** 2).astype(np.int64)
        packed = Packed(
            ids=[f"Q{n}" for n in places.tolist()],
            predicates=[f"P{n + 1000}" for n in range(40)],
            datatypes=["entity"] * 40,
            subject=inverse[:count],
            predicate=predicate,
            object=inverse[count:],
            k=item * 64 + predicate,
            values=[],
        )
        with graph.write(settle=False) as batch:
            batch.add_packed(packed)
    with graph.write(settle=False) as batch:
        batch.settle()


# ── import ────────────────────────────────────────────────────────────────────────────────────────────────

_IMPORT = """
import resource, sys
from pathlib import Path
from eval.benchmarks.graph import import_file
seconds, _ = import_file(Path(sys.argv[1]), Path(sys.argv[2]))
print(seconds, *(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime for who in (0, -1)))
"""


def bench_import(triples: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.nt"
        with path.open("w") as out:
            out.writelines(_triples(triples))
        command = [sys.executable, "-c", _IMPORT, str(path), str(Path(folder) / "made.db")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as importing:
            half, peak = _peak_memory(importing)
            assert importing.stdout is not None
            seconds, writing, reading = map(float, importing.stdout.read().split())
        rate = triples / max(writing, reading)
        _row("import of N-Triples", triples / seconds, "statements/s", "at least 100,000")
        _row("by the busier process's time", rate, "statements/s")
        _row("peak memory, both processes", peak, "MB", "10 M under 1,000")
        _row("of it reached in the first half", half / peak * 100, "%", "flat: near 100")
        if find_spec("rdflib"):
            import rdflib

            some = Path(folder) / "some.nt"
            with some.open("w") as out:
                out.writelines(_triples(min(triples, 100_000)))
            cpu = time.process_time()
            rdflib.Graph().parse(some, format="nt")
            theirs = min(triples, 100_000) / (time.process_time() - cpu)
            _row("rdflib's parse of its first 100,000, likewise", theirs, "statements/s")
            _row("ratio, likewise", rate / theirs, "times")


def _peak_memory(process: subprocess.Popen[str]) -> tuple[float, float]:
    """MB of a process and its children, at most: in the first half of the time that it runs, and in all of it."""
    seen = []
    while process.poll() is None:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        try:
            numbers = [process.pid, *map(int, children.read_text().split())]
            seen.append(sum(_resident(number) for number in numbers))
        except OSError:
            continue
        time.sleep(0.05)
    return max(seen[: len(seen) // 2 + 1]), max(seen)


def _resident(number: int) -> float:
    """Anonymous memory of a process in MB: pages of the knowledge file belong to the system's cache."""
    for line in Path(f"/proc/{number}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return 0.0


def import_file(path: Path, into: Path) -> tuple[float, int]:
    """Seconds, and records written."""
    with Graph.create(into) as graph:
        began = time.perf_counter()
        [outcome] = load([(path, RdfReader(".nt"))], Loader(graph))
        return time.perf_counter() - began, outcome.written


def _triples(count: int) -> Iterator[str]:
    """Links, labels, dates and numbers, as Wikidata's truthy dump has them."""
    chance, nodes = random.Random(7), max(count // 8, 1)
    wikidata, xsd = "http://www.wikidata.org/", "http://www.w3.org/2001/XMLSchema#"
    for _ in range(count):
        subject = f"<{wikidata}entity/Q{int(nodes * chance.random() ** 3) + 1}>"
        kind, relation = chance.random(), int(200 * chance.random() ** 2) + 1
        if kind < 0.7:
            item = f"<{wikidata}entity/Q{int(nodes * chance.random() ** 3) + 1}>"
        elif kind < 0.85:
            yield f'{subject} <http://www.w3.org/2000/01/rdf-schema#label> "thing number {relation}"@en .\n'
            continue
        elif kind < 0.95:
            relation += 300
            item = f'"{1900 + relation % 120}-03-0{relation % 9 + 1}T00:00:00Z"^^<{xsd}dateTime>'
        else:
            relation += 600
            item = f'"{chance.randrange(10**6)}"^^<{xsd}decimal>'
        yield f"{subject} <{wikidata}prop/direct/P{relation}> {item} .\n"


# ── linking, one hop, opening ─────────────────────────────────────────────────────────────────────────────


def bench_linking() -> None:
    with Graph.open(benchmark_graph()) as graph:
        texts = sorted({gold.text for gold in knowledgenet()})
        half = len(texts) // 2
        linker = AliasLinker(graph)
        for text in texts[half:]:
            linker.link(text)
        words = sum(len(text.split()) for text in texts[:half])
        began, cpu = time.perf_counter(), time.process_time()
        for text in texts[:half]:
            linker.link(text)
        _row("linking", words / (time.perf_counter() - began), "words/s", "at least 50,000")
        _row("linking, by processor time", words / (time.process_time() - cpu), "words/s")
        print(f"  ({graph.stats().entities:,} entities, {words:,} words not seen before, after as many)")


def bench_one_hop() -> None:
    with Graph.open(benchmark_graph()) as graph:
        claims = _claims(graph, QUERIES)
        for claim in claims[:20]:
            answers(graph, claim)
        spent = [_milliseconds(lambda c=c: answers(graph, c)) for c in claims]  # type: ignore[misc]
        _row("one hop by relation, p50", statistics.median(wall for wall, _ in spent), "ms", "under 0.5")
        _row("one hop by relation, p99", _percentile([wall for wall, _ in spent], 0.99), "ms")
        _row("one hop by relation, p50, processor time", statistics.median(cpu for _, cpu in spent), "ms")


def _claims(graph: Graph, count: int) -> list[Claim]:
    """Facts of the graph with their objects swapped with each other's, so that the hierarchy is asked too."""
    chance = random.Random(3)
    rows = graph.database.rows("SELECT a, p, b FROM edge WHERE p > 0 ORDER BY a, p, b, k")
    chosen = chance.sample(rows, count)
    objects = [b for _, _, b in chosen]
    chance.shuffle(objects)
    known = graph.entities(sorted({n for a, _, b in chosen for n in (a, b)}))
    claims = []
    for (a, p, _), b in zip(chosen, objects, strict=True):
        subject, item = (Mention(Span(0, 1), "x", (Candidate(known[n], 1.0),)) for n in (a, b))
        relation = graph.property_at(p)
        fact = Fact(
            Argument("x", mentions=(subject,)),
            relation.label,
            Argument("y", mentions=(item,)),
            relations=(relation.id,),
        )
        claims.append(Claim(0, Span(0, 1), "x", "x", (fact,)))
    return claims


_OPEN = """
import sys, time
began = time.perf_counter()
from guardrail.evidence.store.graph import Graph
loaded = time.perf_counter()
graph = Graph.open(sys.argv[1])
graph.statements(sys.argv[2])
seconds = time.perf_counter() - loaded
status = dict(line.split(":", 1) for line in open("/proc/self/status").read().splitlines())
print(seconds, int(status["VmHWM"].split()[0]) / 1024, loaded - began)
"""


def bench_opening() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.db"
        with Graph.create(path) as graph:
            _grow(graph, 1_000_000)
        command = [sys.executable, "-c", _OPEN, str(path), "Q7"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    _row("opening 1 M statements, to the first answer", float(said[0]), "s", "under 0.5")
    _row("resident, with Python and the program", float(said[1]), "MB", "under 100")


def bench_postgres() -> None:
    """The same synthetic graph in both; the same questions to both."""
    from tests.postgres_server import Server, why_not

    if reason := why_not():
        raise DataMissing(reason)
    server, medians = Server(), []
    try:
        server.create()
        server.start()
        for where in (str(server.folder / "grown.db"), server.new_database()):
            with open_or_create(where) as graph:
                _grow(graph, 100_000)
                walked = [_milliseconds(partial(paths, graph, ids))[0] for ids in _questions(graph, 100)]
                asked = [_milliseconds(partial(answers, graph, claim))[0] for claim in _claims(graph, 100)]
                medians.append((statistics.median(walked), statistics.median(asked)))
    finally:
        server.remove()
    for what, sqlite, postgres in zip(("paths", "one hop"), *medians, strict=True):
        _row(f"{what} on PostgreSQL, 100,000 statements, p50", postgres, "ms")
        _row(f"{what}, against SQLite", postgres / sqlite, "times as long")


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────


def _milliseconds(act: Callable[[], object]) -> tuple[float, float]:
    """By the clock, and of the processor."""
    began, cpu = time.perf_counter(), time.process_time()
    act()
    return (time.perf_counter() - began) * 1e3, (time.process_time() - cpu) * 1e3


def _percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def _row(what: str, value: float, unit: str, bar: str = "") -> None:
    shown = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
    print(f"{what:<48}{shown:>12} {unit:<13}{bar}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
