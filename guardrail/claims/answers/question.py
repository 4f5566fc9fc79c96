"""The word order of a question: "How many rooms | does | the hotel | have?"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

from guardrail.language.doc import Doc, Token
from guardrail.language.lists import word_list

__all__ = ["Question", "asked_last", "question_of"]

_LAST = re.compile(r"(?:[^.!?\n]|\.(?=\S))+(?=\?[\s\"'”’)*]*$)")
_LONGEST = 400  # characters of a question that is read
_INDIRECT = re.compile(
    r"(?i)\b(?:tell me|let me know|know|wondering|wonder|remember|remind me|find out|say|sure|explain|confirm)(?: please)? "
    r"(?=(?:(?:in|at|on|by|for|to|from|with) )?(?:wh(?:o|om|ose|at|ich|en|ere)|how|if|whether)\b)"
)
_AUXILIARIES = word_list("auxiliaries") | {"'s", "’s", "'re", "’re", "ca", "wo"}
_WH = ("WP", "WP$", "WDT", "WRB")
_VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
_OUTSIDE = frozenset(
    "advcl obl punct cop aux aux:pass nsubj nsubj:pass mark parataxis discourse".split()
)  # of a noun phrase
_BE = frozenset("am is are was were 's ’s 're ’re".split())
_DO = ("do", "does", "did")
_NOUNS_ASKED = frozenset({"who", "what", "which"})
_NOT = ("not", "n't", "n’t")
_NOUN = frozenset({"DT", "PRP", "PRP$", "NN", "NNS", "NNP", "NNPS", "CD", "EX", "PDT", "POS", "$"})


@dataclass(frozen=True, slots=True)
class Question:
    """Places of tokens, ends excluded. `start`: where the question begins behind words that lead to it, "If I cancel, …".

    `asked`: the phrase with the question word, empty where it asks for yes or no. `auxiliary`: the verb before the subject, -1 where none
    stands there. `subject` is empty where the subject itself is asked for. `rest`: what stands behind it.
    """

    doc: Doc
    start: int
    asked: range
    auxiliary: int
    subject: range
    rest: range


def asked_last(text: str) -> str:
    """The last sentence of a text if it ends with a question mark, without it; else nothing.

    Of an indirect question only what is asked: "how long it takes" of "Can you tell me how long it takes?".
    """
    tail = text[-_LONGEST:]
    found = _LAST.search(tail)
    if found is None or (found.start() == 0 and len(text) > _LONGEST):
        return ""
    words = found.group()
    start = max((match.end() for match in _INDIRECT.finditer(words)), default=0)
    asked = words[start:].strip(" \"'“‘(*")
    return f"whether{asked[2:]}" if start and asked.startswith("if ") else asked


def question_of(doc: Doc) -> Question | None:
    """The parts of a question; None where its word order is another."""
    start = _start(doc)
    if start < 0:
        return None
    asked = _phrase(doc, start)
    if asked.stop >= len(doc):
        return None
    if doc.tokens[start].low == "whether" or doc.tokens[asked.stop].low not in _AUXILIARIES:
        return _indirect(doc, start, asked)
    return _direct(doc, start, asked)


def _phrase(doc: Doc, start: int) -> range:
    """The phrase with the question word, up to the first verb; empty where none begins there."""
    asks = any(token.tag in _WH for token in doc.tokens[start : start + 2])
    return range(start, _verb(doc, start)) if asks else range(start, start)


def _direct(doc: Doc, start: int, asked: range) -> Question | None:
    """A question with its auxiliary before its subject."""
    tokens, verb = doc.tokens, asked.stop
    behind = verb + 1 + (verb + 1 < len(tokens) and tokens[verb + 1].low in _NOT)
    subject = _subject(doc, verb, behind, asks_noun=tokens[start].low in _NOUNS_ASKED)
    if not subject and _inner(doc, asked) is not None:
        return _indirect(doc, start, asked)
    predicated = asked and tokens[verb].low in _BE  # the answer is what the subject is
    if subject and subject.stop == len(tokens) and not predicated:
        return None
    return Question(doc, start, asked, verb, subject, range(subject.stop, len(tokens)))


def _start(doc: Doc) -> int:
    """Where the question begins: at its start, or behind a comma; -1 where no word there asks."""
    tokens = doc.tokens
    places = [0, *(token.at + 1 for token in tokens[:-1] if token.low in (",", "and", "so", ":", "–"))]
    return next((at for at in places if _asks(tokens, at)), -1)


def _asks(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether a question may begin at a token."""
    word = tokens[at]
    with_preposition = word.tag in ("IN", "TO") and at + 1 < len(tokens) and tokens[at + 1].tag in _WH
    return (
        word.tag in _WH or with_preposition or word.low in _AUXILIARIES or (at == 0 and word.low == "whether")
    )


