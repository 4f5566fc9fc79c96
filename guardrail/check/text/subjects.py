"""Whether what was read speaks of the claim's subject at all: another office, line, person or model decides nothing about this one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from guardrail.check.text.compare.amounts import Text
from guardrail.check.text.compare.exact import coverage, missing
from guardrail.check.text.compare.phrases import names, read
from guardrail.check.text.compare.stems import in_some_form, stems
from guardrail.check.text.reading import Reading
from guardrail.language import Doc, Parse, Token
from guardrail.rules import rule
from guardrail.types import Evidence, Span

__all__ = ["spoken_of", "unnamed"]

_TITLES = frozenset("mr mrs ms miss dr doctor prof professor sir".split())


@rule("subject-not-named", silent="")
def unnamed(reading: Reading, evidence: Evidence, parse: Parse) -> str:
    """The first name or number of the claim's subject that no passage holds, unless the nearest sentence says all the rest of the claim
    of another subject; "" where there is none.
    """
    claim, nearest = reading.claim.resolved, reading.sentences[0]
    doc = parse(claim)
    subject = _subject(doc)
    held = [read(text) for text in _held(evidence)]
    absent = next((name for name in _names(doc, subject) if not _is_known(read(name), held)), "")
    rest = f"{claim[: subject.start]}{claim[subject.end :]}"
    same = coverage(rest, nearest.text, nearest.window.head) == 1 and not missing(rest, nearest.text)
    return "" if same else absent


def spoken_of(sentence: str, parse: Parse) -> str:
    """What a pronoun behind a sentence may stand for: its subject and what it names; all of it where neither is found."""
    if not sentence:
        return ""
    doc = parse(sentence)
    subject = _subject(doc)
    others = (
        name
        for start, end in ((0, subject.start), (subject.end, len(sentence)))
        for name in _names(doc, Span(start, end))
    )
    return " ".join((subject.of(sentence), *others)).strip() or sentence


def _subject(doc: Doc) -> Span:
    """Where the subject of a sentence stands, with all that hangs on it; empty where there is none."""
    found = (kid for root in doc.roots() for kid in doc.kids(root.at) if kid.dep.startswith("nsubj"))
    head = next(found, None)
    if head is None:
        return Span(0, 0)
    return Span(doc.tokens[doc.first[head.at]].start, doc.tokens[doc.last[head.at]].end)


def _names(doc: Doc, within: Span) -> Iterator[str]:
    """Each name or number of a stretch, the words of one name together."""
    tokens = (token for token in doc.tokens if within.contains(Span(token.start, token.end)))
    for kind, run in groupby(tokens, key=_kind_of_name):
        if kind:
            yield " ".join(token.text for token in run)


def _kind_of_name(token: Token) -> str:
    """Of a word that names: that of a name, and for each number its own; else none."""
    if token.tag == "CD":
        return f"number {token.at}"
    return "name" if token.tag.startswith("NNP") else ""


def _is_known(name: Text, held: Sequence[Text]) -> bool:
    """Whether a name is among what is held, or a part of it that no other name there has: "Berg" for "Anna Berg", beside no "Karl Berg"."""
    known = frozenset[str]().union(*map(stems, held))
    words = stems(name)
    absent = [word for word in words if not in_some_form(word, known)]
    if not absent or len(absent) == len(words):
        return not absent
    others = (stems(text[one.start : one.end]) - _TITLES for text in held for one in names(text))
    return not any(other & words and other - words for other in others)


def _held(evidence: Evidence) -> tuple[str, str]:
    """All that the passages say, and all that stands over them."""
    held = " . ".join(passage.text for passage in evidence.passages)
    return held, " . ".join(f"{passage.title} {passage.about}" for passage in evidence.passages)
