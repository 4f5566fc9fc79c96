"""What the cross-encoder is trained on: natural sets and minimal pairs, in shares; and what is kept aside.

Kept aside: 4 % of every natural set by premise, and of the graph whole relations, subjects and ways of saying.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from eval.train.example import CONTRADICTORY, EXTRAPOLATORY, Example, held_out
from eval.train.near import Neighbours, contained, silent, surrounded
from eval.train.passages import film_pairs, fold_pairs
from eval.train.sets import READERS, cad, conj, dialfact, snli
from eval.train.splits import split_pairs
from eval.train.synthetic import Generator
from eval.train.world import Relation, World, read_world

__all__ = ["HELD_RELATIONS", "graph_tests", "training_part", "validation_part"]

HELD_RELATIONS = frozenset(
    {"P25", "P86", "P740", "P264", "P1411", "P551", "P2043", "P413", "P176", "P495", "P449", "P112"}
)
# How many examples of a set one epoch takes; a set that is not listed is taken whole. What templates made is learnt
# soon, and a long premise costs as much time as three short ones.
_SHARE = {
    "breaking": 1300,
    "conj": 2500,
    "dialfact": 4000,
    "films": 1000,
    "halueval": 400,
    "help": 600,
    "infotabs": 5500,
    "knowledgenet": 1500,
    "med": 1500,
    "negation": 2200,
    "paws": 3000,
    "samsum": 200,
    "split": 8000,
}
_TWO_WAY = ("fool_me_twice", "feverous", "dialfact", "infotabs", "knowledgenet", "halueval")
_MISMATCHED = 300  # claims of each of these sets beside evidence drawn at random
# Claims beside related but silent evidence. These sets' claims name what they are about, as claims of the product do.
_PASSAGES = (
    "dialfact",
    "fool_me_twice",
    "feverous",
    "halueval",
    "knowledgenet",
    "paws",
    "faithdial",
    "split",
)
_SILENT = {"passages": 5500, "infotabs": 1000}
_SURROUNDED = {"dialfact", "fool_me_twice", "feverous", "knowledgenet", "split", "faithdial"}
_SURROUNDED_SHARE = 0.15
_CONTAINED = 1000
_BREAKING_CONTRADICTIONS = 900
_LONGEST = 1500  # characters of a premise; longer ones do not fit the training window


def _subject_kept(id_: str) -> bool:
    return zlib.crc32(id_.encode()) % 100 >= 5


def _natural(root: Path) -> list[Example]:
    """Every natural example but those whose premise an evaluation set also has."""
    tests = [*snli(root, part="test"), *cad(root, part="test.tsv.gz"), *cad(root, part="dev.tsv")]
    tests += [*conj(root, part="conj_dev.tsv"), *dialfact(root, name="q2")]
    seen = {example.premise for example in tests}
    found = [example for reader in READERS.values() for example in reader(root)]
    return [e for e in found if e.premise not in seen and len(e.premise) <= _LONGEST]


def training_part(root: Path, *, seed: int, graph: int) -> list[Example]:
    """One epoch, its groups shuffled. Another `seed` draws other shares and other minimal pairs."""
    rng = random.Random(seed)
    natural, _ = held_out(_natural(root))
    chosen = _shares(natural, rng)
    chosen += _shares(held_out(_made(root, rng))[0], rng)
    chosen += [*_mismatched(chosen, rng), *_silent(chosen, rng)]
    world = read_world(root, keep=_subject_kept)
    allowed = frozenset(world.relations) - HELD_RELATIONS
    generator = Generator(world, rng, allowed, _trained_way)
    chosen += generator.examples(graph)
    return _by_group(chosen, rng)


def validation_part(root: Path) -> list[Example]:
    """The held-out 4 % of the natural sets and of the passages."""
    _, natural = held_out(_natural(root))
    rng = random.Random(7)
    _, made = held_out(_made(root, rng))
    near = [e for e in natural + made if e.source in _PASSAGES]
    return [*natural, *made, *silent(Neighbours(near), near, 400, rng)]


def _made(root: Path, rng: random.Random) -> list[Example]:
    return [*fold_pairs(root, rng), *film_pairs(root, rng), *split_pairs(root, rng)]


def _of(source: str, examples: Iterable[Example]) -> list[Example]:
    return [e for e in examples if e.source == source]


def graph_tests(root: Path, *, count: int = 1000) -> dict[str, list[Example]]:
    """Minimal pairs over what training never saw: subjects, ways of saying, relations."""
    rng = random.Random(11)
    new = read_world(root, keep=lambda id_: not _subject_kept(id_))
    seen = frozenset(new.relations) - HELD_RELATIONS
    return {
        "new subjects": list(Generator(new, rng, seen, _trained_way).examples(count)),
        "new wordings": list(Generator(new, rng, _with_held_way(new) & seen, _held_way).examples(count)),
        "new relations": list(Generator(new, rng, HELD_RELATIONS, _any_way).examples(count)),
    }


def _with_held_way(world: World) -> frozenset[str]:
    return frozenset(r.id for r in world.relations.values() if len(r.say) >= 4)


def _trained_way(relation: Relation, rng: random.Random) -> str:
    return rng.choice(relation.say[:-1] if len(relation.say) >= 4 else relation.say)


def _held_way(relation: Relation, rng: random.Random) -> str:
    return relation.say[-1] if len(relation.say) >= 4 else rng.choice(relation.say)


def _any_way(relation: Relation, rng: random.Random) -> str:
    return rng.choice(relation.say)


def _shares(examples: Iterable[Example], rng: random.Random) -> list[Example]:
    by_source: dict[str, list[Example]] = {}
    for example in examples:
        by_source.setdefault(example.source, []).append(example)
    chosen: list[Example] = []
    for source, found in sorted(by_source.items()):
        rng.shuffle(found)
        if source == "breaking":  # 87 % contradiction: a model would learn the wording, not the reading
            wrong = [e for e in found if e.labels == CONTRADICTORY][:_BREAKING_CONTRADICTIONS]
            found = wrong + [e for e in found if e.labels != CONTRADICTORY]
        chosen += found[: _SHARE.get(source, len(found))]
    return chosen


def _silent(examples: list[Example], rng: random.Random) -> list[Example]:
    """What `eval.train.near` makes of the chosen examples; some of these get a neighbour themselves, in place."""
    tables = _of("infotabs", examples)
    passages = [e for e in examples if e.source in _PASSAGES]
    near = Neighbours(passages)
    found = list(silent(near, passages, _SILENT["passages"], rng))
    found += silent(Neighbours(tables), tables, _SILENT["infotabs"], rng)
    found += contained(near, passages, _CONTAINED, rng)
    drawn = [
        at for at, e in enumerate(examples) if e.source in _SURROUNDED and rng.random() < _SURROUNDED_SHARE
    ]
    for at, example in zip(drawn, surrounded(near, [examples[i] for i in drawn], rng), strict=True):
        examples[at] = example
    return found


def _mismatched(examples: Sequence[Example], rng: random.Random) -> list[Example]:
    """Claims beside the evidence of another: two-way sets have no case in which nothing is said either way."""
    found: list[Example] = []
    for source in _TWO_WAY:
        claims = _of(source, examples)
        for claim in rng.sample(claims, min(len(claims), _MISMATCHED)):
            other = rng.choice(claims)
            if other.group != claim.group:
                found.append(
                    Example(other.premise, claim.hypothesis, EXTRAPOLATORY, "mismatched", other.group)
                )
    return found


def _by_group(examples: list[Example], rng: random.Random) -> list[Example]:
    groups: dict[tuple[str, str], list[Example]] = {}
    for example in examples:
        groups.setdefault((example.source, example.group), []).append(example)
    # Large groups (one table, one subject drawn often) are cut, so that a window never holds one topic alone.
    pieces = [found[at : at + 6] for found in groups.values() for at in range(0, len(found), 6)]
    rng.shuffle(pieces)
    return [example for piece in pieces for example in piece]
