"""`python -m eval.train language`: the pipeline that reads English, trained on UD EWT and GUM, with its figures.

Each word has the states of the shipped text encoder, which do not change, beside its own form (`guardrail.language.words`).

Data: Universal Dependencies, EWT (CC BY-SA 4.0) and the freely licensed genres of GUM (annotation CC BY 4.0). One sentence is
one document, as in the product; some are given in small letters or without their final stop, as chat text is written.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import fix_random_seed

from eval.datasets.files import find
from eval.train.export import export_words
from eval.train.graph import STATES, WIDTH
from eval.train.reading import write_reading
from eval.train.treebank import DEV, TEST, TRAIN, Gold, read
from guardrail.language import words
from guardrail.language.pipeline import MODEL
from guardrail.models.encoder import MODELS, Encoder

_WIDTH, _DEPTH, _ROWS = 128, 3, (2500, 500, 1000, 500)
_STATES = len(STATES) * WIDTH  # numbers that the text encoder has for a word
_LOWER, _UNENDED, _JOINED = 0.08, 0.10, 0.05
_DROPOUT = 0.1
_POOL = 2000  # sentences that are sorted by their length together
_WORDS = 500  # of a batch


def example(nlp: Language, gold: Gold) -> Example:
    """The sentence as the product's tokenizer cuts it, beside what the treebank says of it."""
    said = Doc(
        nlp.vocab,
        words=list(gold.words),
        spaces=list(gold.spaces),
        tags=list(gold.tags),
        lemmas=list(gold.lemmas),
        heads=list(gold.heads),
        deps=list(gold.deps),
    )
    return Example(nlp.make_doc(said.text), said)


def varied(sentences: Sequence[Gold], rng: random.Random) -> list[Gold]:
    """The sentences in another order, some as chat text is written, some two at a time."""
    out: list[Gold] = []
    for gold in rng.sample(list(sentences), len(sentences)):
        one = gold
        if (
            rng.random() < _UNENDED
            and len(one.words) > 2
            and one.words[-1] in ".!"
            and one.heads[-1] != len(one.words) - 1
        ):
            one = Gold(*(column[:-1] for column in _columns(one)))
        if rng.random() < _LOWER:
            one = Gold(tuple(word.lower() for word in one.words), *_columns(one)[1:])
        if out and rng.random() < _JOINED and len(one.words) + len(out[-1].words) < 40:
            one = _joined(out.pop(), one)
        out.append(one)
    return out


def _columns(gold: Gold) -> list[Any]:
    return [gold.words, gold.spaces, gold.tags, gold.lemmas, gold.heads, gold.deps]


def _joined(left: Gold, right: Gold) -> Gold:
    by = len(left.words)
    spaced = (*left.spaces[:-1], True)
    moved = tuple(head + by for head in right.heads)
    pairs = zip(_columns(left), _columns(right), strict=True)
    words, _, tags, lemmas, _, deps = (one + other for one, other in pairs)
    return Gold(words, spaced + right.spaces, tags, lemmas, left.heads + moved, deps)


