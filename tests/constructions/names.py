"""Which words of a text are names, and which of the small world's things they name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.linking.spans import capitalised_runs, scan, stretches
from guardrail.evidence.linking.unknown import relatives
from guardrail.evidence.store.graph import Graph
from guardrail.types import Context
from tests.constructions.corpus import Reader
from tests.world import fill

NOTHING = "nothing"


@cache
def linker() -> AliasLinker:
    """Over the small world."""
    return AliasLinker(fill(Graph.create(Path(mkdtemp()) / "world.db")))


def linked(text: str) -> dict[str, str | None]:
    """What each name stands for; None for one that the graph does not know."""
    mentions = linker().link(text, context=Context())
    return {mention.text: mention.entity.id if mention.entity else None for mention in mentions}


def stretched(text: str) -> set[str]:
    """The stretches that may be names, as written."""
    scanned = scan(text)
    return {scanned.surface(one.first, one.last) for one in stretches(scanned, set)}


def keys(text: str) -> set[str]:
    """The stretches that may be names, as they are asked for."""
    return {stretch.key for stretch in stretches(scan(text), set)}


def kin(text: str) -> set[str]:
    scanned = scan(text)
    return {scanned.surface(at, at) for at in relatives(scanned)}


def of_these(observed: dict[str, str | None], expected: dict[str, str | None]) -> bool:
    return {name: observed.get(name, NOTHING) for name in expected} == expected


READERS = {
    "linked": Reader(linked),
    "among_linked": Reader(linked, of_these),
    "names": Reader(stretched, lambda observed, expected: set(expected) <= observed),
    "no_names": Reader(stretched, lambda observed, expected: not set(expected) & observed),
    "name_keys": Reader(keys, lambda observed, expected: set(expected) <= observed),
    "capitals": Reader(lambda text: capitalised_runs(scan(text))),
    "nicknames": Reader(lambda text: bool(scan(text).nicknames)),
    "relatives": Reader(kin, lambda observed, expected: observed == set(expected)),
}
