"""`python -m eval.train pack --out FOLDER`: all training pairs as token ids, in the files of `eval.train.lean.packed`.

Everything that needs more than numpy is done here: sentences are cut and ranked by how near they are to each claim, and what is drawn
from the data sets is drawn a few times. Beside the pairs stand those of `eval/train/answers`, from which nothing learns. There is a process for each core.
Needs the data sets (`eval.datasets.files`), WordNet among them.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from eval.datasets.files import DataMissing, find
from eval.train import tables
from eval.train.cards import card_pairs
from eval.train.example import BITS, Example, held_out
from eval.train.labelled import Labelled, kept_aside, labelled
from eval.train.lean.packed import PAIRS, TEST, UNLABELLED
from eval.train.mixture import training_part
from eval.train.unlabelled import unlabelled
from eval.train.written import every_unit, near_to, nearest, pairs, short_pairs
from eval.train.written import kept_aside as unit_aside
from guardrail.models.embed import Embedder
from guardrail.models.encoder import MODELS
from guardrail.segment import sentences

__all__ = ["Ranked", "Segments", "labelled_arrays", "ranked", "unlabelled_arrays"]

_LONGEST = 400  # tokens of a segment; no pair has more
_TOGETHER = 8192  # texts: what the tokenizer gives takes much memory
_GRAPH = 8000  # minimal pairs of the mixture
_ROWS = (6, 9)  # of a table
_ROOM = 250  # characters of evidence beside a sentence of an answer

Arrays = dict[str, NDArray[Any]]
Pools = dict[str, list[list[Example]]]
"""The copies of each kind of pairs."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage in sentences; of each claim its text, its labels as bits, and the numbers of the sentences, the nearest first."""

    title: str
    said: tuple[str, ...]
    claims: tuple[tuple[str, int, tuple[int, ...]], ...]


def ranked(one: Labelled) -> Ranked:
    """The sentences of a passage by how near they are to each claim as the product finds it."""
    said = tuple(part.text for part in sentences(one.passages[0].text))
    near = near_to([text for text, _ in one.sentences], said)
    claims = ((text, labels, _order(row)) for (text, labels), row in zip(one.sentences, near, strict=True))
    return Ranked(one.passages[0].title, said, tuple(claims))


def _order(near: Sequence[float]) -> tuple[int, ...]:
    return tuple(sorted(range(len(near)), key=lambda at: -near[at]))


