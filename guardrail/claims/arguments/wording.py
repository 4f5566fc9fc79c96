"""The wording of a claim that stands alone: pronouns and relative words replaced, a missing subject supplied."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.tokens import Token
from guardrail.claims.splitting.lacking import bare, lacking
from guardrail.claims.splitting.pieces import Piece
from guardrail.language import Doc

__all__ = ["resolved"]

_MARKS = re.compile(r"\*{1,3}|`+|\[\^?\d[\d,\s–-]*\]|【[^】\n]{1,30}】")
_REFLEXIVE = ("self", "selves")  # the subject says whom these mean


class _Edit(NamedTuple):
    """Other words in the place `start` to `end` of a sentence. `name`: that they bring."""

    start: int
    end: int
    words: str
    name: str


def resolved(piece: Piece, arguments: Arguments) -> str:
    """A stretch of the sentence with its subject, and with names for what only points at them."""
    doc, edits = arguments.reading.doc, _pronouns(arguments)
    first, last = _tokens(doc, piece)
    if first > last:
        return _plain(_edited(arguments, piece.start, piece.end, edits))
    begin = bare(doc, piece.head, first)
    start = doc.tokens[begin].start if begin > first else piece.start
    lack = lacking(doc, piece.head, first, last)
    if lack is None:
        return _plain(_edited(arguments, start, piece.end, edits))
    opening, closing = (doc.tokens[at] for at in lack.subject)
    subject = _edited(arguments, opening.start, closing.end, edits)
    if lack.relative is None:
        words = _edited(arguments, start, piece.end, edits, behind=subject)
        said = _joined(subject, lack.auxiliary, words if first else words[:1].lower() + words[1:])
        return _plain(said)
    word = doc.tokens[lack.relative]
    meant = _possessive(subject) if word.low == "whose" else subject
    return _plain(_edited(arguments, start, piece.end, [*edits, _Edit(word.start, word.end, meant, subject)]))


def _tokens(doc: Doc, piece: Piece) -> tuple[int, int]:
    inside = [token.at for token in doc.tokens if piece.start <= token.start < piece.end]
    return (inside[0], inside[-1]) if inside else (0, -1)


def _joined(subject: str, auxiliary: Sequence[str], words: str) -> str:
    """The subject before the words, with "not" where it stands in a sentence: "cameras may not be directed at it"."""
    denied, _, rest = words.partition(" ")
    if auxiliary and denied == "not":
        return " ".join((subject, auxiliary[0], denied, *auxiliary[1:], rest))
    return " ".join((subject, *auxiliary, words))


def _plain(words: str) -> str:
    return re.sub(r"\s+", " ", _MARKS.sub("", words)).strip()


def _edited(arguments: Arguments, start: int, end: int, edits: Sequence[_Edit], *, behind: str = "") -> str:
    """The text of the sentence from `start` to `end`, with other words in the places of the edits that lie in it.

    A name is brought once, also if it stands in the words `behind` which this follows: "Anna Berg sold her house".
    """
    sentence, text, at = arguments.reading.sentence.text, "", start
    for edit in sorted(edits):
        if edit.start >= at and edit.end <= end:
            text += sentence[at : edit.start]
            brought = edit.name in text or edit.name in behind
            text += sentence[edit.start : edit.end] if brought else edit.words
            at = edit.end
    return text + sentence[at:end]


def _pronouns(arguments: Arguments) -> list[_Edit]:
    """The names in the places of what only points at them; of a reflexive the subject says whom it means."""
    chunks = [one for one in arguments.reading.chunks if isinstance(one, NP)]
    nps = [np for chunk in chunks for np in (chunk, *chunk.of, *chunk.also)]
    found = (_named(arguments, np) for np in nps if not _head(arguments, np).low.endswith(_REFLEXIVE))
    return [edit for edit in found if edit is not None]


def _named(arguments: Arguments, np: NP) -> _Edit | None:
    """The name of what a noun phrase means, or of whose it is."""
    tokens = arguments.reading.tokens
    meant, owner = arguments.referents.get(id(np)), arguments.owners.get(id(np))
    if np.kind in ("pronoun", "common") and meant is not None:
        head = _head(arguments, np)
        whose = np.kind == "pronoun" and (head.tag == "PRP$" or head.low == "his")
        words = _possessive(meant.text) if whose else meant.text
        return _Edit(tokens[np.first].start, tokens[np.last].end, words, meant.text)
    if owner is None:
        return None
    at = next((i for i in range(np.first, np.last + 1) if tokens[i].low == np.det), np.first)
    return _Edit(tokens[at].start, tokens[at].end, _possessive(owner.text), owner.text)


def _head(arguments: Arguments, np: NP) -> Token:
    return arguments.reading.tokens[np.head]


def _possessive(name: str) -> str:
    return name + ("'" if name.endswith("s") else "'s")
