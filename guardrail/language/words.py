"""What the shipped text encoder makes of each word of a sentence, as a layer of the pipeline that reads English.

The encoder was trained on far more text than any treebank holds, so words that no treebank has are known by what they are like.
It does not change: only what is built on it is trained. Importing this module registers the layer with spaCy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray
from spacy.ml.models.tok2vec import MultiHashEmbed
from spacy.util import registry
from thinc.api import Maxout, Model, chain, concatenate, with_array
from thinc.types import Floats2d

from guardrail.models.encoder import Encoder

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["Words", "states_of", "word_states"]

Words = Model[list["Doc"], list[Floats2d]]


@lru_cache(maxsize=1)
def encoder() -> Encoder:
    return Encoder("words", threads=1)


def word_states(text: str, words: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
    """The encoder's states of each word, float32 `[len(words), width]`: the mean over its pieces, zeros where it has none.

    `words`: from where to where each stands in `text`, in order.
    """
    pieces, states = encoder().states(text)
    out = np.zeros((len(words), states.shape[1]), np.float32)
    counts = np.zeros((len(words), 1), np.float32)
    at = 0
    for (start, end), state in zip(pieces, states, strict=True):
        while at < len(words) and words[at][1] <= start:
            at += 1
        for row in range(at, len(words)):
            if words[row][0] >= end:
                break
            out[row] += state
            counts[row] += 1
    out /= np.maximum(counts, 1)
    return out


def states_of(doc: Doc) -> NDArray[np.float32]:
    """The encoder's states of the tokens of a spaCy Doc."""
    return word_states(doc.text, [(token.idx, token.idx + len(token)) for token in doc])


def encoded_words(width: int, states: int, attrs: list[str], rows: list[int]) -> Words:
    """Each word as the encoder has it (`states` numbers) beside its own form, in `width` numbers."""
    known: Words = chain(
        Model("word_states", _forward), with_array(Maxout(width, states, nP=3, normalize=True))
    )
    formed = MultiHashEmbed(width, attrs, rows, include_static_vectors=False)
    joined: Model[list[Floats2d], list[Floats2d]] = with_array(Maxout(width, 2 * width, nP=3, normalize=True))
    return chain(concatenate(known, formed), joined)


registry.architectures.register("guardrail.EncodedWords.v1", func=encoded_words)


def _forward(
    model: Model[list[Doc], list[Floats2d]], docs: list[Doc], is_train: bool
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Doc]]]:
    return [cast("Floats2d", states_of(doc)) for doc in docs], lambda _: []
