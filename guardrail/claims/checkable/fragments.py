"""What is no statement: verbless fragments, items and cells that are only names, columns set with blanks, markup.

Only what was read as English is put aside: of a line in another language nobody can say that it has no verb, and what is not
read must not pass for harmless.
"""

from __future__ import annotations

import re

from guardrail.claims.lexicon.words import singular
from guardrail.claims.reading.chunks import VG
from guardrail.claims.reading.sentence import ParsedSentence
from guardrail.language.vocabulary import listed_word
from guardrail.rules import rule
from guardrail.types import BlockKind, Kind

__all__ = ["unstated"]

_TAG = re.compile(
    r"\s*</?(?:table|thead|tbody|tfoot|caption|colgroup|col|tr|td|th|ul|ol|li|dl|dt|dd|div|span|p|br|hr|img|a|h[1-6]|pre|code|style|script|svg"
    r"|section|article|header|footer|nav|main|body|html|head|link|meta|title|details|summary|b|i|em|strong|sup|sub|figure|iframe|video)\b[^<>\n]{0,400}>"
)
_NO_TEXT = re.compile(r"(?i)\s*(?:<!--|<!doctype|</?(?:script|style|svg|head|meta|link)\b)")
_COLUMNS = re.compile(r"\S(?:[ ]{3,}|[ ]?\t[ \t]*|[ ]\|[ ])\S")
_FINITE = frozenset({"VB", "VBD", "VBP", "VBZ", "MD"})
_FOREIGN = frozenset(
    "de la el los las les des du una und der die das ein eine est ist sind es et y il lo gli di del della e een het van är och".split()
)
_KNOWN = 0.6
_LONG = 14  # a longer stretch of words without a verb was rather misread …
_SENTENCE = 4  # … and so were as many with a full stop


@rule("fragments")
def unstated(reading: ParsedSentence, *, short_answer: bool = False) -> Kind | None:
    """The kind of a sentence that states nothing, None for one that states something or whose language was not read.

    CODE for markup, HEADING for the rest. A name and a value beside each other ("Paris, 1889") may well state something,
    and so may any words where a question asks for no more (`short_answer`).
    """
    text = reading.sentence.text
    if _NO_TEXT.match(text):
        return Kind.CODE
    if _verb(reading) or not _english(reading):
        return None
    if _TAG.match(text):
        return Kind.CODE
    set_in_columns = reading.sentence.kind is BlockKind.ROW or _COLUMNS.search(text) is not None
    may_state = short_answer or _named_value(reading) or _misread(reading)
    return Kind.HEADING if set_in_columns or not may_state else None


def _named_value(reading: ParsedSentence) -> bool:
    named = any(token.tag in ("NNP", "NNPS") or token.mention >= 0 for token in reading.tokens)
    return named and bool(reading.values)


def _misread(reading: ParsedSentence) -> bool:
    """Whether words without a verb are many, or end as a sentence does: a tagger may take its verb for a noun ("Print accounts for it.")."""
    text = reading.sentence.text
    ended = text.rstrip("*_\"'”’) ").endswith(".") and len(text.split()) >= _SENTENCE
    return ended or len(reading.tokens) > _LONG


def _verb(reading: ParsedSentence) -> bool:
    return any(token.tag in _FINITE for token in reading.tokens) or any(
        isinstance(chunk, VG) for chunk in reading.chunks
    )


def _english(reading: ParsedSentence) -> bool:
    """Most words in small letters are known, none is a function word of a neighbour, and all letters are Latin."""
    words = [token for token in reading.tokens if token.text[:1].isalpha()]
    small = [token.low for token in words if token.text.islower() and token.mention < 0]
    known = sum(listed_word(low) or listed_word(singular(low)) for low in small)
    latin = all(token.text[0] < "\u0250" for token in words)
    return latin and known >= _KNOWN * len(small) and not _FOREIGN & set(small)
