"""Streamed text to sentences with exact offsets.

`Segmenter` takes a text in pieces and gives out each `Sentence` as soon as its end is certain; `segment` takes it whole,
`sentences` looks at no more of it than the next sentences need.
`machine` holds the states of the block lexer, `boundary` the decisions about single places.
`SentenceReader` turns each sentence as delivered into what a person reads of it, with a map back (`AsRead`). No I/O.
"""

from __future__ import annotations

from guardrail.segment.machine import HOLD_LIMIT, Segmenter, segment, sentences
from guardrail.segment.placing import AsRead, Placing
from guardrail.segment.reader import SentenceReader, readable
from guardrail.segment.view import View

__all__ = [
    "HOLD_LIMIT",
    "AsRead",
    "Placing",
    "Segmenter",
    "SentenceReader",
    "View",
    "readable",
    "segment",
    "sentences",
]
