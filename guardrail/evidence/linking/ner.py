"""Named-entity recognition by a spaCy pipeline: where names stand that neither the alias index nor capitals show.

    AliasLinker(graph, recognizer=SpacyRecognizer("en_core_web_sm"))

Needs spaCy (extra `nlp`), which is imported when a recognizer is made. Dates, amounts and counts are no names: they are
read as values elsewhere.
"""

from __future__ import annotations

import threading
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from guardrail.errors import ConfigError

if TYPE_CHECKING:
    from spacy.language import Language

_VALUES = frozenset("DATE TIME PERCENT MONEY QUANTITY ORDINAL CARDINAL".split())
"""Labels of OntoNotes 5 (LDC2013T19) whose spans are literals."""


class Recognizer(Protocol):
    """Finds names in a text. Safe to share between threads."""

    def places(self, text: str, /) -> list[tuple[int, int]]:
        """Where names stand: `(start, end)` in characters, in order, not overlapping."""
        ...


class SpacyRecognizer:
    """A spaCy pipeline that sets `Doc.ents`: a trained `ner`, an entity ruler, or both.

    `pipeline`: a loaded one, the name of an installed one, or its folder. Raises ConfigError where the pipeline
    is not installed.
    """

    def __init__(self, pipeline: Language | str) -> None:
        self._pipeline = _loaded(pipeline) if isinstance(pipeline, str) else pipeline
        self._lock = threading.Lock()  # a pipeline adds to its vocabulary while it reads

    def places(self, text: str) -> list[tuple[int, int]]:
        with self._lock:
            found = self._pipeline(text).ents
        return [(entity.start_char, entity.end_char) for entity in found if entity.label_ not in _VALUES]


def open_recognizer(name: str) -> SpacyRecognizer | None:
    """The pipeline of this name or folder; None where none is named. Raises ConfigError as `SpacyRecognizer` does."""
    return SpacyRecognizer(name) if name else None


def _loaded(name: str) -> Language:
    try:
        pipeline: Language = import_module("spacy").load(name)
    except OSError as error:
        raise ConfigError(
            f"no spaCy pipeline {name!r} is installed: python -m spacy download {name}"
        ) from error
    return pipeline