def _verb(doc: Doc, start: int) -> int:
    """Where the first verb stands that follows the question word."""
    for token in doc.tokens[start + 1 :]:
        if token.low in _AUXILIARIES or token.tag in _VERBS:
            return token.at
    return len(doc)


def _indirect(doc: Doc, start: int, asked: range) -> Question:
    """A question in the order of a statement, or one for its own subject: "who manages it", "how long | the fee | is"."""
    tokens = doc.tokens
    inner = _inner(doc, asked)
    if inner is None:
        first = asked.stop + (start == asked.stop and tokens[start].low == "whether")
        return Question(doc, start, asked, -1, range(first, first), range(first, len(tokens)))
    return Question(
        doc,
        start,
        range(asked.start, inner.at),
        -1,
        range(inner.at, asked.stop),
        range(asked.stop, len(tokens)),
    )


def _inner(doc: Doc, asked: range) -> Token | None:
    """Where a noun phrase of its own begins behind the question word: "how long | the fee"."""
    behind = doc.tokens[asked.start + 1 : asked.stop]
    return next(
        (token for token in behind if token.tag in ("DT", "PRP", "PRP$") and token.dep != "obj"), None
    )


def _subject(doc: Doc, auxiliary: int, start: int, *, asks_noun: bool) -> range:
    """The noun phrase behind the auxiliary; empty where something else follows. `asks_noun`: another noun phrase is asked for."""
    tokens = doc.tokens
    first = next((token for token in tokens[start:] if token.tag != "RB"), None)
    if first is None or not _is_noun_phrase(doc, first.at):
        misread = tokens[auxiliary].low in _DO and start < len(tokens) - 1  # behind "does" stands a subject
        return range(start, len(tokens) - 1) if misread else range(start, start)
    return range(first.at, _end(doc, _head(doc, first.at, auxiliary), auxiliary, asks_noun=asks_noun))


def _end(doc: Doc, head: int, auxiliary: int, *, asks_noun: bool) -> int:
    """Where the noun phrase of a head ends, which leaves a predicate to "do" and to modal verbs if there is one."""
    tokens = doc.tokens
    behind = (one for one in doc.kids(head) if one.at > head)
    parts = list(
        takewhile(lambda one: one.dep not in _OUTSIDE and (asks_noun or not _told_of(doc, one)), behind)
    )
    end = max([head, *(doc.last[one.at] for one in parts)]) + 1
    if end < len(tokens) or any(one.dep == "acl:relcl" for one in parts):
        return end
    if tokens[auxiliary].low in _BE:
        return end - (tokens[-1].tag in ("IN", "TO", "RP"))  # "What floor is the library on?"
    return next((token.at for token in tokens[head + 1 :] if token.tag in _VERBS), end - 1)


def _is_noun_phrase(doc: Doc, at: int) -> bool:
    token = doc.tokens[at]
    before_noun = (
        token.tag in ("JJ", "JJS", "JJR", "VBN", "VBG")
        and doc.tokens[token.head].tag in _NOUN
        and token.head > at
    )
    return token.tag in _NOUN or before_noun


def _told_of(doc: Doc, token: Token) -> bool:
    """Whether a participle behind a noun is the predicate of the question: "Was the company | founded in 1998"."""
    relative = any(one.tag in _WH or one.dep.startswith("nsubj") for one in doc.kids(token.at))
    return token.dep.startswith("acl") and token.tag in ("VBN", "VBD") and not relative


def _head(doc: Doc, at: int, auxiliary: int) -> int:
    """The head of the noun phrase that begins at a token."""
    token = doc.tokens[at]
    while not token.dep.startswith(("nsubj", "expl")):
        above = doc.tokens[token.head]
        if above.at <= max(auxiliary, token.at) or above.tag not in _NOUN | {"JJS", "JJ"}:
            break
        token = above
    return token.at
