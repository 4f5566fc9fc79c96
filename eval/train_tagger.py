"""Train the part-of-speech tagger on UD English EWT and GUM and write it into the package: `python -m eval.train_tagger`.

Data: Universal Dependencies, CC BY-SA 4.0 (EWT) and CC BY 4.0 (GUM annotation). Two CPU minutes.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from guardrail.claims.tagger import MODEL, features, load, normal
from guardrail.claims.tokens import Token, tokenize

Sentence = tuple[list[str], list[str]]
MIN_WEIGHT = 0.25


def data_root() -> Path:
    return Path(os.environ.get("GUARDRAIL_DATA", Path(__file__).parent.parent.parent / "shared" / "data"))


def read(path: Path) -> Iterator[Sentence]:
    """Sentences of a CoNLL-U file in our own tokens; a token of several UD words has the tag of the last that is a word."""
    opener = gzip.open if path.suffix == ".gz" else open
    text, spans, tags = "", [], []
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


def train(sentences: list[Sentence], *, rounds: int = 6) -> dict[str, object]:
    """Averaged perceptron; words seen often and with one tag only are listed and not learnt."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for words, tags in sentences:
        for word, tag in zip(words, tags, strict=True):
            counts[word][tag] += 1
    known = {
        word: tag
        for word, seen in counts.items()
        for tag, most in [seen.most_common(1)[0]]
        if sum(seen.values()) >= 25 and most / sum(seen.values()) >= 0.985 and not word[0].isdigit()
    }
    classes = sorted({tag for _, tags in sentences for tag in tags})
    index = {tag: at for at, tag in enumerate(classes)}
    weights: dict[str, dict[int, float]] = defaultdict(dict)
    totals: dict[tuple[str, int], float] = defaultdict(float)
    stamps: dict[tuple[str, int], int] = defaultdict(int)
    step = 0

    def bump(feature: str, tag: int, by: float) -> None:
        key = (feature, tag)
        now = weights[feature].get(tag, 0.0)
        totals[key] += (step - stamps[key]) * now
        stamps[key] = step
        weights[feature][tag] = now + by

    for turn in range(rounds):
        random.Random(turn).shuffle(sentences)
        wrong = seen = 0
        for words, tags in sentences:
            shapes = [normal(word) for word in words]
            before, last = "-2-", "-1-"
            for at, word in enumerate(words):
                guess = known.get(word)
                if guess is None:
                    step += 1
                    present = list(features(at, shapes, word, last, before))
                    scores = [0.0] * len(classes)
                    for feature in present:
                        for tag, weight in weights.get(feature, {}).items():
                            scores[tag] += weight
                    best = max(range(len(classes)), key=scores.__getitem__)
                    gold = index[tags[at]]
                    seen += 1
                    if best != gold:
                        wrong += 1
                        for feature in present:
                            bump(feature, gold, 1.0)
                            bump(feature, best, -1.0)
                    guess = classes[best]
                before, last = last, guess
        print(f"round {turn}: {1 - wrong / seen:.4f} on the ambiguous training words", file=sys.stderr)
    averaged: dict[str, list[list[float]]] = {}
    for feature, row in weights.items():
        pairs = []
        for tag, now in row.items():
            key = (feature, tag)
            mean = (totals[key] + (step - stamps[key]) * now) / step
            if abs(mean) >= MIN_WEIGHT:
                pairs.append([tag, round(mean, 2)])
        if pairs:
            averaged[feature] = pairs
    return {"classes": classes, "weights": averaged, "known": known}


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
    root = data_root()
    files = [root / "ud_ewt" / "en_ewt-ud-train.rebuilt.conllu.gz", *sorted((root / "ud_gum").rglob("*train*.conllu*"))]
    sentences = [sentence for path in files for sentence in read(path)]
    model = train(sentences)
    MODEL.parent.mkdir(parents=True, exist_ok=True)
    with gzip.GzipFile(MODEL, "wb", mtime=0) as file:
        file.write(json.dumps(model, ensure_ascii=False, separators=(",", ":")).encode())
    print(f"{MODEL}: {MODEL.stat().st_size} bytes")
    for path in [*sorted((root / "ud_ewt").glob("*dev*")), *sorted((root / "ud_gum").rglob("*dev*.conllu*"))]:
        print(f"{path.name}: {accuracy(path):.4f}")


if __name__ == "__main__":
    main()
