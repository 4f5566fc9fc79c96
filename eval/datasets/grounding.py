"""Claims beside the long evidence that they are checked by: data sets, the windows that are read, and what they say together.

A text is Attributable only if each of its sentences is: its score is that of its weakest sentence. A sentence is supported
by its best window, and contradicted by the window that contradicts it most.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.datasets.files import find, json_lines, open_text
from eval.train.dev import DEV
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, UNSUPPORTED
from eval.train.written import kept_aside, tuned_on, units
from guardrail.models.nli import Classifier

__all__ = ["SETS", "Text", "auc", "drawn", "scores", "windows"]

ROOM = 220  # tokens of a window
READ = 3  # windows of a text that are read for a sentence
Rows = NDArray[np.float32]
_ANSWERS = Path(__file__).parents[1] / "answers/open.jsonl"
_LABELS = {
    "attributable": ATTRIBUTABLE,
    "extrapolatory": EXTRAPOLATORY,
    "contradictory": CONTRADICTORY,
}
_END = re.compile(r"(?<=[.!?])[\"')\]”’]*\s+(?=[\"'(\[“‘]?[A-Z0-9])|\n+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Text:
    """`labels`: those that may be right, as bits (see `Example`)."""

    evidence: tuple[str, ...]
    sentences: tuple[str, ...]
    labels: int


def sentences(text: str) -> tuple[str, ...]:
    return tuple(part for piece in _END.split(text) if (part := piece.strip()))


def windows(text: str, lengths: Callable[[Sequence[str]], list[int]], *, room: int = ROOM) -> list[str]:
    """Neighbouring sentences together, in at most `room` tokens; a sentence that is longer is cut between words."""
    parts = [part for sentence in sentences(text) for part in _fitting(sentence, lengths, room)]
    found: list[list[str]] = []
    spent = room
    for part, length in zip(parts, lengths(parts) if parts else [], strict=True):
        if spent + length > room:
            found.append([])
            spent = 0
        found[-1].append(part)
        spent += length
    return [" ".join(window) for window in found]


def _fitting(sentence: str, lengths: Callable[[Sequence[str]], list[int]], room: int) -> list[str]:
    words = sentence.split()
    if len(words) < 2 or lengths([sentence])[0] <= room:
        return [sentence]
    middle = len(words) // 2
    halves = (" ".join(words[:middle]), " ".join(words[middle:]))
    return [part for half in halves for part in _fitting(half, lengths, room)]


def nearest(claim: str, found: Sequence[str], *, count: int = READ) -> list[str]:
    """The windows that share most rare words with the claim."""
    bags = [set(_WORD.findall(window.lower())) for window in found]
    held = Counter(word for bag in bags for word in bag)
    wanted = set(_WORD.findall(claim.lower()))

    def shared(at: int) -> float:
        return sum(math.log(1 + len(bags) / held[word]) for word in wanted & bags[at])

    return [found[at] for at in sorted(range(len(found)), key=lambda at: -shared(at))[:count]]


def scores(model: Classifier, texts: Sequence[Text]) -> Rows:
    """float32 `[len(texts), 2]`: how far each text is supported, and how far it is contradicted."""
    pairs, owners = _asked(model, texts)
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]))
    rows = np.zeros((len(pairs), 3), np.float32)
    for at in range(0, len(order), 64):
        some = order[at : at + 64]
        rows[some] = model.probabilities([pairs[i] for i in some])
    return together(rows, owners, len(texts))


def together(rows: Rows, owners: Sequence[tuple[int, int]], count: int) -> Rows:
    """Best window of each sentence, then weakest sentence of each text. `owners`: text and sentence of each row."""
    support: dict[tuple[int, int], float] = {}
    found = np.tile(np.array([1.0, 0.0], np.float32), (count, 1))
    for owner, row in zip(owners, rows, strict=True):
        support[owner] = max(support.get(owner, 0.0), float(row[0]))
        found[owner[0], 1] = max(found[owner[0], 1], float(row[2]))
    for (text, _), share in support.items():
        found[text, 0] = min(found[text, 0], share)
    return found


def _asked(model: Classifier, texts: Sequence[Text]) -> tuple[list[tuple[str, str]], list[tuple[int, int]]]:
    cut: dict[tuple[str, ...], list[str]] = {}
    pairs: list[tuple[str, str]] = []
    owners: list[tuple[int, int]] = []
    for at, text in enumerate(texts):
        if text.evidence not in cut:
            cut[text.evidence] = [w for part in text.evidence for w in windows(part, model.lengths)]
        for place, sentence in enumerate(text.sentences):
            room = model.window - model.specials - model.lengths([sentence])[0]
            for window in nearest(sentence, cut[text.evidence], count=READ):
                fitting = windows(window, model.lengths, room=min(ROOM, room)) if room < ROOM else [window]
                pairs += [(part, sentence) for part in fitting]
                owners += [(at, place)] * len(fitting)
    return pairs, owners


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """The share of pairs that stand in the right order; .5 is chance."""
    high, low = np.asarray(positive)[:, None], np.asarray(negative)[None, :]
    return float((high > low).mean() + (high == low).mean() / 2)


def drawn(texts: Iterable[Text], most: int) -> list[Text]:
    """At most `most` texts, half of them Attributable where there are enough; always the same ones."""
    rng, everything = random.Random(5), list(texts)
    rng.shuffle(everything)
    good = [text for text in everything if text.labels == ATTRIBUTABLE]
    rest = [text for text in everything if text.labels != ATTRIBUTABLE]
    half = max(most // 2, most - len(rest))
    return (good[:half] + rest[: most - min(half, len(good))])[:most]


def _text(evidence: Sequence[str], answer: str, labels: int) -> Iterator[Text]:
    if parts := sentences(answer):
        yield Text(tuple(evidence), parts, labels)


def _rows(name: str) -> list[Any]:
    text = open_text(find(name))
    return (
        list(json.loads(text)) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
    )


def _summedits(name: str) -> Iterator[Text]:
    for row in _rows(name):
        if str(row.get("label", "")) in ("0", "1"):
            label = ATTRIBUTABLE if str(row["label"]) == "1" else UNSUPPORTED
            yield from _text([row["doc"]], row["summary"], label)


def news_edits() -> Iterator[Text]:
    yield from _summedits("summedits/summedits/summedits_news.json.gz")


def podcast_edits() -> Iterator[Text]:
    yield from _summedits("summedits/summedits/summedits_podcast.json.gz")


def news_invented() -> Iterator[Text]:
    """A right and a made-up summary of each article."""
    for row in _rows("halueval/knowhalu_sample/summarization_sampled_data.json.gz"):
        yield from _text([row["document"]], row["right_summary"], ATTRIBUTABLE)
        yield from _text([row["document"]], row["hallucinated_summary"], UNSUPPORTED)


def one_sentence_summaries() -> Iterator[Text]:
    """Model summaries with errors as people found them: at odds with the article, or beyond it."""
    for row in json_lines(find("defacto/val.jsonl.gz")):
        if row["has_error"]:
            labels = CONTRADICTORY * bool(row["intrinsic_error"]) | EXTRAPOLATORY * bool(
                row["extrinsic_error"]
            )
        else:
            labels = ATTRIBUTABLE
        yield from _text([row["article"]], row["candidate"], labels or UNSUPPORTED)


def written() -> Iterator[Text]:
    """The written units that neither training nor thresholds took."""
    for unit in units(find("written")):
        if kept_aside(unit) and not tuned_on(unit):
            for claim in unit.claims:
                for passage, label in zip((unit.passage, unit.variant), claim.labels, strict=True):
                    yield Text((passage,), (claim.text,), label)


def answers() -> Iterator[Text]:
    for row in json_lines(_ANSWERS):
        evidence = tuple(reference["text"] for reference in row["references"])
        for sentence in row["sentences"]:
            if label := _LABELS.get(sentence["label"]):
                yield Text(evidence, (sentence["text"],), label)


def _from(name: str) -> Callable[[], Iterator[Text]]:
    def read() -> Iterator[Text]:
        for example in DEV[name](find(".")):
            yield from _text([example.premise], example.hypothesis, example.labels)

    return read


SETS: dict[str, Callable[[], Iterator[Text]]] = {
    "news, edited summaries": news_edits,
    "news, invented summaries": news_invented,
    "news, model summaries": one_sentence_summaries,
    "podcasts, edited summaries": podcast_edits,
    "attributionbench": _from("attributionbench"),
    "wice": _from("wice"),
    "begin": _from("begin"),
    "q2": _from("q2"),
    "fever_symmetric": _from("fever_symmetric"),
    "cad_nli": _from("cad_nli test"),
    "check_covid": _from("check_covid"),
    "written, kept aside": written,
    "answers, open half": answers,
}