class RememberedStates:
    """The encoder's states of the texts that were asked for, as they do not change: worked out once, kept in half precision."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, tuple[list[tuple[int, int]], NDArray[np.float16]]] = {}

    def states(self, text: str) -> tuple[list[tuple[int, int]], NDArray[np.float32]]:
        """As `Encoder.states`."""
        if text not in self._known:
            pieces, found = self._encoder.states(text)
            self._known[text] = pieces, found.astype(np.float16)
        pieces, kept = self._known[text]
        return pieces, kept.astype(np.float32)


def blank() -> Language:
    """The pipeline before training: one reading of the words that all parts share."""
    nlp = spacy.blank("en")
    nlp.meta.update(name="guardrail_language", license="CC BY-SA 4.0", description="English, UD EWT and GUM")
    embed: dict[str, Any] = {
        "@architectures": "guardrail.EncodedWords.v1",
        "width": _WIDTH,
        "states": _STATES,
        "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
        "rows": list(_ROWS),
    }
    encode: dict[str, Any] = {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": _WIDTH,
        "depth": _DEPTH,
    }
    encode |= {"window_size": 1, "maxout_pieces": 3}
    words: dict[str, Any] = {"@architectures": "spacy.Tok2Vec.v2", "embed": embed, "encode": encode}
    nlp.add_pipe("tok2vec", config={"model": words})
    shared: dict[str, Any] = {"@architectures": "spacy.Tok2VecListener.v1", "width": _WIDTH, "upstream": "*"}
    tagging: dict[str, Any] = {"@architectures": "spacy.Tagger.v2", "tok2vec": shared, "nO": None}
    parsing: dict[str, Any] = {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "parser",
        "tok2vec": shared,
    }
    parsing |= {
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": True,
        "nO": None,
    }
    nlp.add_pipe("tagger", config={"model": tagging})
    nlp.add_pipe("parser", config={"model": parsing, "min_action_freq": 20})
    nlp.add_pipe("trainable_lemmatizer", config={"model": tagging, "min_tree_freq": 3, "top_k": 3})
    return nlp


def train(
    sentences: Sequence[Gold], out: Path, *, minutes: float, seed: int = 0, start_at: Path | None = None
) -> Language:
    """A pipeline, new or one that was trained before, trained for so many minutes and written to `out` after each round; the rate falls to zero with the time.

    What is written are the running means of the weights.
    """
    fix_random_seed(seed)
    rng = random.Random(seed)
    if start_at is None:
        nlp = blank()
        examples = [example(nlp, gold) for gold in sentences]
        nlp.initialize(lambda: examples)
        optimizer = nlp.create_optimizer()  # type: ignore[no-untyped-call]
    else:
        nlp = spacy.load(start_at)
        optimizer = nlp.resume_training()
    start, seen = time.monotonic(), 0
    while (done := (time.monotonic() - start) / 60 / minutes) < 1:
        losses: dict[str, float] = {}
        for batch in _batches(varied(sentences, rng), rng):
            done = (time.monotonic() - start) / 60 / minutes
            if done >= 1:
                break
            optimizer.learn_rate = 0.0015 * max(0.02, min(1.0, seen / 5e4 + 0.1, (1 - done) / 0.7))
            nlp.update([example(nlp, gold) for gold in batch], drop=_DROPOUT, sgd=optimizer, losses=losses)
            seen += sum(len(gold.words) for gold in batch)
        with nlp.use_params(optimizer.averages):
            nlp.to_disk(out)
        told = {name: round(value) for name, value in losses.items()}
        print(f"{done:.0%} of the time, {seen:,} words, losses {told}", flush=True)
    return spacy.load(out)


def _batches(sentences: Sequence[Gold], rng: random.Random) -> Iterator[list[Gold]]:
    """Batches of about `_WORDS` words, of sentences of like length, in random order."""
    batches: list[list[Gold]] = []
    for start in range(0, len(sentences), _POOL):
        pool = sentences[start : start + _POOL]
        rest: list[Gold] = []
        for gold in sorted(pool, key=lambda one: len(one.words)):
            rest.append(gold)
            if sum(len(one.words) for one in rest) >= _WORDS:
                batches.append(rest)
                rest = []
        if rest:
            batches.append(rest)
    rng.shuffle(batches)
    yield from batches


def figures(nlp: Language, root: Path, parts: Sequence[str]) -> dict[str, dict[str, float]]:
    """XPOS, lemma accuracy, UAS and LAS on raw text, sentence by sentence."""
    names = {"tag_acc": "XPOS", "lemma_acc": "lemma", "dep_uas": "UAS", "dep_las": "LAS"}
    out = {}
    for part in parts:
        scores = nlp.evaluate([example(nlp, gold) for gold in read(root / part)])
        out[part] = {name: round(100 * float(scores[key]), 1) for key, name in names.items()}
        out[part]["words/s"] = round(float(scores["speed"]))
    return out


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m eval.train language", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--out", type=Path, default=MODEL, help="where the pipeline is written")
    parser.add_argument(
        "--start", type=Path, default=None, help="a pipeline to go on with instead of a new one"
    )
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    root = find("ud_ewt").parent
    sentences = [gold for part in TRAIN for gold in read(root / part)]
    export_words(MODELS)
    write_reading(MODELS, width=_WIDTH, states=_STATES, forms=len(_ROWS) * _WIDTH, depth=_DEPTH)
    remembered = RememberedStates(Encoder("words", threads=1))
    words.encoder = lambda: remembered  # type: ignore[assignment]
    print(f"{len(sentences)} sentences, {sum(len(one.words) for one in sentences):,} words")
    nlp = train(sentences, given.out, minutes=given.minutes, seed=given.seed, start_at=given.start)
    print(json.dumps(figures(nlp, root, [*DEV, *TEST]), indent=2))