@dataclass(slots=True)
class Segments:
    """Texts by their number in the files; each has one. `packed`: how many of them a file has already."""

    numbers: dict[str, int] = field(default_factory=dict)
    packed: int = 0

    def of(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def all_of(self, texts: Iterable[str]) -> NDArray[np.int32]:
        return np.array([self.of(text) for text in texts], np.int32)

    def arrays(self) -> Arrays:
        """Tokens and characters of the texts that are new since the last call."""
        new = list(self.numbers)[self.packed :]
        self.packed = len(self.numbers)
        tokenizer = Tokenizer.from_file(str(MODELS / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_LONGEST)
        ids: list[list[int]] = []
        for at in range(0, len(new), _TOGETHER):
            part = tokenizer.encode_batch_fast(new[at : at + _TOGETHER], add_special_tokens=False)
            ids += (one.ids for one in part)
        return {
            "tokens": np.array([token for row in ids for token in row], np.uint16),
            "begins": _begins(ids, np.uint32),
            "characters": np.array([min(len(text), np.iinfo(np.uint16).max) for text in new], np.uint16),
        }


def _begins(rows: Iterable[Sequence[object]], kind: type[np.integer[Any]]) -> NDArray[Any]:
    """Where each row begins when all stand behind one another, and where the last ends."""
    return np.array([0, *accumulate(map(len, rows))], kind)


def labelled_arrays(found: Sequence[Ranked], pools: Pools, tests: Pools, segments: Segments) -> Arrays:
    """What pairs.npz holds."""
    arrays = _of_twins(found, segments)
    copies = {f"{name}.{at}": copy for name, made in pools.items() for at, copy in enumerate(made)}
    copies |= {f"{TEST}.{name}": copy for name, (copy,) in tests.items()}
    for name, copy in copies.items():
        arrays[f"{name}.premises"] = segments.all_of(one.premise for one in copy)
        arrays[f"{name}.claims"] = segments.all_of(one.hypothesis for one in copy)
        arrays[f"{name}.labels"] = np.array([one.labels for one in copy], np.uint8)
    return arrays | segments.arrays()


def _of_twins(found: Sequence[Ranked], segments: Segments) -> Arrays:
    claims = [(at, *claim) for at, one in enumerate(found) for claim in one.claims]
    return {
        "passages.begins": _begins([one.said for one in found], np.int32),
        "passages.segments": segments.all_of(text for one in found for text in one.said),
        "passages.titles": segments.all_of(one.title for one in found),
        "claims": segments.all_of(text for _, text, _, _ in claims),
        "claims.labels": np.array([labels for _, _, labels, _ in claims], np.uint8),
        "claims.passages": np.array([at for at, _, _, _ in claims], np.int32),
        "nearest.begins": _begins([order for _, _, _, order in claims], np.int32),
        "nearest": np.array([place for _, _, _, order in claims for place in order], np.uint16),
    }


def unlabelled_arrays(found: Iterable[tuple[str, str]], segments: Segments) -> Arrays:
    """What unlabelled.npz holds, where `segments` has what pairs.npz has."""
    rows = [([segments.of(part.text) for part in sentences(premise)], claim) for premise, claim in found]
    return {
        "premises.begins": _begins([premise for premise, _ in rows], np.uint32),
        "premises": np.array([number for premise, _ in rows for number in premise], np.int32),
        "claims": segments.all_of(claim for _, claim in rows),
        **segments.arrays(),
    }


def _pools(seed: int) -> Pools:
    """Pairs whose premises are drawn here, in copies; epochs take them in turn. Raises DataMissing."""
    units = [unit for unit in every_unit() if not unit_aside(unit)]
    made: dict[str, tuple[int, Callable[[random.Random], Iterable[Example]]]] = {
        "units": (3, lambda rng: short_pairs(units, rng)),
        "units_whole": (2, lambda rng: pairs(units, rng)),
        "tables": (2, _of_tables),
        "cards": (2, lambda rng: held_out(card_pairs(rng))[0]),
        "natural": (1, lambda rng: training_part(find("."), seed=rng.randrange(10**6), graph=_GRAPH)),
    }
    return {
        name: [list(draw(random.Random(seed + at))) for at in range(copies)]
        for name, (copies, draw) in made.items()
    }


def _of_tables(rng: random.Random) -> Iterator[Example]:
    known = [one for one in tables.tables() if not tables.kept_aside(one)]
    return tables.table_pairs(known, rng, Embedder(), rows=_ROWS)


def _tests() -> Pools:
    """Sentences of answers beside the nearest ones of their references, plain and paraphrased answers apart."""
    found: dict[str, list[Example]] = defaultdict(list)
    for one in labelled("answers"):
        said = [part.text for passage in one.passages for part in sentences(passage.text)]
        for text, labels in one.sentences:
            if labels in BITS.values():
                found[one.kind].append(Example(nearest(said, text, _ROOM), text, labels, one.kind, one.id))
    return {kind: [examples] for kind, examples in found.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m eval.train pack", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the packed files")
    parser.add_argument(
        "--rounds", type=int, default=9, help="times that unlabelled pairs are made of each passage"
    )
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    try:
        pack(given.out, given.rounds, given.seed)
    except DataMissing as missing:
        raise SystemExit(f"pack: {missing}") from None


def pack(out: Path, rounds: int, seed: int) -> None:
    """Writes both files. Raises DataMissing where a data set is not there."""
    find("wordnet-oewn")  # what is asked for last is missed first
    out.mkdir(parents=True, exist_ok=True)
    segments = Segments()
    known = [one for one in labelled("twin_sentences") if not kept_aside(one)]
    with ProcessPoolExecutor() as processes:
        found = list(processes.map(ranked, known, chunksize=40))
    _write(out / PAIRS, labelled_arrays(found, _pools(seed), _tests(), segments))
    made = dict.fromkeys(pair for at in range(rounds) for pair in unlabelled(seed + at))
    _write(out / UNLABELLED, unlabelled_arrays(made, segments))


def _write(path: Path, arrays: Arrays) -> None:
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
    size = path.stat().st_size / 1e6
    print(
        f"{path}: {size:.0f} MB, {len(arrays['tokens']) / 1e6:.1f} M tokens of {len(arrays['begins']) - 1} segments"
    )
