"""Whether what was read speaks of the claim's subject at all: another office, line, person or model decides nothing about this one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from guardrail.check.text.compare.amounts import Text
from guardrail.check.text.compare.exact import coverage, missing
from guardrail.check.text.compare.phrases import names, read
from guardrail.check.text.compare.stems import in_some_form, stems
from guardrail.check.text.reading import PassageReading
from guardrail.language import Doc, Parse, Token
from guardrail.language.lists import word_list
from guardrail.language.stems import light_stem
from guardrail.rules import rule
from guardrail.types import Evidence, Span

__all__ = ["elsewhere", "held", "of_another", "spoken_of"]

_TELLING_APART = frozenset("amod compound nummod nmod flat appos".split())
_YEAR = re.compile(r"[12]\d{3}")
_TITLES = word_list("titles")


def of_another(reading: PassageReading, evidence: Evidence, parse: Parse) -> str:
    """The first word that makes the claim's thing another one than what the passages speak of, unless the nearest sentence says all the
    rest of the claim; "" where there is none.
    """
    claim, nearest = parse(reading.claim.resolved), reading.sentences[0]
    word = _unnamed(claim, evidence) or _sibling(claim, parse(nearest.own), evidence)
    if not word:
        return ""
    subject, start = _subject(claim), claim.text.index(word)
    place = Span(start, start + len(word))
    apart = subject if subject.contains(place) else place
    rest = f"{claim.text[: apart.start]}{claim.text[apart.end :]}"
    same = coverage(rest, nearest.text, nearest.window.head) == 1 and not missing(rest, nearest.text)
    return "" if same else word


@rule("subject-not-named", silent="")
def _unnamed(claim: Doc, evidence: Evidence) -> str:
    """A name or number of the claim's subject that no passage holds."""
    named = list(_names(claim, _subject(claim)))
    told = [read(text) for text in held(evidence)] if named else []
    return next((name for name in named if not _is_known(read(name), told)), "")


@rule("subject-elsewhere", silent="")
def elsewhere(reading: PassageReading, evidence: Evidence, parse: Parse) -> str:
    """A name of the claim's subject that only documents of another title hold than the one of the nearest sentence, in which "the
    branch" is another one; "" where there is none.
    """
    claim, nearest = parse(reading.claim.resolved), reading.sentences[0].window
    others = [one for one in evidence.passages if one.title != nearest.passage.title]
    own = stems(read(nearest.passage.text)) | stems(read(nearest.head))
    known = frozenset[str]().union(*(stems(read(f"{one.title}. {one.text}")) for one in others))
    named = _names(claim, _subject(claim), numbers=False) if others else ()
    return next((name for name in named if not own & (words := stems(read(name))) and words <= known), "")


@rule("sibling-things", silent="")
def _sibling(claim: Doc, sentence: Doc, evidence: Evidence) -> str:
    """What tells a thing that the claim is about, before its verb, from one of the sentence that is called the same but for that: "day"
    beside "night shift".
    """
    theirs = [(noun.lemma.lower(), frozenset(_told_by(noun, sentence))) for noun in _nouns(sentence)]
    verb = next((root.at for root in claim.roots()), 0)
    for noun in (one for one in _nouns(claim) if one.at < verb):
        words = _told_by(noun, claim)
        like = [others for lemma, others in theirs if lemma == noun.lemma.lower()]
        if words and like and all(frozenset(words) - others and others - frozenset(words) for others in like):
            known = frozenset[str]().union(*(stems(read(text)) for text in held(evidence)))
            absent = (text for word, text in words.items() if not in_some_form(word, known))
            if found := next(absent, ""):
                return found
    return ""


def _nouns(doc: Doc) -> Iterator[Token]:
    return (token for token in doc.tokens if token.tag.startswith("NN"))


def _told_by(noun: Token, doc: Doc) -> dict[str, str]:
    """The words by which a noun is told from others of its name: each as it stands there, by its stem. A number before it counts it,
    unless it is a year: "line 4" and "the 2014 lease", not "50 minutes".
    """
    kids = (kid for kid in doc.kids(noun.at) if kid.dep.partition(":")[0] in _TELLING_APART)
    kids = (kid for kid in kids if kid.dep != "nummod" or kid.at > noun.at or _YEAR.fullmatch(kid.text))
    return {stem: kid.text for kid in kids for stem in stems(read(kid.text))}


def spoken_of(sentence: str, parse: Parse) -> str:
    """What a pronoun behind a sentence may stand for: its subject and what it names; all of it where neither is found."""
    if not sentence:
        return ""
    doc = parse(sentence)
    subject = _subject(doc)
    others = (
        name
        for start, end in ((0, subject.start), (subject.end, len(sentence)))
        for name in _names(doc, Span(start, end), numbers=False)
    )
    return " ".join((subject.of(sentence), *others)).strip() or sentence


def _subject(doc: Doc) -> Span:
    """Where the subject of a sentence stands, with all that hangs on it; empty where there is none."""
    found = [kid for root in doc.roots() for kid in doc.kids(root.at) if kid.dep.startswith("nsubj")]
    if not found:
        return Span(0, 0)
    first, last = doc.first[found[0].at], doc.last[found[0].at]
    for more in found[1:]:  # the parser may make two of "court 5"
        last = doc.last[more.at] if doc.first[more.at] == last + 1 else last
    return Span(doc.tokens[first].start, doc.tokens[last].end)


def _names(doc: Doc, within: Span, *, numbers: bool = True) -> Iterator[str]:
    """Each name, and if `numbers` each number, of a stretch as it stands there, the words of one name together."""
    tokens = (token for token in doc.tokens if within.contains(Span(token.start, token.end)))
    for kind, run in groupby(tokens, key=_kind_of_name):
        if kind and (numbers or kind == "name"):
            first, *others = run
            yield doc.text[first.start : (others or [first])[-1].end]


def _kind_of_name(token: Token) -> str:
    """Of a word that names: that of a name, and for each number its own; else none. A capital within a sentence makes a name, too."""
    if token.tag == "CD":
        return f"number {token.at}"
    return "name" if token.tag.startswith("NNP") or (token.at and token.text[0].isupper()) else ""


def _is_known(name: Text, told: Sequence[Text]) -> bool:
    """Whether a name is among what is said, or a part of it that no other name there has: "Berg" for "Anna Berg", beside no "Karl Berg"."""
    known = frozenset[str]().union(*map(stems, told))
    written = {item.text for text in told for item in text}  # "8" of "Windows 8" is no value there
    words = {light_stem(item.key): item.text for item in name}
    absent = [one for one, text in words.items() if text not in written and not in_some_form(one, known)]
    if not absent or len(absent) == len(words):
        return not absent
    others = (stems(text[one.start : one.end]) - _TITLES for text in told for one in names(text))
    return not any(other & words.keys() and other - words.keys() for other in others)


def held(evidence: Evidence) -> tuple[str, str]:
    """All that the passages say, and all that stands over them."""
    said = " . ".join(passage.text for passage in evidence.passages)
    return said, " . ".join(f"{one.title} {one.about} {one.url or ''}" for one in evidence.passages)
