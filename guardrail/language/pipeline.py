"""The pipeline that reads sentences: ours, which ships, or an installed spaCy pipeline in its place."""

from __future__ import annotations

import re
import textwrap
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from guardrail.errors import ConfigError
from guardrail.language.doc import Doc, Token
from guardrail.language.lists import pairs

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["LONGEST", "MODEL", "Parser", "parser"]

MODEL = Path(__file__).parent.parent / "data" / "models" / "language"
LONGEST = 1000  # characters of a text that is read; what is longer is no sentence
_KEPT = 256  # texts that were read last
_NO_WORDS = re.compile(r"(?:\[\^?\d[\d,\s–-]*\]|【[^】\n]{1,30}】|[*`])+")  # citations and marks of Markdown
_CLOSING = re.compile(r"[.,;:!?)]*(?:[\s\[]|$)")
_PARTICIPLES = dict(pairs("participles"))
_NEEDED = frozenset(
    {
        "tok2vec",
        "transformer",
        "tagger",
        "morphologizer",
        "attribute_ruler",
        "parser",
        "lemmatizer",
        "trainable_lemmatizer",
    }
)
_RELATIONS = ("nsubj", "obj", "obl", "conj", "advcl", "cop")  # by which Universal Dependencies are known

_TAGS = ("NN", "NNP", "VBD", "VBN", "VBZ")  # by which those of the Penn treebank are known


class Parser:
    """Reads sentences. Thread-safe: one thread reads at a time, and what it gives out is plain data.

    Words that were never seen are forgotten with the reading (spaCy's memory zones), so memory does not grow with what is read.
    """

    def __init__(self, pipeline: str = "") -> None:
        """`pipeline`: an installed spaCy pipeline, a name or a folder; empty: ours. It is loaded when it is first needed."""
        self.name = pipeline
        self._lock = Lock()
        self._nlp: Language | None = None
        self._read: OrderedDict[str, Doc] = OrderedDict()

    def read(self, text: str) -> Doc:
        """The Doc of a sentence of at most `LONGEST` characters; of a longer one nothing is read.

        Raises ConfigError where the pipeline is not installed or knows no Universal Dependencies or no Penn tags.
        """
        if len(text) > LONGEST or not text.strip():
            return Doc.of(text, ())
        with self._lock:
            if (known := self._read.get(text)) is not None:
                self._read.move_to_end(text)
                return known
            if self._nlp is None:
                self._nlp = _load(self.name)
            with self._nlp.memory_zone():
                kept = _kept(text)
                doc = _plain(text, self._nlp("".join(text[at] for at in kept)), kept)
            self._read[text] = doc
            if len(self._read) > _KEPT:
                self._read.popitem(last=False)
            return doc

    def read_long(self, text: str) -> Doc:
        """The Doc of a text of any length; what is longer than `LONGEST` is read in parts, which end at a blank."""
        if len(text) <= LONGEST:
            return self.read(text)
        found: list[Token] = []
        start = 0
        for part in _parts(text):
            before = len(found)
            found += (
                replace(one, at=one.at + before, start=one.start + start, head=one.head + before)
                for one in self.read(part).tokens
            )
            start += len(part)
        return Doc.of(text, found)


def _parts(text: str) -> list[str]:
    """Parts of at most `LONGEST` characters, which make up the text."""
    return textwrap.wrap(
        text,
        LONGEST,
        expand_tabs=False,
        replace_whitespace=False,
        drop_whitespace=False,
        break_on_hyphens=False,
    )


def _kept(text: str) -> list[int]:
    """The places of the characters that are read: what stands within a word or a number, "bold**ly**", stays."""
    left_out = {
        at
        for match in _NO_WORDS.finditer(text)
        if not text[max(0, match.start() - 1) : match.start()].strip() or _CLOSING.match(text, match.end())
        for at in range(*match.span())
    }
    return [at for at in range(len(text)) if at not in left_out]


def _load(name: str) -> Language:
    import spacy

    from guardrail.language.layers import frozen  # registers the layer that our pipeline is built on, too

    try:
        nlp = spacy.load(name or MODEL)
    except OSError as error:
        raise ConfigError(
            f"no spaCy pipeline {name!r} is installed: python -m spacy download {name}"
        ) from error
    for pipe in nlp.pipe_names:
        if pipe not in _NEEDED:
            nlp.disable_pipe(pipe)
    if not name:
        layers: Any = nlp.get_pipe("tok2vec")
        layers.model = frozen(layers.model)
    elif not set(_RELATIONS) <= _labels(nlp, "parser"):
        raise ConfigError(f"the spaCy pipeline {name!r} has no parser of Universal Dependencies")
    elif not set(_TAGS) <= _labels(nlp, "tagger"):
        raise ConfigError(f"the spaCy pipeline {name!r} has no tagger with the tags of the Penn treebank")
    return nlp


def _labels(nlp: Language, pipe: str) -> set[str]:
    """What a part of a pipeline tells apart; nothing where it has none."""
    known: Any = nlp.get_pipe(pipe) if pipe in nlp.pipe_names else None
    return set(known.labels) if known else set()


def _plain(text: str, doc: Any, places: Sequence[int]) -> Doc:
    """The words of a spaCy Doc as plain data; blanks are no tokens. `places`: of its characters in the text."""
    kept = [token for token in doc if not token.is_space]
    place = {token.i: at for at, token in enumerate(kept)}
    tokens = []
    for at, token in enumerate(kept):
        head = token.head
        while head.is_space and head.head is not head and head.i != head.head.i:
            head = head.head
        tokens.append(
            Token(
                at,
                token.text,
                places[token.idx],
                _lemma(token),
                _tag(token, text),
                token.dep_,
                place.get(head.i, at),
            )
        )
    return Doc.of(text, tokens)


def _tag(token: Any, text: str) -> str:
    """The tagger's, but for what only looks like a pronoun: "IT has no access" in a text that is not in capitals."""
    tag: str = token.tag_
    acronym = tag == "PRP" and len(token) > 1 and token.is_upper and not text.isupper()
    return "NNP" if acronym else tag


def _lemma(token: Any) -> str:
    """The lemmatizer's, but for participles that it does not know as such."""
    lemma: str = token.lemma_
    return _PARTICIPLES.get(lemma, lemma) if token.tag_ == "VBN" else lemma


def parser(pipeline: str = "") -> Parser:
    """The parser that all share who read with this pipeline."""
    return _shared(pipeline)


@lru_cache(maxsize=4)
def _shared(pipeline: str) -> Parser:
    return Parser(pipeline)
