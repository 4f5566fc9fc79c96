"""Train the part-of-speech tagger on UD English EWT and GUM and write it into the package: `python -m eval.train.tagger`.

Data: Universal Dependencies, CC BY-SA 4.0 (EWT) and CC BY 4.0 (GUM annotation). Two CPU minutes.
"""

from __future__ import annotations

import gzip
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from eval.datasets.files import data_dir
from guardrail.claims.reading.tagger import MODEL, features, load, normal, save
from guardrail.claims.reading.tokens import Token, tokenize

Sentence = tuple[list[str], list[str]]
MIN_WEIGHT = 0.25


def read(path: Path) -> Iterator[Sentence]:
    """Sentences of a CoNLL-U file in our own tokens; a token of several UD words has the tag of the last that is a word."""
    opener = gzip.open if path.suffix == ".gz" else open
    text = ""
    spans: list[tuple[int, int]] = []
    tags: list[str] = []
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            columns = line.rstrip("\n").split("\t")
            if not line.strip():
                yield _aligned(text, spans, tags)
                text, spans, tags = "", [], []
            elif line[0] != "#" and columns[0].isdigit():
                spans.append((len(text), len(text) + len(columns[1])))
                tags.append(columns[4])
                text += columns[1] + ("" if "SpaceAfter=No" in columns[9] else " ")


def _aligned(text: str, spans: list[tuple[int, int]], tags: list[str]) -> Sentence:
    words, out, at = [], [], 0
    for token in tokenize(text):
        while at < len(spans) - 1 and spans[at][1] <= token.start:
            at += 1
        last = at
        for index in range(at, len(spans)):
            if spans[index][0] >= token.end:
                break
            if tags[index][0].isalpha() and tags[index] not in ("HYPH", "NFP", "SYM", "POS"):
                last = index
        tag = tags[last] if token.low not in ("'s", "n't") else tags[at]
        if "-" in token.text and tag in ("VBN", "VBD", "VBG") and token.text[0].isalpha():
            tag = "JJ"
        words.append(token.text)
        out.append(tag)
    return words, out


class Perceptron:
    """Averaged weights: each counts for as many steps as it stood (Collins 2002, §2.3)."""

    def __init__(self, classes: int) -> None:
        self.weights: dict[str, dict[int, float]] = defaultdict(dict)
        self._classes = classes
        self._totals: dict[tuple[str, int], float] = defaultdict(float)
        self._stamps: dict[tuple[str, int], int] = defaultdict(int)
        self._step = 0

    def learn(self, present: list[str], gold: int) -> int:
        """What it would have said; where that is wrong, it is corrected."""
        self._step += 1
        scores = [0.0] * self._classes
        for feature in present:
            for index, weight in self.weights.get(feature, {}).items():
                scores[index] += weight
        best = max(range(self._classes), key=scores.__getitem__)
        if best != gold:
            for feature in present:
                self._bump(feature, gold, 1.0)
                self._bump(feature, best, -1.0)
        return best

    def _bump(self, feature: str, index: int, by: float) -> None:
        key = (feature, index)
        now = self.weights[feature].get(index, 0.0)
        self._totals[key] += (self._step - self._stamps[key]) * now
        self._stamps[key] = self._step
        self.weights[feature][index] = now + by

    def averaged(self) -> dict[str, dict[int, float]]:
        found: dict[str, dict[int, float]] = defaultdict(dict)
        for feature, row in self.weights.items():
            for index, now in row.items():
                key = (feature, index)
                mean = (self._totals[key] + (self._step - self._stamps[key]) * now) / self._step
                if abs(mean) >= MIN_WEIGHT:
                    found[feature][index] = mean
        return found


def certain(sentences: list[Sentence]) -> dict[str, str]:
    """Words seen often and with one tag only: they are listed and not learnt."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for words, tags in sentences:
        for word, tag in zip(words, tags, strict=True):
            counts[word][tag] += 1
    return {
        word: tag
        for word, seen in counts.items()
        for tag, most in [seen.most_common(1)[0]]
        if seen.total() >= 25 and most / seen.total() >= 0.985 and not word[0].isdigit()
    }


def train(
    sentences: list[Sentence], *, rounds: int = 6
) -> tuple[list[str], dict[str, dict[int, float]], dict[str, str]]:
    """Classes, weights and certain words of a tagger trained on `sentences`."""
    known = certain(sentences)
    classes = sorted({tag for _, tags in sentences for tag in tags})
    index = {tag: at for at, tag in enumerate(classes)}
    model = Perceptron(len(classes))
    for turn in range(rounds):
        random.Random(turn).shuffle(sentences)
        wrong = sum(_learn(model, sentence, known, index, classes) for sentence in sentences)
        print(f"round {turn}: {wrong} mistakes on the ambiguous training words", file=sys.stderr)
    return classes, model.averaged(), known


def _learn(
    model: Perceptron, sentence: Sentence, known: dict[str, str], index: dict[str, int], classes: list[str]
) -> int:
    words, tags = sentence
    shapes = [normal(word) for word in words]
    before, last, wrong = "-2-", "-1-", 0
    for at, word in enumerate(words):
        guess = known.get(word)
        if guess is None:
            guess = classes[model.learn(list(features(at, shapes, word, last, before)), index[tags[at]])]
            wrong += guess != tags[at]
        before, last = last, guess
    return wrong


def accuracy(path: Path) -> float:
    tagger = load()
    right = total = 0
    for words, tags in read(path):
        tokens = [Token(word, word.lower(), 0, 0) for word in words]
        tagger.tag(tokens)
        right += sum(token.tag == tag for token, tag in zip(tokens, tags, strict=True))
        total += len(tags)
    return right / total


def main() -> None:
    root = data_dir()
    files = [
        root / "ud_ewt" / "en_ewt-ud-train.rebuilt.conllu.gz",
        *sorted((root / "ud_gum").rglob("*train*.conllu*")),
    ]
    sentences = [sentence for path in files for sentence in read(path)]
    model = train(sentences)
    MODEL.parent.mkdir(parents=True, exist_ok=True)
    save(MODEL, *model)
    print(f"{MODEL}: {MODEL.stat().st_size} bytes")
    for path in [*sorted((root / "ud_ewt").glob("*dev*")), *sorted((root / "ud_gum").rglob("*dev*.conllu*"))]:
        print(f"{path.name}: {accuracy(path):.4f}")


if __name__ == "__main__":
    main()
