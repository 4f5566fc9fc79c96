"""Universal Dependencies treebanks of English, sentence by sentence: EWT, and the genres of GUM whose texts are free."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DEV", "TEST", "TRAIN", "Gold", "read"]

TRAIN = ("ud_ewt/en_ewt-ud-train.rebuilt.conllu.gz", "ud_gum/free/train.conllu.gz")
DEV = ("ud_ewt/en_ewt-ud-dev.conllu.gz", "ud_gum/free/dev.conllu.gz")
TEST = ("ud_ewt/en_ewt-ud-test.conllu.gz", "ud_gum/free/test.conllu.gz")


@dataclass(frozen=True, slots=True)
class Gold:
    """A sentence of a treebank, word by word. `heads` are places in the sentence, a root's is its own."""

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    deps: tuple[str, ...]


def read(path: Path) -> Iterator[Gold]:
    """The sentences of a CoNLL-U file; words that are written together are one token each, as UD has them."""
    rows: list[list[str]] = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            columns = line.rstrip("\n").split("\t")
            if not line.strip():
                if rows:
                    yield _gold(rows)
                rows = []
            elif columns[0].isdigit():
                rows.append(columns)
            elif line[0] != "#" and "-" in columns[0]:  # a token of several words: they touch
                _, last = columns[0].split("-")
                rows.append(["-", last, columns[9]])
    if rows:
        yield _gold(rows)


def _gold(rows: Sequence[list[str]]) -> Gold:
    touching: dict[int, str] = {}
    words: list[list[str]] = []
    for row in rows:
        if row[0] == "-":
            first, last = len(words) + 1, int(row[1])
            touching.update({at: row[2] if at == last else "SpaceAfter=No" for at in range(first, last + 1)})
        else:
            words.append(row)
    misc = [touching.get(int(row[0]), row[9]) for row in words]
    heads = [int(row[6]) - 1 for row in words]
    return Gold(
        tuple(row[1] for row in words),
        tuple("SpaceAfter=No" not in one for one in misc),
        tuple(row[4] for row in words),
        tuple(row[2] for row in words),
        tuple(at if head < 0 else head for at, head in enumerate(heads)),
        tuple("ROOT" if row[7] == "root" else row[7] for row in words),
    )
