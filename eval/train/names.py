"""Train the guess at what an unknown name is, and write it into the package: `python -m eval.train.names`.

Data: UNER EWT (CC BY-SA 4.0), WikiGold (CC BY 4.0), CrossNER (MIT), labels of T-REx as in ParaRel (MIT), titles and casts of
films (MIT). Two CPU minutes. Names without a sentence teach the words of names; each one with a sentence is learnt with and without it.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.datasets.files import data_dir
from guardrail.claims.lexicon.name_kinds import MODEL, SURE, features, load

KINDS = ("person", "org", "place", "work", "other")
SEED, ROUNDS, RATE, SHRINK, NAMES_OF_A_KIND, TIMES, LEAST = 5, 3, 0.1, 5e-2, 5_000, 3, 0.15
_TAGS = {
    "PER": "person", "PERSON": "person", "POLITICIAN": "person", "SCIENTIST": "person", "WRITER": "person", "MUSICALARTIST": "person", "RESEARCHER": "person",
    "ORG": "org", "ORGANISATION": "org", "POLITICALPARTY": "org", "UNIVERSITY": "org", "BAND": "org",
    "LOC": "place", "LOCATION": "place", "COUNTRY": "place",
    "ALBUM": "work", "SONG": "work", "BOOK": "work", "POEM": "work",
}  # fmt: skip
# Kinds of subjects and objects of ParaRel's relations.
_PARAREL = {
    "P19": ("person", "place"), "P20": ("person", "place"), "P27": ("person", "place"), "P103": ("person", ""), "P106": ("person", ""),
    "P108": ("person", "org"), "P1303": ("person", ""), "P1412": ("person", ""), "P463": ("", "org"), "P39": ("person", ""),
    "P413": ("person", ""), "P937": ("person", "place"), "P101": ("person", ""), "P159": ("org", "place"), "P740": ("org", "place"),
    "P127": ("", "org"), "P176": ("other", "org"), "P178": ("", "org"), "P264": ("", "org"), "P449": ("work", "org"),
    "P36": ("place", "place"), "P1376": ("place", "place"), "P17": ("", "place"), "P131": ("", "place"), "P30": ("place", "place"),
    "P47": ("place", "place"), "P190": ("place", "place"), "P530": ("place", "place"), "P364": ("work", ""), "P495": ("", "place"),
    "P407": ("", "other"), "P37": ("", "other"), "P140": ("", "other"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    kind: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def sentences(lines: Iterable[str], *, column: int, word: int) -> Iterator[tuple[list[str], list[str]]]:
    """Words and tags of a file in columns, a blank line behind each sentence."""
    words: list[str] = []
    tags: list[str] = []
    for line in lines:
        cells = line.split()
        if not cells:
            if words:
                yield words, tags
            words, tags = [], []
        elif line[0] != "#" and len(cells) > column:
            words.append(cells[word])
            tags.append(cells[column])
    if words:
        yield words, tags


def names(words: list[str], tags: list[str]) -> Iterator[Example]:
    """The tagged names of a sentence, each with two words on either side."""
    at = 0
    while at < len(words):
        kind = tags[at].partition("-")[2].upper()
        end = at + 1
        while kind and end < len(words) and tags[end] == f"I-{tags[at].partition('-')[2]}":
            end += 1
        if kind:
            before = tuple(word.lower() for word in reversed(words[max(0, at - 2) : at]))
            after = tuple(word.lower() for word in words[end : end + 2])
            yield Example(
                " ".join(words[at:end]), _TAGS.get(kind, "other"), before or ("^",), after or ("$",)
            )
        at = end


def annotated(root: Path) -> Iterator[Example]:
    files = [
        (root / "uner_ewt/en_ewt-ud-train.older.iob2.gz", 2, 1),
        (root / "ner_wikigold/CONLL-format/data/wikigold.conll.txt.gz", 1, 0),
        *((path, 1, 0) for path in sorted((root / "crossner/ner_data").rglob("*")) if path.is_file()),
    ]
    for path, column, word in files:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as file:
            for one in sentences(file, column=column, word=word):
                yield from names(*one)


def listed(root: Path) -> Iterator[Example]:
    """Names without sentences."""
    yield from _of_relations(root / "pararel/trex_lms_vocab")
    yield from _of_films(root / "movies")


def _of_relations(folder: Path) -> Iterator[Example]:
    for path in sorted(folder.glob("*.jsonl*")):
        kinds = _PARAREL.get(path.name.partition(".")[0])
        if kinds is None:
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            for kind, name in zip(kinds, (row["sub_label"], row["obj_label"]), strict=True):
                if kind and name[:1].isupper():
                    yield Example(name, kind)


def _of_films(folder: Path) -> Iterator[Example]:
    for path in sorted(folder.glob("movies-*.json*")):
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as file:
            for row in json.load(file):
                yield Example(row["title"], "work")
                people = (name for name in row["cast"] if " " in name and name[:1].isupper())
                yield from (Example(name, "person") for name in people)


def examples(root: Path) -> list[Example]:
    chooser = random.Random(SEED)
    by_kind: dict[str, list[Example]] = {}
    for one in sorted(set(listed(root)), key=lambda e: (e.kind, e.name)):
        by_kind.setdefault(one.kind, []).append(one)
    found = [
        one for kind in by_kind.values() for one in chooser.sample(kind, min(len(kind), NAMES_OF_A_KIND))
    ]
    told = list(annotated(root))
    return [*found, *(told * TIMES), *(Example(one.name, one.kind) for one in told * TIMES)]


def train(found: list[Example]) -> dict[str, NDArray[np.float64]]:
    """Multinomial logistic regression by AdaGrad; each weight shrinks a little whenever its feature is seen."""
    rows: dict[str, int] = {}
    told = [
        (
            np.array([rows.setdefault(f, len(rows)) for f in features(one.name, one.before, one.after)]),
            KINDS.index(one.kind),
        )
        for one in found
    ]
    weights = np.zeros((len(rows), len(KINDS)))
    squares = np.full((len(rows), len(KINDS)), 1e-6)
    for turn in range(ROUNDS):
        random.Random(turn).shuffle(told)
        loss = 0.0
        for present, kind in told:
            scores = weights[present].sum(axis=0)
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            loss -= float(np.log(max(shares[kind], 1e-9)))
            shares[kind] -= 1.0
            slope = shares + SHRINK * weights[present]
            squares[present] += slope * slope
            weights[present] -= RATE * slope / np.sqrt(squares[present])
        print(f"round {turn}: loss {loss / len(told):.3f}", file=sys.stderr)
    return {feature: weights[row] for feature, row in rows.items()}


def save(weights: dict[str, NDArray[np.float64]]) -> None:
    """Writes the features that matter."""
    kept = {feature: row for feature, row in weights.items() if np.ptp(row) >= LEAST}
    table = np.array([np.round(row * 100) for row in kept.values()], np.int16)
    np.savez_compressed(
        MODEL,
        kinds=np.frombuffer("\n".join(KINDS).encode(), np.uint8),
        features=np.frombuffer("\n".join(kept).encode(), np.uint8),
        weights=table,
    )
    print(f"{MODEL.name}: {MODEL.stat().st_size} bytes, {len(kept)} features")


def report(found: Iterable[Example]) -> None:
    """Accuracy, and how often the answer is sure and right."""
    model = load()
    counts: Counter[str] = Counter()
    for one in found:
        scores = model.scores(list(features(one.name, one.before, one.after)))
        order = scores.argsort()
        right = KINDS[int(order[-1])] == one.kind
        sure = scores[order[-1]] - scores[order[-2]] >= SURE[KINDS[int(order[-1])]]
        counts.update(
            {"all": 1, "right": int(right), "sure": int(sure), "sure and right": int(sure and right)}
        )
    print(
        f"{counts['all']} names kept aside: {counts['right'] / counts['all']:.1%} right; sure of "
        f"{counts['sure'] / counts['all']:.1%}, of which {counts['sure and right'] / counts['sure']:.1%} right"
    )


def main() -> None:
    found = examples(data_dir())
    random.Random(SEED).shuffle(found)
    aside, rest = found[: len(found) // 20], found[len(found) // 20 :]
    seen = {one.name for one in aside}
    save(train([one for one in rest if one.name not in seen]))
    report(one for one in aside if one.before)


if __name__ == "__main__":
    main()
